import { foldVersion } from '../read/ecosystem.ts'
import type { Grade } from './comparison.ts'

/** How two recorded values of one fact are graded. `newer` only where the difference has a direction. */
export type Compare = (scratch: string, ci: string) => { grade: Grade; newer?: 'scratch' | 'ci' }

/** What an allow-listed variable is that format 2 does not list: it lists those that are set. */
export const NOT_SET = 'not set'

/** Equal as written, or a difference of this grade. */
export const exact =
  (grade: Grade): Compare =>
  (scratch, ci) => ({ grade: scratch === ci ? 'same' : grade })

/** A variable of which only that it is set is recorded: set on both sides, its values may differ. */
export const setOrNot: Compare = (scratch, ci) => ({
  grade: scratch === NOT_SET || ci === NOT_SET ? 'drift' : 'unrecorded',
})

/**
 * One name for what has several, in a whole value or between the dashes of a target: `amd64`, `x64` and `x86_64`. The
 * version of a kernel is no part of it, and the GNU system is what a target of Linux means that names none.
 */
function folded(value: string): string {
  return value
    .toLowerCase()
    .replace(/-gnu$/, '')
    .replace(/^(?:mingw|msys|cygwin)\S*$/, 'windows')
    .split('-')
    .map((part) => part.replace(/^darwin[\d.]+$/, 'darwin'))
    .map((part) => ALIASES.get(part) ?? part)
    .join('-')
}

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['amd64', 'x86_64'],
  ['x64', 'x86_64'],
  ['arm64', 'aarch64'],
  ['i386', 'x86'],
  ['i486', 'x86'],
  ['i586', 'x86'],
  ['i686', 'x86'],
  ['ia32', 'x86'],
  ['386', 'x86'],
  ['macos', 'darwin'],
  ['windows_nt', 'windows'],
  ['win32', 'windows'],
])

/** A system, an architecture or a target triple. */
export const platform: Compare = (scratch, ci) => ({ grade: folded(scratch) === folded(ci) ? 'same' : 'platform' })

/** A runtime identifier of .NET: that of a distribution is the portable one of its family. */
export const runtimeIdentifier: Compare = (scratch, ci) => {
  const portable = (rid: string) =>
    rid
      .replace(/^alpine[\d.]*/, 'linux-musl')
      .replace(/^(?:debian|ubuntu|rhel|fedora|centos|ol|opensuse|sles|linuxmint)[\d.]*/, 'linux')
      .replace(/^(osx|win)[\d.]+/, '$1')
  return platform(portable(scratch), portable(ci))
}

/** The numbers that a version starts with: 3.12.4rc1 is 3, 12, 4. */
function numbers(version: string): number[] {
  return (/^\D{0,8}(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? '').split('.').map(Number)
}

function isNumbered(version: string): boolean {
  return /^\D{0,8}\d/.test(version)
}

/** Undefined where neither is, and where one of them has no number. */
function newerOf(scratch: string, ci: string): 'scratch' | 'ci' | undefined {
  const a = numbers(scratch)
  const b = numbers(ci)
  if (!isNumbered(scratch) || !isNumbered(ci)) return undefined
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const step = (a[index] ?? 0) - (b[index] ?? 0)
    if (step !== 0) return step > 0 ? 'scratch' : 'ci'
  }
  return undefined
}

function directed(grade: Grade, scratch: string, ci: string): ReturnType<Compare> {
  const newer = newerOf(scratch, ci)
  return newer === undefined ? { grade } : { grade, newer }
}

/** A version whose first `significant` numbers are the ABI; the rest is drift. */
export const version =
  (significant: number): Compare =>
  (scratch, ci) => {
    if (scratch === ci) return { grade: 'same' }
    const head = (text: string) => numbers(text).slice(0, significant).join('.')
    if (!isNumbered(scratch) || !isNumbered(ci)) return { grade: 'abi' }
    return directed(head(scratch) === head(ci) && significant > 0 ? 'drift' : 'abi', scratch, ci)
  }

/** A version of Python: as PEP 440 compares them, and the first two numbers are the ABI. */
export const pep440: Compare = (scratch, ci) =>
  foldVersion('python', scratch) === foldVersion('python', ci) ? { grade: 'same' } : version(2)(scratch, ci)

/** A version of Java: the release is the first number, or the second of the old 1.8. */
export const javaVersion: Compare = (scratch, ci) => {
  const modern = (text: string) => text.replace(/^1\.(?=\d)/, '')
  return scratch === ci ? { grade: 'same' } : version(1)(modern(scratch), modern(ci))
}

/** A tool's version that is no ABI at all. */
export const release: Compare = (scratch, ci) => (scratch === ci ? { grade: 'same' } : directed('drift', scratch, ci))

/** What ran against an older libc runs against a newer one of the same family, and not the other way. */
export const libc: Compare = (scratch, ci) => {
  const family = (text: string) => text.split(' ', 1)[0] ?? ''
  if (family(scratch) !== family(ci)) return { grade: 'platform' }
  const newer = newerOf(scratch.slice(family(scratch).length), ci.slice(family(ci).length))
  // A family without a version says nothing of which is the older.
  if (newer === undefined) return { grade: scratch === ci ? 'same' : 'unrecorded' }
  return { grade: newer === 'ci' ? 'drift' : 'abi', newer }
}

/** An instruction set's level, `v1` to `v4`: code for a lower one runs where a higher one is allowed, and not the other way. */
export const level: Compare = (scratch, ci) => {
  if (scratch === ci) return { grade: 'same' }
  const newer = newerOf(scratch, ci)
  return newer === undefined ? { grade: 'abi' } : { grade: newer === 'ci' ? 'drift' : 'abi', newer }
}
