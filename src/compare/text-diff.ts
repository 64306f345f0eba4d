import { structuredPatch } from 'diff'

/** More lines than this are not laid out as a diff: nobody reads it, and the work is bounded. */
const MOST = 1000

/**
 * A diff of two lists of lines: `-` for the first, `+` for the second, without context and heads.
 *
 * @returns its lines, joined; null where more than 1,000 lines differ or the lists are equal
 */
export function diffLines(from: readonly string[], to: readonly string[]): string | null {
  if (differing(from, to) > MOST) return null
  const text = (lines: readonly string[]) => (lines.length === 0 ? '' : `${lines.join('\n')}\n`)
  // The number of edits bounds it, so that one change gives one report; the time is a backstop.
  const patch = structuredPatch('', '', text(from), text(to), '', '', { context: 0, maxEditLength: MOST, timeout: 500 })
  const lines = patch?.hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith('\\'))) ?? []
  return lines.length === 0 ? null : lines.join('\n')
}

/** How many lines one list has more often than the other: no diff is shorter. */
function differing(from: readonly string[], to: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const line of from) counts.set(line, (counts.get(line) ?? 0) + 1)
  for (const line of to) counts.set(line, (counts.get(line) ?? 0) - 1)
  let sum = 0
  for (const count of counts.values()) sum += Math.abs(count)
  return sum
}
