import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { claimOf, type ReviewEvent } from '../record/event.ts'
import { Git, GitError, type Remote } from '../record/git.ts'
import { Trees } from '../record/trees.ts'
import { readBundleDirectory, readCommittedBundle } from './bundle.ts'
import { changedAfterBundle, type Search, sinceCapture } from './captured.ts'
import { changeRange, readChange } from './change.ts'
import type { Bundle } from './evidence.ts'
import { committedLockfiles, LOCKFILE_CAP } from './lockfile/committed.ts'
import { LOCKFILE_NAMES, lockfilePaths } from './lockfile/find.ts'
import { withoutOtherBundles } from './other-bundles.ts'
import { type Place, placeIn } from './place.ts'
import { FETCH_REMEDY, type RepositoryLockfile, type Review } from './review.ts'
import { maskSecrets } from './secrets.ts'

/** What a change brings: its bundle, and what the repository says of it. */
export interface Subject {
  readonly bundle: Bundle
  readonly review: Review
}

/** The subject of a change that could not be read. */
export function unreadableSubject(why: string): Subject {
  const limit = { what: `the bundle could not be read: ${why}`, remedy: "the conclusion is CI's all the same" }
  return { bundle: absent('evidence'), review: { ...NOTHING_KNOWN, limits: [limit] } }
}

/**
 * Reads the subject from git's objects at the commit under review, with nothing of the working tree.
 *
 * @param event what GitHub says is under review
 * @param remote where to fetch them from in a job that has checked nothing out; null where that is not known
 * @returns what could be read; what git could not be asked is in `review.limits`, with what would help
 */
export async function readCommit(place: Place, event: ReviewEvent, remote: Remote | null = null): Promise<Subject> {
  const opened = Git.open(place.directory, remote)
  if (opened.git !== null || opened.missing || remote === null || event.headSha === null)
    return readFrom(opened, place, event)
  const top = mkdtempSync(join(tmpdir(), 'scratch-evidence-objects-'))
  try {
    const directory = join(top, place.within ?? '.')
    mkdirSync(directory, { recursive: true })
    const git = Git.empty(top, remote)
    const why = `nothing is checked out, and the commit under review could not be fetched from ${remote.url}`
    const objects = git.fetch(event.headSha) ? { git } : { git: null, why, missing: false }
    return await readFrom(objects, { ...place, directory }, event)
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

async function readFrom(opened: ReturnType<typeof Git.open>, place: Place, event: ReviewEvent): Promise<Subject> {
  const limits: Review['limits'][number][] = event.limit === undefined ? [] : [event.limit]
  const unread = (name: string): Subject => ({
    bundle: absent(name),
    review: { ...NOTHING_KNOWN, headSha: event.headSha, claim: claimOf(event.words), limits },
  })
  if (opened.git === null) {
    limits.push({
      what: `the bundle could not be read from git: ${opened.why}`,
      remedy:
        'check the repository out before this step: `- uses: actions/checkout@v4`. Without a checkout: give the job `permissions: contents: read`',
    })
    return unread(place.evidence)
  }
  const { git } = opened
  const paths = placeIn(git, place)
  const trees = new Trees(git)
  try {
    const checkedOut = git.commit('HEAD')
    const commit = commitToRead(git, event.headSha ?? checkedOut, checkedOut, limits)
    if (commit === null) return unread(paths.bundle)
    const bundle = await readCommittedBundle(git, commit, paths.bundle)
    const isHead = commit === (event.headSha ?? checkedOut)
    const headTree = isHead ? trees.without(commit, paths.own) : null
    const checkoutTree =
      checkedOut === null
        ? null
        : checkedOut === commit && headTree !== null
          ? headTree
          : trees.without(checkedOut, paths.own)
    const range = changeRange(git, event, commit, checkedOut)
    const change = range === null ? null : readChange(git, trees, range, paths)
    const merge = isHead && checkedOut !== null && range?.to === checkedOut && checkedOut !== commit
    const lockfiles = withRecorded(paths.lockfiles, bundle)
    const search = { git, trees, place: paths, commit, base: event.base, change, online: true }
    const review: Review = {
      under: 'commit',
      headSha: event.headSha ?? commit,
      headTree,
      checkoutTree,
      base: event.base,
      merged: merge && headTree !== null && checkoutTree !== null ? trees.differing(headTree, checkoutTree) : null,
      change,
      lockfiles: await masked(committedLockfiles(git, commit, lockfiles, change)),
      ignoredLockfiles: git.ignored(lockfiles),
      ...comparedWithCapture(bundle, headTree === null ? null : { ...search, headTree }, checkoutTree),
      claim: claimOf(event.words),
      limits,
    }
    if (git.refused && limits.every((limit) => limit === event.limit)) limits.push(REFUSED)
    limits.push(...missingLockfiles(place, paths.lockfiles, review.lockfiles))
    return { bundle, review }
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    limits.push({
      what: `git could not be asked: ${error.message}`,
      remedy: 'check the repository out anew, with `fetch-depth: 0`',
    })
    return unread(paths.bundle)
  } finally {
    trees.close()
  }
}

/** Reads the subject from the working tree, committed or not: for the command line. */
export async function readWorkingTree(place: Place): Promise<Subject> {
  const bundle = await readBundleDirectory(resolve(place.directory, place.evidence), place.evidence)
  const opened = Git.open(place.directory)
  const names = place.lockfiles.length > 0 ? place.lockfiles : LOCKFILE_NAMES
  if (opened.git === null) {
    const limits = [{ what: `the source was not compared: ${opened.why}`, remedy: 'run this inside a git repository' }]
    const lockfiles = await masked(workingLockfiles(place.directory, names))
    return { bundle, review: { ...NOTHING_KNOWN, under: 'working tree', lockfiles, limits } }
  }
  const { git } = opened
  const paths = placeIn(git, place)
  const trees = new Trees(git)
  try {
    const commit = git.commit('HEAD')
    const headTree = trees.workingTree([...paths.own, ...paths.recorded])
    const lockfiles = withRecorded(paths.lockfiles, bundle)
    const found = await masked(workingLockfiles(git.top, lockfiles))
    const search = { git, trees, place: paths, commit, headTree, base: null, change: null, online: false }
    const review: Review = {
      ...NOTHING_KNOWN,
      under: 'working tree',
      headSha: commit,
      headTree,
      checkoutTree: headTree,
      lockfiles: found,
      ignoredLockfiles: git.ignored(lockfiles),
      ...comparedWithCapture(bundle, search, headTree),
      limits: missingLockfiles(place, paths.lockfiles, found),
    }
    return { bundle: { ...bundle, name: paths.bundle }, review }
  } finally {
    trees.close()
  }
}

/** Files that differ from the captured tree, where it is none of those that are here. */
function comparedWithCapture(
  bundle: Bundle,
  search: Search | null,
  checkoutTree: string | null,
): Pick<Review, 'sinceCapture' | 'otherBundles' | 'afterBundle'> {
  const { evidence } = bundle
  const unknown = { sinceCapture: null, otherBundles: [], afterBundle: null }
  if (evidence === null || search === null) return unknown
  const recorded = evidence.run?.source ?? null
  if (recorded === null || recorded.tree === null) return { ...unknown, afterBundle: changedAfterBundle(search) }
  if (recorded.tree === search.headTree || recorded.tree === checkoutTree) return unknown
  const changes = sinceCapture(recorded, search)
  if (changes === null) return unknown
  const { source, bundles } = withoutOtherBundles(changes, search.headTree, search.trees)
  return { ...unknown, sinceCapture: source, otherBundles: bundles }
}

const NOTHING_KNOWN: Review = {
  under: 'commit',
  headSha: null,
  headTree: null,
  checkoutTree: null,
  base: null,
  merged: null,
  change: null,
  lockfiles: [],
  ignoredLockfiles: [],
  sinceCapture: null,
  otherBundles: [],
  afterBundle: null,
  claim: null,
  limits: [],
}

const REFUSED = {
  what: 'a commit is not in this checkout and could not be fetched: what differs could not be named in full',
  remedy: FETCH_REMEDY,
}

function absent(name: string): Bundle {
  return { name, evidence: null, absent: 'not read', problems: [] }
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
    remedy: FETCH_REMEDY,
  })
  return merged ? checkedOut : null
}

/** Lockfiles with what looks like a secret masked, as it is in the bundle's copies. */
async function masked(lockfiles: readonly RepositoryLockfile[]): Promise<RepositoryLockfile[]> {
  const { contents } = await maskSecrets(new Map(lockfiles.map(({ path, bytes }) => [path, bytes])))
  return lockfiles.map((lockfile) => ({ ...lockfile, bytes: contents.get(lockfile.path) ?? lockfile.bytes }))
}

/** Lockfiles that were named, and that are not there. */
function missingLockfiles(
  place: Place,
  named: readonly string[],
  found: readonly RepositoryLockfile[],
): Review['limits'][number][] {
  const missing = place.lockfiles.filter((_, index) => !found.some(({ path }) => path === named[index]))
  return missing.map((name) => ({
    what: `there is no file ${name}, which was named as a lockfile: it was not compared`,
    remedy: 'name one that is there, relative to the working directory, or leave it to be found by its name',
  }))
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
