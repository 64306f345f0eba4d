import { listOf, parseToml, type Table, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder, placeOf } from '../package.ts'
import { requireList } from './format.ts'

/**
 * Reads `Cargo.lock`, versions 1 to 4. It names the crates of all platforms and for tests too, so that any may be absent.
 *
 * @throws DocumentError where the text is no TOML, or its `package` is no list
 */
export function readCargoLock(text: string): PackageList {
  const document = parseToml(text)
  // Very old ones have the project itself apart from the rest.
  const own = document.root === undefined ? [] : [tableOf(document.root)]
  const listed = document.package === undefined && own.length > 0 ? [] : requireList(document, 'package').map(tableOf)
  const metadata = tableOf(document.metadata)
  const entries = [...own, ...listed]
  const direct = directNames(entries)
  const found = new PackageBuilder('cargo')
  for (const entry of entries) {
    const { name, version, source } = entry
    if (typeof name !== 'string' || typeof version !== 'string') {
      found.skip(`a package without ${typeof name === 'string' ? `version: ${name}` : 'name'}`)
      continue
    }
    const checksum = textOf(entry.checksum) ?? textOf(metadata[`checksum ${name} ${version} (${textOf(source)})`])
    found.add(name, version, {
      source: sourceOf(textOf(source)),
      artefacts: artefactsOf([checksum === null ? null : `sha256:${checksum}`]),
      conditional: true,
      local: source === undefined,
      direct: source === undefined ? null : direct.has(name) || direct.has(`${name} ${version}`),
    })
  }
  return found.list()
}

/** Null for crates.io. A commit stands as such: how the branch is written differs between the versions. */
function sourceOf(source: string | null): string | null {
  if (source === null || /^(?:registry|sparse)\+.*crates\.io-index\/?$/.test(source)) return null
  return placeOf(source.replace(/^(?:registry|sparse)\+/, ''), /#([0-9a-f]+)$/.exec(source)?.[1] ?? null)
}

/** `name`, or `name version` where that is needed to tell two apart. */
function directNames(entries: readonly Table[]): Set<string> {
  const own = entries.filter((entry) => entry.source === undefined)
  return new Set(
    own.flatMap((entry) =>
      listOf(entry.dependencies).map((one) => (textOf(one) ?? '').split(' ').slice(0, 2).join(' ')),
    ),
  )
}
