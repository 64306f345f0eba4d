import { parseJson, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder } from '../package.ts'
import { requireList, requireTable } from './format.ts'

/**
 * Reads `composer.lock`. What a version's branch or tag is, is the commit of its source.
 *
 * @throws DocumentError where the text is no JSON object with a list `packages`
 */
export function readComposerLock(text: string): PackageList {
  const document = requireTable(parseJson(text), null)
  const found = new PackageBuilder('php')
  for (const key of ['packages', 'packages-dev']) {
    if (key === 'packages-dev' && !document[key]) continue
    for (const entry of requireList(document, key).map(tableOf)) {
      const { name, version } = entry
      if (typeof name !== 'string' || typeof version !== 'string') {
        found.skip(`a package without ${typeof name === 'string' ? `version: ${name}` : 'name'}`)
        continue
      }
      const dist = tableOf(entry.dist)
      const reference = textOf(tableOf(entry.source).reference) ?? textOf(dist.reference)
      const sum = textOf(dist.shasum) || null
      found.add(name, version, {
        artefacts: artefactsOf([
          reference === null ? null : `commit:${reference}`,
          sum === null ? null : `sha1:${sum}`,
        ]),
        conditional: key === 'packages-dev',
        local: dist.type === 'path',
      })
    }
  }
  return found.list()
}
