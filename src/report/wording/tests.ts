import type { Counts, SkipGroup, TestsComparison } from '../../compare/comparison.ts'
import { code, count, group, type Inlines, t } from '../document.ts'

/** `412 tests, 409 passed, 3 skipped`. */
export function counts(tests: Counts): string {
  const parts: [number, string][] = [
    [tests.passed, 'passed'],
    [tests.failed, 'failed'],
    [tests.errors, tests.errors === 1 ? 'error' : 'errors'],
    [tests.skipped, 'skipped'],
  ]
  const shown = parts.filter(([number]) => number > 0).map(([number, word]) => `${group(number)} ${word}`)
  return [count(tests.total, 'test'), ...shown].join(', ')
}

/** How many cases are in groups of skipped ones. */
export function casesIn(groups: readonly SkipGroup[]): number {
  return groups.reduce((sum, one) => sum + one.pairs.length, 0)
}

/** Why tests were skipped, cause by cause, as far as their messages say. */
export function skipCauses(groups: readonly SkipGroup[], side: 'there' | 'here'): Inlines {
  return groups.flatMap((one, index) => [
    ...(index === 0 ? [] : [' ']),
    ...t`${group(one.pairs.length)} ${cause(one, side)}.`,
  ])
}

function cause({ cause: why, detail, pairs }: SkipGroup, side: 'there' | 'here'): Inlines {
  switch (why) {
    case 'network':
      return [`for the network, which the tests did not reach ${side}`]
    case 'module':
      return detail === null ? ['for missing modules'] : t`for a missing module, ${code(detail)}`
    case 'platform':
      return ['for the platform']
    case 'credentials':
      return ['for credentials that were not set']
    case 'other': {
      const message = pairs[0]?.[side === 'there' ? 'scratch' : 'ci'].message ?? null
      return message === null ? ['with no reason given'] : t`for another reason, such as ${code(message)}`
    }
  }
}

/** The label of a group of skipped cases in the table of tests. */
export function skipLabel({ cause: why, detail }: SkipGroup): Inlines {
  switch (why) {
    case 'network':
      return ['no network']
    case 'module':
      return detail === null ? ['module missing'] : t`${code(detail)} missing`
    case 'platform':
      return ['platform']
    case 'credentials':
      return ['no credentials']
    case 'other':
      return ['other reasons']
  }
}

/** How alike the times of cases rank on both sides; nothing where there were too few. */
export function timesSentence({ timeRanks }: TestsComparison): Inlines | null {
  if (timeRanks === null) return null
  const { rho, cases } = timeRanks
  const figure = `${rho.toFixed(2)} over ${count(cases, 'case')}`
  if (rho >= 0.7) return [`Case times rank alike (${figure}): they behave like the same suite.`]
  return [`Case times do not rank alike (${figure}). Another load or machine can do that.`]
}
