import type { CiResult } from '../read/recording.ts'

/** What a check may conclude. Never `neutral` or `skipped`: GitHub counts both as passing. */
export type Conclusion = 'success' | 'failure' | 'cancelled'

/** How one run of CI ended; null where nothing says so, or where it did not run. */
export function endingOf(result: CiResult): Conclusion | null {
  if (result.result === null && result.exitCode === null && result.signal === null) return null
  if (result.result === 'skipped') return null
  // Of several legs together GitHub says that one failed, and not which: each is taken at its own word.
  if (result.shared && result.result === 'failure' && result.exitCode !== null)
    return conclude([{ ...result, result: null }])
  return conclude([result])
}

/**
 * Concludes from CI alone. This is the whole law: no bundle is an argument.
 *
 * @param ci every run of CI that counts. Where GitHub gave a result for it, that counts, and a recorded exit code does not.
 * @returns `success` where all ended well, `cancelled` where one was cancelled and none failed, else `failure`;
 *   `failure` too where nothing ran
 */
export function conclude(ci: readonly CiResult[]): Conclusion {
  const ends = ci.map(({ exitCode, result }) => result ?? (exitCode === 0 ? 'success' : 'failure'))
  if (ends.length > 0 && ends.every((end) => end === 'success')) return 'success'
  return ends.length > 0 && ends.every((end) => end === 'success' || end === 'cancelled') ? 'cancelled' : 'failure'
}
