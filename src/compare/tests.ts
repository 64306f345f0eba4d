import type { CaseStatus, TestCase, TestReport } from '../read/evidence.ts'
import { groupBy } from '../read/group.ts'
import type { CasePair, Counts, TestsComparison } from './comparison.ts'
import { groupSkips } from './skips.ts'
import { spearman } from './spearman.ts'

/** From this many distinct times on, how they rank says something. */
const DISTINCT_TIMES = 20

/**
 * Puts two reports beside each other, case by case. Every case lands in one place.
 *
 * @param scratch the bundle's report; null where it has none that can be read
 * @param ci CI's own; null likewise. With either null, nothing but the counts is compared.
 */
export function compareTests(scratch: TestReport | null, ci: TestReport | null): TestsComparison {
  const { pairs, onlyScratch, onlyCi } = scratch === null || ci === null ? NOTHING : match(scratch.cases, ci.cases)
  const both = (there: boolean, here: boolean) =>
    pairs.filter((pair) => (pair.scratch.status === 'skipped') === there && (pair.ci.status === 'skipped') === here)
  const executed = both(false, false)
  const flipped = executed.filter((pair) => (pair.scratch.status === 'passed') !== (pair.ci.status === 'passed'))
  const passed = executed.filter((pair) => pair.scratch.status === 'passed' && pair.ci.status === 'passed')
  return {
    scratch: scratch && counts(scratch.cases),
    ci: ci && counts(ci.cases),
    agreed: executed.length - flipped.length,
    agreedPassed: passed.length,
    skippedInBoth: both(true, true).length,
    flipped,
    skippedInScratch: groupSkips([...both(true, false)], 'scratch'),
    skippedInCi: groupSkips([...both(false, true)], 'ci'),
    onlyScratch,
    onlyCi,
    timeRanks: timeRanks(passed),
  }
}

const NOTHING = { pairs: [] as CasePair[], onlyScratch: [] as TestCase[], onlyCi: [] as TestCase[] }

function counts(cases: readonly TestCase[]): Counts {
  const of = (status: CaseStatus) => cases.filter((one) => one.status === status).length
  return {
    total: cases.length,
    passed: of('passed'),
    failed: of('failed'),
    errors: of('error'),
    skipped: of('skipped'),
  }
}

/** Matches cases by id. Where an id stands several times, those that ended alike are matched first. */
function match(scratch: readonly TestCase[], ci: readonly TestCase[]): typeof NOTHING {
  const here = groupBy(ci, (one) => one.id)
  const pairs: CasePair[] = []
  const onlyScratch: TestCase[] = []
  const onlyCi: TestCase[] = []
  for (const [id, there] of groupBy(scratch, (one) => one.id)) {
    const alike: Map<CaseStatus, TestCase[]> = groupBy(here.get(id) ?? [], (one) => one.status)
    here.delete(id)
    const unmatched = there.filter((one) => {
      const found = alike.get(one.status)?.pop()
      if (found !== undefined) pairs.push({ scratch: one, ci: found })
      return found === undefined
    })
    const left = [...alike.values()].flat()
    unmatched.forEach((one, index) => {
      const found = left[index]
      if (found === undefined) onlyScratch.push(one)
      else pairs.push({ scratch: one, ci: found })
    })
    onlyCi.push(...left.slice(unmatched.length))
  }
  onlyCi.push(...[...here.values()].flat())
  return withSkippedModules(pairs, onlyScratch, onlyCi)
}

/**
 * `importorskip` turns a whole module into one skipped case, named after the module. The module's cases on the other side
 * are then those that were skipped with it.
 */
function withSkippedModules(pairs: CasePair[], onlyScratch: TestCase[], onlyCi: TestCase[]): typeof NOTHING {
  const there = skippedModules(onlyScratch, onlyCi)
  const here = skippedModules(onlyCi, onlyScratch)
  return {
    pairs: [
      ...pairs,
      ...there.pairs.map(([module, one]) => ({ scratch: module, ci: one })),
      ...here.pairs.map(([module, one]) => ({ scratch: one, ci: module })),
    ],
    onlyScratch: onlyScratch.filter((one) => !there.modules.has(one) && !here.covered.has(one)),
    onlyCi: onlyCi.filter((one) => !here.modules.has(one) && !there.covered.has(one)),
  }
}

function skippedModules(skipping: readonly TestCase[], others: readonly TestCase[]) {
  const modules = new Map(
    skipping.filter((one) => one.status === 'skipped').map((one) => [one.name.split(' › ').at(-1) ?? '', one]),
  )
  const pairs = (modules.size === 0 ? [] : others).flatMap((one): [TestCase, TestCase][] => {
    // A class in the module: `tests.test_a.TestB` belongs to `tests.test_a`.
    const module = modules.get(one.scope) ?? modules.get(one.scope.slice(0, Math.max(0, one.scope.lastIndexOf('.'))))
    return module === undefined ? [] : [[module, one]]
  })
  return { pairs, modules: new Set(pairs.map(([module]) => module)), covered: new Set(pairs.map(([, one]) => one)) }
}

function timeRanks(passed: readonly CasePair[]): TestsComparison['timeRanks'] {
  const times = passed.flatMap(({ scratch, ci }): [number, number][] =>
    scratch.seconds && ci.seconds ? [[scratch.seconds, ci.seconds]] : [],
  )
  const distinct = (side: 0 | 1) => new Set(times.map((pair) => pair[side])).size
  if (distinct(0) < DISTINCT_TIMES || distinct(1) < DISTINCT_TIMES) return null
  const rho = spearman(times)
  return rho === null ? null : { rho, cases: times.length }
}
