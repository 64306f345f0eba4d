import { foldName } from '../ecosystem.ts'
import type { Ecosystem, Package, PackageList } from '../evidence.ts'
import { clip } from '../text.ts'

/**
 * Reads a list with one package a line.
 *
 * @param read what it makes of a line that is not blank: a package, 'nothing' where the line names none by design, null
 *   where it was not understood
 */
export function readLines(
  ecosystem: Ecosystem,
  text: string,
  read: (line: string, index: number) => Package | 'nothing' | null,
): PackageList {
  const packages: Package[] = []
  const notRead: { line: number; text: string }[] = []
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '') return
    const entry = read(line, index)
    if (entry === null) notRead.push({ line: index + 1, text: clip(line.trim(), 200) })
    else if (entry !== 'nothing') packages.push({ ...entry, name: foldName(ecosystem, entry.name) })
  })
  return { ecosystem, packages, notRead }
}
