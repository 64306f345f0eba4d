import type { FileChange } from '../record/trees.ts'

/**
 * What is under review, and what the repository says of it: facts of git and of GitHub's event, not of any bundle.
 * Every `null` means "not known".
 */
export interface Review {
  /** Where the bundle and the lockfiles are read from. */
  readonly under: 'commit' | 'working tree'
  /** The commit the check is about; null outside git. */
  readonly headSha: string | null
  /** Tree of that commit without the bundle's own files; on the command line, of the working tree. */
  readonly headTree: string | null
  /** Tree of the commit that is checked out, likewise; on `pull_request` the merge with the base. */
  readonly checkoutTree: string | null
  /** Name of the branch that the change is for; null where the event names none. */
  readonly base: string | null
  /** What the checked-out merge brings that the commit under review does not have; null where there is none. */
  readonly merged: readonly FileChange[] | null
  /** What the change does; null where nothing tells what it is a change of. */
  readonly change: ReviewChange | null
  /** The repository's lockfiles at the reviewed commit. */
  readonly lockfiles: readonly RepositoryLockfile[]
  /** Paths at which a lockfile is looked for and that git ignores. */
  readonly ignoredLockfiles: readonly string[]
  /** Files that differ between the captured tree and `headTree`; null where the captured tree cannot be had. */
  readonly sinceCapture: readonly SourceChange[] | null
  /** Directories of other bundles in which files differ since then: they are no source. */
  readonly otherBundles: readonly string[]
  /** Of a bundle that names no tree: what commits after the one that brought it changed; null where that is not known. */
  readonly afterBundle: readonly SourceChange[] | null
  /** What the pull request's own words claim, such as `all tests pass`; null where they claim nothing or there are none. */
  readonly claim: string | null
  /** What git could not be asked, each with the workflow line or command that would help. */
  readonly limits: readonly { readonly what: string; readonly remedy: string }[]
}

/** What helps where a commit is missing and could not be fetched. */
export const FETCH_REMEDY =
  'give `actions/checkout` the input `fetch-depth: 0`, or the job `permissions: contents: read`'

/** What the pull request, merge group or push under review changes. */
export interface ReviewChange {
  /** All files, those of the bundle too. */
  readonly files: readonly FileChange[]
  /** Those of them that configure tests among other things, and whose part on tests is another. */
  readonly testParts: readonly string[]
  /** Whether it added or changed a file of the bundle. */
  readonly bundle: boolean
}

/** A file of the source that is another than in the scratch run. */
export interface SourceChange extends FileChange {
  /** Whether the change under review did that after the capture, or its base did; null where that cannot be told. */
  readonly side: 'capture' | 'base' | null
}

export interface RepositoryLockfile {
  /** Relative to the repository. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Whether the pull request changes it; null where that is not known. */
  readonly changedHere: boolean | null
}
