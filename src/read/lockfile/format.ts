import { DocumentError, isTable, type Table } from '../document.ts'
import type { Ecosystem, PackageList } from '../evidence.ts'

export { DocumentError }

/** One row of the table of formats: how a lockfile is known by its name, by its content, and read. */
export interface LockfileFormat {
  /** What people call it: `poetry.lock`. */
  readonly id: string
  readonly ecosystem: Ecosystem
  /** The names of such files, without directories, the usual one first. */
  readonly names: readonly string[]
  /** Further names, where they follow a pattern. */
  readonly pattern?: RegExp
  /** Whether text has this format's marks. Called in table order; must not throw. */
  readonly sniff: (text: string) => boolean
  /** Reads the packages. Throws `DocumentError` where the text is not of this format. */
  readonly read: (text: string) => PackageList
  /** What installs exactly this lockfile, `{}` for its path: `poetry sync`. */
  readonly install: string
  /** Set where the file does not pin what is installed: a reason, as a phrase (`it lists hashes of all versions considered`). */
  readonly weak?: string
}

/**
 * A value that the format says is an object.
 *
 * @param key where it stands, for the message; null for the document itself
 * @throws DocumentError where it is none
 */
export function requireTable(value: unknown, key: string | null): Table {
  if (isTable(value)) return value
  throw new DocumentError(key === null ? 'it is no table of keys and values' : `its \`${key}\` is no object`)
}

/**
 * The list that the format says is at a key.
 *
 * @throws DocumentError where there is none
 */
export function requireList(table: Table, key: string): readonly unknown[] {
  const value = table[key]
  if (Array.isArray(value)) return value
  throw new DocumentError(value === undefined ? `it has no \`${key}\`` : `its \`${key}\` is no list`)
}
