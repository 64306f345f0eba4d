import { posix } from 'node:path'
import { parse as parseToml } from 'smol-toml'

/** Files of which a part says how tests are run, by name, and that part of a text as something to compare. */
const PARTS: readonly [RegExp, (text: string) => unknown][] = [
  [/^pyproject\.toml$/, pyproject],
  [/^package\.json$/, manifest],
  [/^(?:setup\.cfg|tox\.ini)$/, (text) => sections(text, /^(?:tool:pytest|pytest|testenv.*|tox|coverage:.*)$/)],
  [/^vite\.config\.[cm]?[jt]s$/, (text) => (/\btest\s*:/.test(text) ? text : null)],
  [/^Cargo\.toml$/, cargo],
]

/** Whether a file of that name holds a part on tests beside others. */
export function holdsTestParts(path: string): boolean {
  return PARTS.some(([name]) => name.test(posix.basename(path)))
}

/**
 * Whether two texts of such a file differ in their part on tests. A text that cannot be read differs.
 *
 * @param before '' where the file was not there
 */
export function testPartsDiffer(path: string, before: string, after: string): boolean {
  const part = PARTS.find(([name]) => name.test(posix.basename(path)))?.[1]
  if (part === undefined) return false
  try {
    return JSON.stringify(part(before)) !== JSON.stringify(part(after))
  } catch {
    return before !== after
  }
}

function pyproject(text: string): unknown {
  const { tool } = parseToml(text)
  if (typeof tool !== 'object' || tool === null) return {}
  return Object.fromEntries(
    Object.entries(tool)
      .filter(([name]) => /^(?:pytest|tox|nox|coverage|hatch|poe|taskipy|pdm)$/.test(name))
      .map(partOf),
  )
}

/** Of tools that do more than tests, their scripts and environments. */
function partOf([name, value]: [string, unknown]): [string, unknown] {
  if (!/^(?:hatch|pdm)$/.test(name) || typeof value !== 'object' || value === null) return [name, value]
  const kept = Object.entries(value).filter(([key]) => /^(?:envs|scripts)$/.test(key))
  return [name, Object.fromEntries(kept)]
}

function manifest(text: string): unknown {
  const content: unknown = text === '' ? {} : JSON.parse(text)
  if (typeof content !== 'object' || content === null) return {}
  const { scripts, ...rest } = content as { scripts?: unknown } & Record<string, unknown>
  const tested = Object.entries(typeof scripts === 'object' && scripts !== null ? scripts : {}).filter(([name]) =>
    /^(?:pre|post)?test(?:$|[:_-])/.test(name),
  )
  const tools = Object.entries(rest).filter(([name]) => /^(?:jest|mocha|ava|vitest|nyc|c8|tap)$/.test(name))
  return [Object.fromEntries(tested), Object.fromEntries(tools)]
}

function cargo(text: string): unknown {
  const { test, profile, features } = parseToml(text)
  const profiles = typeof profile === 'object' && profile !== null ? Object.entries(profile) : []
  return [test, profiles.filter(([name]) => /^(?:test|dev)$/.test(name)), features]
}

/** The sections of an ini file whose names match, as text without comments. */
function sections(text: string, name: RegExp): string[] {
  let within = false
  return text.split(/\r?\n/).filter((line) => {
    const header = /^\[([^\]]+)\]/.exec(line)
    if (header !== null) within = name.test(header[1]?.trim() ?? '')
    return within && !/^\s*(?:[#;]|$)/.test(line)
  })
}
