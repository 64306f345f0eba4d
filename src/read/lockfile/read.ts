import type { PackageList } from '../evidence.ts'
import { decodeText } from '../text.ts'
import { LockfileError, type LockfileFormat } from './format.ts'
import { formatByContent, formatByName, isLockfileName } from './formats.ts'

/** What came of reading a lockfile. `list` is null where there is a `problem`, or no format that is read. */
export interface LockfileReading {
  readonly format: LockfileFormat | null
  readonly list: PackageList | null
  /** Why it could not be read, a phrase that goes on from the file's name; the line is one-based. */
  readonly problem: { readonly why: string; readonly line: number | null } | null
}

/**
 * Reads a lockfile as what its name says, and looks whether its content says the same. Never throws.
 *
 * @param path where it lies in the repository; null where only its content tells the format
 */
export function readLockfile(bytes: Uint8Array, path: string | null): LockfileReading {
  const { text, invalidAt } = decodeText(bytes)
  const named = path === null ? null : formatByName(path)
  const sniffed = formatByContent(text)
  if (path !== null && isLockfileName(path) && sniffed !== null && sniffed !== named) {
    const why = `is named ${path.slice(path.lastIndexOf('/') + 1)} and its content is that of ${sniffed.id}`
    return { format: named, list: null, problem: { why, line: null } }
  }
  const format = named ?? sniffed
  if (format === null) return { format: null, list: null, problem: null }
  try {
    const list = format.read(text)
    if (invalidAt === null) return { format, list, problem: null }
    // Two different invalid bytes decode to one replacement character, so that names with them prove nothing.
    const notRead = [{ line: invalidAt, text: 'bytes that are no UTF-8' }, ...list.notRead]
    return { format, list: { ...list, notRead }, problem: null }
  } catch (error) {
    if (!(error instanceof LockfileError)) throw error
    return { format, list: null, problem: { why: `is no ${format.id}: ${error.message}`, line: error.line } }
  }
}
