import type { Grade, ToolchainRow } from '../../compare/comparison.ts'
import type { Evidence } from '../../read/evidence.ts'
import { code, em, type Inlines, strong, t } from '../document.ts'

/** What a fact of the toolchain is called. Keys that are not here are shown as they are. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['os', 'System'],
  ['arch', 'Architecture'],
  ['libc', 'libc'],
  ['emulated', 'Emulated'],
  ['container', 'Container'],
  ['distro', 'Distribution'],
  ['kernel', 'Kernel'],
  ['cpus', 'CPUs'],
  ['python.implementation', 'Python implementation'],
  ['python.version', 'Python'],
  ['python.soabi', 'Python ABI'],
  ['python.freethreaded', 'Python, free-threaded'],
  ['python.debug', 'Python, debug build'],
  ['python.path', 'Python, as found'],
  ['python.realpath', 'Python binary'],
  ['python.venv', 'Virtual environment'],
  ['pip.version', 'pip'],
  ['pytest.version', 'pytest'],
  ['uv.version', 'uv'],
  ['poetry.version', 'Poetry'],
  ['node.version', 'Node.js'],
  ['node.modules', 'Node.js ABI'],
  ['node.napi', 'Node-API'],
  ['node.openssl', 'OpenSSL in Node.js'],
  ['node.platform', 'Node.js platform'],
  ['node.arch', 'Node.js architecture'],
  ['node.path', 'Node.js, as found'],
  ['node.realpath', 'Node.js binary'],
  ['npm.version', 'npm'],
  ['pnpm.version', 'pnpm'],
  ['yarn.version', 'Yarn'],
  ['go.version', 'Go'],
  ['go.path', 'Go, as found'],
  ['go.realpath', 'Go binary'],
  ['rustc.version', 'Rust'],
  ['rustc.host', 'Rust host'],
  ['rustc.channel', 'Rust channel'],
  ['rustc.commit', 'Rust commit'],
  ['rustc.path', 'rustc, as found'],
  ['rustc.realpath', 'rustc binary'],
  ['cargo.version', 'Cargo'],
  ['java.class', 'Java class version'],
  ['java.version', 'Java'],
  ['java.vm', 'Java VM'],
  ['java.arch', 'Java architecture'],
  ['java.vendor', 'Java vendor'],
  ['java.runtime', 'Java runtime'],
  ['java.path', 'Java, as found'],
  ['java.realpath', 'Java binary'],
  ['mvn.version', 'Maven'],
  ['gradle.version', 'Gradle'],
  ['ruby.engine', 'Ruby engine'],
  ['ruby.version', 'Ruby'],
  ['ruby.abi', 'Ruby ABI'],
  ['ruby.platform', 'Ruby platform'],
  ['ruby.patch', 'Ruby patch level'],
  ['ruby.path', 'Ruby, as found'],
  ['ruby.realpath', 'Ruby binary'],
  ['gem.version', 'RubyGems'],
  ['bundler.version', 'Bundler'],
  ['rspec.version', 'RSpec'],
  ['minitest.version', 'minitest'],
  ['dotnet.version', '.NET SDK'],
  ['dotnet.host', '.NET host'],
  ['dotnet.rid', '.NET runtime identifier'],
  ['dotnet.arch', '.NET architecture'],
  ['dotnet.runtimes', '.NET runtimes'],
  ['dotnet.path', '.NET, as found'],
  ['dotnet.realpath', '.NET binary'],
  ['php.version', 'PHP'],
  ['php.api', 'PHP extension API'],
  ['php.threadsafe', 'PHP, thread-safe'],
  ['php.debug', 'PHP, debug build'],
  ['php.bits', 'PHP integer size'],
  ['php.extensions', 'PHP extensions'],
  ['php.path', 'PHP, as found'],
  ['php.realpath', 'PHP binary'],
  ['deno.version', 'Deno'],
  ['deno.target', 'Deno target'],
  ['deno.v8', 'V8 in Deno'],
  ['deno.typescript', 'TypeScript in Deno'],
  ['deno.path', 'Deno, as found'],
  ['deno.realpath', 'Deno binary'],
  ['bun.version', 'Bun'],
  ['bun.modules', 'Bun ABI'],
  ['bun.platform', 'Bun platform'],
  ['bun.arch', 'Bun architecture'],
  ['bun.path', 'Bun, as found'],
  ['bun.realpath', 'Bun binary'],
  ['tz', 'Time zone'],
  ['locale', 'Locale'],
  ['image.os', 'Runner image'],
  ['image.version', 'Runner image build'],
  ['runner.os', 'Runner system'],
  ['runner.arch', 'Runner architecture'],
  ['runner.environment', 'Runner'],
])

/** What a fact is called. Variables, and settings of Go, by their own name. */
export function label(key: string): Inlines {
  const name = LABELS.get(key)
  if (name !== undefined) return [name]
  return [code(key.replace(/^(?:env|go)\./, ''))]
}

/**
 * A value in a cell or in a sentence: as text where it is one word or a name with its version, else as code, so that no value
 * reads as words of this report. What was not recorded is said to be so, in another face.
 */
export function value(recorded: string | null): Inlines {
  if (recorded === null) return [em('not recorded')]
  return /^(?:not set|[\w.+-]{1,24}(?: (?=\D{0,24}\d)[\w.+-]{1,24}){0,2})$/.test(recorded)
    ? [recorded]
    : [code(recorded)]
}

/** What a row's difference means, in the last column. */
export function gradeOf(row: ToolchainRow): Inlines {
  if (DIRECTED.has(row.key) && row.newer === 'ci') return ['CI newer: carries over']
  if (DIRECTED.has(row.key) && row.newer === 'scratch') return [strong('CI older: does not carry over')]
  if (row.grade === 'unrecorded' && row.scratch !== null && row.ci !== null) return ['recorded in part']
  return GRADES[row.grade]
}

/** Facts whose difference has a direction: a PASS with the older carries over to the newer, and not back. */
export const DIRECTED: ReadonlySet<string> = new Set(['libc', 'go.GOAMD64', 'go.GOARM64'])

const GRADES: Readonly<Record<Grade, Inlines>> = {
  same: ['same'],
  cosmetic: ['differs, no matter'],
  drift: ['other version'],
  abi: [strong('other ABI')],
  platform: [strong('other platform')],
  unrecorded: ['not recorded'],
}

/** What runs the tests of a runner. */
const TOOL_OF_RUNNER: readonly [RegExp, string][] = [
  [/^pytest$/, 'python'],
  [/^(?:npm|pnpm|yarn|node)-test$|^(?:vitest|jest|mocha)$/, 'node'],
  [/^bun-test$/, 'bun'],
  [/^deno-test$/, 'deno'],
  [/^go-test$/, 'go'],
  [/^cargo-test$/, 'rustc'],
  [/^(?:mvn|gradle)-test$/, 'java'],
  [/^(?:rspec|minitest)$/, 'ruby'],
  [/^dotnet-test$/, 'dotnet'],
  [/^phpunit$/, 'php'],
]

/**
 * The name and version of what ran the tests: `Python 3.12.4`. Null where none is recorded.
 *
 * @param ran the runner that is meant, of several in one bundle; the first one by default
 */
export function runtime(evidence: Evidence | null, ran?: string): Inlines | null {
  const get = (key: string) => evidence?.toolchain?.facts.get(key)?.value ?? null
  // What is on PATH is not known to have run.
  if (evidence?.run?.toolsByPath) return null
  const runner = ran ?? evidence?.run?.runner ?? evidence?.exits[0]?.runner ?? 'pytest'
  const own = TOOL_OF_RUNNER.find(([like]) => like.test(runner))?.[1]
  const order =
    own === undefined ? ['python', 'node', 'go', 'rustc', 'java', 'ruby', 'dotnet', 'php', 'deno', 'bun'] : [own]
  for (const tool of order) {
    const version = get(`${tool}.version`)
    if (version !== null) return t`${LABELS.get(`${tool}.version`) ?? tool} ${value(version.replace(/^v/, ''))}`
  }
  return null
}

/** Where it ran, as far as recorded: `Linux x86_64, glibc 2.36`. */
export function machine(evidence: Evidence | null): Inlines | null {
  const get = (key: string) => evidence?.toolchain?.facts.get(key)?.value
  const [os, arch, libc] = [get('os'), get('arch'), get('libc')].map((one) => (one ? value(one) : null))
  const system = os && arch ? t`${os} ${arch}` : (os ?? arch)
  return system && libc ? t`${system}, ${libc}` : (system ?? libc ?? null)
}

/** A recorded moment as people write it, `2026-11-30 18:02 UTC`; as it was recorded where it is none. */
export function moment(recorded: string): Inlines {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d)?(?:\.\d+)?(?:Z|\+00:00)$/.exec(recorded)
  return match === null ? [code(recorded)] : t`${match[1] ?? ''} ${match[2] ?? ''} UTC`
}
