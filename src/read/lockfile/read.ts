import type { PackageList } from '../evidence.ts'
import { decodeText, lineOf } from '../text.ts'
import { formatByContent, formatsByName } from './find.ts'
import { DocumentError, type LockfileFormat } from './format.ts'

/** What came of reading a lockfile. `list` is null where there is a `problem`, or no format that is read. */
export interface LockfileReading {
  readonly format: LockfileFormat | null
  readonly list: PackageList | null
  /** Why it could not be read, a phrase that goes on from the file's name; the line is one-based. */
  readonly problem: { readonly why: string; readonly line: number | null } | null
}

/** Read once for each name that the same bytes were read under: they are held against several things. */
const readings = new WeakMap<Uint8Array, Map<string | null, LockfileReading>>()

/**
 * Reads a lockfile as what its name says, and looks whether its content says the same. Never throws.
 *
 * @param path where it lies in the repository; null where only its content tells the format
 */
export function readLockfile(bytes: Uint8Array, path: string | null): LockfileReading {
  const known = readings.get(bytes) ?? new Map<string | null, LockfileReading>()
  readings.set(bytes, known)
  const reading = known.get(path) ?? read(bytes, path)
  known.set(path, reading)
  return reading
}

function read(bytes: Uint8Array, path: string | null): LockfileReading {
  const { text, invalidAt } = decodeText(bytes)
  const named = path === null ? [] : formatsByName(path)
  const sniffed = formatByContent(text)
  const format = named.find((one) => one === sniffed) ?? named[0] ?? sniffed
  const failed = (why: string, line: number | null = null) => ({ format, list: null, problem: { why, line } })
  const conflict = text.search(/^<{7} /m)
  if (format === null) return { format, list: null, problem: null }
  if (conflict !== -1) return failed('has merge-conflict markers', lineOf(text, conflict))
  if (sniffed !== null && sniffed !== format) {
    const name = path?.slice(path.lastIndexOf('/') + 1)
    return failed(`is named ${name} and its content is that of ${sniffed.id}`)
  }
  try {
    const list = format.read(text)
    if (list.packages.length === 0 && list.notRead.length > 0)
      return failed('has no entry that was understood', list.notRead[0]?.line ?? null)
    if (invalidAt === null) return { format, list, problem: null }
    // Two different invalid bytes decode to one replacement character, so that names with them prove nothing.
    const notRead = [{ line: invalidAt, text: 'bytes that are no UTF-8' }, ...list.notRead]
    return { format, list: { ...list, notRead }, problem: null }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return failed(`is no ${format.id}: ${error.message}`, error.line)
  }
}
