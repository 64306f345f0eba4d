import type { Fact, Toolchain } from '../read/evidence.ts'
import type { ToolchainRow } from './comparison.ts'
import {
  type Compare,
  exact,
  javaVersion,
  level,
  libc,
  NOT_SET,
  pep440,
  platform,
  release,
  runtimeIdentifier,
  setOrNot,
  version,
} from './grade.ts'

interface Row {
  readonly key: string
  readonly compare: Compare
}

/** Rows that are compared alike. */
const rows = (compare: Compare, ...keys: string[]): Row[] => keys.map((key) => ({ key, compare }))

/** The table of facts, in the order in which they are shown. How each is compared is in `grade.ts`. */
const ROWS: readonly Row[] = [
  ...rows(platform, 'os', 'arch'),
  ...rows(libc, 'libc'),
  ...rows(exact('platform'), 'emulated'),
  ...rows(exact('cosmetic'), 'container', 'distro', 'kernel', 'cpus'),

  ...rows(exact('abi'), 'python.implementation'),
  ...rows(pep440, 'python.version'),
  ...rows(exact('abi'), 'python.soabi', 'python.freethreaded', 'python.debug'),
  ...rows(exact('cosmetic'), 'python.path', 'python.realpath', 'python.venv'),
  ...rows(release, 'pip.version', 'pytest.version', 'uv.version', 'poetry.version'),

  ...rows(version(1), 'node.version'),
  ...rows(exact('abi'), 'node.modules'),
  ...rows(exact('cosmetic'), 'node.napi'),
  ...rows(release, 'node.openssl'),
  ...rows(platform, 'node.platform', 'node.arch'),
  ...rows(exact('cosmetic'), 'node.path', 'node.realpath'),
  ...rows(release, 'npm.version', 'pnpm.version', 'yarn.version'),

  ...rows(version(2), 'go.version'),
  ...rows(platform, 'go.GOOS', 'go.GOARCH'),
  ...rows(level, 'go.GOAMD64', 'go.GOARM64'),
  ...rows(exact('abi'), 'go.CGO_ENABLED', 'go.GOFLAGS', 'go.GOEXPERIMENT'),
  ...rows(exact('cosmetic'), 'go.GOTOOLCHAIN', 'go.path', 'go.realpath'),

  ...rows(release, 'rustc.version'),
  ...rows(platform, 'rustc.host'),
  ...rows(exact('abi'), 'rustc.channel'),
  ...rows(exact('cosmetic'), 'rustc.commit', 'rustc.path', 'rustc.realpath'),
  ...rows(release, 'cargo.version'),

  ...rows(version(1), 'java.class'),
  ...rows(javaVersion, 'java.version'),
  ...rows(exact('abi'), 'java.vm'),
  ...rows(platform, 'java.arch'),
  ...rows(exact('cosmetic'), 'java.vendor', 'java.runtime', 'java.path', 'java.realpath'),
  ...rows(release, 'mvn.version', 'gradle.version'),

  ...rows(exact('abi'), 'ruby.engine'),
  ...rows(version(2), 'ruby.version'),
  ...rows(exact('abi'), 'ruby.abi'),
  ...rows(platform, 'ruby.platform'),
  ...rows(exact('cosmetic'), 'ruby.patch', 'ruby.path', 'ruby.realpath'),
  ...rows(release, 'gem.version', 'bundler.version', 'rspec.version', 'minitest.version'),

  ...rows(version(1), 'dotnet.version', 'dotnet.host'),
  ...rows(runtimeIdentifier, 'dotnet.rid'),
  ...rows(platform, 'dotnet.arch'),
  ...rows(exact('drift'), 'dotnet.runtimes'),
  ...rows(exact('cosmetic'), 'dotnet.path', 'dotnet.realpath'),

  ...rows(version(2), 'php.version'),
  ...rows(exact('abi'), 'php.api', 'php.threadsafe', 'php.debug', 'php.bits'),
  ...rows(exact('drift'), 'php.extensions'),
  ...rows(exact('cosmetic'), 'php.path', 'php.realpath'),

  ...rows(version(1), 'deno.version'),
  ...rows(platform, 'deno.target'),
  ...rows(release, 'deno.v8', 'deno.typescript'),
  ...rows(exact('cosmetic'), 'deno.path', 'deno.realpath'),

  ...rows(version(1), 'bun.version'),
  ...rows(exact('abi'), 'bun.modules'),
  ...rows(platform, 'bun.platform', 'bun.arch'),
  ...rows(exact('cosmetic'), 'bun.path', 'bun.realpath'),

  ...rows(exact('drift'), 'tz', 'locale'),
  // What it chooses is the version of rustc, which has a row.
  ...rows(exact('cosmetic'), 'env.CI', 'env.GITHUB_ACTIONS', 'env.RUSTUP_TOOLCHAIN'),
  ...rows(
    exact('drift'),
    ...['PYTHONHASHSEED', 'PYTHONWARNINGS', 'PYTHONOPTIMIZE', 'PYTHONUTF8', 'PYTEST_DISABLE_PLUGIN_AUTOLOAD'].map(env),
    ...['NODE_ENV', 'RUST_TEST_THREADS', 'RAILS_ENV', 'RACK_ENV', 'APP_ENV'].map(env),
    ...['ASPNETCORE_ENVIRONMENT', 'DOTNET_ENVIRONMENT'].map(env),
  ),
  ...rows(
    setOrNot,
    ...['PYTHONPATH', 'PYTEST_ADDOPTS', 'NODE_OPTIONS', 'NODE_PATH', 'RUSTFLAGS', 'JAVA_TOOL_OPTIONS'].map(env),
    ...['MAVEN_OPTS', 'GRADLE_OPTS', 'RUBYOPT', 'LD_PRELOAD', 'LD_LIBRARY_PATH'].map(env),
  ),
  // A proxy is a way to the network, and no part of the experiment.
  ...rows(exact('cosmetic'), ...['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map(env)),
  ...rows(exact('cosmetic'), 'image.os', 'image.version', 'runner.os', 'runner.arch', 'runner.environment'),
]

function env(name: string): string {
  return `env.${name}`
}

/** The keys of the table, for what must know each of them. */
export const TOOLCHAIN_KEYS: readonly string[] = ROWS.map((row) => row.key)

/**
 * Compares two toolchains fact by fact.
 *
 * @param scratch the bundle's; null where it has no `toolchain.txt` that can be read
 * @param ci CI's own; null likewise
 * @returns a row for each fact that either side recorded, in the table's order. A side without a value gives
 *   `unrecorded`, never `same`; an environment variable that is unset on both sides gives no row.
 */
export function compareToolchains(scratch: Toolchain | null, ci: Toolchain | null): ToolchainRow[] {
  const [ours, theirs] = [scratch, ci].map((side) => factOf(side, 'go.GOARCH')?.value)
  const alike = ours !== undefined && theirs !== undefined && platform(ours, theirs).grade === 'same'
  return ROWS.flatMap(({ key, compare }) => {
    const there = factOf(scratch, key)
    const here = factOf(ci, key)
    const unset = (fact: Fact | null) => fact === null || fact.value === NOT_SET
    if (unset(there) && unset(here)) return []
    // The level of an architecture's instructions is recorded for that architecture alone, and the architecture has a row.
    if (/^go\.GO(?:AMD|ARM)64$/.test(key) && (there === null || here === null) && !alike) return []
    // The runner's image is no fact of a scratch box.
    if (/^(?:image|runner)\./.test(key) && (there === null || here === null)) return []
    return [row(key, there, here, compare, scratch)]
  })
}

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
