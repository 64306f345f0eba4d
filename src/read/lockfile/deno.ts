import { isTable, listOf, parseJson, type Table, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder } from '../package.ts'
import { DocumentError, requireTable } from './format.ts'

/**
 * Reads `deno.lock`, versions 2 to 5: packages of npm, of JSR, and modules by URL.
 *
 * @throws DocumentError where the text is no JSON object with a `version`
 */
export function readDenoLock(text: string): PackageList {
  const document = requireTable(parseJson(text), null)
  if (typeof document.version !== 'string') throw new DocumentError('it has no `version`')
  // Version 3 has them under `packages`, version 2 those of npm under `npm`.
  const inside = isTable(document.packages) ? document.packages : document
  const npm = isTable(tableOf(inside.npm).packages) ? tableOf(tableOf(inside.npm).packages) : tableOf(inside.npm)
  const direct = directIds(document, tableOf(inside.specifiers))
  const found = new PackageBuilder('npm')
  addAll(found, npm, '', direct)
  addAll(found, tableOf(inside.jsr), 'jsr:', direct)
  for (const [url, hash] of Object.entries(tableOf(document.remote))) {
    if (typeof hash !== 'string') found.skip(url)
    else found.add(url, null, { artefacts: artefactsOf([`sha256:${hash}`]), conditional: true })
  }
  return found.list()
}

function addAll(
  found: PackageBuilder,
  entries: Table,
  registry: '' | 'jsr:',
  direct: ReadonlySet<string> | null,
): void {
  for (const [key, entry] of Object.entries(entries)) {
    // Behind the version stand the peers: `name@1.0.0_peer@2.0.0`.
    const match = /^(@?[^@]+)@([^_]+)/.exec(key)
    if (match === null || !isTable(entry)) {
      found.skip(key)
      continue
    }
    const [, name = '', version = ''] = match
    const integrity = textOf(entry.integrity)
    const hash = integrity !== null && registry === 'jsr:' ? `sha256:${integrity}` : integrity
    found.add(registry + name, version, {
      artefacts: artefactsOf([hash]),
      conditional: true,
      direct: direct?.has(`${registry}${name}@${version}`) ?? null,
    })
  }
}

/** What the project itself names, by the versions that its specifiers came to; null where the lockfile does not tell. */
function directIds(document: Table, specifiers: Table): ReadonlySet<string> | null {
  const workspace = tableOf(document.workspace)
  if (document.workspace === undefined) return null
  const members = [workspace, ...Object.values(tableOf(workspace.members)).map(tableOf)]
  const wanted = members.flatMap((one) => [
    ...listOf(one.dependencies),
    ...listOf(tableOf(one.packageJson).dependencies),
  ])
  return new Set(
    wanted.flatMap((specifier) => {
      const match = /^(npm|jsr):(@?[^@]+)/.exec(textOf(specifier) ?? '')
      const version = textOf(specifiers[textOf(specifier) ?? ''])
        ?.replace(/_.*$/s, '')
        .replace(/^.*@(?=\d)/, '')
      return match === null || version === undefined
        ? []
        : [`${match[1] === 'jsr' ? 'jsr:' : ''}${match[2]}@${version}`]
    }),
  )
}
