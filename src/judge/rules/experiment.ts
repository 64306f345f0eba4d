import type {
  Comparison,
  InstalledAgainstLock,
  InstalledComparison,
  LockfileComparison,
  ToolchainRow,
} from '../../compare/comparison.ts'
import { differing } from '../../compare/packages.ts'
import { groupBy } from '../../read/group.ts'
import type { Fact, Finding } from '../finding.ts'
import { found, type Rule } from './rule.ts'

/**
 * What ran there and what ran here: one finding for the platform, one a tool for its ABI, one for all drift. What follows
 * from a difference belongs to its finding: an ABI tag names the platform too, and a tool brings along what is in it.
 */
export const toolchain: Rule = ({ comparison }) => {
  if (comparison.scratch === null) return []
  if (comparison.scratch.toolchain === null) return [found('notice', { id: 'toolchain/missing' })]
  const graded = (grade: ToolchainRow['grade']) => comparison.toolchain.filter((row) => row.grade === grade)
  const abi = groupBy(graded('abi'), toolOf)
  const platform = graded('platform')
  for (const [tool, rows] of abi) {
    if (platform.length === 0 || rows.some((row) => row.key.endsWith('.version')) || tool === 'libc') continue
    platform.push(...rows)
    abi.delete(tool)
  }
  const drift = graded('drift').filter((row) => {
    const rows = row.key === 'npm.version' ? abi.get('node') : abi.get(toolOf(row))
    rows?.push(row)
    return rows === undefined
  })
  const fact = (key: string) => comparison.ci.toolchain?.facts.get(key)?.value ?? null
  const machine = { distro: fact('distro'), arch: fact('arch') }
  return [
    ...at(platform, 'warning', { id: 'toolchain/platform', rows: platform, ...machine }),
    ...[...abi].flatMap(([tool, rows]) => at(rows, 'warning', { id: 'toolchain/abi', tool, rows, ...machine })),
    ...at(drift, 'notice', { id: 'toolchain/drift', rows: drift }),
    ...at(graded('unrecorded'), 'info', { id: 'toolchain/not-recorded', rows: graded('unrecorded') }),
    ...(comparison.scratch.run?.toolsByPath ? [found('info', { id: 'toolchain/by-path' }, 'run.txt')] : []),
  ]
}

/** The tool of a fact: `python` of `python.soabi`. */
function toolOf(row: ToolchainRow): string {
  return row.key.split('.', 1)[0] ?? ''
}

/** The finding, at the first of its rows that the bundle has a line for; none without rows. */
function at(rows: readonly ToolchainRow[], level: Finding['level'], fact: Fact): Finding[] {
  const row = rows.find((one) => one.file !== null)
  return rows.length === 0 ? [] : [found(level, fact, row?.file ?? null, row?.line ?? null)]
}

/** What was locked there against what is locked in the commit under review. */
export const lockfiles: Rule = ({ comparison }) => [
  ...noneAnywhere(comparison),
  ...comparison.lockfiles.flatMap((lockfile): Finding[] => {
    const { file, line } = lockfile
    return [
      ...verdict(lockfile, comparison).map((finding) => ({ ...finding, file, line })),
      ...artefacts(lockfile),
      ...(lockfile.weak === null || lockfile.scratch !== 'copy'
        ? []
        : [found('info', { id: 'lockfile/weak', lockfile }, file)]),
    ]
  }),
]

/** The capture looked for a lockfile and found none, and the commit under review has none that is known either. */
function noneAnywhere({ scratch, lockfiles: compared, review }: Comparison): Finding[] {
  const none = scratch?.locks.find((copy) => copy.none)
  return none === undefined || compared.length > 0
    ? []
    : [found('info', { id: 'lockfile/nowhere', under: review.under }, none.file)]
}

/** Packages at one version that are other bytes. */
function artefacts({ artefacts, file, path, install }: LockfileComparison): Finding[] {
  if (artefacts === null) return []
  const { otherHash, otherFile } = artefacts
  return [
    ...(otherHash.length > 0
      ? [found('warning', { id: 'lockfile/other-hash', packages: otherHash, path, install }, file)]
      : []),
    ...(otherFile.length > 0
      ? [found('notice', { id: 'lockfile/other-artefact', packages: otherFile, path, install }, file)]
      : []),
  ]
}

function verdict(lockfile: LockfileComparison, { scratch, review }: Comparison): Finding[] {
  if (lockfile.scratch === 'none') return [found('warning', { id: 'lockfile/none', lockfile, under: review.under })]
  const [freeze] = scratch?.freezes ?? []
  if (lockfile.scratch === 'missing' && freeze !== undefined)
    return [found('notice', { id: 'lockfile/only-freeze', lockfile, freeze: freeze.file }, freeze.file)]
  if (lockfile.scratch === 'missing') return [found('notice', { id: 'lockfile/missing', lockfile })]
  if (lockfile.ignored) return [found('notice', { id: 'lockfile/ignored', lockfile })]
  if (lockfile.compared === 'could not compare' || lockfile.why !== null)
    return [found('notice', { id: 'lockfile/not-compared', lockfile })]
  if (differing(lockfile) > 0) return [found('warning', { id: 'lockfile/differs', lockfile })]
  if (lockfile.compared === 'same' && lockfile.identical === false)
    return [found('info', { id: 'lockfile/same-packages', lockfile })]
  return []
}

/** What was really installed: there against its lock, there against CI, and CI against its own lock. */
export const installed: Rule = ({ comparison: { scratch, installed: there, ciInstalled } }) => [
  ...there.flatMap(installedThere),
  ...(scratch?.freezes ?? []).flatMap(({ file, packages: { notRead } }): Finding[] =>
    notRead.length === 0
      ? []
      : [found('notice', { id: 'installed/not-read', lines: notRead }, file, notRead[0]?.line ?? null)],
  ),
  ...ciInstalled.flatMap(ciItself),
]

function installedThere(there: InstalledComparison): Finding[] {
  const { file, againstLock: lock, againstCi: ci } = there
  const differs = ci !== null && differing(ci) > 0
  // Where CI installed the very same, it is no difference between the two runs, and still to be looked at.
  const level = ci === null || differs ? 'warning' : 'notice'
  const where = (of: readonly unknown[] | undefined, at: Finding['level'], fact: Fact) =>
    of === undefined || of.length === 0 ? [] : [found(at, fact, file)]
  return [
    ...(lock === null
      ? []
      : [
          ...where(lock.notLocked, level, { id: 'installed/not-locked', against: lock }),
          ...where(lock.otherVersion, level, { id: 'installed/other-version', against: lock }),
          ...where(lock.missing, 'info', { id: 'installed/missing', against: lock }),
        ]),
    ...(differs ? [found('warning', { id: 'installed/differs', installed: there }, file)] : []),
  ]
}

function ciItself(against: InstalledAgainstLock): Finding[] {
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
