import { type Git, GitError } from '../record/git.ts'
import type { Trees } from '../record/trees.ts'
import { listing } from './change.ts'
import type { RecordedSource } from './evidence.ts'
import type { PlaceInRepository } from './place.ts'
import type { ReviewChange, SourceChange } from './review.ts'

/** Where to look for the source that a scratch run was of. */
export interface Search {
  readonly git: Git
  readonly trees: Trees
  readonly place: PlaceInRepository
  /** The commit under review, and its tree without the bundle's own files; on the command line, that of the working tree. */
  readonly commit: string | null
  readonly headTree: string
  /** Name of the base branch; null where there is none. */
  readonly base: string | null
  readonly change: ReviewChange | null
  /** Whether commits that are missing may be fetched. */
  readonly online: boolean
}

/** The captured tree, with the commit that it was made from. */
interface Captured {
  readonly tree: string
  readonly from: string | null
}

/**
 * The files that differ between the captured tree and the one under review.
 *
 * @returns null where the captured tree cannot be had: it is known by its name alone
 */
export function sinceCapture(recorded: RecordedSource, search: Search): SourceChange[] | null {
  const captured = findCaptured(recorded, search)
  return captured === null ? null : changesSince(captured, search)
}

/**
 * What commits after the last one that changed the bundle did to other files, of a bundle that names no tree.
 *
 * @returns null where the history does not tell
 */
export function changedAfterBundle(search: Search): SourceChange[] | null {
  const { git, trees, place, commit } = search
  if (commit === null) return null
  if (search.online) git.deepen(commit, search.base)
  const [last] = git.recentChanges(commit, place.own)
  if (last === undefined) return null
  const parents = git.parents(last)
  // Where history was cut the first commit seems to have brought everything.
  const before = parents.find((parent) => canHave(parent, search))
  if (before === undefined && parents.length > 0) return null
  const same = (one: string, other: string) =>
    listing(git, one, place.bundle).join('\0') === listing(git, other, place.bundle).join('\0')
  if (before !== undefined && same(before, last)) return null
  const tree = trees.without(last, place.own)
  return changesSince({ tree, from: null }, search)
}

/** From the changes that the bundle lists; from the captured commit where it was clean; or a commit that has this tree. */
function findCaptured(recorded: RecordedSource, search: Search): Captured | null {
  const { git, trees, place, commit, online, base } = search
  const { tree } = recorded
  if (tree === null) return null
  const rebuilt = (from: string | null) => {
    try {
      return trees.changed(from, recorded.changes, place.own) === tree ? { tree, from } : null
    } catch (error) {
      // A list of the bundle's that git refuses, such as one with a path outside of the repository.
      if (error instanceof GitError) return null
      throw error
    }
  }
  if (recorded.unlisted === 0 && (recorded.base === null ? recorded.head === null : canHave(recorded.base, search))) {
    const found = rebuilt(recorded.base)
    if (found !== null) return found
  }
  const isIt = (name: string) => trees.without(name, place.own) === tree
  if (recorded.head !== null && recorded.dirty !== true && canHave(recorded.head, search) && isIt(recorded.head))
    return { tree, from: recorded.head }
  if (commit === null) return null
  if (online) git.deepen(commit, base)
  const found = git.recentChanges(commit, place.own).find(isIt)
  return found === undefined ? null : { tree, from: null }
}

/** Whether a commit is here, or can be fetched where that is wanted. */
function canHave(commit: string, { git, online }: Search): boolean {
  return online ? git.fetch(commit) : git.commit(commit) !== null
}

/**
 * A file that the change does not touch is as the base has it. Where the capture had not touched it either, it is the base
 * that moved.
 */
function changesSince({ tree, from }: Captured, { trees, place, headTree, change }: Search): SourceChange[] {
  const here = change === null ? null : new Set(change.files.map(({ path }) => path))
  const there =
    from === null ? null : new Set(trees.differing(trees.without(from, place.own), tree).map(({ path }) => path))
  return trees.differing(tree, headTree).map((one) => {
    if (here === null) return { ...one, side: null }
    return { ...one, side: here.has(one.path) || there?.has(one.path) ? 'capture' : 'base' }
  })
}
