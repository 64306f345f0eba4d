import type { PackageList } from '../evidence.ts'
import { packageOf } from '../package.ts'
import { readLines } from './lines.ts'

const HEADING = 'Gems included by the bundle:'

/** Whether it begins as `bundle list` does. */
export function looksLikeGems(text: string): boolean {
  return text.trimStart().startsWith(HEADING)
}

/** Reads what `bundle list` prints: `  * rake (13.0.6)`, with a commit behind the version of what comes from git. */
export function readGems(text: string): PackageList {
  return readLines('ruby', text, (line) => {
    if (line.trim() === HEADING || /^Use `bundle info`/.test(line)) return 'nothing'
    const match = /^\s*\* ([\w.-]+) \((\d[\w.-]*)(?: [0-9a-f]{7,40})?\)$/.exec(line)
    return match === null ? null : packageOf(match[1] ?? '', match[2] ?? null)
  })
}
