import { listOf, parseToml, tableOf, textOf } from '../document.ts'
import type { Artefact, PackageList } from '../evidence.ts'
import { fileOf, PackageBuilder, placeOf } from '../package.ts'
import { requireList } from './format.ts'

/**
 * Reads `pylock.toml`. An entry without version is built from a directory, an archive or a repository.
 *
 * @throws DocumentError where the text is no TOML, or has no list `packages`
 */
export function readPylock(text: string): PackageList {
  const found = new PackageBuilder('python')
  for (const entry of requireList(parseToml(text), 'packages').map(tableOf)) {
    const name = textOf(entry.name)
    if (name === null) {
      found.skip('a package without name')
      continue
    }
    const archive = tableOf(entry.archive)
    const vcs = tableOf(entry.vcs)
    const place = textOf(vcs.url) ?? textOf(vcs.path) ?? textOf(archive.url)
    found.add(name, textOf(entry.version), {
      source: place === null ? null : placeOf(place, textOf(vcs['commit-id'])),
      artefacts: [entry.sdist, archive, ...listOf(entry.wheels)].flatMap((one) => artefactsIn(tableOf(one))),
      conditional: entry.marker !== undefined,
      local: entry.directory !== undefined || (entry.archive !== undefined && typeof archive.url !== 'string'),
    })
  }
  return found.list()
}

function artefactsIn({ name, url, path, hashes }: Readonly<Record<string, unknown>>): Artefact[] {
  const place = textOf(url) ?? textOf(path)
  const file = textOf(name) ?? (place === null ? null : fileOf(place))
  return Object.entries(tableOf(hashes)).flatMap(([kind, digest]) =>
    typeof digest === 'string' ? [{ file, hash: `${kind}:${digest}` }] : [],
  )
}
