import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { create } from '@actions/glob'

/**
 * Finds the directories of evidence that earlier jobs recorded and that were downloaded.
 *
 * @param globs one pattern each, of such directories or of a directory above them
 * @returns their paths, sorted, each once
 */
export async function findRecordedDirectories(globs: readonly string[]): Promise<string[]> {
  const globber = await create(globs.join('\n'), { followSymbolicLinks: false, implicitDescendants: false })
  const found = new Set<string>()
  for (const path of await globber.glob()) {
    const directory = statSync(path).isDirectory() ? path : dirname(path)
    for (const candidate of [directory, ...subdirectories(directory)])
      if (holdsEvidence(candidate)) found.add(candidate)
  }
  return [...found].sort()
}

function subdirectories(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(directory, entry.name))
}

function holdsEvidence(directory: string): boolean {
  return readdirSync(directory).some((file) => file === 'run.txt' || file === 'toolchain.txt' || file.endsWith('.exit'))
}
