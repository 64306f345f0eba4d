import type { Package, PackageList } from '../evidence.ts'
import { clip } from '../text.ts'

const LINE = /^(\S+) (v\S+?)(\/go\.mod)? (h\d+:\S+)$/

/**
 * Reads `go.sum`: the hashes of all module versions that were considered. Lines for a `go.mod` alone name no module that
 * could have been built, and are left out.
 */
export function readGoSum(text: string): PackageList {
  const packages: Package[] = []
  const notRead: { line: number; text: string }[] = []
  text.split(/\r?\n/).forEach((raw, index) => {
    if (raw.trim() === '') return
    const match = LINE.exec(raw.trim())
    if (match === null) notRead.push({ line: index + 1, text: clip(raw.trim(), 200) })
    else if (match[3] === undefined)
      packages.push({
        name: match[1] ?? '',
        version: match[2] ?? '',
        source: null,
        hashes: [match[4] ?? ''],
        conditional: true,
        local: false,
      })
  })
  return { ecosystem: 'go', packages, notRead }
}

/** Whether every line is one of `go.sum`. */
export function looksLikeGoSum(text: string): boolean {
  const lines = text
    .slice(0, 200_000)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 50)
  return lines.length > 0 && lines.every((line) => LINE.test(line.trim()))
}
