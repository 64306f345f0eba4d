import type { Artefact, Package, PackageList } from '../read/evidence.ts'
import { groupBy } from '../read/group.ts'
import type { ArtefactComparison, NameVersion } from './comparison.ts'
import { versionKey } from './packages.ts'
import { fits, type Target } from './wheel.ts'

/**
 * Whether packages that two lockfiles name at one version are the same artefacts for one place.
 *
 * @param target where they are to be installed; null where that is not known: all artefacts count then
 */
export function compareArtefacts(there: PackageList, here: PackageList, target: Target | null): ArtefactComparison {
  const { ecosystem } = there
  const key = (one: Package) => `${one.name} ${versionKey(ecosystem, one)}`
  const theirs = groupBy(here.packages, key)
  const otherHash: NameVersion[] = []
  const otherFile: NameVersion[] = []
  let same = 0
  let notRecorded = 0
  for (const [id, entries] of groupBy(there.packages, key)) {
    const others = theirs.get(id)
    const [{ name, version, local }] = entries
    if (others === undefined || local) continue
    const answer = compareOne(entries, others, target)
    if (answer === 'same') same++
    else if (answer === null) notRecorded++
    else (answer === 'other hash' ? otherHash : otherFile).push({ name, version: version ?? '' })
  }
  return { same, notRecorded, otherHash, otherFile }
}

/** Null where the two have no hash of one kind, such as `sha256`. */
function compareOne(
  entries: readonly Package[],
  others: readonly Package[],
  target: Target | null,
): 'same' | 'other hash' | 'other file' | null {
  const [there, here] = [entries, others].map((of) => of.flatMap((one) => one.artefacts))
  if (there === undefined || here === undefined) return null
  const [before, after] = [groupBy(there, kind), groupBy(here, kind)]
  const kinds = [...before.keys()].filter((one) => after.has(one))
  if (kinds.length === 0) return null
  // A package that stands at several places may have an artefact of its own at each.
  if (contradicts(there, here) || alone(entries, here) || alone(others, there)) return 'other hash'
  if (kinds.some((one) => crossed(before.get(one) ?? [], after.get(one) ?? []))) return 'other hash'
  const apart = kinds.filter((one) => {
    const [mine, theirs] = [before, after].map((side) => installable(side.get(one) ?? [], target))
    const known = new Set(theirs?.map(({ hash }) => hash))
    return (mine?.length ?? 0) + known.size > 0 && !mine?.some(({ hash }) => known.has(hash))
  })
  return apart.length === 0 ? 'same' : 'other file'
}

/** What would be installed there: the wheels that fit, else what they are built from. */
function installable(artefacts: readonly Artefact[], target: Target | null): Artefact[] {
  const usable = artefacts.filter(({ file }) => file === null || target === null || fits(file, target))
  const wheels = usable.filter(({ file }) => file?.endsWith('.whl'))
  return target === null || wheels.length === 0 ? usable : wheels
}

/**
 * Whether of hashes without names each side has one that the other lacks. A lockfile may know of more files than another;
 * that both know of more is no longer the same release.
 */
function crossed(there: readonly Artefact[], here: readonly Artefact[]): boolean {
  const [a, b] = [there, here].map((side) => new Set(side.flatMap(({ file, hash }) => (file === null ? [hash] : []))))
  if (a === undefined || b === undefined) return false
  return [...a].some((hash) => !b.has(hash)) && [...b].some((hash) => !a.has(hash))
}

/** Whether an entry has hashes of a kind that the other side has too, and none in common with it. */
function alone(entries: readonly Package[], others: readonly Artefact[]): boolean {
  const known = new Set(others.map((one) => one.hash))
  const kinds = new Set(others.map(kind))
  return entries.some(({ artefacts }) =>
    [
      ...groupBy(
        artefacts.filter((one) => one.file === null && kinds.has(kind(one))),
        kind,
      ).values(),
    ].some((of) => !of.some(({ hash }) => known.has(hash))),
  )
}

/** Whether one file has two hashes of one kind. */
function contradicts(there: readonly Artefact[], here: readonly Artefact[]): boolean {
  const id = (one: Artefact) => `${kind(one)} ${one.file}`
  const known = groupBy(
    here.filter((one) => one.file !== null),
    id,
  )
  return there.some((one) => {
    const others = one.file === null ? undefined : known.get(id(one))
    return others?.every(({ hash }) => hash !== one.hash) ?? false
  })
}

/** `sha256` of `sha256:…`, `sha512` of `sha512-…`. */
function kind({ hash }: Artefact): string {
  return /^[A-Za-z0-9]+(?=[:-])/.exec(hash)?.[0] ?? ''
}
