import { posix } from 'node:path'
import type { Evidence, RecordedSource } from '../read/evidence.ts'
import { KNOWN_SCRIPTS } from '../read/known-scripts.ts'
import type { Review, SourceChange } from '../read/review.ts'
import type { ChangedFile, JudgeFile, SourceComparison } from './comparison.ts'
import { fileKind } from './file-kind.ts'

/** Compares the tree that the scratch run recorded with those under review and in CI, each without the bundle's own files. */
export function compareSources(scratch: Evidence | null, ci: Evidence, review: Review): SourceComparison {
  const there = scratch?.run?.source ?? null
  const here = ci.run?.source ?? null
  const scratchTree = there?.tree ?? null
  const { headTree } = review
  const ciTree = here?.tree ?? review.checkoutTree
  // What git has, and nothing that a run recorded of itself: a job that runs the change's own code could have written it.
  const trees = [headTree, review.merged === null ? null : review.checkoutTree].filter((tree) => tree !== null)
  const onlyBundles = review.otherBundles.length > 0 && review.sinceCapture?.length === 0
  const testParts = review.change?.testParts ?? []
  const changed = (changes: readonly SourceChange[] | null) =>
    changes?.map((one): ChangedFile => ({ ...one, kind: fileKind(one.path, testParts), cause: causeOf(one, there) })) ??
    null
  return {
    scratchTree,
    headTree,
    ciTree,
    same: scratchTree === null || trees.length === 0 ? null : trees.includes(scratchTree) || onlyBundles,
    otherBundles: review.otherBundles,
    changed: changed(review.sinceCapture),
    afterBundle: changed(review.afterBundle),
    bundleBrought: review.change?.bundle ?? null,
    judgeFiles: judgeFiles(review, ci),
    script: scriptOf(scratch),
    ciDirt: ciDirt(here, review),
    submodules: submodulesOf(there, here),
    lfsPointers: { scratch: there?.lfsPointers ?? null, ci: here?.lfsPointers ?? null },
    filtered: there?.filtered ?? 0,
    ignored: there?.ignored ?? null,
    excluded: (there?.excluded ?? []).map((path) => ({ path, kind: fileKind(path) })),
    lineEndings: lineEndingsOf(there, here),
    changedByRun: { scratch: changedByRun(there), ci: changedByRun(here) },
  }
}

/** What the scratch box itself tells of a file that differs now. */
function causeOf({ path, how, oid }: SourceChange, there: RecordedSource | null): ChangedFile['cause'] {
  if (there === null) return null
  if (there.hiddenPaths.includes(path)) return how === 'added' ? 'not on disk' : 'hidden'
  if (how === 'removed' && there.untracked.includes(path)) return 'never committed'
  if (how === 'removed' && there.removed.includes(path)) return 'removal was staged'
  const after = there.after.find((one) => one.path === path)
  return after !== undefined && after.oid === oid ? 'written by the run' : null
}

/** The files by which the change under review is judged, and that it changes itself; null where it is not known what it changes. */
function judgeFiles({ change }: Review, ci: Evidence): readonly JudgeFile[] | null {
  if (change === null) return null
  const named = namedFiles(ci)
  return change.files.flatMap((file): JudgeFile[] => {
    const kind = fileKind(file.path, change.testParts)
    if (JUDGE.has(kind)) return [{ ...file, kind }]
    return named.has(file.path) ? [{ ...file, kind: 'command' }] : []
  })
}

const JUDGE: ReadonlySet<string> = new Set(['workflow', 'test configuration', 'lockfile', 'capture script'])

/** Files that the words of CI's command may name, relative to the repository. */
function namedFiles({ run }: Evidence): ReadonlySet<string> {
  const words = run?.command?.split(/[\s;&|()'"=]+/).filter(Boolean) ?? []
  const cwd = run?.cwd ?? '.'
  const named = words.map((word) => posix.normalize(posix.join(cwd, word)))
  const files = (tool: string, ...names: string[]) =>
    words.some((word) => posix.basename(word) === tool)
      ? names.map((name) => posix.normalize(posix.join(cwd, name)))
      : []
  return new Set([
    ...named,
    ...files('make', 'Makefile', 'makefile', 'GNUmakefile'),
    ...files('just', 'justfile', 'Justfile'),
    ...files('task', 'Taskfile.yml', 'Taskfile.yaml'),
    ...files('rake', 'Rakefile'),
    ...files('tox', 'tox.ini'),
    ...files('nox', 'noxfile.py'),
  ])
}

/** Whether the bundle's script is one that was published; null where there is no bundle of format 2. */
function scriptOf(scratch: Evidence | null): SourceComparison['script'] {
  if (scratch === null || scratch.run === null) return null
  const { script } = scratch.run
  return script === null ? 'not recorded' : KNOWN_SCRIPTS.has(script) ? 'published' : 'other'
}

/** Files that CI's command found other than in the commit that was checked out; null where both are not known. */
function ciDirt(here: RecordedSource | null, { checkoutTree }: Review): readonly string[] | null {
  if (here === null || here.tree === null || here.dirty === null) return null
  // Where CI ran in another checkout, its own word counts; else the commit's tree tells.
  const clean = !here.dirty || here.tree === checkoutTree
  return clean ? [] : here.changes.map(({ path }) => path)
}

function submodulesOf(there: RecordedSource | null, here: RecordedSource | null): SourceComparison['submodules'] {
  if (there === null) return []
  return there.submodules.flatMap(({ path, state }) => {
    const ci = here?.submodules.find((one) => one.path === path)?.state ?? null
    const told = state === 'clean' && (ci === null || ci === state)
    return told ? [] : [{ path, scratch: state, ci }]
  })
}

function lineEndingsOf(there: RecordedSource | null, here: RecordedSource | null): SourceComparison['lineEndings'] {
  const settings = (source: RecordedSource) =>
    [
      ...(converts(source.lineEndings.autocrlf) ? [`core.autocrlf=${source.lineEndings.autocrlf}`] : []),
      ...(source.lineEndings.eol === 'crlf' ? ['core.eol=crlf'] : []),
    ].join(', ')
  if (there?.tree == null || here?.tree == null) return null
  const [scratch, ci] = [settings(there), settings(here)]
  return scratch === ci ? null : { scratch, ci }
}

/** Whether a value of `core.autocrlf` makes files on disk other than in git. */
function converts(autocrlf: string | null): boolean {
  return autocrlf === 'true' || autocrlf === '1' || autocrlf === 'yes' || autocrlf === 'on'
}

/** Tracked files that the run changed or removed: what it leaves behind beside them is no source. */
function changedByRun(source: RecordedSource | null): readonly string[] {
  if (source === null) return []
  return source.after
    .filter(({ how, path }) => how !== 'added' && !source.untracked.includes(path))
    .map(({ path }) => path)
}
