import { listOf, parseToml, tableOf, textOf } from '../document.ts'
import type { Artefact, PackageList } from '../evidence.ts'
import { PackageBuilder, placeOf } from '../package.ts'
import { requireList } from './format.ts'

/**
 * Reads `poetry.lock` of any version: hashes stand in the package since 2.0, and in `[metadata]` before.
 *
 * @throws DocumentError where the text is no TOML, or has neither packages nor metadata
 */
export function readPoetryLock(text: string): PackageList {
  const document = parseToml(text)
  const entries = document.metadata === undefined ? requireList(document, 'package') : listOf(document.package)
  if (document.package !== undefined) requireList(document, 'package')
  const metadata = tableOf(document.metadata)
  const older = new Map([...Object.entries(tableOf(metadata.files)), ...Object.entries(tableOf(metadata.hashes))])
  const found = new PackageBuilder('python')
  for (const entry of entries.map(tableOf)) {
    const { name, version } = entry
    if (typeof name !== 'string' || typeof version !== 'string') {
      found.skip(`a package without ${typeof name === 'string' ? `version: ${name}` : 'name'}`)
      continue
    }
    const source = tableOf(entry.source)
    found.add(name, version, {
      source: sourceOf(source),
      artefacts: artefacts(entry.files ?? older.get(name)),
      // Before 2.1 markers stand on the edges only, so that any entry may honestly be absent.
      conditional: !listOf(entry.groups).includes('main') || entry.optional === true || entry.markers !== undefined,
      local: source.type === 'directory' || source.type === 'file',
    })
  }
  return found.list()
}

function sourceOf({ type, url, resolved_reference }: Readonly<Record<string, unknown>>): string | null {
  if (typeof url !== 'string' || type === 'legacy' || type === 'directory' || type === 'file') return null
  return placeOf(url, textOf(resolved_reference))
}

function artefacts(files: unknown): Artefact[] {
  return listOf(files).flatMap((entry): Artefact[] => {
    const { file, hash } = typeof entry === 'string' ? { file: null, hash: entry } : tableOf(entry)
    if (typeof hash !== 'string') return []
    return [{ file: textOf(file), hash: hash.includes(':') ? hash : `sha256:${hash}` }]
  })
}
