import { readBundleDirectory } from './bundle.ts'
import type { Evidence } from './evidence.ts'
import { exitCodeOf } from './exit.ts'

/** One run of CI: what it recorded, and how it ended. */
export interface Recording {
  /** What CI recorded of it; an `Evidence` without files where it recorded nothing. */
  readonly evidence: Evidence
  /** How it ended. */
  readonly result: CiResult
  readonly notes: readonly CiNote[]
}

/** How one run of CI ended. None of it comes out of the committed bundle. */
export interface CiResult {
  /** The leg's name, for showing. */
  readonly name: string
  /** What the process returned, 0 to 255; null where it died of a signal or where an earlier job ran it unrecorded. */
  readonly exitCode: number | null
  /** `killed`, where the process itself died of a signal, whose name node's exec does not tell; else null. */
  readonly signal: string | null
  /** What GitHub says of the job: `success`, `failure`, `cancelled`, `skipped`; null where this step ran the command. */
  readonly result: string | null
  /** Whether that is GitHub's word for several legs together, as `needs.<job>.result` is for those of a matrix. */
  readonly shared: boolean
}

/** What CI's own recorder left out, and why. `remedy` is what to change in the workflow. */
export type CiNote =
  | { readonly kind: 'stale-junit'; readonly files: readonly string[] }
  | { readonly kind: 'not-recorded'; readonly what: string; readonly remedy: string }

/**
 * Reads what this step recorded of its own command.
 *
 * @param directory where `capture_run.sh` wrote it
 * @param ended how the process ended; without an exit code it died of a signal
 */
export async function readOwnRecording(
  directory: string,
  ended: Omit<CiResult, 'signal' | 'shared'>,
): Promise<Recording> {
  const evidence = await readOrNull(directory, 'CI')
  const result = { ...ended, signal: ended.exitCode === null ? 'killed' : null, shared: false }
  return { evidence: evidence ?? nothing('CI'), result, notes: notesOf(evidence) }
}

/**
 * Reads what an earlier job recorded and uploaded.
 *
 * @param directory the directory of its evidence
 * @param name what the job is called
 * @param result what GitHub says of that job; null on the command line, where the recorded exit code is all there is
 * @param shared whether it says that of several jobs together
 */
export async function readEarlierRecording(
  directory: string,
  name: string,
  result: string | null,
  shared = false,
): Promise<Recording> {
  const evidence = await readOrNull(directory, name)
  const exitCode = exitCodeOf(evidence?.exits ?? [])
  return {
    evidence: evidence ?? nothing(name),
    result: { name, exitCode, signal: null, result, shared },
    notes: notesOf(evidence),
  }
}

/** The code under test can write here too: what cannot be coped with counts as not recorded. */
async function readOrNull(directory: string, name: string): Promise<Evidence | null> {
  try {
    return (await readBundleDirectory(directory, name)).evidence
  } catch {
    return null
  }
}

/** A run of which nothing was recorded: how it ended is all that is known. */
export function withoutRecording(result: CiResult): Recording {
  return { evidence: nothing(result.name), result, notes: notesOf(null) }
}

function notesOf(evidence: Evidence | null): CiNote[] {
  if (evidence === null) {
    return [
      {
        kind: 'not-recorded',
        what: "nothing of CI's own run was recorded",
        remedy: "the log of this step says why; the comparison is then without CI's toolchain, packages and tests",
      },
    ]
  }
  const older = evidence.run?.olderJUnit ?? []
  return older.length > 0 ? [{ kind: 'stale-junit', files: older }] : []
}

function nothing(name: string): Evidence {
  return {
    name,
    format: null,
    files: [],
    exits: [],
    toolchain: null,
    run: null,
    locks: [],
    freezes: [],
    tests: null,
    problems: [],
  }
}
