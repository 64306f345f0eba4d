import { listOf, parseToml, type Table, tableOf, textOf } from '../document.ts'
import type { Artefact, PackageList } from '../evidence.ts'
import { fileOf, PackageBuilder, placeOf } from '../package.ts'
import { requireList } from './format.ts'

/**
 * Reads `uv.lock`. What the project needs on every platform is not conditional; extras, groups and markers are.
 *
 * @throws DocumentError where the text is no TOML, or is of a newer version than 1
 */
export function readUvLock(text: string): PackageList {
  const document = parseToml(text)
  // A lock of a project without any dependency has no list.
  const entries = (document.package === undefined ? [] : requireList(document, 'package')).map(tableOf)
  const direct = directNames(entries)
  const always = neededAlways(entries)
  const found = new PackageBuilder('python')
  for (const entry of entries) {
    const name = textOf(entry.name)
    if (name === null) {
      found.skip('a package without name')
      continue
    }
    const source = tableOf(entry.source)
    const local = isLocal(source)
    found.add(name, textOf(entry.version), {
      source: local ? null : sourceOf(source),
      artefacts: [entry.sdist, ...listOf(entry.wheels)].flatMap((one) => artefact(tableOf(one))),
      conditional: !always.has(name) || entry['resolution-markers'] !== undefined,
      local,
      direct: local ? null : direct.has(name),
    })
  }
  return found.list()
}

function isLocal(source: Table): boolean {
  return ['directory', 'editable', 'virtual', 'path'].some((kind) => source[kind] !== undefined)
}

/** Where it comes from, where that is no registry: `https://host/repository#commit`. */
function sourceOf({ git, url }: Table): string | null {
  if (typeof git === 'string') return placeOf(git, /#([0-9a-f]+)$/.exec(git)?.[1] ?? null)
  return typeof url === 'string' ? placeOf(url) : null
}

function artefact({ url, path, filename, hash }: Table): Artefact[] {
  const place = textOf(url) ?? textOf(path)
  if (typeof hash !== 'string') return []
  return [{ file: textOf(filename) ?? (place === null ? null : fileOf(place)), hash }]
}

/** What the members of the workspace name themselves, in extras and groups too. */
function directNames(entries: readonly Table[]): Set<string> {
  const names = new Set<string>()
  for (const entry of entries) {
    if (!isLocal(tableOf(entry.source))) continue
    const groups = [entry['optional-dependencies'], entry['dev-dependencies']].flatMap((one) =>
      Object.values(tableOf(one)),
    )
    for (const dependency of [entry.dependencies, ...groups].flatMap(listOf)) {
      const name = textOf(tableOf(dependency).name)
      if (name !== null) names.add(name)
    }
  }
  return names
}

/** What is reached from the project at the root without a marker, an extra or a group. */
function neededAlways(entries: readonly Table[]): Set<string> {
  const byName = new Map(entries.map((entry) => [textOf(entry.name), entry]))
  const atRoot = entries.filter(({ source }) => tableOf(source).editable === '.' || tableOf(source).virtual === '.')
  const open = [...atRoot]
  const names = new Set<string>()
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    for (const { name, marker } of listOf(entry.dependencies).map(tableOf)) {
      if (typeof name !== 'string' || marker !== undefined || names.has(name)) continue
      names.add(name)
      const next = byName.get(name)
      if (next !== undefined) open.push(next)
    }
  }
  return names
}
