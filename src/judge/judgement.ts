import type { Comparison } from '../compare/comparison.ts'
import type { CiResult } from '../read/recording.ts'
import type { Conclusion } from './conclusion.ts'
import type { Finding } from './finding.ts'
import type { Difference, Witness } from './witness.ts'

/** One leg of CI: how it ended, and what it recorded beside the scratch run. */
export interface Leg {
  readonly result: CiResult
  readonly comparison: Comparison
}

/** A row of the decision table. What it says is in `report/wording/`. */
export type ProofKind = 'claim' | 'exit' | 'tests' | 'toolchain' | 'lock' | 'freeze' | 'tree' | 'sums'

export interface ProofRow {
  readonly kind: ProofKind
  /** The bundle's file; null for the pull request's own words. */
  readonly file: string | null
}

/** All that is said of a scratch run. */
export interface Judgement {
  readonly conclusion: Conclusion
  /** Every run of CI. The first is the one that the rest is about: the nearest to the scratch run. */
  readonly legs: readonly [Leg, ...Leg[]]
  readonly witness: Witness
  /** In which ways the scratch run was another experiment than the nearest leg. */
  readonly differences: readonly Difference[]
  /** The most telling first. */
  readonly findings: readonly Finding[]
  readonly proved: readonly ProofRow[]
}
