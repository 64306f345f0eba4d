import { listOf, parseJson, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder, placeOf } from '../package.ts'
import { requireTable } from './format.ts'

/**
 * Reads `bun.lock`: an entry an install path, `["name@1.0.0", registry, { … }, "sha512-…"]`, shorter for what is no
 * package of a registry.
 *
 * @throws DocumentError where the text is no JSON with comments, or has no `packages`
 */
export function readBunLock(text: string): PackageList {
  const document = requireTable(parseJson(text, { comments: true }), null)
  const members = Object.values(tableOf(document.workspaces)).map(tableOf)
  const lists = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  const direct = new Set(members.flatMap((member) => lists.flatMap((list) => Object.keys(tableOf(member[list])))))
  const found = new PackageBuilder('npm')
  for (const [key, entry] of Object.entries(requireTable(document.packages ?? {}, 'packages'))) {
    const parts = listOf(entry)
    const match = /^(@?[^@]+)@(.*)$/s.exec(textOf(parts[0]) ?? '')
    if (match === null) {
      found.skip(key)
      continue
    }
    const [, name = '', reference = ''] = match
    const local = /^(?:workspace|file|link|root):/.test(reference)
    const registry = !local && /^\d/.test(reference)
    found.add(name, registry ? reference : null, {
      source: local || registry ? null : placeOf(reference, /#([^#]+)$/.exec(reference)?.[1] ?? null),
      artefacts: registry
        ? artefactsOf(
            parts
              .slice(1)
              .map(textOf)
              .filter((one) => /^sha\d+-/.test(one ?? '')),
          )
        : [],
      // Whether it is for development or optional is not told with the entry.
      conditional: true,
      local,
      direct: local ? null : direct.has(key),
      aliases: local ? [] : aliasesIn(key, name),
    })
  }
  return found.list()
}

/** An entry stands under its install path, which ends with the name that it is called by. */
function aliasesIn(key: string, name: string): string[] {
  const called = /(?:@[^/]+\/)?[^/]+$/.exec(key)?.[0] ?? name
  return called === name ? [] : [called]
}
