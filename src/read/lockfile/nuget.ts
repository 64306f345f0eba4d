import { isTable, parseJson, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder } from '../package.ts'
import { requireTable } from './format.ts'

/**
 * Reads `packages.lock.json`: the packages of each target framework. One of another framework may be absent.
 *
 * @throws DocumentError where the text is no JSON object with `dependencies`
 */
export function readNuGetLock(text: string): PackageList {
  const frameworks = Object.entries(requireTable(requireTable(parseJson(text), null).dependencies, 'dependencies'))
  const found = new PackageBuilder('nuget')
  for (const [framework, entries] of frameworks) {
    for (const [name, entry] of Object.entries(requireTable(entries, framework))) {
      const { type, resolved, contentHash } = isTable(entry) ? entry : {}
      const project = type === 'Project'
      if (!project && typeof resolved !== 'string') found.skip(name)
      else
        found.add(name, textOf(resolved), {
          artefacts: artefactsOf([typeof contentHash === 'string' ? `sha512:${contentHash}` : null]),
          conditional: frameworks.length > 1,
          local: project,
          direct: project ? null : type === 'Direct',
        })
    }
  }
  return found.list()
}
