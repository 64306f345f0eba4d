import { foldVersion, withoutCredentials } from '../read/ecosystem.ts'
import type { Evidence, LockCopy, Package, PackageList } from '../read/evidence.ts'
import { groupBy } from '../read/group.ts'
import { formatByContent, formatByName, installCommandOf } from '../read/lockfile/formats.ts'
import { type LockfileReading, readLockfile } from '../read/lockfile/read.ts'
import type { RepositoryLockfile } from '../read/review.ts'
import { clip, clipEntries, decodeText } from '../read/text.ts'
import type { LockfileComparison, NameVersion } from './comparison.ts'
import { countPackages, differenceOf, differing, packageLines } from './packages.ts'
import { diffLines } from './text-diff.ts'

/** Entries of a side that were not understood, kept to be shown; the rest is counted. */
const KEPT = 50

/**
 * Holds each lockfile copy of a bundle against the lockfile of the commit under review.
 *
 * @param scratch the bundle
 * @param repository the lockfiles of that commit, the preferred first
 * @returns a comparison for each copy; where the bundle has none and the commit has one, one that says so. What was not
 *   understood is `could not compare`, never `same`; equal bytes are the same whatever is in them.
 */
export function compareLockfiles(scratch: Evidence, repository: readonly RepositoryLockfile[]): LockfileComparison[] {
  const [first] = repository
  if (scratch.locks.length === 0) return first === undefined ? [] : [without('missing', null, first)]
  return scratch.locks.flatMap((copy) => {
    if (copy.none) return first === undefined ? [] : [without('none', copy.file, first)]
    const partner = partnerOf(copy, repository)
    return [partner === null ? alone(copy) : compareTwo(copy, partner)]
  })
}

/** By the recorded path, else the same bytes, else the same format, else the preferred one. */
function partnerOf(copy: LockCopy, repository: readonly RepositoryLockfile[]): RepositoryLockfile | null {
  const named = repository.find(({ path }) => path === copy.path)
  if (named !== undefined || copy.path !== null) return named ?? null
  const equal = repository.find(({ bytes }) => sameBytes(bytes, copy.bytes))
  const format = formatByContent(decodeText(copy.bytes).text)
  return (
    equal ??
    repository.find(({ path }) => format !== null && formatByName(path) === format) ??
    (format === null ? (repository[0] ?? null) : null)
  )
}

function compareTwo(copy: LockCopy, lockfile: RepositoryLockfile): LockfileComparison {
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
    install: installCommandOf(here.format, lockfile.path),
    weak: weakOf(here),
  }
  if (identical) return { ...base, compared: 'same' }
  if (there.list === null || here.list === null || format === null)
    return {
      ...base,
      compared: 'could not compare',
      why: whyNot(there, here, lockfile.path),
      line: there.problem?.line ?? null,
      diff: diffLines(linesOf(copy.bytes), linesOf(lockfile.bytes)),
    }
  return { ...base, ...compareLists(there.list, here.list) }
}

function whyNot(there: LockfileReading, here: LockfileReading, path: string): string {
  if (there.problem !== null) return `the copy ${there.problem.why}`
  if (here.problem !== null) return `${path} of the commit under review ${here.problem.why}`
  return 'this format is not read package by package'
}

/** The lines of a text as a diff shows them, without blank ones. */
function linesOf(bytes: Uint8Array): string[] {
  const lines = decodeText(bytes).text.split(/\r?\n/)
  return lines.flatMap((line) => (line === '' ? [] : [clip(withoutCredentials(line), 300)]))
}

function compareLists(
  there: PackageList,
  here: PackageList,
): Partial<LockfileComparison> & Pick<LockfileComparison, 'compared'> {
  const difference = differenceOf(there.ecosystem, there.packages, here.packages)
  const otherHash = otherHashes(there, here.packages)
  const notRead = [
    ...clipEntries(there.notRead, KEPT).map((entry) => ({ side: 'scratch' as const, ...entry })),
    ...clipEntries(here.notRead, KEPT).map((entry) => ({ side: 'repository' as const, ...entry })),
  ]
  const differ = differing(difference) + otherHash.length > 0
  const lines = packageLines(there.ecosystem, there.packages, here.packages)
  return {
    ...difference,
    otherHash,
    notRead,
    compared: differ ? 'differs' : notRead.length > 0 ? 'could not compare' : 'same',
    why:
      !differ && notRead.length > 0
        ? 'the packages that were understood are the same; some entries were not understood'
        : null,
    diff: differ ? diffLines(lines.from, lines.to) : null,
  }
}

/** Packages of one name and version that have hashes of one kind, such as `sha256`, on both sides, and none in common. */
function otherHashes({ ecosystem, packages }: PackageList, here: readonly Package[]): NameVersion[] {
  const key = ({ name, version }: Package) => `${name} ${version === null ? '' : foldVersion(ecosystem, version)}`
  const kinds = (of: readonly Package[]) =>
    groupBy(
      of.flatMap((one) => one.hashes),
      (hash) => hash.split(/[:-]/, 1)[0],
    )
  const after = groupBy(here, key)
  return [...groupBy(packages, key)].flatMap(([id, entries]) => {
    const theirs = kinds(after.get(id) ?? [])
    const other = [...kinds(entries)].some(([kind, hashes]) => {
      const known = new Set(theirs.get(kind))
      return known.size > 0 && !hashes.some((hash) => known.has(hash))
    })
    return other ? [{ name: entries[0].name, version: entries[0].version ?? '' }] : []
  })
}

function count({ list }: LockfileReading): number | null {
  return list === null ? null : countPackages(list.ecosystem, list.packages)
}

function weakOf({ format, list }: LockfileReading): string | null {
  if (format?.weak !== undefined) return format.weak
  if (format?.id !== 'requirements' || list === null) return null
  const open = list.packages.filter((one) => one.version === null && one.source === null && !one.local).length
  return open === 0 ? null : `${open} of its ${list.packages.length} entries name no exact version`
}

function alone(copy: LockCopy): LockfileComparison {
  const there = readLockfile(copy.bytes, copy.path)
  return {
    ...NOTHING,
    path: copy.path ?? copy.file,
    file: copy.file,
    format: there.format?.id ?? null,
    scratch: 'copy',
    why: 'the commit under review has no such lockfile',
    packages: { scratch: count(there), repository: null },
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
    install: installCommandOf(here.format, lockfile.path),
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
  added: [],
  removed: [],
  changed: [],
  otherHash: [],
  notRead: [],
  diff: null,
  install: null,
  weak: null,
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
