import type { Evidence, LockCopy, Package, PackageList } from '../read/evidence.ts'
import { groupBy } from '../read/group.ts'
import { LockfileError, type LockfileFormat } from '../read/lockfile/format.ts'
import { formatByContent, formatByName, installCommandOf } from '../read/lockfile/formats.ts'
import type { RepositoryLockfile } from '../read/review.ts'
import { decodeText } from '../read/text.ts'
import type { LockfileComparison, NameVersion } from './comparison.ts'
import { countPackages, differenceOf, packageLines } from './packages.ts'
import { diffLines } from './text-diff.ts'

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
  const there = read(copy.bytes, copy.path ?? lockfile.path)
  const here = identical ? there : read(lockfile.bytes, lockfile.path)
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
  const problem = there.problem ?? here.problem
  if (problem !== null || there.list === null || here.list === null || format === null) {
    const why = problem?.why ?? 'this format is not read package by package'
    const text = (bytes: Uint8Array) =>
      decodeText(bytes)
        .text.split(/\r?\n/)
        .filter((line) => line !== '')
    return {
      ...base,
      compared: 'could not compare',
      why,
      line: there.problem?.line ?? null,
      diff: diffLines(text(copy.bytes), text(lockfile.bytes)),
    }
  }
  return { ...base, ...compareLists(there.list, here.list) }
}

function compareLists(
  there: PackageList,
  here: PackageList,
): Partial<LockfileComparison> & Pick<LockfileComparison, 'compared'> {
  const difference = differenceOf(there.ecosystem, there.packages, here.packages)
  const otherHash = otherHashes(there.packages, here.packages)
  const notRead = [
    ...there.notRead.map((entry) => ({ side: 'scratch' as const, ...entry })),
    ...here.notRead.map((entry) => ({ side: 'repository' as const, ...entry })),
  ]
  const differ = difference.added.length + difference.removed.length + difference.changed.length + otherHash.length > 0
  const lines = (list: PackageList) => packageLines(list.ecosystem, list.packages)
  return {
    ...difference,
    otherHash,
    notRead,
    compared: differ ? 'differs' : notRead.length > 0 ? 'could not compare' : 'same',
    why:
      !differ && notRead.length > 0
        ? 'the packages that were understood are the same; some entries were not understood'
        : null,
    diff: differ ? diffLines(lines(there), lines(here)) : null,
  }
}

/** Packages of one name and version whose hashes have nothing in common, where both sides have hashes of one kind. */
function otherHashes(there: readonly Package[], here: readonly Package[]): NameVersion[] {
  const key = (one: Package) => `${one.name} ${one.version ?? ''}`
  const kinds = (hashes: readonly string[]) => new Set(hashes.map((hash) => hash.split(/[:-]/, 1)[0]))
  const after = groupBy(here, key)
  return [...groupBy(there, key)].flatMap(([id, entries]) => {
    const mine = entries.flatMap((one) => one.hashes)
    const theirs = (after.get(id) ?? []).flatMap((one) => one.hashes)
    const comparable = [...kinds(mine)].some((kind) => kinds(theirs).has(kind))
    const common = new Set(theirs)
    if (!comparable || mine.some((hash) => common.has(hash))) return []
    return [{ name: entries[0].name, version: entries[0].version ?? '' }]
  })
}

interface Read {
  readonly format: LockfileFormat | null
  readonly list: PackageList | null
  readonly problem: { readonly why: string; readonly line: number | null } | null
}

/** Reads a lockfile as what its name says, and looks whether its content says the same. */
function read(bytes: Uint8Array, path: string): Read {
  const { text } = decodeText(bytes)
  const named = formatByName(path)
  const sniffed = formatByContent(text)
  const format = named ?? sniffed
  if (format === null) return { format: null, list: null, problem: null }
  if (named !== null && sniffed !== null && sniffed !== named)
    return {
      format: named,
      list: null,
      problem: { why: `it is named ${path} and its content is that of ${sniffed.id}`, line: null },
    }
  try {
    return { format, list: format.read(text), problem: null }
  } catch (error) {
    if (!(error instanceof LockfileError)) throw error
    return { format, list: null, problem: { why: `it is no ${format.id}: ${error.message}`, line: error.line } }
  }
}

function count({ list }: Read): number | null {
  return list === null ? null : countPackages(list.ecosystem, list.packages)
}

function weakOf({ format, list }: Read): string | null {
  if (format?.weak !== undefined) return format.weak
  if (format?.id !== 'requirements' || list === null) return null
  const open = list.packages.filter((one) => one.version === null && one.source === null && !one.local).length
  return open === 0 ? null : `${open} of its ${list.packages.length} entries name no exact version`
}

function alone(copy: LockCopy): LockfileComparison {
  const there = read(copy.bytes, copy.path ?? '')
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
  const here = read(lockfile.bytes, lockfile.path)
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
