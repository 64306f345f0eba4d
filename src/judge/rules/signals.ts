import type { RunSignals } from '../../compare/comparison.ts'
import type { Finding, Side } from '../finding.ts'
import { found, type Rule } from './rule.ts'

/** What the reports say of the runs that wrote them: whether they are of these runs, and whether anything ran in them. */
export const signals: Rule = ({ comparison: { scratch, signals: read } }) => {
  const file = scratch?.tests?.files[0] ?? null
  const { copied } = read
  return [
    ...(copied === null ? [] : [found('warning', { id: 'tests/copied', copied }, copied.files[0] ?? file)]),
    ...ofRun('scratch', read.scratch).map((finding) => ({ ...finding, file })),
    ...ofRun('ci', read.ci),
  ]
}

function ofRun(side: Side, run: RunSignals): Finding[] {
  const { outside, otherHosts, sameTime, noTime, cachedPackages, cachedCases, hollow } = run
  const cached = cachedPackages !== null || cachedCases !== null
  return [
    ...(outside === null ? [] : [found('warning', { id: 'tests/timestamp', side, outside })]),
    ...(otherHosts.length === 0 ? [] : [found('notice', { id: 'tests/hostname', side, hosts: otherHosts })]),
    ...(sameTime === null ? [] : [found('warning', { id: 'tests/same-time', side, ...sameTime })]),
    ...(noTime === null || cached ? [] : [found('notice', { id: 'tests/no-time', side, cases: noTime })]),
    ...(cached ? [found('notice', { id: 'tests/cached', side, packages: cachedPackages, cases: cachedCases })] : []),
    ...(hollow.length === 0 ? [] : [found('notice', { id: 'tests/hollow', side, cases: hollow })]),
  ]
}

/** Tests that were run again. One that passed only then says less than one that passed at once. */
export const rerun: Rule = ({ comparison: { scratch, tests } }) =>
  (['scratch', 'ci'] as const).flatMap((side) => {
    const cases = tests.rerun[side]
    if (cases.length === 0) return []
    const level = cases.some(({ status }) => status === 'passed') ? 'notice' : 'info'
    const file = side === 'scratch' ? (scratch?.tests?.files[0] ?? null) : null
    return [found(level, { id: 'tests/rerun', side, cases }, file)]
  })
