import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const ROOT = new URL('../fixtures/lockfiles/real/', import.meta.url)

/** A file that a real tool made, and how many packages something other than our reader counted in it. */
export interface RealFile {
  /** Its path below the directory of such files, with `.gz` where it is compressed. */
  readonly file: string
  /** The format's name in the table of lockfiles; of a list of installed packages, `installed:` and the command. */
  readonly format: string
  readonly tool: string
  readonly packages: number
  /** What was counted: distinct names and versions of all entries, or of those that do not belong to the project. */
  readonly counts: 'all' | 'third-party'
  /** How it was counted. */
  readonly how: string
  readonly samples: readonly (readonly [name: string, version: string])[]
}

export const REAL_FILES: readonly RealFile[] = JSON.parse(readFileSync(new URL('counts.json', ROOT), 'utf8'))

export function bytesOf({ file }: RealFile): Uint8Array {
  const bytes = readFileSync(new URL(file, ROOT))
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

/** The name that the tool gave it. */
export function nameOf({ file }: RealFile): string {
  return file.replace(/\.gz$/, '').replace(/^.*\//, '')
}
