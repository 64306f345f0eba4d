import { withoutCredentials } from '../read/ecosystem.ts'
import type { Evidence, LockCopy, PackageList, Toolchain } from '../read/evidence.ts'
import { formatByContent, formatsByName, installCommandOf, lockfilePaths } from '../read/lockfile/find.ts'
import { type LockfileReading, readLockfile } from '../read/lockfile/read.ts'
import { isPinned } from '../read/package.ts'
import type { RepositoryLockfile } from '../read/review.ts'
import { clip, clipEntries, decodeText } from '../read/text.ts'
import { compareArtefacts } from './artefacts.ts'
import type { LockfileComparison } from './comparison.ts'
import { countPackages, differenceOf, differing } from './packages.ts'
import { diffLines } from './text-diff.ts'
import { type Target, targetOf } from './wheel.ts'

/** Entries of a side that were not understood, kept to be shown; the rest is counted. */
const KEPT = 50

/**
 * Holds each lockfile copy of a bundle against the lockfile of the commit under review.
 *
 * @param scratch the bundle
 * @param repository the lockfiles of that commit, the preferred first
 * @param ci CI's toolchain: artefacts for other platforms than its own do not count
 * @param ignored paths that git ignores
 * @returns a comparison for each copy; where the bundle has none and the commit has one, one that says so. What was not
 *   understood is `could not compare`, never `same`; equal bytes are the same whatever is in them.
 */
export function compareLockfiles(
  scratch: Evidence,
  repository: readonly RepositoryLockfile[],
  ci: Toolchain | null = null,
  ignored: readonly string[] = [],
): LockfileComparison[] {
  const [first] = repository
  if (scratch.locks.length === 0) return first === undefined ? [] : [without('missing', null, first)]
  return scratch.locks.flatMap((copy) => {
    if (copy.none) return first === undefined ? [] : [without('none', copy.file, first)]
    const partner = partnerOf(copy, repository)
    return [partner === null ? alone(copy, ignored) : compareTwo(copy, partner, targetOf(ci))]
  })
}

/** By the recorded path, else the same bytes, else the same format, else the preferred one. */
function partnerOf(copy: LockCopy, repository: readonly RepositoryLockfile[]): RepositoryLockfile | null {
  const named = repository.find(({ path }) => path === copy.path?.replace(/^(?:\.\/)+/, ''))
  if (named !== undefined || copy.path !== null) return named ?? null
  const equal = repository.find(({ bytes }) => sameBytes(bytes, copy.bytes))
  const format = formatByContent(decodeText(copy.bytes).text)
  return (
    equal ??
    repository.find(({ path }) => format !== null && formatsByName(path).includes(format)) ??
    (format === null ? (repository[0] ?? null) : null)
  )
}

function compareTwo(copy: LockCopy, lockfile: RepositoryLockfile, target: Target | null): LockfileComparison {
  const identical = sameBytes(copy.bytes, lockfile.bytes)
  const there = readLockfile(copy.bytes, copy.path ?? lockfile.path)
  const here = identical ? there : readLockfile(lockfile.bytes, lockfile.path)
  const format = there.format === here.format ? there.format : null
  const base = {
    ...NOTHING,
    path: lockfile.path,
    file: copy.file,
    format: (format ?? here.format)?.id ?? null,
    scratch: 'copy' as const,
    identical,
    packages: { scratch: count(there), repository: count(here) },
    own: ownIn(there),
    install: installCommandOf(here, lockfile.path),
    changedHere: lockfile.changedHere,
    weak: weakOf(here),
  }
  if (identical) {
    const { why = null, line = null } = there.problem ?? {}
    return { ...base, compared: 'same', why: why === null ? null : `the bytes are equal, and the copy ${why}`, line }
  }
  if (there.list === null || here.list === null || format === null)
    return {
      ...base,
      compared: 'could not compare',
      why: whyNot(there, here, lockfile.path),
      line: there.problem?.line ?? null,
      diff: textDiff(copy, lockfile),
    }
  const lists = compareLists(there.list, here.list, target)
  // Equal packages in other bytes: what else the file says.
  return { ...base, ...lists, diff: lists.compared === 'same' ? textDiff(copy, lockfile) : null }
}

function whyNot(there: LockfileReading, here: LockfileReading, path: string): string {
  if (there.problem !== null) return `the copy ${there.problem.why}`
  if (here.problem !== null) return `${path} of the commit under review ${here.problem.why}`
  return 'this format is not read package by package'
}

function textDiff(copy: LockCopy, lockfile: RepositoryLockfile): string | null {
  return diffLines(linesOf(copy.bytes), linesOf(lockfile.bytes))
}

/** The lines of a text as a diff shows them, without blank ones. */
function linesOf(bytes: Uint8Array): string[] {
  const lines = decodeText(bytes).text.split(/\r?\n/)
  return lines.flatMap((line) => (line === '' ? [] : [clip(withoutCredentials(line), 300)]))
}

function compareLists(
  there: PackageList,
  here: PackageList,
  target: Target | null,
): Partial<LockfileComparison> & Pick<LockfileComparison, 'compared'> {
  const difference = differenceOf(there.ecosystem, there.packages, here.packages)
  const artefacts = compareArtefacts(there, here, target)
  const notRead = [
    ...clipEntries(there.notRead, KEPT).map((entry) => ({ side: 'scratch' as const, ...entry })),
    ...clipEntries(here.notRead, KEPT).map((entry) => ({ side: 'repository' as const, ...entry })),
  ]
  const differ = differing(difference) + artefacts.otherHash.length + artefacts.otherFile.length > 0
  return {
    ...difference,
    artefacts,
    notRead,
    compared: differ ? 'differs' : notRead.length > 0 ? 'could not compare' : 'same',
    why:
      !differ && notRead.length > 0
        ? 'the packages that were understood are the same; some entries were not understood'
        : null,
  }
}

function count({ list }: LockfileReading): number | null {
  return list === null ? null : countPackages(list.ecosystem, list.packages)
}

function ownIn({ list }: LockfileReading): number {
  const own = list?.packages.filter((one) => one.local) ?? []
  return countPackages(list?.ecosystem ?? null, own)
}

function weakOf({ format, list }: LockfileReading): string | null {
  if (format?.weak !== undefined) return format.weak
  if (format?.id !== 'requirements' || list === null) return null
  const open = list.packages.filter((one) => !isPinned(one)).length
  return open === 0
    ? null
    : `${open} of its ${list.packages.length} entries ${open === 1 ? 'names' : 'name'} no exact version`
}

function alone(copy: LockCopy, ignored: readonly string[]): LockfileComparison {
  const there = readLockfile(copy.bytes, copy.path)
  return {
    ...NOTHING,
    path: copy.path ?? copy.file,
    file: copy.file,
    format: there.format?.id ?? null,
    scratch: 'copy',
    why:
      copy.path === null || lockfilePaths([copy.path]).length > 0
        ? 'the commit under review has no such lockfile'
        : 'it was not looked for: its name is none that is known. Name it with `lockfile`',
    ignored: copy.path !== null && ignored.includes(copy.path),
    packages: { scratch: count(there), repository: null },
    own: ownIn(there),
  }
}

function without(scratch: 'none' | 'missing', file: string | null, lockfile: RepositoryLockfile): LockfileComparison {
  const here = readLockfile(lockfile.bytes, lockfile.path)
  return {
    ...NOTHING,
    path: lockfile.path,
    file,
    format: here.format?.id ?? null,
    scratch,
    packages: { scratch: null, repository: count(here) },
    install: installCommandOf(here, lockfile.path),
    changedHere: lockfile.changedHere,
    weak: weakOf(here),
  }
}

const NOTHING: LockfileComparison = {
  path: '',
  file: null,
  format: null,
  scratch: 'missing',
  identical: null,
  compared: 'could not compare',
  why: null,
  line: null,
  packages: { scratch: null, repository: null },
  own: 0,
  added: [],
  removed: [],
  changed: [],
  artefacts: null,
  notRead: [],
  diff: null,
  install: null,
  ignored: false,
  changedHere: null,
  weak: null,
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
