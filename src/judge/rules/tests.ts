import type { Counts } from '../../compare/comparison.ts'
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

/** Without a report on both sides nothing can be said of single cases. */
export const noReport: Rule = ({ comparison: { scratch, ci, tests } }) => {
  if (scratch === null) return []
  const unreadable = scratch.problems.some((problem) => problem.kind === 'unreadable' && problem.file.endsWith('.xml'))
  return [
    ...(tests.scratch === null && !unreadable ? [found('notice', { id: 'tests/no-report', side: 'scratch' })] : []),
    ...(tests.ci === null && ci.files.length > 0 ? [found('notice', { id: 'tests/no-report', side: 'ci' })] : []),
  ]
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
export const reportItself: Rule = ({ comparison: { scratch } }) => {
  const report = scratch?.tests ?? null
  if (report === null) return []
  const [problem] = report.suiteProblems
  const [mismatch] = report.countMismatches
  return [
    ...(problem === undefined
      ? []
      : [found('notice', { id: 'tests/suite-problem', count: report.suiteProblems.length }, problem.file)]),
    ...(mismatch === undefined
      ? []
      : [
          found(
            'info',
            { id: 'tests/count-mismatch', attribute: mismatch.attribute, elements: mismatch.elements },
            mismatch.file,
          ),
        ]),
  ]
}
