import { type AcrossLegs, type Aspect, acrossLegs, testsAcrossLegs } from '../judge/across.ts'
import { endingOf } from '../judge/conclusion.ts'
import type { Judgement, Leg } from '../judge/judgement.ts'
import { differencesOf, endedDifferently } from '../judge/witness.ts'
import { type Block, code, count, enumerate, group, type Inlines, strong, t } from './document.ts'
import { phrases } from './wording/headline.ts'
import { sentenceCase } from './wording/sentence.ts'
import { counts } from './wording/tests.ts'

/** As many legs are shown before the rest is folded. */
const SHOWN = 6

/** The legs of CI beside the scratch run: the nearest first, and what holds in all of them, in some, in none. */
export function legsSummary({ legs }: Judgement): Block[] {
  if (legs.length < 2) return []
  const failed = legs.filter(({ result }) => endingOf(result) !== 'success')
  const shown = legs.length <= SHOWN ? legs : [...new Set([legs[0], ...failed, ...legs])].slice(0, SHOWN)
  const rest = legs.length - shown.length
  return [
    { kind: 'heading', content: [`The ${legs.length} legs of CI`] },
    table(shown, legs[0]),
    ...(rest > 0
      ? [
          {
            kind: 'paragraph',
            content: [`${count(rest, 'more leg is', 'more legs are')} in the table below.`],
          } as const,
        ]
      : []),
    ...holds(legs),
  ]
}

/** All legs, folded, where not all of them are in the summary. */
export function legsDetails({ legs }: Judgement): Block[] {
  if (legs.length <= SHOWN) return []
  const passed = legs.filter(({ result }) => endingOf(result) === 'success').length
  return [
    {
      kind: 'details',
      summary: [`All ${legs.length} legs: ${passed} passed`],
      blocks: [table(legs, legs[0])],
    },
  ]
}

function table(legs: readonly Leg[], nearest: Leg): Block {
  return {
    kind: 'table',
    head: [['Leg'], ['Ended'], ['Tests'], ['Other than in the scratch run']],
    rows: legs.map((leg) => [
      leg === nearest ? t`${code(leg.result.name)}, ${strong('the nearest')}` : [code(leg.result.name)],
      [ended(leg)],
      [leg.comparison.tests.ci === null ? 'no JUnit XML' : counts(leg.comparison.tests.ci)],
      others(leg),
    ]),
  }
}

function ended({ result: { exitCode, signal, result, shared } }: Leg): string {
  const own = exitCode !== null ? `exit ${exitCode}` : signal
  if (result === null || shared) return own ?? 'not recorded'
  return own === null ? result : `${result}, ${own}`
}

/** Why a leg is as near as it is. */
function others({ comparison, result }: Leg): Inlines {
  if (comparison.scratch === null) return ['there is no scratch run']
  const { ci, tests } = comparison
  if (ci.toolchain === null && ci.tests === null) return ['not recorded']
  const flipped = tests.flipped.map(({ ci: here }) => [code(here.name)])
  const parts: Inlines[] = [
    ...(flipped.length === 0 ? [] : [t`${count(flipped.length, 'test')} ended differently: ${enumerate(flipped)}`]),
    ...differencesOf(comparison).map((difference) => phrases([difference], comparison)),
  ]
  if (parts.length === 0)
    return [endedDifferently(comparison, endingOf(result)) ? 'how it ended' : 'nothing that was recorded']
  const [first, ...rest] = parts.flatMap((part, index) => (index === 0 ? part : ['; ', ...part]))
  return [...(typeof first === 'string' ? [sentenceCase(first)] : [first ?? '']), ...rest]
}

const ASPECTS: Readonly<Record<Aspect, string>> = {
  result: 'The same result',
  platform: 'The same platform',
  toolchain: 'A toolchain of the same ABI',
  lockfile: 'The same lockfile',
  installed: 'The same packages installed',
  tests: 'The same set of tests',
}

function holds(legs: Judgement['legs']): Block[] {
  const across = acrossLegs(legs)
  const tests = testsAcrossLegs(legs)
  if (across.length === 0) return []
  const rows = across.map((one): Inlines[] => [[ASPECTS[one.aspect]], where(one, legs.length)])
  const passed: Inlines[][] =
    tests === null
      ? []
      : [
          [
            ['The tests that passed there'],
            [
              `${group(tests.all)} passed in ${tests.legs === legs.length ? 'all' : `all ${tests.legs} that have a report`}, ${group(tests.some)} in some, ${group(tests.none)} in none`,
            ],
          ],
        ]
  return [{ kind: 'table', head: [['As in the scratch run'], ['In how many legs']], rows: [...rows, ...passed] }]
}

function where({ same, differs, notRecorded }: AcrossLegs, legs: number): Inlines {
  if (notRecorded === legs) return ['not recorded']
  const recorded = notRecorded === 0 ? '' : `, not recorded in ${notRecorded}`
  if (differs.length === 0) return [`${notRecorded === 0 ? `all ${legs}` : `${same} of ${legs}`}${recorded}`]
  const names = t`, not in ${enumerate(
    differs.map((name) => [code(name)]),
    4,
  )}`
  return [same === 0 ? 'none' : `${same} of ${legs}`, ...(same === 0 ? [] : names), recorded]
}
