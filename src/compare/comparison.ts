import type { Bundle, Evidence, Exit, TestCase } from '../read/evidence.ts'
import type { CiNote } from '../read/recording.ts'
import type { Review, SourceChange } from '../read/review.ts'
import type { FileChange } from '../record/trees.ts'
import type { FileKind } from './file-kind.ts'

/** Two runs beside each other. Every `null` means "not measured", and is never shown as "the same". */
export interface Comparison {
  readonly bundle: Bundle
  /** The bundle's evidence; null where there is none that can be read. */
  readonly scratch: Evidence | null
  readonly ci: Evidence
  /** What could not be recorded of CI's run. */
  readonly ciNotes: readonly CiNote[]
  readonly review: Review
  readonly exits: ExitComparison
  readonly command: CommandComparison
  readonly toolchain: readonly ToolchainRow[]
  readonly lockfiles: readonly LockfileComparison[]
  /** One for each ecosystem of which the bundle has a list of installed packages that can be read. */
  readonly installed: readonly InstalledComparison[]
  /** CI's own installed packages against CI's own lockfiles, where both are recorded. */
  readonly ciInstalled: readonly InstalledAgainstLock[]
  readonly tests: TestsComparison
  readonly signals: Signals
  readonly source: SourceComparison
}

export interface ExitComparison {
  readonly scratch: readonly Exit[]
  /** 0 where every file of the bundle holds 0, else the first other integer; null where a file holds none or there is no file. */
  readonly scratchCode: number | null
  readonly ciCode: number | null
}

export interface CommandComparison {
  readonly scratch: string | null
  readonly ci: string | null
  /** Whether the two mean the same tests: reporter and verbosity options left out. Null where either is not recorded. */
  readonly same: boolean | null
}

/**
 * What a difference between two values of a fact means for the transfer of a PASS.
 * `cosmetic` (a path, a kernel), `drift` (minor or patch), `abi`, `platform`; `unrecorded` where a side has no value.
 */
export type Grade = 'same' | 'cosmetic' | 'drift' | 'abi' | 'platform' | 'unrecorded'

export interface ToolchainRow {
  /** The key of format 2: `python.version`. */
  readonly key: string
  readonly scratch: string | null
  readonly ci: string | null
  readonly grade: Grade
  /** For facts whose difference has a direction: which side has the newer one. */
  readonly newer: 'scratch' | 'ci' | null
  /** Where the fact stands in the bundle, for the annotation. */
  readonly file: string | null
  readonly line: number | null
}

/** A package at two versions. */
export interface Change {
  readonly name: string
  readonly from: string
  readonly to: string
  /** Whether the project itself names it; absent where the lockfile does not tell. */
  readonly direct?: boolean
}

export interface NameVersion {
  readonly name: string
  /** '' where the entry has no version. */
  readonly version: string
  /** Whether the project itself names it; absent where the lockfile does not tell. */
  readonly direct?: boolean
}

/** Packages that two lockfiles name at one version: whether they are the same bytes for CI's platform. */
export interface ArtefactComparison {
  /** How many have an artefact in common. */
  readonly same: number
  /** How many have no hashes that can be compared. */
  readonly notRecorded: number
  /** One file, or all that is named, with another hash. */
  readonly otherHash: readonly NameVersion[]
  /** Other files altogether, as where one lockfile was made for another platform. */
  readonly otherFile: readonly NameVersion[]
}

export interface LockfileComparison {
  /** The path of the repository's lockfile; the bundle's file name where the repository has none that fits. */
  readonly path: string
  readonly file: string | null
  readonly format: string | null
  /** `copy`: the bundle has the bytes; `none`: it says NO_LOCKFILE; `missing`: it says nothing. */
  readonly scratch: 'copy' | 'none' | 'missing'
  /** Same bytes. Null where one side has none. */
  readonly identical: boolean | null
  readonly compared: 'same' | 'differs' | 'could not compare'
  /** Why it could not be compared, a phrase; null where it was. */
  readonly why: string | null
  /** Line of the bundle's copy where reading stopped, one-based. */
  readonly line: number | null
  /** Distinct name and version. */
  readonly packages: { readonly scratch: number | null; readonly repository: number | null }
  /** How many of those of the bundle's copy are of the project itself: a workspace member, a path. */
  readonly own: number
  readonly added: readonly NameVersion[]
  readonly removed: readonly NameVersion[]
  readonly changed: readonly Change[]
  /** Null where the two were not compared package by package. */
  readonly artefacts: ArtefactComparison | null
  /** Entries of either side that the reader did not understand. */
  readonly notRead: readonly {
    readonly side: 'scratch' | 'repository'
    readonly line: number | null
    readonly text: string
  }[]
  /** A diff of the texts, where no package differs that could be compared; null where it would be too long. */
  readonly diff: string | null
  /** The command that installs the repository's lockfile as it is; null where the format is unknown. */
  readonly install: string | null
  /** The bundle's lockfile is one that git ignores, so that no commit can have it. */
  readonly ignored: boolean
  /** Whether the pull request changes the repository's lockfile; null where that is not known. */
  readonly changedHere: boolean | null
  /** Why this file pins less than a lockfile does; null where it is one. */
  readonly weak: string | null
}

/** Installed packages against a lockfile of the same side. */
export interface InstalledAgainstLock {
  readonly installed: number
  readonly lockfile: string
  /** The command that makes what is installed what the lockfile names; null where none is known. */
  readonly install: string | null
  readonly notLocked: readonly NameVersion[]
  /** `from` is locked, `to` is installed. */
  readonly otherVersion: readonly Change[]
  /** Locked with no condition, and not installed. */
  readonly missing: readonly NameVersion[]
  /** How many that are locked are not installed, those for other platforms, extras and groups included. */
  readonly notInstalled: number
}

export interface InstalledComparison {
  /** The bundle's file. */
  readonly file: string
  /** Null where the bundle has no lockfile of that ecosystem that can be read. */
  readonly againstLock: InstalledAgainstLock | null
  /** `from` is the scratch box, `to` is CI. Null where CI recorded none of that ecosystem. */
  readonly againstCi: {
    readonly added: readonly NameVersion[]
    readonly removed: readonly NameVersion[]
    readonly changed: readonly Change[]
  } | null
}

export interface Counts {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly errors: number
  readonly skipped: number
  /** Failed as it was said that they would. */
  readonly expected: number
}

/** One case on both sides. With duplicates, the n-th of one side stands beside the n-th of the other. */
export interface CasePair {
  readonly scratch: TestCase
  readonly ci: TestCase
}

export type SkipCause = 'network' | 'module' | 'platform' | 'credentials' | 'other'

export interface SkipGroup {
  readonly cause: SkipCause
  /** The module's name where the cause is a missing one and all messages name the same; else null. */
  readonly detail: string | null
  readonly pairs: readonly CasePair[]
}

export interface TestsComparison {
  readonly scratch: Counts | null
  readonly ci: Counts | null
  /** Same status on both sides, executed. */
  readonly agreed: number
  readonly agreedPassed: number
  /** Failed as expected on both sides. */
  readonly agreedExpected: number
  /** Skipped on both sides. */
  readonly skippedInBoth: number
  /** Passed on one side, failed or in error on the other. */
  readonly flipped: readonly CasePair[]
  /** Executed on both sides, and failed as expected on one of them alone. */
  readonly unexpected: readonly CasePair[]
  readonly skippedInScratch: readonly SkipGroup[]
  readonly skippedInCi: readonly SkipGroup[]
  readonly onlyScratch: readonly TestCase[]
  readonly onlyCi: readonly TestCase[]
  /** Cases that one side has once more than the other. */
  readonly repeats: { readonly scratch: readonly TestCase[]; readonly ci: readonly TestCase[] }
  /** How many skipped cases of the scratch report stand for a module, suite or parent, and for how many of CI's cases. */
  readonly skippedAsOne: { readonly skips: number; readonly cases: number }
  /** Cases of which the report tells of earlier attempts. */
  readonly rerun: { readonly scratch: readonly TestCase[]; readonly ci: readonly TestCase[] }
  /** Spearman's rank correlation of the times of cases that passed on both sides, and over how many; null under 20 distinct times. */
  readonly timeRanks: { readonly rho: number; readonly cases: number } | null
}

/** What a run's report says of the run beside its results. Each has honest causes too. */
export interface RunSignals {
  /** Every executed case took one and the same time, which is not zero. */
  readonly sameTime: { readonly seconds: number; readonly cases: number } | null
  /** How many cases were executed in no time at all, their suites included. */
  readonly noTime: number | null
  /** How many packages `go test` answered from its cache, as the script saw it. */
  readonly cachedPackages: number | null
  /** How many cases of such packages there are, as the report tells. */
  readonly cachedCases: number | null
  /** A timestamp of the report that lies outside the run, all as recorded. */
  readonly outside: { readonly stamp: string; readonly started: string; readonly finished: string | null } | null
  /** The machines that the report names, where the run was on none of them. */
  readonly otherHosts: readonly string[]
  /** Cases that stand for a file that ran no test, and passed. */
  readonly hollow: readonly TestCase[]
  /** There is no report, though this was told to write one. */
  readonly notWritten: string | null
}

/** A report that is on both sides. */
export interface CopiedReport {
  /** The bundle's files that have the same bytes as one of CI's. */
  readonly files: readonly string[]
  /** Where no file has: of how many cases, which is all, the times are the same; else null. */
  readonly times: number | null
  /** Where neither is: the moment, finer than a second, that both reports give for themselves; else null. */
  readonly moment: string | null
}

export interface Signals {
  readonly scratch: RunSignals
  readonly ci: RunSignals
  readonly copied: CopiedReport | null
}

/** A file that is other than in the scratch run. */
export interface ChangedFile extends SourceChange {
  readonly kind: FileKind
  /** What the scratch box itself tells of it; null where it tells nothing. */
  readonly cause: 'never committed' | 'removal was staged' | 'written by the run' | 'hidden' | 'not on disk' | null
}

/** A file by which the change under review is judged; `command`: CI's command names it. */
export interface JudgeFile extends FileChange {
  readonly kind: FileKind | 'command'
}

export interface SourceComparison {
  readonly scratchTree: string | null
  readonly headTree: string | null
  /** The tree that CI's command ran on, as recorded; else that of the checkout. */
  readonly ciTree: string | null
  /** Whether the scratch run's tree is the one under review or the one that CI tested. Null where either is unknown. */
  readonly same: boolean | null
  /** Directories of other bundles that changed since the capture: they make no other source. */
  readonly otherBundles: readonly string[]
  /** Files that differ, where both trees can be had; null where they cannot, or need not. */
  readonly changed: readonly ChangedFile[] | null
  /** Of a bundle that names no tree: what commits after it changed; null where unknown. */
  readonly afterBundle: readonly ChangedFile[] | null
  /** Whether the change under review brought or changed the bundle; null where unknown. */
  readonly bundleBrought: boolean | null
  /** Files by which the change is judged, and that it changes; null where it is not known what it changes. */
  readonly judgeFiles: readonly JudgeFile[] | null
  /** The script that the bundle says it was made by; null where there is no `run.txt`. */
  readonly script: 'published' | 'other' | 'not recorded' | null
  /** Files that CI's command found other than in its commit; null where that was not recorded. */
  readonly ciDirt: readonly string[] | null
  /** Submodules of which the tree does not tell what ran: with changes inside, or other than in CI. `null`: not recorded. */
  readonly submodules: readonly { readonly path: string; readonly scratch: string; readonly ci: string | null }[]
  /** Files of Git LFS whose content was not there; null where not recorded. */
  readonly lfsPointers: { readonly scratch: number | null; readonly ci: number | null }
  /** How many files a filter of the scratch box changed before git saw them. */
  readonly filtered: number
  /** How many files and folders were there that git ignores; null where not recorded. */
  readonly ignored: number | null
  /** Those of them that no rule of the repository names. */
  readonly excluded: readonly { readonly path: string; readonly kind: FileKind }[]
  /** Settings by which the files of one tree are other bytes on disk, where they differ; '' for none. */
  readonly lineEndings: { readonly scratch: string; readonly ci: string } | null
  /** Tracked files that the run changed. */
  readonly changedByRun: { readonly scratch: readonly string[]; readonly ci: readonly string[] }
}
