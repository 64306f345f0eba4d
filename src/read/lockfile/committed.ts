import type { Git } from '../../record/git.ts'
import type { RepositoryLockfile, ReviewChange } from '../review.ts'

/** A lockfile above this many bytes is not read. */
export const LOCKFILE_CAP = 32 * 1024 * 1024

/**
 * The lockfiles of a commit.
 *
 * @param paths where one may lie, relative to the repository, the preferred first; what is no regular file is left out
 * @param change what the pull request does, null where there is none: then whether it changes a lockfile is not known
 */
export function committedLockfiles(
  git: Git,
  commit: string,
  paths: readonly string[],
  change: ReviewChange | null,
): RepositoryLockfile[] {
  const entries = new Map(git.entries(commit, paths).map((entry) => [entry.path, entry]))
  const found = paths.flatMap((path) => {
    const entry = entries.get(path)
    const regular = entry?.type === 'blob' && entry.mode !== '120000' && (entry.size ?? 0) <= LOCKFILE_CAP
    return entry !== undefined && regular ? [entry] : []
  })
  const bytes = git.blobs(found.map((entry) => entry.oid))
  const changed = change === null ? null : new Set(change.files.map(({ path }) => path))
  return found.map(({ path }, index) => ({
    path,
    bytes: bytes[index] ?? new Uint8Array(),
    changedHere: changed?.has(path) ?? null,
  }))
}
