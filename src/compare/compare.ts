import type { Bundle } from '../read/evidence.ts'
import { exitCodeOf } from '../read/exit.ts'
import type { Recording } from '../read/recording.ts'
import type { Review } from '../read/review.ts'
import { compareCommands } from './command.ts'
import type { Comparison } from './comparison.ts'
import { allAgainstLocks, compareInstalled } from './installed.ts'
import { compareLockfiles } from './lockfiles.ts'
import { readSignals } from './signals.ts'
import { compareSources } from './source.ts'
import { compareTests } from './tests.ts'
import { compareToolchains } from './toolchain.ts'

/**
 * Puts the scratch run beside one run of CI. Pure: it asks nothing and decides nothing.
 *
 * @param bundle what the pull request committed
 * @param ci CI's own run
 * @param review what the repository says of the commit under review
 */
export function compare(bundle: Bundle, ci: Recording, review: Review): Comparison {
  const scratch = bundle.evidence
  const exits = scratch?.exits ?? []
  const scratchCode = exitCodeOf(exits)
  const ciCode = ci.result.exitCode
  return {
    bundle,
    scratch,
    ci: ci.evidence,
    ciNotes: ci.notes,
    review,
    exits: { scratch: exits, scratchCode, ciCode },
    command: compareCommands(scratch, ci.evidence),
    toolchain: compareToolchains(scratch?.toolchain ?? null, ci.evidence.toolchain),
    lockfiles:
      scratch === null
        ? []
        : compareLockfiles(scratch, review.lockfiles, ci.evidence.toolchain, review.ignoredLockfiles),
    installed: scratch === null ? [] : compareInstalled(scratch, ci.evidence),
    ciInstalled: allAgainstLocks(ci.evidence),
    tests: compareTests(
      { report: scratch?.tests ?? null, exit: scratchCode, folder: scratch?.run?.cwd ?? null },
      { report: ci.evidence.tests, exit: ciCode, folder: ci.evidence.run?.cwd ?? null },
    ),
    signals: readSignals(scratch, ci.evidence),
    source: compareSources(scratch, ci.evidence, review),
  }
}
