import { isTable, parseJson, type Table, tableOf, textOf } from '../document.ts'
import { withoutCredentials } from '../ecosystem.ts'
import type { Package, PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder } from '../package.ts'
import { DocumentError, requireTable } from './format.ts'

/**
 * Reads `package-lock.json` and `npm-shrinkwrap.json`, versions 1 to 3.
 *
 * @throws DocumentError where the text is no JSON, or no object with `packages` or `dependencies`
 */
export function readPackageLock(text: string): PackageList {
  const document = requireTable(parseJson(text), null)
  const { packages, dependencies, lockfileVersion } = document
  if (packages === undefined && dependencies === undefined && lockfileVersion === undefined)
    throw new DocumentError('it has neither `packages` nor `dependencies`')
  if (packages !== undefined) return readFlat(requireTable(packages, 'packages'))
  return readNested(requireTable(dependencies ?? {}, 'dependencies'))
}

/** Versions 2 and 3: one entry an install path. The name of an aliased package is in its `name`. */
function readFlat(entries: Table): PackageList {
  const found = new PackageBuilder('npm')
  const direct = directPaths(entries)
  for (const [path, entry] of Object.entries(entries)) {
    if (path === '' || (isTable(entry) && entry.link === true)) continue
    if (!isReadable(entry)) {
      found.skip(path)
      continue
    }
    const at = path.lastIndexOf('node_modules/')
    const folder = at === -1 ? path : path.slice(at + 'node_modules/'.length)
    const name = textOf(entry.name) ?? folder
    const known = at !== -1 && entries[''] !== undefined
    add(found, name, entry, {
      local: at === -1,
      direct: known ? direct.has(path) : null,
      aliases: at === -1 || name === folder ? [] : [folder],
    })
  }
  return found.list()
}

/** The install paths of what the project and its workspaces name themselves. */
function directPaths(entries: Table): Set<string> {
  const paths = new Set<string>()
  for (const [path, entry] of Object.entries(entries)) {
    if (path.includes('node_modules/')) continue
    const lists = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
    for (const name of lists.flatMap((list) => Object.keys(tableOf(tableOf(entry)[list])))) {
      const own = `${path}/node_modules/${name}`
      paths.add(path !== '' && Object.hasOwn(entries, own) ? own : `node_modules/${name}`)
    }
  }
  return paths
}

/** Version 1: a tree of `dependencies`. */
function readNested(root: Table): PackageList {
  const found = new PackageBuilder('npm')
  const open = [root]
  for (let level = open.pop(); level !== undefined; level = open.pop()) {
    for (const [key, entry] of Object.entries(level)) {
      if (!isReadable(entry)) {
        found.skip(key)
        continue
      }
      const alias = /^npm:(.+)@([^@]+)$/.exec(textOf(entry.version) ?? '')
      if (alias === null) add(found, key, entry)
      else add(found, alias[1] ?? key, { ...entry, version: alias[2] }, { aliases: [key] })
      if (isTable(entry.dependencies)) open.push(entry.dependencies)
    }
  }
  return found.list()
}

function add(
  found: PackageBuilder,
  name: string,
  entry: Table,
  { local = false, direct = null, aliases = [] }: Partial<Package> = {},
) {
  const version = textOf(entry.version)
  const elsewhere =
    [textOf(entry.resolved), version].find((url) => /^(?:(?:git|file|github|ssh)[+:]|[/\\])/.test(url ?? '')) ??
    (version?.includes('://') ? version : tarball(textOf(entry.resolved)))
  const isLocal = local || /^(?:file:|[/\\])/.test(elsewhere ?? '')
  const flags = ['dev', 'optional', 'devOptional', 'peer', 'inBundle', 'bundled', 'os', 'cpu', 'libc']
  found.add(name, elsewhere !== null && elsewhere === version ? null : version, {
    source: elsewhere === null || isLocal ? null : withoutCredentials(elsewhere),
    artefacts: artefactsOf((textOf(entry.integrity) ?? '').trim().split(/\s+/)),
    conditional: flags.some((flag) => entry[flag] !== undefined && entry[flag] !== false),
    local: isLocal,
    direct: isLocal ? null : direct,
    aliases,
  })
}

/** The address of a tarball that is none of a registry: those have `/-/` in them, or `/download/`. */
function tarball(resolved: string | null): string | null {
  return resolved !== null && /^https?:/.test(resolved) && !/\/(?:-|download)\//.test(resolved) ? resolved : null
}

/** Whether an entry is a table, and its version, where it has one, is text. */
function isReadable(entry: unknown): entry is Table {
  return isTable(entry) && (entry.version === undefined || typeof entry.version === 'string')
}
