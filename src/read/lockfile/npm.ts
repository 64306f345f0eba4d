import { withoutCredentials } from '../ecosystem.ts'
import type { Package, PackageList } from '../evidence.ts'
import { lineOf } from '../text.ts'
import { LockfileError } from './format.ts'

type Table = Readonly<Record<string, unknown>>

/** Deeper trees of version 1 are refused: npm itself flattens them. */
const DEPTH = 200

/**
 * Reads `package-lock.json` and `npm-shrinkwrap.json`, versions 1 to 3.
 *
 * @throws LockfileError where the text is no JSON object with `packages` or `dependencies`
 */
export function readPackageLock(text: string): PackageList {
  const document = parseJson(text)
  if (!isTable(document)) throw new LockfileError('it is no JSON object', 1)
  if (isTable(document.packages)) return readFlat(document.packages)
  if (isTable(document.dependencies)) return readNested(document.dependencies)
  if (document.lockfileVersion !== undefined) return { ecosystem: 'npm', packages: [], notRead: [] }
  throw new LockfileError('it has neither `packages` nor `dependencies`')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const conflict = text.search(/^<{7} /m)
    if (conflict !== -1) throw new LockfileError('it has merge-conflict markers', lineOf(text, conflict))
    const offset = /position (\d+)/.exec(message)?.[1]
    throw new LockfileError(
      'it is no JSON',
      offset === undefined ? lineOf(text, text.length) : lineOf(text, Number(offset)),
    )
  }
}

/** Versions 2 and 3: one entry an install path. The name of an aliased package is in its `name`. */
function readFlat(entries: Table): PackageList {
  const packages: Package[] = []
  const notRead: { line: null; text: string }[] = []
  for (const [path, entry] of Object.entries(entries)) {
    if (path === '' || (isTable(entry) && entry.link === true)) continue
    if (!isTable(entry)) {
      notRead.push({ line: null, text: path })
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
      if (!isTable(entry)) {
        notRead.push({ line: null, text: key })
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
    [text(entry.resolved), version].find((url) => /^(?:git|file|github|ssh)[+:]/.test(url ?? '')) ?? null
  const flags = ['dev', 'optional', 'devOptional', 'peer', 'inBundle', 'bundled', 'os', 'cpu', 'libc']
  const integrity = text(entry.integrity)
  return {
    name,
    version: elsewhere !== null && elsewhere === version ? null : version,
    source: elsewhere === null ? null : withoutCredentials(elsewhere),
    hashes: integrity === null ? [] : integrity.trim().split(/\s+/).sort(),
    conditional: flags.some((flag) => entry[flag] !== undefined && entry[flag] !== false),
    local: workspace || (elsewhere?.startsWith('file:') ?? false),
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
