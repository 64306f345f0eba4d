import { parseJson, tableOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { requireList, requireTable } from '../lockfile/format.ts'
import { PackageBuilder, packageOf, placeOf } from '../package.ts'
import { readLines } from './lines.ts'

/** Whether it is the object that `cargo metadata` prints. */
export function looksLikeCargoMetadata(text: string): boolean {
  return /^\s*\{\s*"packages"\s*:\s*\[/.test(text) && text.includes('"workspace_members"')
}

/**
 * Reads `cargo metadata --format-version 1`: what may be built, for all platforms. A crate without source is local.
 *
 * @throws DocumentError where the text is no JSON object with a list `packages`
 */
export function readCargoMetadata(text: string): PackageList {
  const found = new PackageBuilder('cargo')
  for (const entry of requireList(requireTable(parseJson(text), null), 'packages').map(tableOf)) {
    const { name, version, source } = entry
    if (typeof name !== 'string' || typeof version !== 'string') {
      found.skip('a package without name or version')
      continue
    }
    const elsewhere = typeof source === 'string' && !/^(?:registry|sparse)\+/.test(source)
    found.add(name, version, {
      source: elsewhere ? placeOf(source, /#([0-9a-f]+)$/.exec(source)?.[1] ?? null) : null,
      local: typeof source !== 'string',
    })
  }
  return found.list()
}

/** `serde v1.0.0`, with what it is or where it lies behind it, and `(*)` where it stood before. */
const CRATE = /^[│├└─|`\s-]*([\w-]+) v(\d\S*)((?: \([^)]*\))*)$/

/** Whether most of the first lines are crates of `cargo tree`. */
export function looksLikeCargoTree(text: string): boolean {
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .slice(0, 50)
    .filter((line) => line.trim() !== '')
  return lines.length > 0 && lines.filter((line) => CRATE.test(line)).length > lines.length / 2
}

/** Reads `cargo tree`, with any `--prefix`. A crate with a path behind it is local, one with a URL from elsewhere. */
export function readCargoTree(text: string): PackageList {
  return readLines('cargo', text, (line) => {
    if (/^[│\s]*\[(?:build|dev)-dependencies\]$/.test(line)) return 'nothing'
    const [, name, version = '', rest = ''] = CRATE.exec(line) ?? []
    if (name === undefined) return null
    const place = [...rest.matchAll(/\(([^)]*)\)/g)].map((one) => one[1] ?? '').find((one) => /[/\\]/.test(one))
    const elsewhere = place?.includes('://') ? place : null
    return packageOf(name, version, {
      local: place !== undefined && elsewhere === null,
      source: elsewhere === null ? null : placeOf(elsewhere, /#([0-9a-f]+)$/.exec(elsewhere)?.[1] ?? null),
    })
  })
}
