import { foldVersion } from '../read/ecosystem.ts'
import type { Evidence, Freeze, LockCopy, Package, PackageList } from '../read/evidence.ts'
import { groupBy } from '../read/group.ts'
import { installCommandOf } from '../read/lockfile/find.ts'
import { type LockfileReading, readLockfile } from '../read/lockfile/read.ts'
import { isPinned } from '../read/package.ts'
import { decodeText } from '../read/text.ts'
import type { Change, InstalledAgainstLock, InstalledComparison, NameVersion } from './comparison.ts'
import { differenceOf } from './packages.ts'

/** What every Python environment brings along, and `pip freeze` may hide: said nothing of, unless a lockfile names it. */
const BASELINE = new Set(['pip', 'setuptools', 'wheel', 'distribute', 'pkg-resources', 'uv'])

/**
 * Holds what was installed in the scratch box against its own lockfiles and against what CI installed, each ecosystem by
 * itself.
 *
 * @returns a comparison for each ecosystem of which the bundle has a list that can be read
 */
export function compareInstalled(scratch: Evidence, ci: Evidence): InstalledComparison[] {
  const [ours, theirs] = [readable(scratch), readable(ci)]
  const compared = ours.map((freeze): InstalledComparison => {
    const here = theirs.find((one) => one.packages.ecosystem === freeze.packages.ecosystem) ?? empty(ci, freeze)
    return {
      file: freeze.file,
      againstLock: installedAgainstLock(scratch, freeze),
      againstCi: here === undefined ? null : againstCi(freeze.packages, here.packages),
    }
  })
  // Where the scratch box lists nothing, all that CI has is missing there.
  const nothing = theirs.flatMap((here): InstalledComparison[] => {
    if (ours.some((one) => one.packages.ecosystem === here.packages.ecosystem)) return []
    const there = empty(scratch, here)
    return there === undefined
      ? []
      : [
          {
            file: there.file,
            againstLock: null,
            againstCi: againstCi({ ...here.packages, packages: [] }, here.packages),
          },
        ]
  })
  return [...compared, ...nothing]
}

/** The file of the same name on another side, where it was recorded and lists nothing. */
function empty(side: Evidence, { file }: Freeze): Freeze | undefined {
  return side.freezes.find(
    ({ file: name, packages }) => name === file && packages.packages.length + packages.notRead.length === 0,
  )
}

/** Holds all that one side installed against that side's own lockfiles. */
export function allAgainstLocks(side: Evidence): InstalledAgainstLock[] {
  return readable(side).flatMap((freeze) => installedAgainstLock(side, freeze) ?? [])
}

/**
 * Holds one side's installed packages against that side's own lockfile copies of their ecosystem, all together.
 *
 * What is installed and not named is accused only where the copies name everything: `poetry.lock` and `package-lock.json`
 * do; requirements do where each entry has a version, and a generator wrote them: they have hashes or a generator's
 * comment, or are called `*.lock`. In other requirements what is not named may be a dependency of what is, so that
 * `notLocked` is then empty and only the versions that they do pin are compared. The same goes for copies with entries
 * that were not understood. `go.sum` names no choice, so that nothing is held against it.
 *
 * @returns null where the side has no list of installed packages, or no lockfile of that ecosystem that can be read
 */
export function installedAgainstLock(side: Evidence, freeze = readable(side)[0]): InstalledAgainstLock | null {
  if (freeze === undefined) return null
  const locks = side.locks.flatMap((copy): Lock[] => {
    const { format, list } = readLockfile(copy.bytes, copy.path)
    const fits = format !== null && list !== null && list.ecosystem === freeze.packages.ecosystem
    return copy.none || !fits || format.id === 'go.sum' ? [] : [{ copy, format, list }]
  })
  const [first] = locks
  if (first === undefined) return null
  const { path } = first.copy
  return {
    lockfile: locks.map(({ copy }) => copy.path ?? copy.file).join(', '),
    install: path === null || locks.length > 1 ? null : installCommandOf(first, path),
    ...against(
      freeze.packages,
      locks.flatMap(({ list }) => list.packages),
      // The graph of all modules has more than what is built.
      freeze.form !== 'go list -m all' && freeze.form !== 'yarn list' && locks.every(namesAll),
    ),
  }
}

interface Lock {
  readonly copy: LockCopy
  readonly format: NonNullable<LockfileReading['format']>
  readonly list: PackageList
}

/** Whether a lockfile names all that is to be installed, so that what it does not name is not locked. */
function namesAll({ copy, format, list }: Lock): boolean {
  if (list.notRead.length > 0) return false
  // Before Go 1.17 a module's own file names no more than what it asks for itself.
  if (format.id === 'go.mod') return !/^go 1\.(?:\d|1[0-6])\b/m.test(decodeText(copy.bytes).text)
  if (format.id !== 'requirements') return true
  const pinned = list.packages.every(isPinned)
  const head = decodeText(copy.bytes.subarray(0, 4096)).text
  const generated = /^#.*(?:autogenerated|pip-compile|uv pip compile|uv export)/m.test(head)
  const hashed = list.packages.some((one) => one.artefacts.length > 0)
  return pinned && list.packages.length > 0 && (generated || hashed || /\.lock$/.test(copy.path ?? ''))
}

function against(
  { ecosystem, packages }: PackageList,
  locked: readonly Package[],
  complete: boolean,
): Omit<InstalledAgainstLock, 'lockfile' | 'install'> {
  const fold = (version: string) => foldVersion(ecosystem, version)
  const candidates = groupBy(locked, (one) => one.name)
  // Some lists have the name that the project calls a package by.
  const called = groupBy(
    locked.flatMap((one) => one.aliases.map((alias) => ({ alias, one }))),
    ({ alias }) => alias,
  )
  const names = new Set(packages.map((one) => one.name))
  const notLocked: NameVersion[] = []
  const otherVersion: Change[] = []
  for (const { name, version, local } of packages) {
    if (local) continue
    const entries = candidates.get(name) ?? called.get(name)?.map(({ one }) => one)
    if (entries === undefined) {
      if (complete && !isBaseline(ecosystem, name)) notLocked.push({ name, version: version ?? '' })
      continue
    }
    const pins = [...new Set(entries.map((one) => one.version))]
    // An entry without version, such as a range or a URL, may have given any.
    // In Python `==2.3.0` takes a build of that version with a name of its own, `2.3.0+cpu`, too.
    const built = ecosystem === 'python' ? version?.replace(/\+.*$/, '') : version
    const fits = (pin: string) => [version, built].some((one) => fold(one ?? '') === fold(pin))
    if (version === null || pins.some((pin) => pin === null || fits(pin))) continue
    otherVersion.push({ name, from: pins.join(', '), to: version })
  }
  const absent = [...candidates].filter(([name]) => !names.has(name) && !isBaseline(ecosystem, name))
  return {
    installed: packages.filter((one) => !one.local).length,
    notLocked,
    otherVersion,
    missing: absent
      .filter(([, entries]) => entries.every((one) => !one.conditional && !one.local))
      .map(([name, [{ version }]]) => ({ name, version: version ?? '' })),
    notInstalled: absent.length,
  }
}

/**
 * Left out is what is local on either side, and what one side lists by version and the other by source alone: these have
 * no common measure.
 */
function againstCi(there: PackageList, here: PackageList): InstalledComparison['againstCi'] {
  const both = [there, here]
  const names = (side: PackageList, which: (one: Package) => boolean) =>
    new Set(side.packages.filter(which).map((one) => one.name))
  const local = both.map((side) => names(side, (one) => one.local))
  const versioned = both.map((side) => names(side, (one) => one.version !== null))
  const unversioned = both.map((side) => names(side, (one) => one.version === null))
  const counts = ({ name }: Package) =>
    !isBaseline(there.ecosystem, name) &&
    !local.some((side) => side.has(name)) &&
    !(versioned.some((side) => side.has(name)) && unversioned.some((side) => side.has(name)))
  return differenceOf(there.ecosystem, there.packages.filter(counts), here.packages.filter(counts))
}

function isBaseline(ecosystem: PackageList['ecosystem'], name: string): boolean {
  return ecosystem === 'python' && BASELINE.has(name)
}

/** The lists of installed packages that can be read, the first of each ecosystem. */
function readable(side: Evidence): Freeze[] {
  const lists = side.freezes.filter((freeze) => freeze.form !== null && freeze.packages.packages.length > 0)
  return [...groupBy(lists, (freeze) => freeze.packages.ecosystem).values()].map(([first]) => first)
}
