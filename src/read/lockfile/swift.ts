import { parseJson, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { artefactsOf, fileOf, PackageBuilder } from '../package.ts'
import { requireList, requireTable } from './format.ts'

/**
 * Reads `Package.resolved`, versions 1 to 3. The revision is what counts; a version is the tag that led to it.
 *
 * @throws DocumentError where the text is no JSON object with a list `pins`
 */
export function readPackageResolved(text: string): PackageList {
  const document = requireTable(parseJson(text), null)
  const holder = document.pins === undefined ? tableOf(document.object) : document
  const found = new PackageBuilder('swift')
  for (const pin of requireList(holder, 'pins').map(tableOf)) {
    const state = tableOf(pin.state)
    const url = textOf(pin.location) ?? textOf(pin.repositoryURL)
    const name = textOf(pin.identity) ?? (url === null ? null : fileOf(url.replace(/\/+$/, ''))?.replace(/\.git$/, ''))
    const revision = textOf(state.revision)
    const version = textOf(state.version) ?? textOf(state.branch) ?? revision
    if (!name || version === null) found.skip(textOf(pin.package) ?? url ?? 'a pin without identity')
    else
      found.add(name, version, {
        artefacts: artefactsOf([revision === null ? null : `commit:${revision}`]),
        local: pin.kind === 'localSourceControl' || pin.kind === 'fileSystem',
      })
  }
  return found.list()
}
