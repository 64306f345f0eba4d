import type { InstalledAgainstLock, LockfileComparison, ToolchainRow } from '../../compare/comparison.ts'
import { differing } from '../../compare/packages.ts'
import { groupBy } from '../../read/group.ts'
import type { Finding } from '../finding.ts'
import { found, type Rule } from './rule.ts'

/** What ran there and what ran here: one finding for the platform, one a tool for its ABI, one for all drift. */
export const toolchain: Rule = ({ comparison }) => {
  if (comparison.scratch === null) return []
  if (comparison.scratch.toolchain === null) return [found('notice', { id: 'toolchain/missing' })]
  const graded = (grade: ToolchainRow['grade']) => comparison.toolchain.filter((row) => row.grade === grade)
  const at = (rows: readonly ToolchainRow[]) => rows.find((row) => row.file !== null)
  const of = (level: Finding['level'], id: 'toolchain/platform' | 'toolchain/drift' | 'toolchain/not-recorded') => {
    const rows = graded(id === 'toolchain/platform' ? 'platform' : id === 'toolchain/drift' ? 'drift' : 'unrecorded')
    return rows.length > 0 ? [found(level, { id, rows }, at(rows)?.file ?? null, at(rows)?.line ?? null)] : []
  }
  const abi = groupBy(graded('abi'), (row) => row.key.split('.', 1)[0] ?? '')
  return [
    ...of('warning', 'toolchain/platform'),
    ...[...abi].map(([tool, rows]) =>
      found('warning', { id: 'toolchain/abi', tool, rows }, at(rows)?.file ?? null, at(rows)?.line ?? null),
    ),
    ...of('notice', 'toolchain/drift'),
    ...of('info', 'toolchain/not-recorded'),
  ]
}

/** What was locked there against what is locked in the commit under review. */
export const lockfiles: Rule = ({ comparison }) =>
  comparison.lockfiles.flatMap((lockfile): Finding[] => {
    const { file, line } = lockfile
    return [
      ...verdict(lockfile).map((finding) => ({ ...finding, file, line })),
      ...(lockfile.otherHash.length > 0 ? [found('warning', { id: 'lockfile/other-hash', lockfile }, file)] : []),
      ...(lockfile.weak === null || lockfile.scratch !== 'copy'
        ? []
        : [found('info', { id: 'lockfile/weak', lockfile }, file)]),
    ]
  })

function verdict(lockfile: LockfileComparison): Finding[] {
  if (lockfile.scratch === 'none') return [found('warning', { id: 'lockfile/none', lockfile })]
  if (lockfile.scratch === 'missing') return [found('notice', { id: 'lockfile/missing', lockfile })]
  if (lockfile.compared === 'could not compare') return [found('notice', { id: 'lockfile/not-compared', lockfile })]
  if (differing(lockfile) > 0) return [found('warning', { id: 'lockfile/differs', lockfile })]
  if (lockfile.compared === 'same' && lockfile.identical === false)
    return [found('info', { id: 'lockfile/same-packages', lockfile })]
  return []
}

/** What was really installed: there against its lock, there against CI, and CI against its own lock. */
export const installed: Rule = ({ comparison: { scratch, installed: there, ciInstalled } }) => {
  const findings: Finding[] = []
  const file = there?.file ?? null
  const lock = there?.againstLock ?? null
  const ci = there?.againstCi ?? null
  const differs = ci !== null && differing(ci) > 0
  // Where CI installed the very same, it is no difference between the two runs, and still to be looked at.
  const level = ci === null || differs ? 'warning' : 'notice'
  if (lock !== null && lock.notLocked.length > 0)
    findings.push(found(level, { id: 'installed/not-locked', against: lock }, file))
  if (lock !== null && lock.otherVersion.length > 0)
    findings.push(found(level, { id: 'installed/other-version', against: lock }, file))
  if (there !== null && differs) findings.push(found('warning', { id: 'installed/differs', installed: there }, file))
  for (const freeze of scratch?.freezes ?? []) {
    const { notRead } = freeze.packages
    if (notRead.length > 0)
      findings.push(
        found('notice', { id: 'installed/not-read', lines: notRead }, freeze.file, notRead[0]?.line ?? null),
      )
  }
  return [...findings, ...ciItself(ciInstalled)]
}

function ciItself(against: InstalledAgainstLock | null): Finding[] {
  if (against === null) return []
  return [
    ...(against.otherVersion.length > 0 ? [found('notice', { id: 'installed/ci-other-version', against })] : []),
    ...(against.notLocked.length > 0 ? [found('info', { id: 'installed/ci-not-locked', against })] : []),
  ]
}

/** Another command, where the words of the two mean another set of tests. */
export const command: Rule = ({ comparison: { command: words, tests } }) => {
  if (words.same !== false || words.scratch === null || words.ci === null) return []
  const named = tests.scratch !== null && tests.ci !== null
  return [found(named ? 'info' : 'warning', { id: 'command/differs', scratch: words.scratch, ci: words.ci }, 'run.txt')]
}
