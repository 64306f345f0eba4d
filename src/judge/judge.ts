import type { Comparison } from '../compare/comparison.ts'
import type { CiResult } from '../read/recording.ts'
import { conclude, endingOf } from './conclusion.ts'
import type { Finding, Level } from './finding.ts'
import type { Judgement, Leg, ProofRow } from './judgement.ts'
import { bundleProblems, editedAfterCapture, noBundle, noSums } from './rules/bundle.ts'
import { ci } from './rules/ci.ts'
import { exitAgainstCi, exitAgainstItself, exitAgainstReport, exitCode, interrupted } from './rules/exit.ts'
import { command, installed, lockfiles, toolchain } from './rules/experiment.ts'
import type { Case, Rule } from './rules/rule.ts'
import { rerun, signals } from './rules/signals.ts'
import { judged, script, source } from './rules/source.ts'
import { flipped, greenReport, noneRan, noReport, reportItself, transfer, unexpected } from './rules/tests.ts'
import { differencesOf, witnessOf } from './witness.ts'

/** In the order in which a reviewer wants them, within a level. */
const RULES: readonly Rule[] = [
  noBundle,
  editedAfterCapture,
  noSums,
  exitAgainstItself,
  exitAgainstReport,
  interrupted,
  exitAgainstCi,
  flipped,
  unexpected,
  noneRan,
  noReport,
  signals,
  exitCode,
  source,
  judged,
  transfer,
  toolchain,
  lockfiles,
  installed,
  command,
  script,
  greenReport,
  rerun,
  ci,
  bundleProblems,
  reportItself,
]

const LEVELS: readonly Level[] = ['warning', 'notice', 'info']

/**
 * Says what the scratch run is worth beside CI's.
 *
 * @param results how each run of CI ended; they alone make the conclusion
 * @param comparisons the scratch run beside each of them, in the same order
 */
export function judge(results: readonly [CiResult, ...CiResult[]], comparisons: readonly Comparison[]): Judgement {
  const legs = results.flatMap((result, index): Leg[] => {
    const comparison = comparisons[index]
    return comparison === undefined ? [] : [{ result, comparison }]
  })
  const ordered = legs.toSorted((a, b) => distance(a.comparison) - distance(b.comparison))
  const [nearest, ...others] = ordered
  if (nearest === undefined) throw new Error('There is no run of CI to judge by.')
  const ended = endingOf(nearest.result)
  const witness = witnessOf(nearest.comparison, ended)
  const at: Case = { ...nearest, witness, ended, others: others.map((leg) => leg.result) }
  return {
    conclusion: conclude(results),
    legs: [nearest, ...others],
    witness,
    differences: differencesOf(nearest.comparison),
    findings: sorted(RULES.flatMap((rule) => rule(at))),
    proved: proofRows(nearest.comparison),
  }
}

/**
 * How far a leg is from the scratch run: one that recorded nothing is farthest, then the platform weighs most, a patch least.
 * What was not recorded is not the same.
 */
function distance(comparison: Comparison): number {
  const { ci: own, scratch, toolchain: rows, tests } = comparison
  const weights = { platform: 1000, abi: 100, drift: 1, unrecorded: 1, cosmetic: 0, same: 0 }
  const others = differencesOf(comparison).filter((one) => one !== 'platform' && one !== 'toolchain')
  return (
    (own.toolchain === null ? 100_000 : 0) +
    rows.reduce((sum, row) => sum + weights[row.grade], 0) +
    (scratch?.tests && own.tests === null ? 50 : 0) +
    20 * others.length +
    10 * tests.flipped.length
  )
}

function sorted(findings: readonly Finding[]): Finding[] {
  return LEVELS.flatMap((level) => findings.filter((finding) => finding.level === level))
}

/** One row for each kind of file there is, and one for the pull request's own words where they claim a pass. */
function proofRows({ scratch, review }: Comparison): ProofRow[] {
  const rows: ProofRow[] = review.claim === null ? [] : [{ kind: 'claim', file: null }]
  if (scratch === null) return rows
  for (const { file } of scratch.exits) rows.push({ kind: 'exit', file })
  if (scratch.tests !== null) rows.push({ kind: 'tests', file: scratch.tests.files[0] ?? null })
  if (scratch.toolchain !== null) rows.push({ kind: 'toolchain', file: scratch.toolchain.file })
  for (const { file } of scratch.locks) rows.push({ kind: 'lock', file })
  for (const { file } of scratch.freezes) rows.push({ kind: 'freeze', file })
  if (scratch.run !== null) rows.push({ kind: 'tree', file: 'run.txt' })
  if (scratch.files.includes('SHA256SUMS')) rows.push({ kind: 'sums', file: 'SHA256SUMS' })
  return rows
}
