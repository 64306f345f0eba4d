import type { Fact, Toolchain } from '../read/evidence.ts'
import type { Grade, ToolchainRow } from './comparison.ts'

/** How two recorded values of one fact are graded. `newer` only where the difference has a direction. */
type Compare = (scratch: string, ci: string) => { grade: Grade; newer?: 'scratch' | 'ci' }

interface Row {
  readonly key: string
  readonly compare: Compare
}

const plain =
  (grade: Grade): Compare =>
  (scratch, ci) => ({ grade: scratch === ci ? 'same' : grade })

/** One name for what has several: `amd64`, `x64` and `x86_64` are the same, `linux` and `Linux` too. */
function folded(value: string): string {
  const lower = value.toLowerCase()
  return ALIASES.get(lower) ?? lower
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

const platform: Compare = (scratch, ci) => ({ grade: folded(scratch) === folded(ci) ? 'same' : 'platform' })

/** The numbers that a version starts with: 3.12.4rc1 is 3, 12, 4. */
function numbers(version: string): number[] {
  return (/^\D{0,8}(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? '').split('.').map(Number)
}

function newerOf(scratch: string, ci: string): 'scratch' | 'ci' | undefined {
  const a = numbers(scratch)
  const b = numbers(ci)
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const step = (a[index] ?? 0) - (b[index] ?? 0)
    if (step !== 0) return step > 0 ? 'scratch' : 'ci'
  }
  return undefined
}

/** A version whose first `significant` numbers are the ABI; the rest is drift. */
const version =
  (significant: number): Compare =>
  (scratch, ci) => {
    if (scratch === ci) return { grade: 'same' }
    const head = (text: string) => numbers(text).slice(0, significant).join('.')
    const newer = newerOf(scratch, ci)
    const grade = head(scratch) === head(ci) && significant > 0 ? 'drift' : 'abi'
    return newer === undefined ? { grade } : { grade, newer }
  }

/** A tool's version that is no ABI at all. */
const release: Compare = (scratch, ci) => {
  const newer = newerOf(scratch, ci)
  if (scratch === ci) return { grade: 'same' }
  return newer === undefined ? { grade: 'drift' } : { grade: 'drift', newer }
}

/** What ran against an older libc runs against a newer one of the same family, and not the other way. */
const libc: Compare = (scratch, ci) => {
  const family = (text: string) => text.split(' ', 1)[0] ?? ''
  if (family(scratch) !== family(ci)) return { grade: 'platform' }
  const newer = newerOf(scratch.slice(family(scratch).length), ci.slice(family(ci).length))
  if (newer === undefined) return { grade: scratch === ci ? 'same' : 'drift' }
  return { grade: newer === 'ci' ? 'drift' : 'abi', newer }
}

/** The table of facts, in the order in which they are shown. */
const ROWS: readonly Row[] = [
  { key: 'os', compare: platform },
  { key: 'arch', compare: platform },
  { key: 'libc', compare: libc },
  { key: 'emulated', compare: plain('platform') },
  { key: 'distro', compare: plain('cosmetic') },
  { key: 'kernel', compare: plain('cosmetic') },
  { key: 'cpus', compare: plain('cosmetic') },
  { key: 'python.implementation', compare: plain('abi') },
  { key: 'python.version', compare: version(2) },
  { key: 'python.soabi', compare: plain('abi') },
  { key: 'python.freethreaded', compare: plain('abi') },
  { key: 'python.debug', compare: plain('abi') },
  { key: 'python.path', compare: plain('cosmetic') },
  { key: 'python.realpath', compare: plain('cosmetic') },
  { key: 'python.venv', compare: plain('cosmetic') },
  { key: 'pip.version', compare: release },
  { key: 'pytest.version', compare: release },
  { key: 'uv.version', compare: release },
  { key: 'node.version', compare: version(1) },
  { key: 'node.modules', compare: plain('abi') },
  { key: 'node.napi', compare: plain('cosmetic') },
  { key: 'node.openssl', compare: release },
  { key: 'node.platform', compare: platform },
  { key: 'node.arch', compare: platform },
  { key: 'node.path', compare: plain('cosmetic') },
  { key: 'node.realpath', compare: plain('cosmetic') },
  { key: 'npm.version', compare: release },
  { key: 'go.version', compare: version(2) },
  { key: 'go.GOOS', compare: platform },
  { key: 'go.GOARCH', compare: platform },
  { key: 'go.GOAMD64', compare: plain('abi') },
  { key: 'go.CGO_ENABLED', compare: plain('abi') },
  { key: 'go.GOFLAGS', compare: plain('abi') },
  { key: 'go.GOEXPERIMENT', compare: plain('abi') },
  { key: 'go.GOTOOLCHAIN', compare: plain('cosmetic') },
  { key: 'go.path', compare: plain('cosmetic') },
  { key: 'rustc.version', compare: release },
  { key: 'rustc.host', compare: plain('platform') },
  { key: 'rustc.channel', compare: plain('abi') },
  { key: 'rustc.path', compare: plain('cosmetic') },
  { key: 'cargo.version', compare: release },
  { key: 'tz', compare: plain('drift') },
  { key: 'locale', compare: plain('drift') },
  { key: 'env.CI', compare: plain('cosmetic') },
  { key: 'env.PYTHONHASHSEED', compare: plain('drift') },
  { key: 'env.PYTHONPATH', compare: plain('drift') },
  { key: 'env.PYTHONWARNINGS', compare: plain('drift') },
  { key: 'env.NODE_ENV', compare: plain('drift') },
  { key: 'env.GOFLAGS', compare: plain('drift') },
  { key: 'image.os', compare: plain('cosmetic') },
  { key: 'image.version', compare: plain('cosmetic') },
]

/**
 * Compares two toolchains fact by fact.
 *
 * @param scratch the bundle's; null where it has no `toolchain.txt` that can be read
 * @param ci CI's own; null likewise
 * @returns a row for each fact that either side recorded, in the table's order. A side without a value gives
 *   `unrecorded`, never `same`; an environment variable that is unset on both sides gives no row.
 */
export function compareToolchains(scratch: Toolchain | null, ci: Toolchain | null): ToolchainRow[] {
  return ROWS.flatMap(({ key, compare }) => {
    const there = factOf(scratch, key)
    const here = factOf(ci, key)
    const unset = (fact: Fact | null) => fact === null || fact.value === NOT_SET
    if (unset(there) && unset(here)) return []
    // The runner's image is no fact of a scratch box.
    if (key.startsWith('image.') && (there === null || here === null)) return []
    return [row(key, there, here, compare, scratch)]
  })
}

/** What an allow-listed variable is that format 2 does not list: it lists those that are set. */
const NOT_SET = 'not set'

function factOf(toolchain: Toolchain | null, key: string): Fact | null {
  const fact = toolchain?.facts.get(key) ?? null
  return fact === null && toolchain?.format === 2 && key.startsWith('env.') ? { value: NOT_SET, line: 1 } : fact
}

function row(
  key: string,
  there: Fact | null,
  here: Fact | null,
  compare: Compare,
  file: Toolchain | null,
): ToolchainRow {
  const graded = there === null || here === null ? { grade: 'unrecorded' as const } : compare(there.value, here.value)
  return {
    key,
    scratch: there?.value ?? null,
    ci: here?.value ?? null,
    grade: graded.grade,
    newer: 'newer' in graded ? (graded.newer ?? null) : null,
    file: there === null ? null : (file?.file ?? null),
    line: there?.line ?? null,
  }
}
