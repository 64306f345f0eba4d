import type { Comparison, Grade } from '../../compare/comparison.ts'
import { differing } from '../../compare/packages.ts'
import { type Conclusion, endingOf } from '../../judge/conclusion.ts'
import type { Judgement } from '../../judge/judgement.ts'
import {
  type Difference,
  doubtOf,
  endedDifferently,
  failuresOf,
  nothingRan,
  recordedExits,
} from '../../judge/witness.ts'
import { code, count, enumerate, group, type Inlines, t } from '../document.ts'
import { label, value } from './facts.ts'
import { reviewed } from './sentence.ts'
import { changedPhrase } from './source.ts'
import { casesIn, executed } from './tests.ts'

/** The one sentence that a reviewer reads: how CI ended, and what the scratch run is worth. */
export function headline(judgement: Judgement): Inlines {
  const [nearest, ...others] = judgement.legs
  const ended = endingOf(nearest.result)
  // What is said of the nearest leg is not said of one that ended otherwise.
  const apart = judgement.conclusion !== 'cancelled' && others.some(({ result }) => endingOf(result) !== ended)
  const beside = apart ? t`Beside ${code(nearest.result.name)}: ` : []
  return [...ending(judgement), ' ', ...beside, ...worth(judgement)]
}

function ending({ conclusion, legs }: Judgement): Inlines {
  if (conclusion === 'cancelled') return ['CI was cancelled.']
  if (legs.length > 1) {
    const failed = legs.filter(({ result }) => endingOf(result) !== 'success')
    if (conclusion === 'success') return t`CI passed in ${count(legs.length, 'leg')}.`
    if (failed.length === 0)
      return t`CI failed: GitHub says ${code(legs[0].result.result ?? 'failure')} of the legs together.`
    const names = failed.length === legs.length ? [] : t`: ${enumerate(failed.map((leg) => [code(leg.result.name)]))}`
    return t`CI failed in ${failed.length} of ${count(legs.length, 'leg')}${names}.`
  }
  if (conclusion === 'success') return passing(legs[0].comparison)
  const { exitCode, signal, result } = legs[0].result
  if (result !== null && result !== 'failure') return t`CI did not pass: GitHub says ${code(result)}.`
  if (endingOf(legs[0].result) === null) return ['How CI ended is not recorded.']
  if (result !== null && exitCode === 0) return ['CI failed, and the run that it recorded exited 0.']
  return exitCode === null || exitCode === 0
    ? [signal === null ? 'CI failed.' : `CI failed: ${signal}.`]
    : t`CI failed: exit ${exitCode}.`
}

/** CI's exit code decides. What its own report says beside it is said as loudly. */
function passing(comparison: Comparison): Inlines {
  const failures = failuresOf(comparison, 'ci')
  if (failures > 0) return t`CI passed, with ${count(failures, 'failure')} in its own XML.`
  return [nothingRan(comparison.tests.ci) ? 'CI passed, and ran no test.' : 'CI passed.']
}

function worth({ witness, legs, differences }: Judgement): Inlines {
  const { comparison } = legs[0]
  const { scratch, exits, tests, source, review, bundle, toolchain } = comparison
  const run = exits.scratchCode === 0 ? 'The scratch PASS' : 'The scratch run'
  switch (witness) {
    case 'none': {
      const nothing =
        bundle.absent === 'not read'
          ? t`Whether there is evidence of a scratch run could not be told`
          : bundle.absent === 'no file can be read'
            ? t`The bundle in ${code(bundle.name)} cannot be read`
            : review.under === 'commit'
              ? t`No evidence of a scratch run was committed`
              : t`There is no evidence of a scratch run`
      return review.claim === null
        ? [...nothing, '.']
        : [...nothing, `: ${'\u201c'}`, review.claim, '\u201d is a sentence.']
    }
    case 'incomplete':
      return t`The scratch bundle has no exit code${exits.scratch[0]?.word ? t`: ${code(exits.scratch[0].file)} says ${code(exits.scratch[0].word)}` : ''}.`
    case 'inconsistent': {
      const two = recordedExits(scratch)
      const why = scratch?.problems.some((problem) => problem.kind === 'edited-after-capture')
        ? 'a file was edited after capture'
        : two !== null
          ? `exit ${two.run} in one file, exit ${two.exit} in another`
          : nothingRan(tests.scratch)
            ? 'exit 0, and no test ran'
            : `exit 0, and ${count(failuresOf(comparison, 'scratch'), 'failure')} in its own XML`
      return t`The scratch bundle contradicts itself: ${why}.`
    }
    case 'contradicted':
      return contradicted(comparison, endingOf(legs[0].result), run)
    case 'stale':
      if (source.same === false)
        return t`${run} was of other source than ${reviewed(review.under)}${source.changed?.length ? `: ${changedPhrase(source.changed)}` : ''}.`
      return source.bundleBrought === false
        ? t`${run} came with an earlier change: this pull request does not touch the bundle.`
        : t`${run} is older than the commit under review: later commits changed ${count(source.afterBundle?.length ?? 0, 'file')}.`
    case 'different':
      return t`${run} is a different experiment: ${phrases(differences.slice(0, 3), comparison)}.`
    case 'unbound': {
      const doubt = doubtOf(comparison)
      if (doubt !== null) return t`${run} agrees with it, but ${DOUBTS[doubt]}.`
      return source.scratchTree === null
        ? t`${run} agrees with it as far as it was recorded, but does not say which source it ran.`
        : source.same === null
          ? t`${run} agrees with it, but whether it was of this source could not be told.`
          : t`${run} agrees with it as far as it was recorded: not everything was.`
    }
    case 'corroborated': {
      const skipped = tests.skippedInBoth === 0 ? '' : ` (${group(tests.skippedInBoth)} more skipped on both sides)`
      return t`${run} ${exits.scratchCode === 0 ? 'carries over' : 'agrees'}: same source, ${sameToolchain(toolchain)}, same ${count(tests.agreed, 'test')}${skipped}.`
    }
  }
}

/** Why a report that agrees binds nothing. */
const DOUBTS: Readonly<Record<NonNullable<ReturnType<typeof doubtOf>>, string>> = {
  copied: "its report is a copy of CI's",
  failures: "its report's totals count failures that none of its cases has",
  timestamp: 'its report is not dated within its run',
  hostname: 'its report names another machine than its toolchain does',
}

/** What can be said of two toolchains of which no difference breaks the transfer. */
function sameToolchain(rows: Comparison['toolchain']): string {
  const some = (grade: Grade) => rows.some((row) => row.grade === grade && !row.key.startsWith('env.'))
  if (some('drift')) return 'toolchain of the same ABI'
  return some('unrecorded') ? 'same toolchain as far as recorded' : 'same toolchain'
}

function contradicted(comparison: Comparison, ended: Conclusion | null, run: string): Inlines {
  const { exits, tests } = comparison
  const failsHere = tests.flipped.filter((pair) => pair.scratch.status === 'passed').length
  const failsThere = tests.flipped.length - failsHere
  if (endedDifferently(comparison, ended) && exits.scratchCode !== 0)
    return t`The scratch run did not: exit ${exits.scratchCode ?? 0}.`
  if (failsHere > 0)
    return t`${run} did not carry over: ${count(failsHere, 'test')} that passed there ${failsHere === 1 ? 'fails' : 'fail'} here.`
  if (failsThere === 0 && exits.ciCode === 0) return t`${run} agrees with that run: what failed in CI is not in it.`
  if (failsThere > 0) return t`${count(failsThere, 'test')} that passed here failed in the scratch run.`
  return t`${run} did not carry over: exit 0 there.`
}

/** Differences in a few words each. */
export function phrases(differences: readonly Difference[], comparison: Comparison): Inlines {
  return differences.flatMap((difference, index) => [...(index === 0 ? [] : ['; ']), ...phrase(difference, comparison)])
}

function phrase(difference: Difference, comparison: Comparison): Inlines {
  const { toolchain, lockfiles, installed, tests } = comparison
  switch (difference) {
    case 'platform': {
      const row = toolchain.find((one) => one.grade === 'platform')
      return row === undefined ? ['another platform'] : t`${value(row.scratch)} there, ${value(row.ci)} here`
    }
    case 'toolchain': {
      const rows = toolchain.filter((one) => one.grade === 'abi')
      const row = rows.find((one) => one.key.endsWith('.version')) ?? rows[0]
      if (row === undefined) return ['another toolchain']
      const [there, here] = shorten(row.scratch ?? '', row.ci ?? '')
      return t`${label(row.key)} ${value(there)} there, ${value(here)} here`
    }
    case 'lockfile': {
      const lockfile = lockfiles.find((one) => one.compared === 'differs' || one.scratch === 'none')
      if (lockfile === undefined || lockfile.scratch === 'none') return ['no lockfile there']
      const number = differing(lockfile)
      return [
        number > 0
          ? count(number, 'locked package differs', 'locked packages differ')
          : 'other artefacts of the same packages',
      ]
    }
    case 'installed': {
      const number = installed.reduce((sum, { againstCi }) => sum + (againstCi === null ? 0 : differing(againstCi)), 0)
      return [count(number, 'installed package differs', 'installed packages differ')]
    }
    case 'command':
      return ['another command']
    case 'tests': {
      const never = casesIn(tests.skippedInScratch) + executed(tests.onlyCi)
      const notHere = casesIn(tests.skippedInCi) + executed(tests.onlyScratch)
      if (never + notHere === 0)
        return [
          tests.unexpected.length > 0
            ? `${count(tests.unexpected.length, 'test')} failed as expected on one side alone`
            : 'other tests are skipped',
        ]
      if (notHere === 0) return [`${count(never, 'test')} never ran there`]
      // What CI left out is as loud as what the scratch box did.
      const here = `${count(notHere, 'test')} never ran here`
      return [never === 0 ? here : `${here}, ${group(never)} never ran there`]
    }
  }
}

/** Two versions down to the first number in which they differ: 3.12.4 and 3.11.9 are 3.12 and 3.11. */
function shorten(there: string, here: string): [string, string] {
  const a = there.split('.')
  const b = here.split('.')
  const at = a.findIndex((part, index) => part !== b[index])
  const end = Math.max(at + 1, 2)
  return [a.slice(0, end).join('.'), b.slice(0, end).join('.')]
}
