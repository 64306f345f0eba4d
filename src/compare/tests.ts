import type { TestCase, TestReport } from '../read/evidence.ts'
import { caseId } from '../read/junit-identity.ts'
import type { CasePair, Counts, TestsComparison } from './comparison.ts'
import { didFail, type Matched, matchCases } from './match.ts'
import { groupSkips } from './skips.ts'
import { spearman } from './spearman.ts'

/** From this many distinct times on, how they rank says something. */
const DISTINCT_TIMES = 20

/** A report, and the exit code of the run that wrote it; null where there is none. */
export interface ReportedRun {
  readonly report: TestReport | null
  readonly exit: number | null
  /** The folder in which it was started, relative to the repository; null where that is not recorded. */
  readonly folder: string | null
}

/**
 * Puts two reports beside each other, case by case. Every case lands in one place. A failure on one side and an error on
 * the other agree: neither passed.
 *
 * @param scratch the bundle's report; null where it has none that can be read
 * @param ci CI's own; null likewise. With either null, nothing but the other's counts is known.
 */
export function compareTests(scratch: ReportedRun, ci: ReportedRun): TestsComparison {
  const there = scratch.report && settled(scratch.report.cases, scratch.exit)
  const here = ci.report && settled(ci.report.cases, ci.exit)
  const matched =
    there === null || here === null
      ? NOTHING
      : matchCases(there, here, { scratch: scratch.folder ?? '.', ci: ci.folder ?? '.' })
  const passed: CasePair[] = []
  const flipped: CasePair[] = []
  const unexpected: CasePair[] = []
  let agreedExpected = 0
  const skippedInScratch: CasePair[] = []
  const skippedInCi: CasePair[] = []
  const skippedInBoth: CasePair[] = []
  let executed = 0
  for (const pair of matched.pairs) {
    const mine = pair.scratch.status
    const theirs = pair.ci.status
    if (mine === 'skipped' && theirs === 'skipped') skippedInBoth.push(pair)
    else if (mine === 'skipped') skippedInScratch.push(pair)
    else if (theirs === 'skipped') skippedInCi.push(pair)
    else {
      executed++
      if (mine === 'passed' && theirs === 'passed') passed.push(pair)
      else if (mine === 'expected' && theirs === 'expected') agreedExpected++
      else if (mine === 'expected' || theirs === 'expected') unexpected.push(pair)
      else if (mine === 'passed' || theirs === 'passed') flipped.push(pair)
    }
  }
  return {
    scratch: there && countsOf(there),
    ci: here && countsOf(here),
    agreed: executed - flipped.length - unexpected.length,
    agreedPassed: passed.length,
    agreedExpected,
    skippedInBoth: skippedInBoth.length,
    flipped,
    unexpected,
    skippedInScratch: groupSkips(skippedInScratch, 'scratch'),
    skippedInCi: groupSkips(skippedInCi, 'ci'),
    onlyScratch: matched.onlyScratch,
    onlyCi: matched.onlyCi,
    repeats: matched.repeats,
    skippedAsOne: skippedAsOne([...skippedInScratch, ...skippedInBoth]),
    rerun: { scratch: rerun(there), ci: rerun(here) },
    timeRanks: timeRanks(passed),
  }
}

const NOTHING: Matched = { pairs: [], onlyScratch: [], onlyCi: [], repeats: { scratch: [], ci: [] } }

/**
 * The cases of a run that ended well, without the failures that it passed over: gotestsum and Gradle write a test that
 * failed and then passed as two cases of one id, and exit with 0. Such a failure is an attempt.
 */
function settled(cases: readonly TestCase[], exit: number | null): readonly TestCase[] {
  if (exit !== 0) return cases
  const idOf = (one: TestCase) => `${one.suite}\u0000${caseId(one)}`
  const failures = new Map<string, number>()
  for (const one of cases) if (didFail(one)) failures.set(idOf(one), (failures.get(idOf(one)) ?? 0) + 1)
  if (failures.size === 0) return cases
  const passed = new Set<string>()
  for (const one of cases) if (one.status === 'passed' && failures.has(idOf(one))) passed.add(idOf(one))
  if (passed.size === 0) return cases
  return cases.flatMap((one) => {
    const id = idOf(one)
    if (!passed.has(id) || one.status === 'skipped') return [one]
    if (didFail(one)) return []
    const attempts = one.attempts + (failures.get(id) ?? 0)
    failures.delete(id)
    return [{ ...one, attempts }]
  })
}

function countsOf(cases: readonly TestCase[]): Counts {
  const counts = { passed: 0, failed: 0, error: 0, skipped: 0, expected: 0 }
  for (const one of cases) counts[one.status]++
  const { error, ...others } = counts
  return { total: cases.length, ...others, errors: error }
}

/** How many skipped cases of the scratch report stand for others that CI names one by one, and for how many. */
function skippedAsOne(skipped: readonly CasePair[]): TestsComparison['skippedAsOne'] {
  const wholes = skipped.filter(({ scratch, ci }) => caseId(scratch) !== caseId(ci))
  return { skips: new Set(wholes.map(({ scratch }) => scratch)).size, cases: wholes.length }
}

function rerun(cases: readonly TestCase[] | null): TestCase[] {
  return cases === null ? [] : cases.filter(({ attempts }) => attempts > 0)
}

function timeRanks(passed: readonly CasePair[]): TestsComparison['timeRanks'] {
  const [there, here] = [new Float64Array(passed.length), new Float64Array(passed.length)]
  let cases = 0
  for (const { scratch, ci } of passed) {
    if (!scratch.seconds || !ci.seconds) continue
    there[cases] = scratch.seconds
    here[cases++] = ci.seconds
  }
  const rho = spearman(there.subarray(0, cases), here.subarray(0, cases), DISTINCT_TIMES)
  return rho === null ? null : { rho, cases }
}
