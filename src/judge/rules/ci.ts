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
  const legs = [result, ...others]
  // Of legs together GitHub says `failure` where one of them failed.
  const told = legs.some(({ shared, exitCode }) => shared && exitCode !== null && exitCode !== 0)
  for (const { name, exitCode, result: word, shared } of legs) {
    if (word === null || exitCode === null || (word === 'success') === (exitCode === 0)) continue
    if (shared && word !== 'success' && told) continue
    findings.push(found('warning', { id: 'ci/result-against-exit', leg: name, result: word, exit: exitCode, shared }))
    if (shared && word !== 'success') break
  }
  return findings
}
