import { foldVersion } from '../read/ecosystem.ts'
import type { Ecosystem, Package } from '../read/evidence.ts'
import type { Change, NameVersion } from './comparison.ts'

/** What is in one list of packages and not in the other. */
export interface PackageDifference {
  readonly added: NameVersion[]
  readonly removed: NameVersion[]
  readonly changed: Change[]
}

/** How many packages differ: what is on one side only, and what is on both at other versions. */
export function differing({
  added,
  removed,
  changed,
}: {
  readonly added: readonly NameVersion[]
  readonly removed: readonly NameVersion[]
  readonly changed: readonly Change[]
}): number {
  return added.length + removed.length + changed.length
}

/**
 * Compares two lists as sets of name and version: several versions of one package are a set, order and repetition say
 * nothing. A package without version is compared by its source, and a local one too: its version is the project's own.
 *
 * @returns `removed` only in `from`, `added` only in `to`; of one name each, the two make a `changed`. Sorted by name.
 */
export function differenceOf(
  ecosystem: Ecosystem | null,
  from: readonly Package[],
  to: readonly Package[],
): PackageDifference {
  const before = versions(ecosystem, from)
  const after = versions(ecosystem, to)
  const difference: PackageDifference = { added: [], removed: [], changed: [] }
  const direct = directOf(from, to)
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const there = before.get(name) ?? NONE
    const here = after.get(name) ?? NONE
    const gone = shownOf(there, here)
    const come = shownOf(here, there)
    for (let index = 0; index < Math.max(gone.length, come.length); index++) {
      const old = gone[index]
      const now = come[index]
      if (old !== undefined && now !== undefined) difference.changed.push({ name, from: old, to: now, ...direct(name) })
      else if (old !== undefined) difference.removed.push({ name, version: old, ...direct(name) })
      else if (now !== undefined) difference.added.push({ name, version: now, ...direct(name) })
    }
  }
  return difference
}

/** Whether the project itself names a package, on either side; nothing where no side tells. */
function directOf(...sides: readonly (readonly Package[])[]): (name: string) => { direct?: boolean } {
  const told = new Map<string, boolean>()
  for (const { name, direct } of sides.flat()) if (direct !== null) told.set(name, direct || told.get(name) === true)
  return (name) => {
    const direct = told.get(name)
    return direct === undefined ? {} : { direct }
  }
}

/** Distinct name and version. */
export function countPackages(ecosystem: Ecosystem | null, packages: readonly Package[]): number {
  let count = 0
  for (const of of versions(ecosystem, packages).values()) count += of.size
  return count
}

/** What two entries of one name have in common where they are the same package: its version, and where it comes from. */
export function versionKey(
  ecosystem: Ecosystem | null,
  { version, source, local }: Pick<Package, 'version' | 'source' | 'local'>,
): string {
  return `${local || version === null ? '' : foldVersion(ecosystem, version)} ${source ?? ''}`
}

/** For each name its versions: as compared, and as written. */
type Versions = ReadonlyMap<string, ReadonlyMap<string, string>>

const NONE: ReadonlyMap<string, string> = new Map()

/** Made once for each list, since counting, comparing and laying out all need it. */
const made = new WeakMap<readonly Package[], { readonly ecosystem: Ecosystem | null; readonly names: Versions }>()

function versions(ecosystem: Ecosystem | null, packages: readonly Package[]): Versions {
  const known = made.get(packages)
  if (known?.ecosystem === ecosystem) return known.names
  const names = new Map<string, Map<string, string>>()
  for (const { name, version, source, local } of packages) {
    const of = names.get(name) ?? new Map<string, string>()
    names.set(name, of)
    const key = versionKey(ecosystem, { version, source, local })
    const shown = source === null ? (version ?? '') : version === null ? source : `${version} from ${source}`
    const other = of.get(key)
    if (other === undefined || shown < other) of.set(key, shown)
  }
  made.set(packages, { ecosystem, names })
  return names
}

/** The versions that the other side lacks, as written, in the order of their numbers. */
function shownOf(these: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): string[] {
  const shown = [...these].filter(([key]) => !others.has(key)).map(([, version]) => version)
  return shown.length < 2 ? shown : shown.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}
