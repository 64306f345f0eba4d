import type { TestCase, TestReport } from '../read/evidence.ts'
import { groupBy } from '../read/group.ts'
import { enclosingIds } from '../read/junit-identity.ts'
import type { CasePair, Counts, TestsComparison } from './comparison.ts'
import { groupSkips } from './skips.ts'
import { spearman } from './spearman.ts'

/** From this many distinct times on, how they rank says something. */
const DISTINCT_TIMES = 20

/**
 * Puts two reports beside each other, case by case. Every case lands in one place.
 *
 * A failure on one side and an error on the other agree: neither passed. Cases that one side skipped as a whole, a module
 * by `importorskip` or a parent test by `t.Skip`, are put beside the one case that says so, so that they count as
 * skipped there and not as missing.
 *
 * @param scratch the bundle's report; null where it has none that can be read
 * @param ci CI's own; null likewise. With either null, nothing but the other's counts is known.
 */
export function compareTests(scratch: TestReport | null, ci: TestReport | null): TestsComparison {
  const matched = scratch === null || ci === null ? NOTHING : match(scratch.cases, ci.cases)
  const passed: CasePair[] = []
  const flipped: CasePair[] = []
  const skippedInScratch: CasePair[] = []
  const skippedInCi: CasePair[] = []
  let executed = 0
  let skippedInBoth = 0
  for (const pair of matched.pairs) {
    const [there, here] = [pair.scratch.status, pair.ci.status]
    if (there === 'skipped' && here === 'skipped') skippedInBoth++
    else if (there === 'skipped') skippedInScratch.push(pair)
    else if (here === 'skipped') skippedInCi.push(pair)
    else {
      executed++
      if (there === 'passed' && here === 'passed') passed.push(pair)
      else if (there === 'passed' || here === 'passed') flipped.push(pair)
    }
  }
  return {
    scratch: scratch && countsOf(scratch.cases),
    ci: ci && countsOf(ci.cases),
    agreed: executed - flipped.length,
    agreedPassed: passed.length,
    skippedInBoth,
    flipped,
    skippedInScratch: groupSkips(skippedInScratch, 'scratch'),
    skippedInCi: groupSkips(skippedInCi, 'ci'),
    onlyScratch: matched.onlyScratch,
    onlyCi: matched.onlyCi,
    timeRanks: timeRanks(passed),
  }
}

interface Matched {
  readonly pairs: CasePair[]
  readonly onlyScratch: TestCase[]
  readonly onlyCi: TestCase[]
}

const NOTHING: Matched = { pairs: [], onlyScratch: [], onlyCi: [] }

function countsOf(cases: readonly TestCase[]): Counts {
  const counts = { passed: 0, failed: 0, error: 0, skipped: 0 }
  for (const one of cases) counts[one.status]++
  const { passed, failed, error, skipped } = counts
  return { total: cases.length, passed, failed, errors: error, skipped }
}

function match(scratch: readonly TestCase[], ci: readonly TestCase[]): Matched {
  const byId = new Map<string, { readonly there: TestCase[]; readonly here: TestCase[] }>()
  for (const one of scratch) {
    const known = byId.get(one.id)
    if (known === undefined) byId.set(one.id, { there: [one], here: [] })
    else known.there.push(one)
  }
  for (const one of ci) {
    const known = byId.get(one.id)
    if (known === undefined) byId.set(one.id, { there: [], here: [one] })
    else known.here.push(one)
  }
  const matched: Matched = { pairs: [], onlyScratch: [], onlyCi: [] }
  for (const { there, here } of byId.values()) {
    if (there.length <= 1 && here.length <= 1) pairUp(there, here, matched.pairs, matched.onlyScratch, matched.onlyCi)
    else matchDuplicates(there, here, matched)
  }
  return withSkippedTogether(matched, scratch, ci)
}

/** Of cases with one id, those that ended alike belong together; the others the n-th with the n-th, failures first. */
function matchDuplicates(there: readonly TestCase[], here: readonly TestCase[], into: Matched): void {
  const [mine, theirs] = [groupBy(there, (one) => one.status), groupBy(here, (one) => one.status)]
  const [left, right]: [TestCase[], TestCase[]] = [[], []]
  for (const status of ['error', 'failed', 'passed', 'skipped'] as const)
    pairUp(mine.get(status) ?? [], theirs.get(status) ?? [], into.pairs, left, right)
  pairUp(left, right, into.pairs, into.onlyScratch, into.onlyCi)
}

function pairUp(
  scratch: readonly TestCase[],
  ci: readonly TestCase[],
  pairs: CasePair[],
  onlyScratch: TestCase[],
  onlyCi: TestCase[],
): void {
  for (let index = 0; index < scratch.length || index < ci.length; index++) {
    const [there, here] = [scratch[index], ci[index]]
    if (there && here) pairs.push({ scratch: there, ci: here })
    else if (there) onlyScratch.push(there)
    else if (here) onlyCi.push(here)
  }
}

/** Puts cases that only one side has beside the case by which the other side skipped them together. */
function withSkippedTogether(matched: Matched, scratch: readonly TestCase[], ci: readonly TestCase[]): Matched {
  const there = skipping(matched.onlyCi, scratch)
  const here = skipping(matched.onlyScratch, ci)
  const covers = new Set([...there.values(), ...here.values()])
  const pairs = [...matched.pairs]
  for (const [one, skip] of there) pairs.push({ scratch: skip, ci: one })
  for (const [one, skip] of here) pairs.push({ scratch: one, ci: skip })
  return {
    pairs,
    onlyScratch: matched.onlyScratch.filter((one) => !here.has(one) && !covers.has(one)),
    onlyCi: matched.onlyCi.filter((one) => !there.has(one) && !covers.has(one)),
  }
}

/** For each case that the other side lacks, the skipped case of that side that it was skipped with, where there is one. */
function skipping(lacking: readonly TestCase[], otherSide: readonly TestCase[]): Map<TestCase, TestCase> {
  const found = new Map<TestCase, TestCase>()
  if (lacking.length === 0) return found
  const skips = new Map<string, TestCase>()
  for (const one of otherSide) if (one.status === 'skipped') skips.set(one.id, one)
  if (skips.size === 0) return found
  for (const one of lacking) {
    const skip = enclosingIds(one.id).find((id) => skips.has(id))
    if (skip !== undefined) found.set(one, skips.get(skip) ?? one)
  }
  return found
}

function timeRanks(passed: readonly CasePair[]): TestsComparison['timeRanks'] {
  const times: [number, number][] = []
  for (const { scratch, ci } of passed) if (scratch.seconds && ci.seconds) times.push([scratch.seconds, ci.seconds])
  const distinct = (side: 0 | 1) => new Set(times.map((pair) => pair[side])).size
  if (distinct(0) < DISTINCT_TIMES || distinct(1) < DISTINCT_TIMES) return null
  const rho = spearman(times)
  return rho === null ? null : { rho, cases: times.length }
}
