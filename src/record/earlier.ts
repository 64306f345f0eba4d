import { readdirSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { create } from '@actions/glob'

/**
 * Finds the directories of evidence that earlier jobs recorded and that were downloaded.
 *
 * @param globs one pattern each, of such directories or of a directory above them
 * @returns their paths, sorted, each once, and what each leg is called: the shortest end of its path that no other has
 */
export async function findRecordedDirectories(
  globs: readonly string[],
): Promise<{ readonly path: string; readonly name: string }[]> {
  const globber = await create(globs.join('\n'), { followSymbolicLinks: false, implicitDescendants: false })
  const found = new Set<string>()
  for (const path of await globber.glob()) {
    const directory = statSync(path).isDirectory() ? path : dirname(path)
    for (const candidate of [directory, ...subdirectories(directory)])
      if (holdsEvidence(candidate)) found.add(candidate)
  }
  const paths = [...found].sort()
  return paths.map((path) => ({ path, name: shortestEnd(path, paths) }))
}

function shortestEnd(path: string, paths: readonly string[]): string {
  const parts = path.split(sep)
  const ends = parts.map((_, index) => parts.slice(parts.length - 1 - index).join('/'))
  const own = ends.find(
    (end) => paths.filter((other) => `/${other.split(sep).join('/')}`.endsWith(`/${end}`)).length === 1,
  )
  return own ?? path
}

function subdirectories(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(directory, entry.name))
}

function holdsEvidence(directory: string): boolean {
  return readdirSync(directory).some((file) => file === 'run.txt' || file === 'toolchain.txt' || file.endsWith('.exit'))
}
