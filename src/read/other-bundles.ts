import { posix } from 'node:path'
import type { Trees } from '../record/trees.ts'
import { isOwnFile } from './bundle-files.ts'
import { groupBy } from './group.ts'
import type { SourceChange } from './review.ts'

/** Far more than a `run.txt` has before the line that names its format. */
const RUN_FILE = 64 * 1024

/**
 * Takes what a repository's other bundles bring out of the files that differ: one run's evidence is no source of another.
 * A directory counts as a bundle where it has a `run.txt` of format 2, and differs in files of a bundle's names alone.
 *
 * @param tree the tree under review
 * @returns the files that are source, and the directories of the other bundles, relative to the repository
 */
export function withoutOtherBundles(
  changes: readonly SourceChange[],
  tree: string,
  trees: Trees,
): { readonly source: readonly SourceChange[]; readonly bundles: readonly string[] } {
  const bundles = [...groupBy(changes, ({ path }) => posix.dirname(path))]
    .filter(([directory, files]) => {
      if (!files.every(({ path }) => isOwnFile(posix.basename(path)))) return false
      const run = trees.file(tree, posix.join(directory, 'run.txt'), RUN_FILE)
      return run !== null && /^schema=2\r?$/m.test(run.toString('latin1'))
    })
    .map(([directory]) => directory)
  const own = new Set(bundles)
  return { source: changes.filter(({ path }) => !own.has(posix.dirname(path))), bundles }
}
