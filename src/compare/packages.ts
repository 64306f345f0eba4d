import { foldVersion } from '../read/ecosystem.ts'
import type { Ecosystem, Package } from '../read/evidence.ts'
import { groupBy } from '../read/group.ts'
import type { Change, NameVersion } from './comparison.ts'

/** What is in one list of packages and not in the other. */
export interface PackageDifference {
  readonly added: NameVersion[]
  readonly removed: NameVersion[]
  readonly changed: Change[]
}

/**
 * Compares two lists as sets of name and version: several versions of one package are a set, order and repetition say
 * nothing. A package with no version is compared by its source.
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
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const there = before.get(name) ?? new Map<string, string>()
    const here = after.get(name) ?? new Map<string, string>()
    const gone = [...there].filter(([folded]) => !here.has(folded)).map(([, shown]) => shown)
    const come = [...here].filter(([folded]) => !there.has(folded)).map(([, shown]) => shown)
    for (let index = 0; index < Math.max(gone.length, come.length); index++) {
      const old = gone[index]
      const now = come[index]
      if (old !== undefined && now !== undefined) difference.changed.push({ name, from: old, to: now })
      else if (old !== undefined) difference.removed.push({ name, version: old })
      else if (now !== undefined) difference.added.push({ name, version: now })
    }
  }
  return difference
}

/** Distinct name and version. */
export function countPackages(ecosystem: Ecosystem | null, packages: readonly Package[]): number {
  let count = 0
  for (const of of versions(ecosystem, packages).values()) count += of.size
  return count
}

/** One sorted line a package, for a diff: `numpy 2.1.3`. */
export function packageLines(ecosystem: Ecosystem | null, packages: readonly Package[]): string[] {
  return [...versions(ecosystem, packages)]
    .flatMap(([name, of]) => [...of.values()].map((shown) => (shown === '' ? name : `${name} ${shown}`)))
    .sort()
}

/** For each name its versions: as compared, and as written. */
function versions(ecosystem: Ecosystem | null, packages: readonly Package[]): Map<string, Map<string, string>> {
  const names = new Map<string, Map<string, string>>()
  for (const [name, entries] of groupBy(packages, (one) => one.name)) {
    const of = new Map<string, string>()
    for (const { version, source } of entries) {
      const shown = [version, source].filter((part) => part !== null).join(' from ')
      of.set([version === null ? '' : foldVersion(ecosystem, version), source].join(' '), shown)
    }
    names.set(name, of)
  }
  return names
}
