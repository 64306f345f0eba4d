import type { Grade, ToolchainRow } from '../../compare/comparison.ts'
import type { Evidence } from '../../read/evidence.ts'
import { code, em, type Inlines, strong, t } from '../document.ts'

/** What a fact of the toolchain is called. Keys that are not here are shown as they are. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['os', 'System'],
  ['arch', 'Architecture'],
  ['libc', 'libc'],
  ['emulated', 'Emulated'],
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
  ['node.version', 'Node.js'],
  ['node.modules', 'Node.js ABI'],
  ['node.napi', 'Node-API'],
  ['node.openssl', 'OpenSSL in Node.js'],
  ['node.platform', 'Node.js platform'],
  ['node.arch', 'Node.js architecture'],
  ['node.path', 'Node.js, as found'],
  ['node.realpath', 'Node.js binary'],
  ['npm.version', 'npm'],
  ['go.version', 'Go'],
  ['go.path', 'Go binary'],
  ['rustc.version', 'Rust'],
  ['rustc.host', 'Rust host'],
  ['rustc.channel', 'Rust channel'],
  ['rustc.path', 'rustc binary'],
  ['cargo.version', 'Cargo'],
  ['tz', 'Time zone'],
  ['locale', 'Locale'],
  ['image.os', 'Runner image'],
  ['image.version', 'Runner image build'],
])

export function label(key: string): Inlines {
  const name = LABELS.get(key)
  if (name !== undefined) return [name]
  return key.startsWith('env.') ? [code(key.slice(4))] : [code(key)]
}

/** The value of a cell; what was not recorded is said to be so, in words and in another face. */
export function value(recorded: string | null): Inlines {
  if (recorded === null) return [em('not recorded')]
  return /^[\w.+-]{1,24}( [\w.+-]{1,24}){0,2}$/.test(recorded) ? [recorded] : [code(recorded)]
}

/** What a row's difference means, in the last column. */
export function gradeOf(row: ToolchainRow): Inlines {
  if (row.key === 'libc' && row.newer === 'ci') return ['CI newer: carries over']
  if (row.key === 'libc' && row.newer === 'scratch') return [strong('CI older: does not carry over')]
  return GRADES[row.grade]
}

const GRADES: Readonly<Record<Grade, Inlines>> = {
  same: ['same'],
  cosmetic: ['differs, no matter'],
  drift: ['other version'],
  abi: [strong('other ABI')],
  platform: [strong('other platform')],
  unrecorded: ['not recorded'],
}

/** The commands that bring a tool to a version. `{}` stands for the version. */
const INSTALL: ReadonlyMap<string, string> = new Map([
  ['python', 'uv venv --python {}'],
  ['node', 'nvm install {}'],
  ['go', 'go env -w GOTOOLCHAIN=go{}'],
  ['rustc', 'rustup toolchain install {}'],
])

/**
 * What to run on the scratch box to have CI's version of a tool. Null where CI's is not known, or where what was recorded
 * is no version: a command is there to be copied, so nothing else may stand in it.
 */
export function installCommand(tool: string, ciVersion: string | null): string | null {
  const command = INSTALL.get(tool)
  if (command === undefined || ciVersion === null || !/^\d[\w.+-]{0,40}$/.test(ciVersion)) return null
  return command.replace('{}', ciVersion)
}

/** The name and version of what ran the tests: `Python 3.12.4`. Null where none is recorded. */
export function runtime(evidence: Evidence | null): string | null {
  const get = (key: string) => evidence?.toolchain?.facts.get(key)?.value ?? null
  const runner = evidence?.run?.runner ?? evidence?.exits[0]?.runner ?? 'pytest'
  const order = runner.startsWith('npm')
    ? ['node', 'python']
    : runner.startsWith('go')
      ? ['go']
      : runner.startsWith('cargo')
        ? ['rustc']
        : ['python', 'node', 'go', 'rustc']
  for (const tool of order) {
    const version = get(`${tool}.version`)
    if (version !== null) return `${LABELS.get(`${tool}.version`)} ${version.replace(/^v/, '')}`
  }
  return null
}

/** Where it ran, as far as recorded: `Linux x86_64, glibc 2.36`. */
export function machine(evidence: Evidence | null): string | null {
  const get = (key: string) => evidence?.toolchain?.facts.get(key)?.value
  const system = [get('os'), get('arch')].filter(Boolean).join(' ')
  return [system, get('libc')].filter(Boolean).join(', ') || null
}

/** A recorded moment as people write it, `2026-11-30 18:02 UTC`; as it was recorded where it is none. */
export function moment(recorded: string): Inlines {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d)?(?:\.\d+)?(?:Z|\+00:00)$/.exec(recorded)
  return match === null ? [code(recorded)] : t`${match[1] ?? ''} ${match[2] ?? ''} UTC`
}
