import { isTable, parseYaml, type Table, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder, placeOf } from '../package.ts'
import { DocumentError, requireTable } from './format.ts'

/**
 * Reads `pnpm-lock.yaml`, versions 5 to 9. pnpm 11 and later may put a document for its own configuration before the
 * lockfile.
 *
 * @throws DocumentError where the text is no YAML, or has no `lockfileVersion`
 */
export function readPnpmLock(text: string): PackageList {
  const documents = parseYaml(text)
  const document = requireTable(documents.at(-1), null)
  const major = Number.parseInt(textOf(document.lockfileVersion) ?? '', 10)
  if (Number.isNaN(major)) throw new DocumentError('it has no `lockfileVersion`')
  const direct = directIds(document)
  const snapshots = tableOf(document.snapshots)
  const optional = new Set(
    Object.entries(snapshots)
      .filter(([, one]) => tableOf(one).optional === 'true')
      .map(([key]) => withoutPeers(key, major)),
  )
  const found = new PackageBuilder('npm')
  for (const [key, entry] of Object.entries(requireTable(document.packages ?? {}, 'packages'))) {
    const read = isTable(entry) ? nameAndVersion(key, entry, major) : null
    if (read === null || !isTable(entry)) {
      found.skip(key)
      continue
    }
    const { name, version, place } = read
    const resolution = tableOf(entry.resolution)
    const tarball = textOf(resolution.tarball)
    const repository = textOf(resolution.repo)
    const local =
      place.startsWith('file:') || resolution.type === 'directory' || (tarball?.startsWith('file:') ?? false)
    const elsewhere = local ? null : (repository ?? (place.includes('/') ? place : null))
    const flags =
      [entry.dev, entry.optional].includes('true') || [entry.os, entry.cpu, entry.libc].some((one) => one !== undefined)
    found.add(name, version, {
      source: elsewhere === null ? null : placeOf(tarball ?? elsewhere, textOf(resolution.commit)),
      artefacts: artefactsOf([textOf(resolution.integrity)]),
      conditional: flags || optional.has(key),
      local,
      direct: local ? null : direct.has(`${name}@${version ?? place}`),
      aliases: direct.get(`${name}@${version ?? place}`) ?? [],
    })
  }
  return found.list()
}

/** `/name/1.0.0_peer@2` (5), `/name@1.0.0(peer@2)` (6), `name@1.0.0` (9), with another registry's host before the name. */
function nameAndVersion(key: string, entry: Table, major: number) {
  const bare = withoutPeers(key, major).replace(/^\//, '')
  const named = textOf(entry.name)
  const match =
    major < 6
      ? /^(?:[^/@]*\.[^/]*\/)?((?:@[^/]+\/)?[^/]+)\/([^/]+)$/.exec(bare)
      : /^(?:[^@]*\.[^@]*\/)?(@?[^@/]+(?:\/[^@/]+)?)@(.+)$/.exec(bare)
  const name = named ?? match?.[1]
  if (name === undefined) return null
  const place = named === null || match === null || match[1] === named ? (match?.[2] ?? bare) : bare
  const isVersion = /^\d+\.\d+\.\d+\S*$/.test(place) && !place.includes('/')
  return { name, place: isVersion ? '' : place, version: textOf(entry.version) ?? (isVersion ? place : null) }
}

function withoutPeers(key: string, major: number): string {
  if (major >= 6) return key.replace(/\(.*$/s, '')
  return key.replace(/(?<=\/\d[^/_]*)_.*$/, '')
}

/** `name@version` of what the project's own package.json files name, with the alias that they call it by. */
function directIds(document: Table): Map<string, string[]> {
  const importers = document.importers === undefined ? [document] : Object.values(tableOf(document.importers))
  const ids = new Map<string, string[]>()
  for (const importer of importers.map(tableOf)) {
    for (const list of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [name, value] of Object.entries(tableOf(importer[list]))) {
        const version = (textOf(value) ?? textOf(tableOf(value).version) ?? '')
          .replace(/[(_].*$/s, '')
          .replace(/^\//, '')
        const alias = /^(@?[^@]+)@(\d.*)$/.exec(version) ?? /^((?:@[^/]+\/)?[^/@]+)\/(\d[^/]*)$/.exec(version)
        if (alias === null) ids.set(`${name}@${version}`, ids.get(`${name}@${version}`) ?? [])
        else ids.set(`${alias[1]}@${alias[2]}`, [...(ids.get(`${alias[1]}@${alias[2]}`) ?? []), name])
      }
    }
  }
  return ids
}
