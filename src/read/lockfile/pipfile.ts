import { isTable, listOf, parseJson, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder, placeOf } from '../package.ts'
import { requireTable } from './format.ts'

/**
 * Reads `Pipfile.lock`: groups of packages beside `_meta`. One package may stand in several.
 *
 * @throws DocumentError where the text is no JSON object with `_meta`
 */
export function readPipfileLock(text: string): PackageList {
  const document = requireTable(parseJson(text), null)
  requireTable(document._meta, '_meta')
  const found = new PackageBuilder('python')
  for (const [group, packages] of Object.entries(document)) {
    if (group === '_meta') continue
    for (const [name, entry] of Object.entries(requireTable(packages, group))) {
      const { version, git, ref, file, path, hashes, markers } = tableOf(entry)
      if (!isTable(entry) || (version !== undefined && typeof version !== 'string')) {
        found.skip(name)
        continue
      }
      const local = path !== undefined || (typeof file === 'string' && !file.includes('://'))
      const place = local ? null : (textOf(git) ?? textOf(file))
      // `*` is any version: one that does not apply on the machine that locked.
      const pin = textOf(version)?.replace(/^={2,3}/, '') ?? null
      found.add(name, pin === '*' ? null : pin, {
        source: place === null ? null : placeOf(place, textOf(ref)),
        artefacts: artefactsOf(listOf(hashes).map(textOf)),
        conditional: group !== 'default' || markers !== undefined,
        local,
      })
    }
  }
  return found.list()
}
