import { posix } from 'node:path'
import type { ReviewEvent } from '../record/event.ts'
import type { Git } from '../record/git.ts'
import type { FileChange, Trees } from '../record/trees.ts'
import { isOwnFile } from './bundle-files.ts'
import type { PlaceInRepository } from './place.ts'
import type { ReviewChange } from './review.ts'
import { holdsTestParts, testPartsDiffer } from './test-parts.ts'

/** The commits between which a change is: the second is the one that CI tests, or the head. */
export interface ChangeRange {
  readonly from: string
  readonly to: string
}

/**
 * Where the change begins and ends. As CI tested it: from its merge's base; else from where its branch left the base.
 *
 * @param commit the head of the change
 * @param checkedOut what is checked out; a merge of it with the base tells best
 * @returns null where nothing is there to hold it against
 */
export function changeRange(
  git: Git,
  event: ReviewEvent,
  commit: string,
  checkedOut: string | null,
): ChangeRange | null {
  const parents = checkedOut === null || checkedOut === commit ? [] : git.parents(checkedOut)
  const [onto] = parents
  if (checkedOut !== null && onto !== undefined && parents.includes(commit) && event.base !== null)
    return git.fetch(onto) ? { from: onto, to: checkedOut } : null
  if (event.baseSha === null || event.baseSha === commit || !git.fetch(event.baseSha)) return null
  // The merge that a queue made, or one commit that was pushed.
  if (git.parents(commit).includes(event.baseSha)) return { from: event.baseSha, to: commit }
  if (git.mergeBase(event.baseSha, commit) === null) git.deepen(commit, event.base)
  const left = git.mergeBase(event.baseSha, commit) ?? leftAt(git, commit, event.baseSha)
  return left === null ? null : { from: left, to: commit }
}

/** What the change does between the two. */
export function readChange(git: Git, trees: Trees, range: ChangeRange, place: PlaceInRepository): ReviewChange {
  const files = trees.differing(range.from, range.to)
  const bundle = new Set(listing(git, range.from, place.bundle))
  return {
    files,
    testParts: testParts(git, range, files),
    bundle: listing(git, range.to, place.bundle).some((entry) => !bundle.has(entry)),
  }
}

/** The bundle's own files in its directory, by name and content. */
export function listing(git: Git, commit: string, directory: string): string[] {
  return git
    .list(commit, directory)
    .filter(({ path }) => isOwnFile(posix.basename(path)))
    .map(({ path, oid }) => `${oid} ${path}`)
}

/**
 * The commit at which a history was cut where the base has it. Null where there are several, and none is the base itself: a
 * merge hides all that is before it, the branch's own commits too.
 */
function leftAt(git: Git, commit: string, base: string): string | null {
  const cut = git.cutParents(commit)
  if (cut.includes(base)) return base
  const [only] = cut
  return only !== undefined && cut.length === 1 && git.fetch(only) ? only : null
}

function testParts(git: Git, { from, to }: ChangeRange, files: readonly FileChange[]): string[] {
  const paths = files.filter(({ path }) => holdsTestParts(path)).map(({ path }) => path)
  if (paths.length === 0) return []
  const read = (commit: string) => {
    const entries = git.entries(commit, paths).filter(({ type, size }) => type === 'blob' && (size ?? 0) < 1024 * 1024)
    const contents = git.blobs(entries.map(({ oid }) => oid))
    return new Map(entries.map(({ path }, index) => [path, Buffer.from(contents[index] ?? []).toString('utf8')]))
  }
  const [before, after] = [read(from), read(to)]
  return paths.filter((path) => testPartsDiffer(path, before.get(path) ?? '', after.get(path) ?? ''))
}
