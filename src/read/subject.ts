import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { posix, relative, resolve, sep } from 'node:path'
import { claimOf, type ReviewEvent } from '../record/event.ts'
import { Git, GitError, literalGlob } from '../record/git.ts'
import { readBundleDirectory, readCommittedBundle } from './bundle.ts'
import { OWN_FILES } from './bundle-files.ts'
import type { Bundle } from './evidence.ts'
import { type Change, committedLockfiles, LOCKFILE_CAP } from './lockfile/committed.ts'
import { LOCKFILE_NAMES, lockfilePaths } from './lockfile/find.ts'
import type { RepositoryLockfile, Review } from './review.ts'

/** What a change brings: its bundle, and what the repository says of it. */
export interface Subject {
  readonly bundle: Bundle
  readonly review: Review
}

/** Where things are, in the words of whoever set up the workflow or typed the command. */
export interface Place {
  /** The working directory, absolute. */
  readonly directory: string
  /** The bundle's directory, relative to it. */
  readonly evidence: string
  /** Lockfiles relative to it; none: found by name. */
  readonly lockfiles: readonly string[]
  /** A directory with CI's own evidence, relative to it: what was recorded is no part of the source. */
  readonly recording?: string
}

/** The bundle's directory is named wrongly: a fault of the workflow, not of a bundle. */
export class PlaceError extends Error {}

/** The subject of a change that could not be read. */
export function unreadableSubject(why: string): Subject {
  const limit = { what: `the bundle could not be read: ${why}`, remedy: "the conclusion is CI's all the same" }
  return { bundle: absent('evidence'), review: { ...NOTHING_KNOWN, limits: [limit] } }
}

/**
 * Reads the subject from git's objects at the commit under review, with nothing of the working tree.
 *
 * @param event what GitHub says is under review
 * @returns what could be read; what git could not be asked is in `review.limits`, with what would help
 */
export function readCommit(place: Place, event: ReviewEvent): Subject {
  const limits: Review['limits'][number][] = []
  const opened = Git.open(place.directory)
  const unread = (name: string): Subject => ({
    bundle: absent(name),
    review: { ...NOTHING_KNOWN, headSha: event.headSha, claim: claimOf(event.words), limits },
  })
  if (opened.git === null) {
    limits.push({
      what: `the bundle could not be read from git: ${opened.why}`,
      remedy: 'check the repository out before this step: `- uses: actions/checkout@v4`',
    })
    return unread(place.evidence)
  }
  const { git } = opened
  const paths = pathsIn(git, place)
  try {
    const checkedOut = git.commit('HEAD')
    const commit = commitToRead(git, event.headSha ?? checkedOut, checkedOut, limits)
    if (commit === null) return unread(paths.bundle)
    const bundle = readCommittedBundle(git, commit, paths.bundle)
    const own = ownFiles(paths.bundle)
    const lockfiles = withRecorded(paths.lockfiles, bundle)
    const isHead = commit === (event.headSha ?? checkedOut)
    const headTree = isHead ? git.treeWithout(commit, own) : null
    const review: Review = {
      headSha: event.headSha ?? commit,
      headTree,
      ciTree:
        checkedOut === null
          ? null
          : checkedOut === commit && headTree !== null
            ? headTree
            : git.treeWithout(checkedOut, own),
      base: isHead && checkedOut !== commit ? event.base : null,
      lockfiles: committedLockfiles(git, commit, lockfiles, changeOf(git, event, commit, checkedOut)),
      ignoredLockfiles: git.ignored(lockfiles),
      changedSinceCapture: changedSinceCapture(git, bundle, commit, headTree, paths.bundle),
      bundleChangedHere: bundleChangedHere(git, bundle, commit, event.baseSha, paths.bundle),
      claim: claimOf(event.words),
      limits,
    }
    return { bundle, review }
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    limits.push({
      what: `git could not be asked: ${error.message}`,
      remedy: 'check the repository out anew, with `fetch-depth: 0`',
    })
    return unread(paths.bundle)
  }
}

/** Reads the subject from the working tree, committed or not: for the command line. */
export function readWorkingTree(place: Place): Subject {
  const bundle = readBundleDirectory(resolve(place.directory, place.evidence), place.evidence)
  const opened = Git.open(place.directory)
  const names = place.lockfiles.length > 0 ? place.lockfiles : LOCKFILE_NAMES
  if (opened.git === null) {
    const limits = [{ what: `the source was not compared: ${opened.why}`, remedy: 'run this inside a git repository' }]
    const lockfiles = workingLockfiles(place.directory, names)
    return { bundle, review: { ...NOTHING_KNOWN, lockfiles, limits } }
  }
  const { git } = opened
  const paths = pathsIn(git, place)
  const headSha = git.commit('HEAD')
  const tree = git.workingTreeWithout([...ownFiles(paths.bundle), ...paths.recordings.flatMap(ownFiles)])
  return {
    bundle: { ...bundle, name: paths.bundle },
    review: {
      ...NOTHING_KNOWN,
      headSha,
      headTree: tree,
      ciTree: tree,
      lockfiles: workingLockfiles(git.top, withRecorded(paths.lockfiles, bundle)),
      ignoredLockfiles: git.ignored(withRecorded(paths.lockfiles, bundle)),
      changedSinceCapture: headSha === null ? null : changedSinceCapture(git, bundle, headSha, tree, paths.bundle),
    },
  }
}

const NOTHING_KNOWN: Review = {
  headSha: null,
  headTree: null,
  ciTree: null,
  base: null,
  lockfiles: [],
  ignoredLockfiles: [],
  changedSinceCapture: null,
  bundleChangedHere: null,
  claim: null,
  limits: [],
}

function absent(name: string): Bundle {
  return { name, evidence: null, absent: 'no file can be read', problems: [] }
}

/** The head commit, brought where it is missing; where it cannot be, the merge commit that has it as a parent. */
function commitToRead(
  git: Git,
  head: string | null,
  checkedOut: string | null,
  limits: Review['limits'][number][],
): string | null {
  if (head !== null && git.fetch(head)) return head
  const merged = head !== null && checkedOut !== null && git.parents(checkedOut).includes(head)
  limits.push({
    what: merged
      ? 'the head commit is not in this checkout and could not be fetched: the bundle was read from the merge that was checked out'
      : 'the commit under review is not in this checkout and could not be fetched',
    remedy: 'give `actions/checkout` the input `fetch-depth: 0`, or leave `persist-credentials` on',
  })
  return merged ? checkedOut : null
}

/** Paths relative to the repository, with slashes, of what the workflow names relative to its directory. */
function pathsIn(
  git: Git,
  place: Place,
): { bundle: string; recordings: readonly string[]; lockfiles: readonly string[] } {
  const prefix = relative(realpathSync(git.top), realpathSync(place.directory)).split(sep).join('/')
  const inside = (path: string) => posix.normalize(posix.join(prefix, path)).replace(/\/+$/, '')
  const bundle = inside(place.evidence)
  if (bundle.startsWith('../') || bundle === '..' || posix.isAbsolute(place.evidence))
    throw new PlaceError(
      `The bundle's directory, ${place.evidence}, is outside the repository. Name one inside it, relative to the working directory.`,
    )
  const named = place.lockfiles.length > 0 ? place.lockfiles : LOCKFILE_NAMES
  const here = named.map(inside)
  const recording =
    place.recording === undefined
      ? null
      : relative(realpathSync(git.top), resolve(realpathSync(place.directory), place.recording))
  const recordings = recording === null || recording.startsWith('..') ? [] : [recording.split(sep).join('/')]
  return {
    bundle,
    recordings,
    lockfiles: place.lockfiles.length > 0 ? here : [...new Set([...here, ...LOCKFILE_NAMES])],
  }
}

function ownFiles(bundle: string): string[] {
  const prefix = bundle === '.' || bundle === '' ? '' : `${literalGlob(bundle)}/`
  return OWN_FILES.map((file) => prefix + file)
}

/** What the change does, as CI tested it: its merge with the base where there is one, else what it was made from. */
function changeOf(git: Git, event: ReviewEvent, commit: string, checkedOut: string | null): Change | null {
  if (event.base === null) return null
  const parents = checkedOut === null || checkedOut === commit ? [] : git.parents(checkedOut)
  const [onto] = parents
  if (checkedOut !== null && onto !== undefined && parents.includes(commit)) return { from: onto, to: checkedOut }
  return event.baseSha === null ? null : { from: event.baseSha, to: commit }
}

/** Where lockfiles are looked for: by the workflow or by name, and where the bundle says that its own lay. */
function withRecorded(paths: readonly string[], bundle: Bundle): string[] {
  return [...new Set([...paths, ...lockfilePaths(bundle.evidence?.locks.map(({ path }) => path) ?? [])])]
}

function workingLockfiles(top: string, paths: readonly string[]): RepositoryLockfile[] {
  return paths.flatMap((path) => {
    const stat = lstatSync(resolve(top, path), { throwIfNoEntry: false })
    const regular = stat?.isFile() && stat.size <= LOCKFILE_CAP
    return regular ? [{ path, bytes: readFileSync(resolve(top, path)), changedHere: null }] : []
  })
}

/** The files that changed between the captured commit and the one under review, where it was captured clean and is here. */
function changedSinceCapture(
  git: Git,
  bundle: Bundle,
  commit: string,
  headTree: string | null,
  directory: string,
): string[] | null {
  const run = bundle.evidence?.run ?? null
  if (run === null || run.gitHead === null || run.gitDirty !== false || run.gitTree === headTree) return null
  if (git.commit(run.gitHead) === null) return null
  const prefix = directory === '.' || directory === '' ? '' : `${directory}/`
  const own = (path: string) => path.startsWith(prefix) && OWN_FILE.test(path.slice(prefix.length))
  return git.changedPaths(run.gitHead, commit).filter((path) => !own(path))
}

/** The name of a file of a bundle, as `OWN_FILES` lists them. */
const OWN_FILE = new RegExp(
  `^(?:${OWN_FILES.map((name) => name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')).join('|')})$`,
)

/** Whether the bundle's files are others than at the base. Asked only of a bundle that names no tree of its own. */
function bundleChangedHere(
  git: Git,
  bundle: Bundle,
  commit: string,
  base: string | null,
  directory: string,
): boolean | null {
  if (bundle.evidence === null || bundle.evidence.run?.gitTree || base === null || !git.fetch(base)) return null
  const at = (where: string) => new Map(git.list(where, directory).map((entry) => [entry.path, entry.oid]))
  const before = at(base)
  return [...at(commit)].some(([path, oid]) => before.get(path) !== oid)
}
