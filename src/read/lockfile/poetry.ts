import { parse, TomlError } from 'smol-toml'
import { foldName, withoutCredentials } from '../ecosystem.ts'
import type { Package, PackageList } from '../evidence.ts'
import { LockfileError } from './format.ts'

/**
 * Reads `poetry.lock` of any version: hashes stand in the package since 2.0, and in `[metadata]` before.
 *
 * @throws LockfileError where the text is no TOML, or has neither packages nor metadata
 */
export function readPoetryLock(text: string): PackageList {
  const document = table(parseToml(text))
  const entries = document.package
  const metadata = table(document.metadata)
  if (entries === undefined && document.metadata === undefined)
    throw new LockfileError('it has neither `[[package]]` nor `[metadata]`')
  if (entries !== undefined && !Array.isArray(entries)) throw new LockfileError('its `package` is no list')
  const older = new Map([...Object.entries(table(metadata.files)), ...Object.entries(table(metadata.hashes))])
  const packages: Package[] = []
  const notRead: { line: null; text: string }[] = []
  for (const entry of (entries ?? []).map(table)) {
    const { name, version } = entry
    if (typeof name !== 'string' || typeof version !== 'string') {
      notRead.push({ line: null, text: `a package without ${typeof name === 'string' ? `version: ${name}` : 'name'}` })
      continue
    }
    const source = table(entry.source)
    packages.push({
      name: foldName('python', name),
      version,
      source: sourceOf(source),
      hashes: hashesOf(entry.files ?? older.get(name)),
      // Before 2.1 markers stand on the edges only, so that any entry may honestly be absent.
      conditional: true,
      local: source.type === 'directory' || source.type === 'file',
    })
  }
  return { ecosystem: 'python', packages, notRead }
}

function parseToml(text: string): unknown {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' })
  } catch (error) {
    const conflict = /^<{7} /m.test(text) ? 'it has merge-conflict markers' : null
    const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'it is no TOML'
    throw new LockfileError(conflict ?? why, error instanceof TomlError ? error.line : null)
  }
}

function sourceOf(source: Readonly<Record<string, unknown>>): string | null {
  if (typeof source.url !== 'string' || source.type === 'legacy') return null
  const commit = typeof source.resolved_reference === 'string' ? `#${source.resolved_reference}` : ''
  return withoutCredentials(source.url) + commit
}

function hashesOf(files: unknown): string[] {
  if (!Array.isArray(files)) return []
  return files
    .map((file) => (typeof file === 'string' ? file : table(file).hash))
    .filter((hash): hash is string => typeof hash === 'string')
    .map((hash) => (hash.includes(':') ? hash : `sha256:${hash}`))
    .sort()
}

function table(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
