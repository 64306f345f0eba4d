import { isTable, parseYaml, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder, placeOf } from '../package.ts'
import { requireTable } from './format.ts'

/**
 * Reads `pubspec.lock`: packages of a host, of git, of a path, of the SDK.
 *
 * @throws DocumentError where the text is no YAML, or has no `packages`
 */
export function readPubspecLock(text: string): PackageList {
  const found = new PackageBuilder('pub')
  for (const [name, entry] of Object.entries(
    requireTable(requireTable(parseYaml(text)[0], null).packages, 'packages'),
  )) {
    const { version, source, dependency, description } = tableOf(entry)
    if (!isTable(entry) || typeof version !== 'string') {
      found.skip(name)
      continue
    }
    const details = tableOf(description)
    const local = source === 'path' || source === 'sdk'
    const sum = textOf(details.sha256)
    found.add(name, version, {
      source: source === 'git' ? placeOf(textOf(details.url) ?? '', textOf(details['resolved-ref'])) : null,
      artefacts: artefactsOf([sum === null ? null : `sha256:${sum}`]),
      conditional: dependency === 'direct dev',
      local,
      direct: local ? null : /^"?direct /.test(textOf(dependency) ?? ''),
    })
  }
  return found.list()
}
