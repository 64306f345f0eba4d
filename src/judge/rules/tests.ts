import type { Counts } from '../../compare/comparison.ts'
import type { Finding } from '../finding.ts'
import { nothingRan } from '../witness.ts'
import { found, type Rule } from './rule.ts'

/** Cases that ended in opposite ways. */
export const flipped: Rule = ({ comparison: { scratch, tests } }) =>
  tests.flipped.length > 0
    ? [found('warning', { id: 'tests/flipped', pairs: tests.flipped }, scratch?.tests?.files[0] ?? null)]
    : []

/** A report is there and no case of it was executed. */
export const noneRan: Rule = ({ comparison: { scratch, ci, tests } }) => [
  ...(nothingRan(tests.scratch)
    ? [
        found(
          'warning',
          { id: 'tests/none-ran', side: 'scratch', skipped: tests.scratch?.skipped ?? 0 },
          scratch?.tests?.files[0] ?? null,
        ),
      ]
    : []),
  ...(nothingRan(tests.ci) && ci.tests !== null
    ? [found('warning', { id: 'tests/none-ran', side: 'ci', skipped: tests.ci?.skipped ?? 0 })]
    : []),
]

/** Cases that failed as expected on one side alone. */
export const unexpected: Rule = ({ comparison: { scratch, tests } }) =>
  tests.unexpected.length > 0
    ? [found('notice', { id: 'tests/expected', pairs: tests.unexpected }, scratch?.tests?.files[0] ?? null)]
    : []

/** Cases that one side did not run. */
export const transfer: Rule = ({ comparison: { scratch, tests, lockfiles } }) => {
  const install = lockfiles.find((lockfile) => lockfile.install !== null)?.install ?? null
  const file = scratch?.tests?.files[0] ?? null
  const { skippedInScratch, skippedInCi, onlyScratch, onlyCi } = tests
  return [
    ...(skippedInScratch.length > 0
      ? [found('warning', { id: 'tests/skipped-in-scratch', groups: skippedInScratch, install }, file)]
      : []),
    ...(onlyCi.length > 0 ? [found('notice', { id: 'tests/only-ci', cases: onlyCi }, file)] : []),
    ...(skippedInCi.length > 0 ? [found('warning', { id: 'tests/skipped-in-ci', groups: skippedInCi }, file)] : []),
    ...(onlyScratch.length > 0 ? [found('warning', { id: 'tests/only-scratch', cases: onlyScratch }, file)] : []),
  ]
}

/** Without a report on both sides nothing can be said of single cases. One that was to be written is told as such. */
export const noReport: Rule = ({ comparison: { scratch, ci, tests, signals, exits } }) => {
  if (scratch === null) return []
  const sides = [
    ['scratch', tests.scratch, scratch, exits.scratchCode],
    ['ci', tests.ci, ci, exits.ciCode],
  ] as const
  return sides.flatMap(([side, counts, evidence, exit]): Finding[] => {
    const unreadable = evidence.problems.some(({ kind, ...at }) => kind === 'unreadable' && isJUnit(at))
    if (counts !== null || unreadable || evidence.files.length === 0) return []
    const what = signals[side].notWritten
    if (what === null) {
      const cargoTest = /\bcargo(?: \+\S+)? t(?:est)?(?:\s|$)/.test(evidence.run?.command ?? '')
      return [found('notice', { id: 'tests/no-report', side, cargoTest })]
    }
    return [found(exit === 0 ? 'warning' : 'notice', { id: 'tests/not-written', side, exit, what })]
  })
}

function isJUnit(at: object): boolean {
  return 'file' in at && typeof at.file === 'string' && at.file.endsWith('.xml')
}

/** All cases passed and the exit code says otherwise: a session hook, a threshold, a suite that the reporter left out. */
export const greenReport: Rule = ({ comparison: { scratch, tests, exits } }) => {
  const green = (counts: Counts | null) => counts !== null && counts.total > 0 && counts.failed + counts.errors === 0
  const { scratchCode, ciCode } = exits
  return [
    // Why a run that was interrupted did not exit with 0 is known.
    ...(green(tests.scratch) && scratchCode !== null && scratchCode !== 0 && !scratch?.run?.signal
      ? [
          found(
            'notice',
            { id: 'tests/green-report', side: 'scratch', exit: scratchCode },
            exits.scratch[0]?.file ?? null,
          ),
        ]
      : []),
    ...(green(tests.ci) && ciCode !== null && ciCode !== 0
      ? [found('notice', { id: 'tests/green-report', side: 'ci', exit: ciCode })]
      : []),
  ]
}

/** What the XML says apart from its cases. */
export const reportItself: Rule = ({ comparison: { scratch, ci } }) => {
  const mismatches = (scratch?.tests?.countMismatches ?? []).filter(
    (one, at, all) => all.findIndex(({ of }) => of === one.of) === at,
  )
  const sides = [
    ['scratch', scratch?.tests],
    ['ci', ci.tests],
  ] as const
  return [
    ...sides.flatMap(([side, report]): Finding[] => {
      const problems = report?.suiteProblems ?? []
      const file = side === 'scratch' ? (problems[0]?.file ?? null) : null
      return problems.length === 0 ? [] : [found('notice', { id: 'tests/suite-problem', side, problems }, file)]
    }),
    ...mismatches.map(({ file, ...of }) =>
      found(of.of === 'failures' ? 'warning' : 'info', { id: 'tests/count-mismatch', ...of }, file),
    ),
  ]
}
