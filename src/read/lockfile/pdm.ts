import { listOf, parseToml, tableOf, textOf } from '../document.ts'
import type { Artefact, PackageList } from '../evidence.ts'
import { fileOf, PackageBuilder, placeOf } from '../package.ts'
import { requireList } from './format.ts'

/**
 * Reads `pdm.lock`. An extra has an entry of its own, of the same name and version.
 *
 * @throws DocumentError where the text is no TOML, or its `package` is no list
 */
export function readPdmLock(text: string): PackageList {
  const document = parseToml(text)
  const entries = document.package === undefined ? [] : requireList(document, 'package')
  const older = tableOf(tableOf(document.metadata).files)
  const found = new PackageBuilder('python')
  for (const entry of entries.map(tableOf)) {
    const { name, version } = entry
    if (typeof name !== 'string') {
      found.skip('a package without name')
      continue
    }
    const place = textOf(entry.git) ?? textOf(entry.hg) ?? textOf(entry.svn) ?? textOf(entry.url)
    found.add(name, textOf(version), {
      source: place === null ? null : placeOf(place, textOf(entry.revision)),
      artefacts: artefacts(entry.files ?? older[`${name} ${textOf(version)}`]),
      conditional: entry.marker !== undefined || !listOf(entry.groups).includes('default'),
      local: entry.path !== undefined,
    })
  }
  return found.list()
}

function artefacts(files: unknown): Artefact[] {
  return listOf(files)
    .map(tableOf)
    .flatMap(({ file, url, hash }) => {
      if (typeof hash !== 'string') return []
      return [{ file: textOf(file) ?? (typeof url === 'string' ? fileOf(url) : null), hash }]
    })
}
