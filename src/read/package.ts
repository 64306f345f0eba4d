import { foldName, withoutCredentials } from './ecosystem.ts'
import type { Artefact, Ecosystem, Package, PackageList } from './evidence.ts'
import { clip } from './text.ts'

/** A package of the default registry at a version, with what else is known of it. */
export function packageOf(
  name: string,
  version: string | null,
  {
    source = null,
    artefacts = [],
    conditional = false,
    local = false,
    direct = null,
    aliases = [],
  }: Partial<Package> = {},
): Package {
  return { name, version, source, artefacts, conditional, local, direct, aliases }
}

/** Whether an entry says which version is installed, or where it comes from; a range says neither. */
export function isPinned({ version, source, local }: Package): boolean {
  return version !== null || local || (source !== null && !RANGE.test(source))
}

/** How a range of versions begins; no place does. */
const RANGE = /^[(<>=!~]/

/** Hashes that are recorded without the names of their files. */
export function artefactsOf(hashes: readonly (string | null | undefined)[]): Artefact[] {
  return hashes
    .filter((hash) => typeof hash === 'string' && hash !== '')
    .map((hash) => ({ file: null, hash: hash ?? '' }))
}

/** Where something lies, at which commit: `https://host/repository#commit`, without credentials, query and fragment. */
export function placeOf(url: string, commit: string | null = null): string {
  const [bare = ''] = withoutCredentials(url).split(/[?#]/, 1)
  return commit === null ? bare : `${bare}#${commit}`
}

/** The last part of a URL's path, which names an artefact's file; null where there is none. */
export function fileOf(url: string): string | null {
  const [path = ''] = url.split(/[?#]/, 1)
  return path.slice(path.lastIndexOf('/') + 1) || null
}

/** What a reader found, gathered entry by entry. */
export class PackageBuilder {
  readonly #ecosystem: Ecosystem
  readonly #packages: Package[] = []
  readonly #notRead: { line: number | null; text: string }[] = []

  constructor(ecosystem: Ecosystem) {
    this.#ecosystem = ecosystem
  }

  add(name: string, version: string | null, rest: Partial<Package> = {}): void {
    this.#packages.push(packageOf(foldName(this.#ecosystem, name), version, rest))
  }

  /** An entry that was not understood; the line is one-based. */
  skip(text: string, line: number | null = null): void {
    this.#notRead.push({ line, text: clip(text, 200) })
  }

  list(): PackageList {
    return { ecosystem: this.#ecosystem, packages: this.#packages, notRead: this.#notRead }
  }
}
