import type { Counts, SkipGroup, TestsComparison } from '../../compare/comparison.ts'
import type { TestCase } from '../../read/evidence.ts'
import { code, count, group, type Inlines, t } from '../document.ts'

/** `412 tests, 409 passed, 3 skipped`. */
export function counts(tests: Counts): string {
  const parts: [number, string][] = [
    [tests.passed, 'passed'],
    [tests.failed, 'failed'],
    [tests.errors, tests.errors === 1 ? 'error' : 'errors'],
    [tests.skipped, 'skipped'],
    [tests.expected, 'failed as expected'],
  ]
  const shown = parts.filter(([number]) => number > 0).map(([number, word]) => `${group(number)} ${word}`)
  return [count(tests.total, 'test'), ...shown].join(', ')
}

/**
 * What the scratch report claims, and what CI made of it, in one sentence: `412 claimed; 371 confirmed by CI; 37 never ran
 * there (31 no network); 4 CI never ran.` Null where a side has no report.
 */
export function transferSentence(tests: TestsComparison): Inlines | null {
  if (tests.scratch === null || tests.ci === null) return null
  const { agreedPassed, agreedExpected, agreed, flipped, unexpected, skippedInScratch, skippedInCi, skippedInBoth } =
    tests
  const { onlyScratch, onlyCi } = tests
  const neither = agreed - agreedPassed - agreedExpected
  const ranThere = executed(onlyScratch)
  const neverThere = skippedInBoth + casesIn(skippedInScratch) + onlyScratch.length - ranThere
  const neverHere = casesIn(skippedInCi) + ranThere
  const again = tests.repeats.scratch.length
  const claimed = agreed + flipped.length + unexpected.length + neverThere + neverHere + again
  const { skips, cases } = tests.skippedAsOne
  const parts: (Inlines | null)[] = [
    t`${claimed} claimed${skips === 0 ? '' : ` (${count(skips, 'skip stands', 'skips stand')} for ${group(cases)})`}`,
    t`${agreedPassed} confirmed by CI`,
    agreedExpected > 0 ? t`${agreedExpected} failed as expected on both sides` : null,
    neither > 0 ? t`${neither} passed on neither side` : null,
    unexpected.length > 0 ? t`${unexpected.length} failed as expected on one side alone` : null,
    flipped.length > 0 ? t`${flipped.length} ended differently` : null,
    neverThere > 0 ? t`${neverThere} never ran there${causes(skippedInScratch)}` : null,
    neverHere > 0 ? t`${neverHere} CI never ran` : null,
    again > 0
      ? t`${again} ${again === 1 ? 'is another entry of a test that is' : 'are other entries of tests that are'} counted already`
      : null,
  ]
  const shown = parts.flatMap((part) => (part === null ? [] : [part]))
  const more =
    onlyCi.length === 0 ? '' : ` ${group(onlyCi.length)} more ${onlyCi.length === 1 ? 'is' : 'are'} only in CI.`
  return t`${shown.flatMap((part, index) => (index === 0 ? part : ['; ', ...part]))}.${more}`
}

function causes(groups: readonly SkipGroup[]): Inlines {
  const told = groups.filter(({ cause: why }) => why !== 'other')
  if (told.length === 0) return []
  return t` (${told.flatMap((one, index) => t`${index === 0 ? '' : ', '}${one.pairs.length} ${skipLabel(one)}`)})`
}

/** How many of some cases were executed. */
export function executed(cases: readonly TestCase[]): number {
  return cases.filter(({ status }) => status !== 'skipped').length
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
      return ['whose message tells of no network']
    case 'module':
      return detail === null
        ? ['whose message tells of a missing module']
        : t`whose message tells of a missing module, ${code(detail)}`
    case 'platform':
      return ['whose message tells of another platform or tool version']
    case 'credentials':
      return ['whose message tells of credentials that were not set']
    case 'other': {
      const message = pairs[0]?.[side === 'there' ? 'scratch' : 'ci'].message ?? null
      return message === null
        ? ['with no reason given']
        : pairs.length === 1
          ? t`for another reason, ${code(message)}`
          : t`for other reasons, such as ${code(message)}`
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
      return ['platform or version']
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
