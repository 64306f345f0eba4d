import { withoutCredentials } from '../ecosystem.ts'
import type { Package, PackageList } from '../evidence.ts'
import { clip, lineOf } from '../text.ts'
import { LockfileError } from './format.ts'

type Table = Readonly<Record<string, unknown>>

/** Deeper trees of version 1 are refused: npm itself flattens them. */
const DEPTH = 200

/**
 * Reads `package-lock.json` and `npm-shrinkwrap.json`, versions 1 to 3.
 *
 * @throws LockfileError where the text is no JSON, or no object with `packages` or `dependencies`
 */
export function readPackageLock(text: string): PackageList {
  const document = parseJson(text)
  if (!isTable(document)) throw new LockfileError('it is no JSON object', 1)
  const { packages, dependencies, lockfileVersion } = document
  if (packages === undefined && dependencies === undefined && lockfileVersion === undefined)
    throw new LockfileError('it has neither `packages` nor `dependencies`')
  if (packages !== undefined) return readFlat(tableOf(packages, 'packages'))
  return readNested(tableOf(dependencies ?? {}, 'dependencies'))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const conflict = text.search(/^<{7} /m)
    if (conflict !== -1) throw new LockfileError('it has merge-conflict markers', lineOf(text, conflict))
    const offset = /end of JSON/.test(message) ? text.length : /position (\d+)/.exec(message)?.[1]
    throw new LockfileError('it is no JSON', offset === undefined ? null : lineOf(text, Number(offset)))
  }
}

/** Versions 2 and 3: one entry an install path. The name of an aliased package is in its `name`. */
function readFlat(entries: Table): PackageList {
  const packages: Package[] = []
  const notRead: { line: null; text: string }[] = []
  for (const [path, entry] of Object.entries(entries)) {
    if (path === '' || (isTable(entry) && entry.link === true)) continue
    if (!isReadable(entry)) {
      notRead.push({ line: null, text: clip(path, 200) })
      continue
    }
    const at = path.lastIndexOf('node_modules/')
    const name = text(entry.name) ?? (at === -1 ? path : path.slice(at + 'node_modules/'.length))
    packages.push(entryOf(name, entry, at === -1))
  }
  return { ecosystem: 'npm', packages, notRead }
}

/** Version 1: a tree of `dependencies`. */
function readNested(root: Table): PackageList {
  const packages: Package[] = []
  const notRead: { line: null; text: string }[] = []
  const open: { table: Table; depth: number }[] = [{ table: root, depth: 1 }]
  for (let level = open.pop(); level !== undefined; level = open.pop()) {
    if (level.depth > DEPTH) throw new LockfileError(`its dependencies nest deeper than ${DEPTH}`)
    for (const [key, entry] of Object.entries(level.table)) {
      if (!isReadable(entry)) {
        notRead.push({ line: null, text: clip(key, 200) })
        continue
      }
      const alias = /^npm:(.+)@([^@]+)$/.exec(text(entry.version) ?? '')
      packages.push(
        alias === null ? entryOf(key, entry, false) : entryOf(alias[1] ?? key, { ...entry, version: alias[2] }, false),
      )
      if (isTable(entry.dependencies)) open.push({ table: entry.dependencies, depth: level.depth + 1 })
    }
  }
  return { ecosystem: 'npm', packages, notRead }
}

function entryOf(name: string, entry: Table, workspace: boolean): Package {
  const version = text(entry.version)
  const elsewhere =
    [text(entry.resolved), version].find((url) => /^(?:git|file|github|ssh)[+:]/.test(url ?? '')) ??
    (version?.includes('://') ? version : null)
  const local = workspace || (elsewhere?.startsWith('file:') ?? false)
  const flags = ['dev', 'optional', 'devOptional', 'peer', 'inBundle', 'bundled', 'os', 'cpu', 'libc']
  const integrity = text(entry.integrity)
  return {
    name,
    version: elsewhere !== null && elsewhere === version ? null : version,
    source: elsewhere === null || local ? null : withoutCredentials(elsewhere),
    hashes: integrity === null ? [] : integrity.trim().split(/\s+/).sort(),
    conditional: flags.some((flag) => entry[flag] !== undefined && entry[flag] !== false),
    local,
  }
}

/** Whether an entry is a table, and its version, where it has one, is text. */
function isReadable(entry: unknown): entry is Table {
  return isTable(entry) && (entry.version === undefined || typeof entry.version === 'string')
}

function tableOf(value: unknown, name: string): Table {
  if (isTable(value)) return value
  throw new LockfileError(`its \`${name}\` is no object`)
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
