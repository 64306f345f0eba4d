import type { Finding } from '../finding.ts'
import { found, type Rule } from './rule.ts'

/** What CI's own side lacks. It never touches the conclusion. */
export const ci: Rule = ({ comparison, result, others }) => {
  const findings: Finding[] = comparison.ciNotes.map((note) =>
    note.kind === 'stale-junit'
      ? found('notice', { id: 'ci/stale-junit', files: note.files })
      : found('notice', { id: 'ci/not-recorded', what: note.what, remedy: note.remedy }),
  )
  for (const problem of comparison.ci.problems)
    if (problem.kind === 'unreadable' || problem.kind === 'over-cap')
      findings.push(found('notice', { id: 'ci/unreadable', problem }))
  const { exitCode, result: word, name } = result
  if (word !== null && exitCode !== null && (word === 'success') !== (exitCode === 0))
    findings.push(found('warning', { id: 'ci/result-against-exit', leg: name, result: word, exit: exitCode }))
  if (others.length > 0)
    findings.push(
      found('info', {
        id: 'ci/other-legs',
        legs: others.map((leg) => ({
          name: leg.name,
          ended: leg.result ?? `exit ${leg.exitCode ?? leg.signal ?? 'unknown'}`,
        })),
      }),
    )
  return findings
}
