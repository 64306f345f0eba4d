/**
 * Decodes the text of a file: UTF-8 with or without a byte order mark, UTF-16 by its mark.
 *
 * @param bytes the file's content
 * @param named for another encoding, that the file itself names
 * @returns the text without the mark, line ends as they are, invalid bytes as U+FFFD; and the one-based line of the
 *   first invalid byte, null where there is none
 */
export function decodeText(
  bytes: Uint8Array,
  named: InstanceType<typeof TextDecoder> | null = null,
): { readonly text: string; readonly invalidAt: number | null } {
  const encoding = startsWith(bytes, 0xff, 0xfe) ? 'utf-16le' : startsWith(bytes, 0xfe, 0xff) ? 'utf-16be' : 'utf-8'
  try {
    return { text: (named ?? new TextDecoder(encoding, { fatal: true })).decode(bytes), invalidAt: null }
  } catch {
    const text = new TextDecoder(named?.encoding ?? encoding).decode(bytes)
    return { text, invalidAt: lineOf(text, text.indexOf('\ufffd')) }
  }
}

/** The one-based line in which an offset lies. */
export function lineOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** The first `max` UTF-16 units of a text, never half a character; what was cut is shown as `…`. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`
}

/** The first `max` entries of what was not understood, and one more that counts the rest. */
export function clipEntries(
  entries: readonly { readonly line: number | null; readonly text: string }[],
  max: number,
): readonly { readonly line: number | null; readonly text: string }[] {
  if (entries.length <= max) return entries
  return [...entries.slice(0, max), { line: null, text: `${entries.length - max} more lines` }]
}

function startsWith(bytes: Uint8Array, first: number, second: number): boolean {
  return bytes[0] === first && bytes[1] === second
}
