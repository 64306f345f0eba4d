import type { Comparison } from '../compare/comparison.ts'
import { caseId } from '../read/junit-identity.ts'
import { endingOf } from './conclusion.ts'
import type { Leg } from './judgement.ts'
import { type Difference, differencesOf, endedDifferently } from './witness.ts'

/** Something in which the scratch run and a leg of CI can be the same. */
export type Aspect = 'result' | Exclude<Difference, 'command'>

/** In how many legs something is as in the scratch run. Not recorded on either side is neither the same nor another. */
export interface AcrossLegs {
  readonly aspect: Aspect
  readonly same: number
  /** The names of those in which it differs. */
  readonly differs: readonly string[]
  readonly notRecorded: number
}

/** What became in the legs of the tests that passed in the scratch run. */
export interface TestsAcrossLegs {
  /** Legs with a report. */
  readonly legs: number
  /** How many of the tests passed in all of those, in some and in none. */
  readonly all: number
  readonly some: number
  readonly none: number
}

/** What holds in all legs, in some and in none; nothing without a bundle. */
export function acrossLegs(legs: readonly Leg[]): AcrossLegs[] {
  if (legs[0]?.comparison.scratch == null) return []
  return (Object.keys(MEASURED) as Aspect[]).map((aspect) => {
    const measured = legs.filter(({ comparison }) => MEASURED[aspect](comparison))
    const differs = measured.filter((leg) => isOther(aspect, leg))
    return {
      aspect,
      same: measured.length - differs.length,
      differs: differs.map(({ result }) => result.name),
      notRecorded: legs.length - measured.length,
    }
  })
}

/** Null where the scratch run has no report, or no leg has one. */
export function testsAcrossLegs(legs: readonly Leg[]): TestsAcrossLegs | null {
  const reported = legs.filter(({ comparison: { tests } }) => tests.scratch !== null && tests.ci !== null)
  const passed = reported[0]?.comparison.tests.scratch?.passed
  if (passed === undefined) return null
  const missed = new Map<string, number>()
  for (const { comparison } of reported)
    for (const id of notConfirmed(comparison)) missed.set(id, (missed.get(id) ?? 0) + 1)
  const none = [...missed.values()].filter((number) => number === reported.length).length
  return { legs: reported.length, all: Math.max(0, passed - missed.size), some: missed.size - none, none }
}

/** Tests that passed in the scratch run and did not in a leg, each once. */
function notConfirmed({ tests }: Comparison): Set<string> {
  const skipped = tests.skippedInCi.flatMap(({ pairs }) => pairs)
  const cases = [...tests.flipped, ...tests.unexpected, ...skipped].map(({ scratch }) => scratch)
  const passed = [...cases, ...tests.onlyScratch].filter(({ status }) => status === 'passed')
  return new Set(passed.map((one) => `${one.suite}\0${caseId(one)}`))
}

/** Whether both sides have recorded what an aspect is told by. */
const MEASURED: Readonly<Record<Aspect, (comparison: Comparison) => boolean>> = {
  result: ({ exits }) => exits.scratchCode !== null,
  platform: ({ toolchain }) => toolchain.some(({ key, grade }) => key === 'os' && grade !== 'unrecorded'),
  toolchain: ({ toolchain }) => toolchain.some(({ key, grade }) => key.endsWith('.version') && grade !== 'unrecorded'),
  lockfile: ({ lockfiles }) => lockfiles.some(({ compared }) => compared !== 'could not compare'),
  installed: ({ installed }) => installed.some(({ againstCi }) => againstCi !== null),
  tests: ({ tests }) => tests.scratch !== null && tests.ci !== null,
}

function isOther(aspect: Aspect, { comparison, result }: Leg): boolean {
  return aspect === 'result'
    ? endedDifferently(comparison, endingOf(result))
    : differencesOf(comparison).includes(aspect)
}
