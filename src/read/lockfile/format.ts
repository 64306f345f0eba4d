import type { Ecosystem, PackageList } from '../evidence.ts'

/** One row of the table of formats: how a lockfile is known by its name, by its content, and read. */
export interface LockfileFormat {
  /** What people call it: `poetry.lock`. */
  readonly id: string
  readonly ecosystem: Ecosystem
  /** Whether a file of this base name (no directories) is of this format. */
  readonly named: (name: string) => boolean
  /** Whether text has this format's marks. Called in table order; must not throw. */
  readonly sniff: (text: string) => boolean
  /** Reads the packages. Throws `LockfileError` where the text is not of this format. */
  readonly read: (text: string) => PackageList
  /** What installs exactly this lockfile, `{}` for its path: `poetry sync`. */
  readonly install: string
  /** Set where the file does not pin what is installed: a reason, as a phrase (`it lists hashes of all versions considered`). */
  readonly weak?: string
}

/** The text is not of the format it was read as. `line` is one-based, null where the parser does not tell. */
export class LockfileError extends Error {
  readonly line: number | null
  constructor(message: string, line: number | null = null) {
    super(message)
    this.name = 'LockfileError'
    this.line = line
  }
}
