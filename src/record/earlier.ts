import { type Dirent, readdirSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { create } from '@actions/glob'

/** As many jobs as a matrix of GitHub has at most. */
const MOST = 256

/**
 * Finds the directories of evidence that earlier jobs recorded and that were downloaded. One that holds evidence is one leg,
 * whatever lies below it: the code under test can write there.
 *
 * @param globs one pattern each, of such directories or of a directory above them
 * @returns their paths, sorted, each once, and what each leg is called: the shortest end of its path that no other has; and
 *   how many more there are than are read
 */
export async function findRecordedDirectories(
  globs: readonly string[],
): Promise<{ readonly legs: readonly { readonly path: string; readonly name: string }[]; readonly more: number }> {
  const globber = await create(globs.join('\n'), { followSymbolicLinks: false, implicitDescendants: false })
  const found = new Set<string>()
  for (const path of await globber.glob()) {
    const directory = isDirectory(path) ? path : dirname(path)
    for (const candidate of holdsEvidence(directory) ? [directory] : subdirectories(directory))
      if (holdsEvidence(candidate)) found.add(candidate)
  }
  const all = [...found].sort()
  const paths = all.slice(0, MOST)
  return { legs: paths.map((path) => ({ path, name: shortestEnd(path, paths) })), more: all.length - paths.length }
}

function shortestEnd(path: string, paths: readonly string[]): string {
  const parts = path.split(sep)
  const ends = parts.map((_, index) => parts.slice(parts.length - 1 - index).join('/'))
  const own = ends.find(
    (end) => paths.filter((other) => `/${other.split(sep).join('/')}`.endsWith(`/${end}`)).length === 1,
  )
  return own ?? path
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // A link that leads nowhere.
    return false
  }
}

/** What lies in a directory; nothing where it cannot be read. */
function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

function subdirectories(directory: string): string[] {
  return entriesOf(directory)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(directory, entry.name))
}

function holdsEvidence(directory: string): boolean {
  return entriesOf(directory).some(
    ({ name }) => name === 'run.txt' || name === 'toolchain.txt' || name.endsWith('.exit'),
  )
}
