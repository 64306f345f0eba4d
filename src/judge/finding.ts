import type {
  CasePair,
  ChangedFile,
  CopiedReport,
  InstalledAgainstLock,
  InstalledComparison,
  JudgeFile,
  LockfileComparison,
  NameVersion,
  RunSignals,
  SkipGroup,
  SourceComparison,
  ToolchainRow,
} from '../compare/comparison.ts'
import type { Bundle, Problem, TestCase, TestReport } from '../read/evidence.ts'
import type { Review } from '../read/review.ts'
import type { FileChange } from '../record/trees.ts'

/** `warning`: the PASS does not carry over as it stands. `notice`: look at it. `info`: said, so that nothing is lost. */
export type Level = 'info' | 'notice' | 'warning'

type ProblemOf<K extends Problem['kind']> = Extract<Problem, { kind: K }>

/** Which of the two runs a finding is about. */
export type Side = 'scratch' | 'ci'

/** CI's distribution and architecture as recorded, for the command that makes the same. */
interface Machine {
  readonly distro: string | null
  readonly arch: string | null
}

/** What a finding is about, by its id. A finding carries facts only; its sentence is in `report/wording/`. */
export type Fact =
  | { readonly id: 'bundle/none'; readonly bundle: Bundle; readonly under: Review['under'] }
  | { readonly id: 'bundle/unexpected-file'; readonly problems: readonly ProblemOf<'unexpected-file'>[] }
  | { readonly id: 'bundle/not-regular'; readonly problem: ProblemOf<'not-regular'> }
  | { readonly id: 'bundle/over-cap'; readonly problem: ProblemOf<'over-cap'> }
  | { readonly id: 'bundle/too-many-files'; readonly problem: ProblemOf<'too-many-files'> }
  | { readonly id: 'bundle/unreadable'; readonly problem: ProblemOf<'unreadable'> }
  | { readonly id: 'bundle/unrecognised-line'; readonly problems: readonly ProblemOf<'unrecognised-line'>[] }
  | { readonly id: 'bundle/repeated-key'; readonly problems: readonly ProblemOf<'repeated-key'>[] }
  | { readonly id: 'bundle/not-utf8'; readonly problem: ProblemOf<'not-utf8'> }
  | { readonly id: 'bundle/control-characters'; readonly problem: ProblemOf<'control-characters'> }
  | { readonly id: 'bundle/edited-after-capture'; readonly files: readonly string[] }
  | { readonly id: 'bundle/no-sums' }
  | { readonly id: 'bundle/line-endings'; readonly files: readonly string[] }
  | { readonly id: 'bundle/secret'; readonly problems: readonly ProblemOf<'secret'>[] }
  | { readonly id: 'exit/missing'; readonly interrupted: boolean }
  | { readonly id: 'exit/not-a-number'; readonly word: string }
  | { readonly id: 'exit/interrupted'; readonly signal: string; readonly notRun: readonly string[] }
  | { readonly id: 'exit/two-answers'; readonly run: number; readonly exit: number }
  | { readonly id: 'exit/against-report'; readonly side: Side; readonly failures: number }
  | { readonly id: 'exit/against-ci'; readonly scratch: number; readonly ci: number | null }
  | { readonly id: 'exit/other-code'; readonly scratch: number; readonly ci: number }
  | { readonly id: 'tests/none-ran'; readonly side: Side; readonly skipped: number }
  /** `cargo test` writes no JUnit XML of its own. */
  | { readonly id: 'tests/no-report'; readonly side: Side; readonly cargoTest: boolean }
  | { readonly id: 'tests/not-written'; readonly side: Side; readonly exit: number | null; readonly what: string }
  | { readonly id: 'tests/green-report'; readonly side: Side; readonly exit: number }
  | { readonly id: 'tests/copied'; readonly copied: CopiedReport }
  | { readonly id: 'tests/timestamp'; readonly side: Side; readonly outside: NonNullable<RunSignals['outside']> }
  | { readonly id: 'tests/hostname'; readonly side: Side; readonly hosts: readonly string[] }
  | { readonly id: 'tests/same-time'; readonly side: Side; readonly seconds: number; readonly cases: number }
  | { readonly id: 'tests/no-time'; readonly side: Side; readonly cases: number }
  | {
      readonly id: 'tests/cached'
      readonly side: Side
      readonly packages: number | null
      readonly cases: number | null
    }
  | { readonly id: 'tests/hollow'; readonly side: Side; readonly cases: readonly TestCase[] }
  | { readonly id: 'tests/rerun'; readonly side: Side; readonly cases: readonly TestCase[] }
  | { readonly id: 'tests/flipped'; readonly pairs: readonly CasePair[] }
  | { readonly id: 'tests/expected'; readonly pairs: readonly CasePair[] }
  | {
      readonly id: 'tests/skipped-in-scratch'
      readonly groups: readonly SkipGroup[]
      /** What installs the packages that CI has; null where it is not known. */
      readonly install: string | null
    }
  | { readonly id: 'tests/skipped-in-ci'; readonly groups: readonly SkipGroup[] }
  | { readonly id: 'tests/only-scratch'; readonly cases: readonly TestCase[] }
  | { readonly id: 'tests/only-ci'; readonly cases: readonly TestCase[] }
  | { readonly id: 'tests/suite-problem'; readonly side: Side; readonly problems: TestReport['suiteProblems'] }
  | {
      readonly id: 'tests/count-mismatch'
      readonly attribute: number
      readonly elements: number
      readonly of: 'cases' | 'failures'
    }
  | { readonly id: 'toolchain/missing' }
  | ({ readonly id: 'toolchain/platform'; readonly rows: readonly ToolchainRow[] } & Machine)
  | ({ readonly id: 'toolchain/abi'; readonly tool: string; readonly rows: readonly ToolchainRow[] } & Machine)
  | { readonly id: 'toolchain/drift'; readonly rows: readonly ToolchainRow[] }
  | { readonly id: 'toolchain/not-recorded'; readonly rows: readonly ToolchainRow[] }
  | { readonly id: 'toolchain/by-path' }
  | { readonly id: 'lockfile/differs'; readonly lockfile: LockfileComparison }
  | {
      readonly id: 'lockfile/other-hash' | 'lockfile/other-artefact'
      readonly packages: readonly NameVersion[]
      /** The repository's lockfile. */
      readonly path: string
      readonly install: string | null
    }
  | { readonly id: 'lockfile/same-packages'; readonly lockfile: LockfileComparison }
  | { readonly id: 'lockfile/none'; readonly lockfile: LockfileComparison; readonly under: Review['under'] }
  | { readonly id: 'lockfile/nowhere'; readonly under: Review['under'] }
  | { readonly id: 'lockfile/missing'; readonly lockfile: LockfileComparison }
  | { readonly id: 'lockfile/only-freeze'; readonly lockfile: LockfileComparison; readonly freeze: string }
  | { readonly id: 'lockfile/ignored'; readonly lockfile: LockfileComparison }
  | { readonly id: 'lockfile/not-compared'; readonly lockfile: LockfileComparison }
  | { readonly id: 'lockfile/weak'; readonly lockfile: LockfileComparison }
  | { readonly id: 'installed/not-locked'; readonly against: InstalledAgainstLock }
  | { readonly id: 'installed/other-version'; readonly against: InstalledAgainstLock }
  | { readonly id: 'installed/missing'; readonly against: InstalledAgainstLock }
  | { readonly id: 'installed/differs'; readonly installed: InstalledComparison }
  | { readonly id: 'installed/not-read'; readonly lines: readonly { line: number | null; text: string }[] }
  | { readonly id: 'installed/ci-not-locked'; readonly against: InstalledAgainstLock }
  | { readonly id: 'installed/ci-other-version'; readonly against: InstalledAgainstLock }
  | { readonly id: 'command/differs'; readonly scratch: string; readonly ci: string }
  | {
      readonly id: 'source/other-tree'
      readonly scratch: string
      readonly head: string
      readonly changed: readonly ChangedFile[] | null
      /** The commit that the scratch box had checked out, where it is not known which files differ. */
      readonly captured: string | null
      readonly base: string | null
      readonly under: Review['under']
    }
  | { readonly id: 'source/other-bundles'; readonly directories: readonly string[] }
  | { readonly id: 'source/left-over' }
  | { readonly id: 'source/later-commits'; readonly changed: readonly ChangedFile[]; readonly base: string | null }
  | { readonly id: 'source/not-recorded'; readonly why: 'format 1' | 'no run.txt' | 'no git' | 'not read' }
  | { readonly id: 'source/hidden'; readonly hidden: string; readonly paths: readonly string[] }
  | { readonly id: 'source/changed-by-run'; readonly side: Side; readonly paths: readonly string[] }
  | { readonly id: 'source/submodules'; readonly submodules: SourceComparison['submodules'] }
  | { readonly id: 'source/lfs'; readonly scratch: number | null; readonly ci: number | null }
  | { readonly id: 'source/filtered'; readonly files: number }
  | { readonly id: 'source/excluded'; readonly paths: readonly string[] }
  | { readonly id: 'source/line-endings'; readonly scratch: string; readonly ci: string }
  | { readonly id: 'source/ci-tree'; readonly paths: readonly string[] }
  | { readonly id: 'source/merged'; readonly files: readonly FileChange[]; readonly base: string | null }
  | { readonly id: 'source/own-judge'; readonly files: readonly JudgeFile[]; readonly base: string | null }
  | { readonly id: 'source/script'; readonly script: 'other' | 'not recorded' }
  | { readonly id: 'source/not-compared'; readonly what: string; readonly remedy: string }
  | { readonly id: 'ci/not-recorded'; readonly what: string; readonly remedy: string }
  | { readonly id: 'ci/unreadable'; readonly problem: ProblemOf<'unreadable' | 'over-cap'> }
  | { readonly id: 'ci/stale-junit'; readonly files: readonly string[] }
  | {
      readonly id: 'ci/result-against-exit'
      readonly leg: string
      readonly result: string
      readonly exit: number
      readonly shared: boolean
    }

export type FindingId = Fact['id']

export type Finding = Fact & {
  readonly level: Level
  /** The bundle's file that it is about, relative to the bundle's directory; null where it is about none. */
  readonly file: string | null
  /** One-based; null where it is about the file as a whole. */
  readonly line: number | null
}

/** Every id, once: a compile-time complete list for documentation and tests. */
export const FINDING_IDS = Object.keys({
  'bundle/none': 0,
  'bundle/unexpected-file': 0,
  'bundle/not-regular': 0,
  'bundle/over-cap': 0,
  'bundle/too-many-files': 0,
  'bundle/unreadable': 0,
  'bundle/unrecognised-line': 0,
  'bundle/repeated-key': 0,
  'bundle/not-utf8': 0,
  'bundle/control-characters': 0,
  'bundle/edited-after-capture': 0,
  'bundle/no-sums': 0,
  'bundle/line-endings': 0,
  'bundle/secret': 0,
  'exit/missing': 0,
  'exit/not-a-number': 0,
  'exit/interrupted': 0,
  'exit/two-answers': 0,
  'exit/against-report': 0,
  'exit/against-ci': 0,
  'exit/other-code': 0,
  'tests/none-ran': 0,
  'tests/no-report': 0,
  'tests/not-written': 0,
  'tests/green-report': 0,
  'tests/copied': 0,
  'tests/timestamp': 0,
  'tests/hostname': 0,
  'tests/same-time': 0,
  'tests/no-time': 0,
  'tests/cached': 0,
  'tests/hollow': 0,
  'tests/rerun': 0,
  'tests/flipped': 0,
  'tests/expected': 0,
  'tests/skipped-in-scratch': 0,
  'tests/skipped-in-ci': 0,
  'tests/only-scratch': 0,
  'tests/only-ci': 0,
  'tests/suite-problem': 0,
  'tests/count-mismatch': 0,
  'toolchain/missing': 0,
  'toolchain/platform': 0,
  'toolchain/abi': 0,
  'toolchain/drift': 0,
  'toolchain/not-recorded': 0,
  'toolchain/by-path': 0,
  'lockfile/differs': 0,
  'lockfile/other-hash': 0,
  'lockfile/other-artefact': 0,
  'lockfile/same-packages': 0,
  'lockfile/none': 0,
  'lockfile/nowhere': 0,
  'lockfile/missing': 0,
  'lockfile/only-freeze': 0,
  'lockfile/ignored': 0,
  'lockfile/not-compared': 0,
  'lockfile/weak': 0,
  'installed/not-locked': 0,
  'installed/other-version': 0,
  'installed/missing': 0,
  'installed/differs': 0,
  'installed/not-read': 0,
  'installed/ci-not-locked': 0,
  'installed/ci-other-version': 0,
  'command/differs': 0,
  'source/other-tree': 0,
  'source/other-bundles': 0,
  'source/left-over': 0,
  'source/later-commits': 0,
  'source/not-recorded': 0,
  'source/hidden': 0,
  'source/changed-by-run': 0,
  'source/submodules': 0,
  'source/lfs': 0,
  'source/filtered': 0,
  'source/excluded': 0,
  'source/line-endings': 0,
  'source/ci-tree': 0,
  'source/merged': 0,
  'source/own-judge': 0,
  'source/script': 0,
  'source/not-compared': 0,
  'ci/not-recorded': 0,
  'ci/unreadable': 0,
  'ci/stale-junit': 0,
  'ci/result-against-exit': 0,
} satisfies Record<FindingId, 0>) as readonly FindingId[]
