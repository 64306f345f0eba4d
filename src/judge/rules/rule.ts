import type { CiResult } from '../../read/recording.ts'
import type { Conclusion } from '../conclusion.ts'
import type { Fact, Finding, Level } from '../finding.ts'
import type { Leg } from '../judgement.ts'
import type { Witness } from '../witness.ts'

/** All that a rule may look at. */
export interface Case extends Leg {
  readonly witness: Witness
  /** How this leg ended; null where that is not known. */
  readonly ended: Conclusion | null
  readonly others: readonly CiResult[]
}

/** Looks at one thing and says what it found: nothing, where there is nothing to say. */
export type Rule = (at: Case) => readonly Finding[]

/** Makes a finding of a fact. */
export function found(level: Level, fact: Fact, file: string | null = null, line: number | null = null): Finding {
  return { ...fact, level, file, line }
}
