import { endedDifferently, failuresOf, recordedExits } from '../witness.ts'
import { found, type Rule } from './rule.ts'

/** No exit code: no file of that kind, or a word in it. */
export const exitCode: Rule = ({ comparison: { scratch } }) => {
  if (scratch === null) return []
  const interrupted = scratch.run !== null && scratch.run.finished === null
  if (scratch.exits.length === 0) return [found('warning', { id: 'exit/missing', interrupted })]
  return scratch.exits.flatMap(({ file, word }) =>
    word === null ? [] : [found('warning', { id: 'exit/not-a-number', word }, file, 1)],
  )
}

/** The scratch run was ended by a signal, so that what it did not reach says nothing. */
export const interrupted: Rule = ({ comparison: { scratch, exits } }) => {
  const run = scratch?.run ?? null
  if (run === null || run.signal === null) return []
  const notRun = run.others.flatMap((other) =>
    other.finished === null && other.command !== null ? [other.command] : [],
  )
  return [found('warning', { id: 'exit/interrupted', signal: run.signal, notRun }, exits.scratch[0]?.file ?? null, 1)]
}

/** The bundle's own files give two answers. */
export const exitAgainstItself: Rule = ({ comparison: { scratch, exits } }) => {
  const two = recordedExits(scratch)
  return two === null ? [] : [found('warning', { id: 'exit/two-answers', ...two }, exits.scratch[0]?.file ?? null, 1)]
}

/** A run exited with 0, and its own report has failures. */
export const exitAgainstReport: Rule = ({ comparison }) => {
  const { exits } = comparison
  const sides = [
    ['scratch', exits.scratchCode, exits.scratch[0]?.file ?? null],
    ['ci', exits.ciCode, null],
  ] as const
  return sides.flatMap(([side, code, file]) => {
    const failures = failuresOf(comparison, side)
    if (code !== 0 || failures === 0) return []
    return [found('warning', { id: 'exit/against-report', side, failures }, file, file === null ? null : 1)]
  })
}

/** One run passed and the other did not, or both failed in another way. */
export const exitAgainstCi: Rule = ({ comparison, ended }) => {
  const { scratch, scratchCode, ciCode } = comparison.exits
  if (scratchCode === null) return []
  const file = scratch.find(({ code }) => code === scratchCode)?.file ?? null
  // Where both exited 0, what failed in CI is not in the run: `ci/result-against-exit` says so.
  if (endedDifferently(comparison, ended) && (scratchCode !== 0 || ciCode !== 0))
    return [found('warning', { id: 'exit/against-ci', scratch: scratchCode, ci: ciCode }, file, 1)]
  if (ended === 'failure' && ciCode !== null && ciCode !== 0 && scratchCode !== ciCode)
    return [found('notice', { id: 'exit/other-code', scratch: scratchCode, ci: ciCode }, file, 1)]
  return []
}
