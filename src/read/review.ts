/**
 * What is under review, and what the repository says of it: facts of git and of GitHub's event, not of any bundle.
 * Every `null` means "not known".
 */
export interface Review {
  /** The commit the check is about; null outside git. */
  readonly headSha: string | null
  /** Tree of that commit without the bundle's own files. */
  readonly headTree: string | null
  /** Tree that CI tested, likewise; on `pull_request` the merge with the base. */
  readonly ciTree: string | null
  /** Name of the branch that CI merged with, for the sentence; null where CI tested the head itself. */
  readonly base: string | null
  /** The repository's lockfiles at the reviewed commit. */
  readonly lockfiles: readonly RepositoryLockfile[]
  /** Paths at which a lockfile is looked for and that git ignores. */
  readonly ignoredLockfiles: readonly string[]
  /** Files whose content differs between the captured tree and `headTree`; null where the captured tree cannot be had. */
  readonly changedSinceCapture: readonly string[] | null
  /** Whether this pull request added or changed a file of the bundle; null where unknown. */
  readonly bundleChangedHere: boolean | null
  /** What the pull request's own words claim, such as `all tests pass`; null where they claim nothing or there are none. */
  readonly claim: string | null
  /** What git could not be asked, each with the workflow line or command that would help. */
  readonly limits: readonly { readonly what: string; readonly remedy: string }[]
}

export interface RepositoryLockfile {
  /** Relative to the repository. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Whether the pull request changes it; null where that is not known. */
  readonly changedHere: boolean | null
}
