import type { Fact, Problem, Toolchain } from './evidence.ts'
import { decodeText } from './text.ts'

type Put = (key: string, value: string) => void

/** A shape of a bare line or of a key of format 1, and the facts of format 2 that it stands for. */
interface Shape {
  readonly like: RegExp
  readonly facts: (match: RegExpMatchArray, put: Put) => void
}

const ARCHITECTURE =
  /^(?:x86_64|amd64|x64|i[3-6]86|x86|aarch64|arm64|armv[5-8]\w*|arm|ppc64le|ppc64|s390x|riscv64|loong64)$/i
const SYSTEM = /^(?:Linux|Darwin|FreeBSD|OpenBSD|NetBSD|SunOS|MINGW\S*|MSYS\S*|CYGWIN\S*|Windows_NT)$/
const TOOLS =
  'python|pip|pytest|uv|poetry|node|npm|pnpm|yarn|bun|deno|go|rustc|cargo|java|mvn|gradle|ruby|gem|bundler|rspec|minitest|dotnet|php'

/** `uname` with any options: the system first, the architecture as the last word of that kind. */
function uname(text: string, put: Put): boolean {
  const words = text.trim().split(/\s+/)
  if (!SYSTEM.test(words[0] ?? '')) return false
  put('os', words[0] ?? '')
  const arch = words.findLast((word) => ARCHITECTURE.test(word))
  if (arch !== undefined) put('arch', arch)
  const kernel = words.slice(1).find((word) => /^\d+\.\d+/.test(word))
  if (kernel !== undefined) put('kernel', kernel)
  // With `-a` the machine's name stands between the two.
  if (kernel !== undefined && words[2] === kernel) put('host', words[1] ?? '')
  return true
}

/** `linux-x86_64`, `macosx-14.0-arm64`, `win-amd64`: what Python calls the platform tag. */
function platformTag(tag: string, put: Put): void {
  put('python.platform', tag)
  const family = tag.startsWith('linux') ? 'Linux' : tag.startsWith('macosx') ? 'Darwin' : 'Windows'
  put('os', family)
  const arch = tag === 'win32' ? 'x86' : tag.slice(tag.lastIndexOf('-') + 1)
  if (ARCHITECTURE.test(arch)) put('arch', arch)
}

const OF_SYS_PLATFORM: Readonly<Record<string, string>> = {
  linux: 'Linux',
  linux2: 'Linux',
  darwin: 'Darwin',
  win32: 'Windows',
}

/** Bare lines, as the tools print them. The first shape that fits is taken. */
const BARE: readonly Shape[] = [
  { like: /^Python (\d+\.\d+\S*)/, facts: (m, put) => put('python.version', m[1] ?? '') },
  { like: /^pytest (\d+\.\d+\S*)/, facts: (m, put) => put('pytest.version', m[1] ?? '') },
  { like: /^pip (\d+\.\d+\S*) from /, facts: (m, put) => put('pip.version', m[1] ?? '') },
  { like: /^uv (\d+\.\d+\S*)/, facts: (m, put) => put('uv.version', m[1] ?? '') },
  { like: /^v(\d+\.\d+\.\d+\S*)$/, facts: (m, put) => put('node.version', m[1] ?? '') },
  {
    like: /^go version go(\S+) (\w+)\/(\w+)$/,
    facts: (m, put) => {
      put('go.version', m[1] ?? '')
      put('go.GOOS', m[2] ?? '')
      put('go.GOARCH', m[3] ?? '')
    },
  },
  { like: /^rustc (\d+\.\d+\.\d+\S*)/, facts: (m, put) => put('rustc.version', m[1] ?? '') },
  { like: /^cargo (\d+\.\d+\.\d+\S*)/, facts: (m, put) => put('cargo.version', m[1] ?? '') },
  { like: /^host: (\S+)$/, facts: (m, put) => put('rustc.host', m[1] ?? '') },
  { like: /^(?:openjdk|java) version "(\d[\w.+-]*)"/, facts: (m, put) => put('java.version', m[1] ?? '') },
  { like: /^(?:openjdk|java) (\d[\w.+-]*) \d{4}-/, facts: (m, put) => put('java.version', m[1] ?? '') },
  { like: /^(.+) (?:Server|Client) VM /, facts: (m, put) => put('java.vm', `${m[1]} Server VM`) },
  {
    like: /^.+ Runtime Environment \S*(?: ?\S+)* ?\(build (\S+?)\)$/,
    facts: (m, put) => put('java.runtime', m[1] ?? ''),
  },
  { like: /^Apache Maven (\d+\.\d+\S*)/, facts: (m, put) => put('mvn.version', m[1] ?? '') },
  { like: /^Gradle (\d+\.\d+\S*)$/, facts: (m, put) => put('gradle.version', m[1] ?? '') },
  {
    like: /^ruby (\d+\.\d+\.\d+)(?:p(\d+))?\b.* \[(\S+)\]$/,
    facts: (m, put) => {
      put('ruby.version', m[1] ?? '')
      if (m[2] !== undefined) put('ruby.patch', m[2])
      put('ruby.platform', m[3] ?? '')
    },
  },
  { like: /^PHP (\d+\.\d+\.\d+\S*) /, facts: (m, put) => put('php.version', m[1] ?? '') },
  {
    like: /^deno (\d+\.\d+\.\d+\S*)(?: \([^)]*, ([\w-]+)\))?$/,
    facts: (m, put) => {
      put('deno.version', m[1] ?? '')
      if (m[2] !== undefined) put('deno.target', m[2])
    },
  },
  { like: /^v8 (\d+\.\S+)$/, facts: (m, put) => put('deno.v8', m[1] ?? '') },
  { like: /^typescript (\d+\.\S+)$/, facts: (m, put) => put('deno.typescript', m[1] ?? '') },
  { like: /^release: (\S+)$/, facts: (m, put) => put('rustc.version', m[1] ?? '') },
  { like: /^commit-hash: (\S+)$/, facts: (m, put) => put('rustc.commit', m[1] ?? '') },
  // Lines of `rustc -vV` that repeat what its other lines say.
  { like: /^(?:binary|commit-date|LLVM version): \S+$/, facts: () => {} },
  { like: /^(?:linux-\w+|macosx-[\d.]+-\w+|win-(?:amd64|arm64)|win32)$/, facts: (m, put) => platformTag(m[0], put) },
  { like: /^(?:linux2?|darwin)$/, facts: (m, put) => put('os', OF_SYS_PLATFORM[m[0]] ?? m[0]) },
  {
    like: /^(?:\/|~\/|[A-Za-z]:\\)(?:.*[\\/])?(python|node|go|rustc|cargo|pytest|npm|uv|java|ruby|dotnet|php|deno|bun)[\w.-]*$/,
    facts: (m, put) => put(`${m[1]}.path`, m[0]),
  },
]

/** Keys of format 1. A value that has not the expected shape makes the line unrecognised. */
const KEYED: ReadonlyMap<string, (value: string, put: Put) => boolean> = new Map([
  ['date_utc', plain('date')],
  ['date', plain('date')],
  ['pwd', plain('cwd')],
  ['uname', uname],
  ['python', (value, put) => value === '' || bare(value, put) || version('python', value, put)],
  ...['node', 'npm', 'pnpm', 'yarn', 'bun', 'deno', 'go', 'rustc', 'cargo', 'java', 'ruby', 'dotnet', 'php'].map(
    (tool): [string, (value: string, put: Put) => boolean] => [
      tool,
      (value, put) => value === '' || bare(value, put) || version(tool, value, put),
    ],
  ),
])

function plain(key: string): (value: string, put: Put) => boolean {
  return (value, put) => {
    put(key, value)
    return true
  }
}

function version(tool: string, value: string, put: Put): boolean {
  if (!/^v?\d+\.\d+\S*$/.test(value)) return false
  put(`${tool}.version`, value.replace(/^v/, ''))
  return true
}

function bare(text: string, put: Put): boolean {
  for (const shape of BARE) {
    const match = text.match(shape.like)
    if (match !== null) {
      shape.facts(match, put)
      return true
    }
  }
  // `go env GOOS GOARCH` prints the architecture alone on the line after the system.
  if (ARCHITECTURE.test(text)) {
    put('arch', text)
    return true
  }
  return uname(text, put)
}

const FORMAT_2_KEY = new RegExp(
  `^(?:schema|os|arch|kernel|distro|libc|emulated|container|host|cpus|tz|locale|(?:env|image|runner|${TOOLS})\\.[A-Za-z0-9_]+)$`,
)

/**
 * Reads `toolchain.txt` of either format.
 *
 * @param file the file's name in the bundle, for the problems
 * @param bytes its content, at most the cap
 * @returns the facts by the keys of format 2, the first occurrence of each; lines of no known shape are kept apart
 */
export function readToolchain(file: string, bytes: Uint8Array): { toolchain: Toolchain; problems: Problem[] } {
  const { text, invalidAt } = decodeText(bytes)
  const problems: Problem[] = invalidAt === null ? [] : [{ kind: 'not-utf8', file, line: invalidAt }]
  const lines = text.split(/\r?\n/)
  const format = lines.some((line) => line.trim() === 'schema=2') ? 2 : 1
  const facts = new Map<string, Fact>()
  const unrecognised: { line: number; text: string }[] = []

  lines.forEach((raw, index) => {
    const line = index + 1
    const content = raw.trim()
    if (content === '') return
    const put: Put = (key, value) => {
      // An empty value is nothing recorded.
      if (facts.has(key) || value === '') return
      facts.set(key, { value, line })
    }
    const equals = content.indexOf('=')
    const key = equals > 0 ? content.slice(0, equals) : null
    if (key !== null && format === 2 && FORMAT_2_KEY.test(key)) {
      if (facts.has(key)) problems.push({ kind: 'repeated-key', file, line, key })
      put(key, content.slice(equals + 1))
    } else if (key !== null && format === 1 && (KEYED.get(key)?.(content.slice(equals + 1).trim(), put) ?? false)) {
      return
    } else if (!(format === 1 && bareOrSecondPath(content, put, facts))) {
      unrecognised.push({ line, text: content })
    }
  })
  for (const { line, text } of unrecognised) problems.push({ kind: 'unrecognised-line', file, line, text })
  return { toolchain: { file, format, facts, unrecognised }, problems }
}

/** In format 1 a second path of Python is `sys.executable`: the real one, where the first may be a shim. */
function bareOrSecondPath(text: string, put: Put, facts: ReadonlyMap<string, Fact>): boolean {
  const [path, platform] = /^(\/\S+) (linux2?|darwin|win32)$/.exec(text)?.slice(1) ?? [text]
  if (platform !== undefined) put('os', OF_SYS_PLATFORM[platform] ?? platform)
  const known = facts.get('python.path')
  if (known !== undefined && path !== undefined && /[\\/]python[\w.]*(?:\.exe)?$/.test(path)) {
    put('python.realpath', path)
    return true
  }
  return bare(path ?? text, put)
}
