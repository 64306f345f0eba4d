import { parseJson, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { PackageBuilder, packageOf } from '../package.ts'
import { readLines } from './lines.ts'

/** The lines of the tree, as drawn where the locale is UTF-8 and where it is not. */
const BRANCH = /^[│├└|+` ][│├└─┬|+` -]*[─┬-] /

/** Whether there is a tree of packages; `npm ls` of a project without any prints `(empty)`. */
export function looksLikeNpmTree(text: string): boolean {
  return /^(?:[├└]─[─┬]|[+`]--) (?:\(empty\)|(?:UNMET [A-Z ]*DEPENDENCY )?[^\s@]\S*@\S|@\S+@\S)/m.test(text)
}

/** Reads the tree that `npm ls --all` prints, under one line for the project itself. What is unmet was not installed. */
export function readNpmTree(text: string): PackageList {
  return readLines('npm', text, (raw, index) => {
    const branch = BRANCH.exec(raw)
    if (branch === null) return index === 0 ? 'nothing' : null
    const line = raw.slice(branch[0].length).trim()
    if (line === '(empty)' || / deduped\b/.test(line) || /^UNMET [A-Z ]*DEPENDENCY /.test(line)) return 'nothing'
    const match = /^(@?[^@\s]+)@(?:npm:(@?[^@\s]+)@)?(\S+)/.exec(line)
    return match === null
      ? null
      : packageOf(match[2] ?? match[1] ?? '', match[3] ?? null, { local: / -> |@(?:workspace|file|link):/.test(line) })
  })
}

/** `node_modules/a/node_modules/@b/c:@b/c@1.0.0`, and what npm may put behind it. */
const PARSEABLE = /^.*?[\\/]?node_modules[\\/][^:]*:(@?[^@:\s]+)@(?:npm:(@?[^@:\s]+)@)?([^@:\s]+)(:.*)?$/

/** Whether the first line that names a package is one of `npm ls --all --parseable --long`. */
export function looksLikeNpmParseable(text: string): boolean {
  return text
    .slice(0, 20_000)
    .split(/\r?\n/, 3)
    .some((line) => PARSEABLE.test(line))
}

/** Reads what `npm ls --all --parseable --long` prints, under one line for the project itself. */
export function readNpmParseable(text: string): PackageList {
  return readLines('npm', text, (line, index) => {
    const match = PARSEABLE.exec(line)
    if (match === null) return index === 0 ? 'nothing' : null
    const [, key = '', named, version = '', elsewhere = ''] = match
    // Behind it stands where a link leads to, or what is wrong with it.
    return packageOf(named ?? key, version, { local: /^:(?:[/\\]|[A-Z]:)/.test(elsewhere) })
  })
}

/** Whether it is the object that `npm ls --json` prints. */
export function looksLikeNpmJson(text: string): boolean {
  return /^\s*\{/.test(text) && /"dependencies"\s*:\s*\{/.test(text)
}

/**
 * Reads the tree of `npm ls --all --json`.
 *
 * @throws DocumentError where the text is no JSON
 */
export function readNpmJson(text: string): PackageList {
  const found = new PackageBuilder('npm')
  const open: unknown[] = [parseJson(text)]
  const local = new Set<string>()
  const rest: { name: string; version: string }[] = []
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const [key, entry] of Object.entries(tableOf(tableOf(node).dependencies))) {
      const { version, resolved } = tableOf(entry)
      const place = textOf(resolved) ?? ''
      // The key is an alias where the place on the registry has another name.
      const name = /\/((?:@[^/]+\/)?[^/@]+)\/-\//.exec(place)?.[1] ?? key
      // An optional dependency of another platform stands there without a version: it was not installed.
      if (typeof version === 'string') rest.push({ name, version })
      else if (version !== undefined) found.skip(key)
      if (place.startsWith('file:')) local.add(`${name}@${version}`)
      open.push(entry)
    }
  }
  // Where it stands again, deeper down, it stands without its place.
  for (const { name, version } of rest) found.add(name, version, { local: local.has(`${name}@${version}`) })
  return found.list()
}
