import type { Comparison } from '../compare/comparison.ts'
import { differing } from '../compare/packages.ts'
import type { Problem } from '../read/evidence.ts'
import type { Conclusion } from './conclusion.ts'
import type { Side } from './finding.ts'

/** What the bundle is worth. It is information; it gates nothing. */
export type Witness =
  | 'none'
  | 'incomplete'
  | 'inconsistent'
  | 'contradicted'
  | 'stale'
  | 'different'
  | 'unbound'
  | 'corroborated'

/** A way in which the scratch run was another experiment. */
export type Difference = 'platform' | 'toolchain' | 'tests' | 'lockfile' | 'installed' | 'command'

/**
 * The first verdict that applies.
 *
 * @param comparison the scratch run beside the nearest leg of CI
 * @param ended how that leg ended, from CI alone; null where that is not known
 */
export function witnessOf(comparison: Comparison, ended: Conclusion | null): Witness {
  if (comparison.scratch === null) return 'none'
  if (comparison.exits.scratchCode === null) return 'incomplete'
  if (contradictsItself(comparison)) return 'inconsistent'
  if (endedDifferently(comparison, ended) || comparison.tests.flipped.length > 0) return 'contradicted'
  if (isStale(comparison)) return 'stale'
  if (differencesOf(comparison).length > 0) return 'different'
  return comparison.source.same === true && isComplete(comparison) ? 'corroborated' : 'unbound'
}

/** Whether the run was of other source, as its tree tells; without one, as the history of the bundle does. */
function isStale({ source: { same, bundleBrought, afterBundle } }: Comparison): boolean {
  if (same !== null) return !same
  return bundleBrought === false || (afterBundle !== null && afterBundle.length > 0)
}

/** Whether the run passed on one side and not on the other. A run of CI that was cancelled, or whose end is not known, says neither. */
export function endedDifferently(comparison: Comparison, ended: Conclusion | null): boolean {
  const { scratchCode } = comparison.exits
  return (
    scratchCode !== null && ended !== null && ended !== 'cancelled' && (scratchCode === 0) !== (ended === 'success')
  )
}

function contradictsItself(comparison: Comparison): boolean {
  const { scratch, exits, tests } = comparison
  const passed = exits.scratchCode === 0
  const edited = scratch?.problems.some((problem: Problem) => problem.kind === 'edited-after-capture') ?? false
  return (
    edited ||
    recordedExits(scratch) !== null ||
    (passed && (failuresOf(comparison, 'scratch') > 0 || nothingRan(tests.scratch)))
  )
}

/** The exit code that `run.txt` has of a run and that of the runner's file, where they are two. */
export function recordedExits(scratch: Comparison['scratch']): { run: number; exit: number } | null {
  if (scratch === null || scratch.run === null) return null
  for (const { runner, exit: run } of [scratch.run, ...scratch.run.others]) {
    const exit = scratch.exits.find((file) => file.runner === runner)?.code ?? null
    if (run !== null && exit !== null && run !== exit) return { run, exit }
  }
  return null
}

/** Failed cases, cases in error and problems of whole suites in the XML of one side. */
export function failuresOf({ scratch, ci, tests }: Comparison, side: Side): number {
  const counts = tests[side]
  const problems = (side === 'scratch' ? scratch : ci)?.tests?.suiteProblems.length ?? 0
  return (counts?.failed ?? 0) + (counts?.errors ?? 0) + problems
}

/** Why the bundle's JUnit XML is not known to be of the run that the bundle tells of; null where nothing speaks against it. */
export function doubtOf({ scratch, signals }: Comparison): 'copied' | 'failures' | 'timestamp' | 'hostname' | null {
  if (signals.copied !== null) return 'copied'
  if (scratch?.tests?.countMismatches.some(({ of }) => of === 'failures')) return 'failures'
  if (signals.scratch.outside !== null) return 'timestamp'
  return signals.scratch.otherHosts.length > 0 ? 'hostname' : null
}

/** Whether a report is there and no case of it was executed. */
export function nothingRan(counts: Comparison['tests']['scratch']): boolean {
  return counts !== null && counts.total === counts.skipped
}

/** In which ways the scratch run differs from CI's so that its result does not carry over. */
export function differencesOf(comparison: Comparison): Difference[] {
  const { toolchain, lockfiles, installed, command, tests } = comparison
  const different: Record<Difference, boolean> = {
    platform: toolchain.some((row) => row.grade === 'platform'),
    toolchain: toolchain.some((row) => row.grade === 'abi'),
    tests:
      tests.scratch !== null &&
      tests.ci !== null &&
      tests.onlyScratch.length +
        tests.onlyCi.length +
        tests.skippedInScratch.length +
        tests.skippedInCi.length +
        tests.unexpected.length >
        0,
    lockfile: lockfiles.some((lockfile) => lockfile.compared === 'differs' || lockfile.scratch === 'none'),
    installed: installed.some(({ againstCi }) => againstCi !== null && differing(againstCi) > 0),
    // Where both sides name their tests, the set of tests says more than the words of the command.
    command: command.same === false && (tests.scratch === null || tests.ci === null),
  }
  return (Object.keys(different) as Difference[]).filter((difference) => different[difference])
}

/** What tests are written in. Of those that the scratch box recorded, CI must have recorded each. */
const LANGUAGES = new Set(
  ['python', 'node', 'go', 'rustc', 'java', 'ruby', 'dotnet', 'php', 'deno', 'bun'].map((tool) => `${tool}.version`),
)

/** Whether a file that git ignores by rules that no reviewer can see takes part in how tests run. */
export function configuresTests({ kind }: Comparison['source']['excluded'][number]): boolean {
  return kind === 'test configuration' || kind === 'tests'
}

/** Whether what makes up the experiment was recorded on both sides: what was not recorded is not the same. */
function isComplete(comparison: Comparison): boolean {
  const { toolchain, lockfiles, tests, source } = comparison
  const recorded = (key: string) => toolchain.some((row) => row.key === key && row.grade !== 'unrecorded')
  const there = toolchain.filter((row) => LANGUAGES.has(row.key) && row.scratch !== null)
  return (
    recorded('os') &&
    recorded('arch') &&
    there.length > 0 &&
    there.every((row) => row.grade !== 'unrecorded') &&
    lockfiles.every((lockfile) => lockfile.compared === 'same') &&
    // Two runs in which no test ran agree in nothing. A file that ran none counts as a test.
    tests.agreed > comparison.signals.scratch.hollow.length &&
    // What a tree does not tell: the content of a submodule, and of files that Git LFS keeps.
    source.submodules.length === 0 &&
    (source.lfsPointers.scratch ?? 0) === (source.lfsPointers.ci ?? 0) &&
    source.filtered === 0 &&
    !source.excluded.some(configuresTests) &&
    doubtOf(comparison) === null
  )
}
