import type { Moment } from './junit-time.ts'

/**
 * What one run left behind, read. The scratch box and CI are both this: one format, one reader, one type.
 * Every string in it came out of a bundle or out of a tool's output and is hostile until it passed `report/escape.ts`.
 */
export interface Evidence {
  /** How a person names it: the bundle's directory relative to the repository, or the name of CI's leg. */
  readonly name: string
  /** 1 is what people paste, 2 what `capture_run.sh` writes, null where no file tells. */
  readonly format: 1 | 2 | null
  /** The names of the files that are part of the bundle and could be read, sorted. */
  readonly files: readonly string[]
  readonly exits: readonly Exit[]
  readonly toolchain: Toolchain | null
  readonly run: Run | null
  readonly locks: readonly LockCopy[]
  readonly freezes: readonly Freeze[]
  /** All JUnit files together; null where there is none or none can be read. */
  readonly tests: TestReport | null
  /** What is wrong with the bundle as files: nothing a reader did not understand is lost. */
  readonly problems: readonly Problem[]
}

/** What was found where a bundle should be. */
export interface Bundle {
  /** Its directory relative to the repository, as a person names it. */
  readonly name: string
  /** Null where no file of it can be read. */
  readonly evidence: Evidence | null
  /** Why there is no evidence; null where there is. */
  readonly absent: 'no directory' | 'empty directory' | 'no file can be read' | 'not read' | null
  /** What is wrong with it as files, also where there is no evidence. */
  readonly problems: readonly Problem[]
}

/** The content of one `<runner>.exit`. */
export interface Exit {
  readonly file: string
  /** `pytest` of `pytest.exit`. */
  readonly runner: string
  /** The exit code, 0 to 255; null where the file holds no integer. */
  readonly code: number | null
  /** What stands there instead of an integer, cut to 200 characters; '' for an empty file. */
  readonly word: string | null
}

export interface Toolchain {
  readonly file: string
  readonly format: 1 | 2
  /** By the keys of format 2 (`os`, `arch`, `python.version`); lines of format 1 are mapped to them. */
  readonly facts: ReadonlyMap<string, Fact>
  /** Lines that have no known shape, kept to be shown. */
  readonly unrecognised: readonly { readonly line: number; readonly text: string }[]
}

export interface Fact {
  readonly value: string
  /** One-based line in the file. */
  readonly line: number
}

/** `run.txt` of format 2. Absent keys are null. */
export interface Run {
  readonly runner: string | null
  /** As a person would type it; of several runs one after the other, a line each. */
  readonly command: string | null
  readonly argv: readonly string[]
  /** Relative to the repository. */
  readonly cwd: string | null
  /** RFC 3339, UTC, as recorded. */
  readonly started: string | null
  readonly finished: string | null
  readonly exit: number | null
  readonly signal: string | null
  /** The runs after the first, whose own facts stand above: one bundle may hold several. */
  readonly others: readonly OtherRun[]
  /** The command's words do not tell which tools it starts: those that were found on PATH are recorded. */
  readonly toolsByPath: boolean
  /** The lockfile's path relative to the repository, as recorded. */
  readonly lockfile: string | null
  readonly source: RecordedSource
  /** The SHA-256 of the script that recorded it. */
  readonly script: string | null
  /** JUnit files that the globs named and that are older than the run, so that they are not its own. */
  readonly olderJUnit: readonly string[]
  /** What was told to write JUnit, or where it should have lain, of each run that left none. */
  readonly missingJUnit: readonly string[]
  /** How many packages `go test` answered from its cache; null where that was not watched. */
  readonly cached: number | null
}

/** What `run.txt` says of the source that ran. Paths are relative to the repository. */
export interface RecordedSource {
  /** The commit that was checked out. */
  readonly head: string | null
  /** The tree of the whole working tree before the run, what is not committed included, without the bundle's own files. */
  readonly tree: string | null
  /** Whether that tree is another than that of `head`. */
  readonly dirty: boolean | null
  /** The newest commit before `head`, or `head` itself, that a remote had; the one that `changes` are told against. */
  readonly base: string | null
  /** How many tracked files git was told to overlook changes of, as recorded, and the names of the first. */
  readonly hidden: string | null
  readonly hiddenPaths: readonly string[]
  /** Files that were there, and that the next commit was to remove. */
  readonly removed: readonly string[]
  /** What was there and git ignored by rules that are not in the repository, the first. */
  readonly excluded: readonly string[]
  /** Files that `head` does not have, the first 200. */
  readonly untracked: readonly string[]
  /** What has to be done to the tree of `base` to have `tree`. */
  readonly changes: readonly RecordedChange[]
  /** How many changes are not listed. */
  readonly unlisted: number
  /** What became of the source while it ran, by the word of the run's own box. */
  readonly after: readonly RecordedChange[]
  /** `dirty`: with changes inside, which no tree tells of; `absent`: not checked out; `empty`: a repository with no commit. */
  readonly submodules: readonly { readonly state: 'clean' | 'dirty' | 'absent' | 'empty'; readonly path: string }[]
  /** Ignored files, a directory of them as one. */
  readonly ignored: number | null
  /** Files of Git LFS whose content was not there; null where the repository has none. */
  readonly lfsPointers: number | null
  /** Files that passed a filter of that machine before git saw them: the tree does not tell what was on disk. */
  readonly filtered: number | null
  /** Settings that make files on disk other than in git. */
  readonly lineEndings: { readonly autocrlf: string | null; readonly eol: string | null }
}

/** A file that was other than in another tree. */
export interface RecordedChange {
  readonly how: 'added' | 'changed' | 'removed'
  /** Git's mode, 000000 for a file that is not there. */
  readonly mode: string
  /** The name of the content, zeroes likewise. */
  readonly oid: string
  /** As git quotes it, and as it is. */
  readonly quoted: string
  readonly path: string
}

/** A run after the first. One that was not started any more, because an earlier one was interrupted, has no exit. */
export interface OtherRun {
  readonly runner: string | null
  readonly command: string | null
  readonly finished: string | null
  readonly exit: number | null
}

/** `lock.copy` or `lock-<name>.copy`. */
export interface LockCopy {
  readonly file: string
  /** The bytes as committed; empty where `none`. */
  readonly bytes: Uint8Array
  /** The file says `NO_LOCKFILE`: the capture looked and found none. */
  readonly none: boolean
  /** The path that `run.txt` records for it; null in format 1. */
  readonly path: string | null
}

/** `freeze.txt` or `freeze-<name>.txt`: what was installed. */
export interface Freeze {
  readonly file: string
  /** The form that was recognised, such as `pip freeze`; null where none was. */
  readonly form: string | null
  readonly packages: PackageList
}

export type Ecosystem =
  | 'python'
  | 'conda'
  | 'npm'
  | 'go'
  | 'cargo'
  | 'ruby'
  | 'php'
  | 'hex'
  | 'nuget'
  | 'maven'
  | 'swift'
  | 'pub'

/** A file that a package may be installed from, or the commit that it is. */
export interface Artefact {
  /** Its name, such as that of a wheel; null where the lockfile has the hash alone. */
  readonly file: string | null
  /** With its kind before it: `sha256:…`, `sha512-…`, `h1:…`, `commit:…`. */
  readonly hash: string
}

/** One package at one version, as a lockfile or an installed list names it. */
export interface Package {
  /** Folded as the ecosystem does (PEP 503 for Python). */
  readonly name: string
  /** As written; null where the entry has none (an editable, a path). */
  readonly version: string | null
  /**
   * The URL, commit or path of an entry that does not come from the default registry, without credentials; of one that
   * pins no version, the range that it names.
   */
  readonly source: string | null
  /** What it may be installed from, as far as hashes are recorded. */
  readonly artefacts: readonly Artefact[]
  /** Whether it may honestly be absent: another platform, a marker, an extra, an optional or development group. */
  readonly conditional: boolean
  /** The project itself, a workspace member or a path dependency: no artefact of a registry. */
  readonly local: boolean
  /** Whether the project itself names it, rather than a dependency of it; null where the format does not tell. */
  readonly direct: boolean | null
  /** Other names, by which the project calls it, as far as the format tells. */
  readonly aliases: readonly string[]
}

/** What was read of a lockfile or an installed list. */
export interface PackageList {
  readonly ecosystem: Ecosystem | null
  readonly packages: readonly Package[]
  /** Lines or entries that were not understood: the list is then not complete. `line` is one-based, null where unknown. */
  readonly notRead: readonly { readonly line: number | null; readonly text: string }[]
}

/** `expected`: it ran and failed, as it was said that it would: pytest's xfail, a test that is still to be done. */
export type CaseStatus = 'passed' | 'failed' | 'error' | 'skipped' | 'expected'

/** One test case as one JUnit element names it. Duplicates are kept: a list is a multiset. */
export interface TestCase {
  /** The class, module or suite that it belongs to; '' for none. Two runs are matched by this and the name. */
  readonly scope: string
  /** Stable across machines and reporters, like the scope. `shownName` makes of both what a person would write. */
  readonly name: string
  /** The path of the suites around it: of cases with one scope and name, those of one suite belong together. */
  readonly suite: string
  readonly status: CaseStatus
  /** Seconds; null where not recorded or not readable. */
  readonly seconds: number | null
  /** Why it was skipped or how it failed, the first line, cut to 300 characters; null where the file does not say. */
  readonly message: string | null
  /** How many earlier attempts of it the report tells of; they count as no case. */
  readonly attempts: number
}

export interface TestReport {
  readonly files: readonly string[]
  readonly cases: readonly TestCase[]
  /** Those of the cases that stand for a file that ran no test of its own, and passed. */
  readonly hollow: readonly TestCase[]
  /** Problems that belong to a suite and to no case: a suite-level `<error>` or `<failure>`. */
  readonly suiteProblems: readonly { readonly file: string; readonly message: string | null }[]
  /** Where suite attributes contradict the elements, for information: `tests="24"` and 21 elements. */
  readonly countMismatches: readonly {
    readonly file: string
    readonly attribute: number
    readonly elements: number
    /** Whether it is about all cases or about those that did not pass. */
    readonly of: 'cases' | 'failures'
  }[]
  /** The machines that its suites name. */
  readonly hosts: readonly string[]
  /** The earliest and the latest timestamp of each file's suites, of those with a zone and of those without. */
  readonly moments: readonly Moment[]
  /** The longest time in seconds that a suite gives for itself; null where none gives any. */
  readonly suiteSeconds: number | null
  /** Executed cases of Go packages that took no time at all, as those do that `go test` answers from its cache. */
  readonly cachedCases: number
  /** The SHA-256 of each file that no other run would write: two honest runs may write the same where few times are recorded. */
  readonly digests: readonly { readonly file: string; readonly digest: string }[]
}

/** What is wrong with a file of the bundle; `file` is '' for its directory. `line` is one-based. */
export type Problem =
  | { readonly kind: 'unexpected-file'; readonly file: string; readonly expected: string | null }
  | {
      readonly kind: 'not-regular'
      readonly file: string
      readonly what: 'symbolic link' | 'directory' | 'submodule' | 'special file' | 'file'
    }
  | { readonly kind: 'over-cap'; readonly file: string; readonly bytes: number; readonly cap: number }
  | { readonly kind: 'too-many-files'; readonly count: number; readonly cap: number }
  | { readonly kind: 'unreadable'; readonly file: string; readonly line: number | null; readonly why: string }
  | { readonly kind: 'unrecognised-line'; readonly file: string; readonly line: number; readonly text: string }
  | { readonly kind: 'repeated-key'; readonly file: string; readonly line: number; readonly key: string }
  | { readonly kind: 'not-utf8'; readonly file: string; readonly line: number | null }
  | { readonly kind: 'control-characters'; readonly file: string; readonly line: number | null }
  | { readonly kind: 'edited-after-capture'; readonly file: string }
  /** Something that looks like a secret, by the name of the rule that says so. It is masked in what is read. */
  | { readonly kind: 'secret'; readonly file: string; readonly line: number | null; readonly what: string }
  /** As it was summed, but for its line endings. */
  | { readonly kind: 'line-endings'; readonly file: string }
