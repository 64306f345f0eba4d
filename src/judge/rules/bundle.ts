import type { Problem } from '../../read/evidence.ts'
import { groupBy } from '../../read/group.ts'
import type { Finding } from '../finding.ts'
import { found, type Rule } from './rule.ts'

/** No bundle, or nothing of it can be read. */
export const noBundle: Rule = ({ comparison: { bundle, scratch, review } }) =>
  scratch === null ? [found('notice', { id: 'bundle/none', bundle, under: review.under })] : []

/** Files that are not as `SHA256SUMS` says. */
export const editedAfterCapture: Rule = ({ comparison: { bundle } }) => {
  const files = of(bundle.problems, 'edited-after-capture').map(({ file }) => file)
  return files.length === 0 ? [] : [found('warning', { id: 'bundle/edited-after-capture', files }, files[0] ?? null)]
}

/** A run that was recorded to its end, without the sums that the script writes last. */
export const noSums: Rule = ({ comparison: { bundle, scratch } }) => {
  const known =
    scratch?.files.includes('SHA256SUMS') || bundle.problems.some((one) => 'file' in one && one.file === 'SHA256SUMS')
  return scratch?.run?.finished == null || known ? [] : [found('info', { id: 'bundle/no-sums' })]
}

/** Every other problem of the bundle as files. Those that come by the line are one finding a file. */
export const bundleProblems: Rule = ({ comparison: { bundle } }) => {
  const findings: Finding[] = []
  for (const problem of bundle.problems) {
    switch (problem.kind) {
      case 'not-regular':
        findings.push(found('warning', { id: 'bundle/not-regular', problem }, problem.file))
        break
      case 'over-cap':
        findings.push(found('warning', { id: 'bundle/over-cap', problem }, problem.file))
        break
      case 'too-many-files':
        findings.push(found('warning', { id: 'bundle/too-many-files', problem }))
        break
      case 'unreadable':
        findings.push(found('warning', { id: 'bundle/unreadable', problem }, problem.file, problem.line))
        break
      case 'not-utf8':
        findings.push(found('notice', { id: 'bundle/not-utf8', problem }, problem.file, problem.line))
        break
      case 'control-characters':
        findings.push(found('notice', { id: 'bundle/control-characters', problem }, problem.file, problem.line))
        break
      default:
    }
  }
  for (const problems of groupBy(of(bundle.problems, 'unrecognised-line'), ({ file }) => file).values())
    findings.push(found('info', { id: 'bundle/unrecognised-line', problems }, problems[0].file, problems[0].line))
  for (const problems of groupBy(of(bundle.problems, 'repeated-key'), ({ file }) => file).values())
    findings.push(found('notice', { id: 'bundle/repeated-key', problems }, problems[0].file, problems[0].line))
  for (const problems of groupBy(of(bundle.problems, 'secret'), ({ file }) => file).values())
    findings.push(found('warning', { id: 'bundle/secret', problems }, problems[0].file, problems[0].line))
  const converted = of(bundle.problems, 'line-endings').map(({ file }) => file)
  if (converted.length > 0)
    findings.push(found('info', { id: 'bundle/line-endings', files: converted }, converted[0] ?? null))
  const unexpected = of(bundle.problems, 'unexpected-file')
  if (unexpected.length > 0)
    findings.push(found('notice', { id: 'bundle/unexpected-file', problems: unexpected }, unexpected[0]?.file ?? null))
  return findings
}

function of<K extends Problem['kind']>(problems: readonly Problem[], kind: K): Extract<Problem, { kind: K }>[] {
  return problems.filter((problem): problem is Extract<Problem, { kind: K }> => problem.kind === kind)
}
