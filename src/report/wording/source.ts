import type { ChangedFile } from '../../compare/comparison.ts'
import type { Finding } from '../../judge/finding.ts'
import { groupBy } from '../../read/group.ts'
import type { FileChange } from '../../record/trees.ts'
import { code, count, enumerate, group, type Inlines, t } from '../document.ts'
import { asSentence, reviewed, type Sentence } from './sentence.ts'

const BIND = t`To bind it again: run ${code('capture_run.sh')} on this commit and commit what it writes.`

const NOT_RECORDED: Readonly<Record<Extract<Finding, { id: 'source/not-recorded' }>['why'], Inlines>> = {
  'format 1': t`Format 1 does not record it. The ${code('capture_run.sh')} of this action does: it writes ${code('git.tree')}.`,
  'no run.txt': t`It stands in ${code('run.txt')}, which is missing or could not be read.`,
  'no git': t`${code('run.txt')} has no ${code('git.tree')}: where it ran there was no git repository, or no git.`,
  'not read': t`${code('run.txt')} has no ${code('git.tree')} that is the name of a tree: git there could not read every file.`,
}

const BIND_HERE = t`To bind it again: run ${code('capture_run.sh')} on it as it is now.`

/** The words for the source: which tree was run, there and in CI; null for another finding. */
export function sourceSentence(finding: Finding): Sentence | null {
  switch (finding.id) {
    case 'source/other-tree': {
      const { changed, scratch, head, base, captured, under } = finding
      return {
        lead: [`The scratch run was of other source than ${reviewed(under)}.`],
        detail:
          changed === null
            ? t`Tree ${code(scratch.slice(0, 10))} there, ${code(head.slice(0, 10))} here, each without the bundle's own files. Which files differ cannot be told: ${captured === null ? 'the bundle names no commit' : t`the captured commit ${code(captured.slice(0, 10))} does not make that tree, or is not in this repository`}. A commit that was never pushed, or that was replaced, does that, and many files that were never committed. ${BIND}`
            : t`${files(changed, base)}${causes(changed)} ${under === 'commit' ? BIND : BIND_HERE}`,
      }
    }
    case 'source/other-bundles':
      return {
        lead: t`Since the capture, ${count(finding.directories.length, 'other bundle', 'other bundles')} changed.`,
        detail: t`${names(finding.directories)}. What another run recorded is no source of this one.`,
      }
    case 'source/left-over':
      return {
        lead: ['The bundle came with an earlier change.'],
        detail: t`No file of it is changed by this pull request. To have evidence of this change: run ${code('capture_run.sh')} again and commit what it writes.`,
      }
    case 'source/later-commits':
      return {
        lead: t`Commits after the bundle changed ${count(finding.changed.length, 'file')}.`,
        detail: t`${files(finding.changed, finding.base)} The bundle does not say which source it ran; it was there before them. ${BIND}`,
      }
    case 'source/not-recorded':
      return { lead: ['The bundle does not say which source it ran.'], detail: NOT_RECORDED[finding.why] }
    case 'source/hidden':
      return {
        lead: t`The scratch box told git to overlook changes of ${/^\d+$/.test(finding.hidden) ? count(Number(finding.hidden), 'tracked file') : t`tracked files (${code(finding.hidden)})`}.`,
        detail: t`${finding.paths.length === 0 ? [] : t`${names(finding.paths)}. `}They are marked ${code('assume-unchanged')} or ${code('skip-worktree')}, as a sparse checkout does too. The recorded tree has them as they were on disk.`,
      }
    case 'source/changed-by-run':
      return {
        lead: t`${finding.side === 'ci' ? "CI's" : 'The scratch'} run changed ${count(finding.paths.length, 'tracked file')}.`,
        detail: t`${names(finding.paths)}. Updated snapshots, a formatter, a generator or a tool that rewrites its lockfile do that. What is compared is the source before the run.`,
      }
    case 'source/submodules':
      return {
        lead: t`The tree does not tell what ${count(finding.submodules.length, 'submodule or repository inside', 'submodules or repositories inside')} held.`,
        detail: t`${enumerate(
          finding.submodules.map(
            ({ path, scratch, ci }) =>
              t`${code(path)}: ${state(scratch)} there${ci === null || ci === scratch ? '' : `, ${state(ci)} here`}`,
          ),
          5,
        )}. To have the same: commit inside the submodule and push it; ${code('submodules: true')} for ${code('actions/checkout')}.`,
      }
    case 'source/lfs':
      return {
        lead: t`${count(finding.scratch ?? 0, 'file')} of Git LFS ${finding.scratch === 1 ? 'was a pointer' : 'were pointers'} in the scratch box, ${finding.ci ?? 0} in CI.`,
        detail: t`A pointer stands in place of the content, so that the tests saw another file. To have the content: ${code('git lfs pull')} there; ${code('lfs: true')} for ${code('actions/checkout')} here.`,
      }
    case 'source/filtered':
      return {
        lead: t`${count(finding.files, 'file')} went through a filter of the scratch box before git saw ${finding.files === 1 ? 'it' : 'them'}.`,
        detail: t`What was on disk, and ran, is then not what the tree tells. ${code('git config --get-regexp filter')} there names the filters.`,
      }
    case 'source/excluded':
      return {
        lead: t`${count(finding.paths.length, 'file or folder was', 'files or folders were')} there that git ignores by rules outside of the repository.`,
        detail: t`${names(finding.paths)}. The tree does not tell of ${finding.paths.length === 1 ? 'it' : 'them'}. ${code('.git/info/exclude')} and a global ${code('core.excludesFile')} hold such rules.`,
      }
    case 'source/line-endings':
      return {
        lead: ['The same tree had other line endings on disk.'],
        detail: t`${setting(finding.scratch)} there, ${setting(finding.ci)} here. To have the same everywhere: ${code('* text=auto eol=lf')} in ${code('.gitattributes')}.`,
      }
    case 'source/ci-tree':
      return {
        lead: t`CI's command found ${count(finding.paths.length, 'file')} other than in the commit that was checked out.`,
        detail: t`${names(finding.paths)}. An earlier step of the job that builds, installs or formats does that. The commit under review does not have them so.`,
      }
    case 'source/merged':
      return {
        lead: t`CI tested the merge with ${branch(finding.base)}, in which ${count(finding.files.length, 'file is', 'files are')} other than in the commit under review.`,
        detail: t`${enumerate(finding.files.map(file), 8)}.`,
      }
    case 'source/own-judge':
      return {
        lead: t`This ${finding.base === null ? 'change' : 'pull request'} edits its own judge: ${count(finding.files.length, 'file')}.`,
        detail: t`${byKind(finding.files, (kind) => (kind === 'command' ? "named by CI's command" : kind))} CI's result is of these files as they are here: they are part of what is reviewed.`,
      }
    case 'source/script':
      return finding.script === 'other'
        ? {
            lead: ['The bundle was captured by an unrecognised script.'],
            detail: t`Its digest is not that of a published ${code('capture_run.sh')}. A copy that was edited or reformatted, or that is newer than this action, does that. What it recorded is compared all the same. To have a known one: copy ${code('capture_run.sh')} from this version of the action.`,
          }
        : {
            lead: ['The bundle does not say which script made it.'],
            detail: t`${code('run.txt')} has no ${code('capture.sha256')}.`,
          }
    case 'source/not-compared':
      return { lead: asSentence(finding.what), detail: asSentence(finding.remedy) }
    default:
      return null
  }
}

/** How many files differ, and whose doing that is, in a few words. */
export function changedPhrase(changed: readonly ChangedFile[]): string {
  const [since, fromBase, absent] = parted(changed).map((group) => group.length) as [number, number, number]
  const parts = [
    ...(since > 0 ? [count(since, 'file differs', 'files differ')] : []),
    ...(fromBase > 0
      ? [
          since > 0
            ? `${group(fromBase)} more from the base`
            : `${count(fromBase, 'file differs', 'files differ')}, ${fromBase === 1 ? '' : 'all '}from the base`,
        ]
      : []),
    ...(absent > 0 ? [`${count(absent, 'file was', 'files were')} not on disk there`] : []),
  ]
  return parts.join(', and ')
}

/** Whose doing a difference is. */
export function sideOf({ side }: ChangedFile): string {
  return side === 'base' ? 'from the base' : side === 'capture' ? 'since the capture' : 'not known'
}

/** Those that changed since the capture, those that the base brought, and those that were not on disk at capture. */
function parted(changed: readonly ChangedFile[]): [ChangedFile[], ChangedFile[], ChangedFile[]] {
  const there = changed.filter(({ cause }) => cause !== 'not on disk')
  return [
    there.filter(({ side }) => side !== 'base'),
    there.filter(({ side }) => side === 'base'),
    changed.filter(({ cause }) => cause === 'not on disk'),
  ]
}

/** The files that differ, by whose doing and by what they are for. */
function files(changed: readonly ChangedFile[], base: string | null): Inlines {
  const [since, fromBase, absent] = parted(changed)
  const known = since.some(({ side }) => side === 'capture')
  const parts = [
    ...(since.length === 0 ? [] : [t`${known ? 'Since the capture' : 'They differ in'}: ${byKind(since)}`]),
    ...(fromBase.length === 0 ? [] : [t`From ${branch(base)}: ${byKind(fromBase)}`]),
    ...(absent.length === 0
      ? []
      : [t`Not on disk there, as in a sparse checkout: ${names(absent.map(({ path }) => path))}.`]),
  ]
  return parts.flatMap((part, index) => (index === 0 ? part : [' ', ...part]))
}

function byKind<K extends string>(
  changes: readonly (FileChange & { readonly kind: K })[],
  name: (kind: K) => string = (kind) => kind,
): Inlines {
  const groups = [...groupBy(changes, ({ kind }) => kind)]
  return t`${groups.flatMap(([kind, list], index) => [
    ...(index === 0 ? [] : ['; ']),
    ...t`${name(kind)} ${enumerate(list.map(file), 4)}`,
  ])}.`
}

/** What the scratch box itself tells of the differences. */
function causes(changed: readonly ChangedFile[]): Inlines {
  const of = (cause: ChangedFile['cause']) => changed.filter((one) => one.cause === cause).map(({ path }) => path)
  const [never, written, hidden] = [of('never committed'), of('written by the run'), of('hidden')]
  const staged = of('removal was staged')
  return [
    ...(never.length === 0
      ? []
      : t` ${names(never)} ${never.length === 1 ? 'was' : 'were'} there at capture and never committed.`),
    ...(written.length === 0
      ? []
      : t` By the bundle's own word ${names(written)} ${written.length === 1 ? 'is' : 'are'} as the scratch run itself left ${written.length === 1 ? 'it' : 'them'}.`),
    ...(staged.length === 0
      ? []
      : t` ${names(staged)} ${staged.length === 1 ? 'was' : 'were'} there at capture, and staged to be removed.`),
    ...(hidden.length === 0 ? [] : t` ${names(hidden)} ${hidden.length === 1 ? 'was' : 'were'} hidden from git there.`),
  ]
}

function file({ path, how }: FileChange): Inlines {
  return how === 'changed' ? [code(path)] : t`${code(path)} (${how})`
}

function names(paths: readonly string[]): Inlines {
  return enumerate(
    paths.map((path) => [code(path)]),
    5,
  )
}

function branch(base: string | null): Inlines {
  return base === null ? ['the base'] : [code(base)]
}

function state(word: string): string {
  return STATES.get(word) ?? word
}

const STATES: ReadonlyMap<string, string> = new Map([
  ['dirty', 'with changes inside'],
  ['absent', 'not checked out'],
  ['empty', 'a repository without a commit'],
  ['clean', 'as committed'],
])

function setting(words: string): Inlines {
  return words === '' ? ['none set'] : [code(words)]
}
