import type { TestCase } from '../read/evidence.ts'
import { groupBy } from '../read/group.ts'
import { caseId, enclosingIds } from '../read/junit-identity.ts'
import type { CasePair } from './comparison.ts'

/** Where the cases of two reports went. Every case is in one place. */
export interface Matched {
  readonly pairs: readonly CasePair[]
  readonly onlyScratch: readonly TestCase[]
  readonly onlyCi: readonly TestCase[]
  /** Cases that one side has more often than the other, beyond those that stand in a pair. */
  readonly repeats: { readonly scratch: readonly TestCase[]; readonly ci: readonly TestCase[] }
}

/** `Matched`, as it is filled. */
interface Places {
  readonly pairs: CasePair[]
  onlyScratch: TestCase[]
  onlyCi: TestCase[]
  readonly repeats: { scratch: TestCase[]; ci: TestCase[] }
}

/**
 * Puts the cases of two reports beside each other by their ids.
 *
 * - Of several with one id, those that ended alike belong together. What one side has more often is a repeat of the same
 *   test, unless it failed and none of the other side did.
 * - Cases that are then left belong together where only the place of the checkout in their names is another, or the folder
 *   in which their tool was started.
 * - Cases that one side skipped as a whole, a module by `importorskip` or a parent test by `t.Skip`, or could not even
 *   load, are put beside the one case that says so: they did not run there, and are not missing.
 */
export function matchCases(
  scratch: readonly TestCase[],
  ci: readonly TestCase[],
  folders: { readonly scratch: string; readonly ci: string } = { scratch: '.', ci: '.' },
): Matched {
  const places: Places = { pairs: [], onlyScratch: [], onlyCi: [], repeats: { scratch: [], ci: [] } }
  if (areInStep(scratch, ci)) {
    for (let at = 0; at < scratch.length; at++)
      places.pairs.push({ scratch: scratch[at] as TestCase, ci: ci[at] as TestCase })
    return places
  }
  const index = new Index()
  const { cases: firsts } = index
  const partners: (TestCase | undefined)[] = []
  /** Where a case comes more than once: all of it. Few do, and a list for each would cost more than the cases. */
  const several = new Map<number, { readonly there: TestCase[]; readonly here: TestCase[] }>()
  const listsAt = (position: number) => {
    const known = several.get(position)
    if (known !== undefined) return known
    const [there, here] = [firsts[position], partners[position]]
    const lists = { there: there ? [there] : [], here: here ? [here] : [] }
    several.set(position, lists)
    return lists
  }
  for (const one of scratch) {
    const position = index.add(one)
    if (firsts[position] !== one) listsAt(position).there.push(one)
  }
  for (const one of ci) {
    const position = index.find(one)
    if (position === undefined) places.onlyCi.push(one)
    else if (several.has(position) || partners[position] !== undefined) listsAt(position).here.push(one)
    else partners[position] = one
  }
  for (let position = 0; position < firsts.length; position++) {
    const one = firsts[position] as TestCase
    const here = partners[position]
    const lists = several.get(position)
    if (lists !== undefined && lists.here.length > 0) matchSeveral(lists.there, lists.here, places)
    else if (lists !== undefined) append(places.onlyScratch, lists.there)
    else if (here === undefined) places.onlyScratch.push(one)
    else places.pairs.push({ scratch: one, ci: here })
  }
  matchLeft(places, placeless, placeless)
  if (folders.scratch !== folders.ci) matchLeft(places, inFolder(folders.scratch), inFolder(folders.ci))
  return withTheWhole(places, scratch, ci)
}

/** Whether two runs name the same cases in the same order and each ended alike, as most do: nothing is to be looked up. */
function areInStep(scratch: readonly TestCase[], ci: readonly TestCase[]): boolean {
  return (
    scratch.length === ci.length &&
    scratch.every((one, at) => {
      const other = ci[at]
      return one.status === other?.status && one.name === other.name && one.scope === other.scope
    })
  )
}

/** Pairs those of the cases that are left whose keys are the same. */
function matchLeft(places: Places, keyThere: (one: TestCase) => string, keyHere: (one: TestCase) => string): void {
  if (places.onlyScratch.length === 0 || places.onlyCi.length === 0) return
  const there = groupBy(places.onlyScratch, keyThere)
  const paired = new Set<TestCase>()
  for (const [key, here] of groupBy(places.onlyCi, keyHere)) {
    const mine = there.get(key)
    if (mine === undefined) continue
    matchAlike(mine, here, places)
    for (const one of [...mine, ...here]) paired.add(one)
  }
  if (paired.size === 0) return
  places.onlyScratch = places.onlyScratch.filter((one) => !paired.has(one))
  places.onlyCi = places.onlyCi.filter((one) => !paired.has(one))
}

const ABSOLUTE_PATH = /(?<![\w.~/\\])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\\/][^\\/\s[\](){},;:'"<>|]+){2,}/g

/** A case's id with the file's name alone of each absolute path in its name, as parameters hold them. */
function placeless(one: TestCase): string {
  if (!/[\\/]/.test(one.name)) return caseId(one)
  return caseId({ ...one, name: one.name.replace(ABSOLUTE_PATH, (path) => path.slice(path.search(/[^\\/]+$/))) })
}

/** Likewise, with the folder in which the tool was started before its class or file. */
function inFolder(folder: string): (one: TestCase) => string {
  if (folder === '.') return placeless
  return (one) => {
    const scope = /[\\/]|\.[a-z]{1,4}$/.test(one.scope)
      ? `${folder}/${one.scope}`
      : `${folder.replaceAll('/', '.')}.${one.scope}`
    return placeless(one.scope === '' ? one : { ...one, scope })
  }
}

/** Cases by scope and name. Most scopes have many names; of those with one, a map of its own would cost too much. */
class Index {
  /** The first case of each scope and name. */
  readonly cases: TestCase[] = []
  readonly #positions = new Map<string, number | Map<string, number>>()

  /** Adds a case, unless one of its scope and name is there; returns the position of the first. */
  add(one: TestCase): number {
    const names = this.#positions.get(one.scope)
    if (names === undefined) {
      this.#positions.set(one.scope, this.cases.length)
      return this.cases.push(one) - 1
    }
    const known = this.#among(names, one.name)
    if (known !== undefined) return known
    const position = this.cases.push(one) - 1
    if (typeof names !== 'number') names.set(one.name, position)
    else {
      const first = this.cases[names] as TestCase
      this.#positions.set(one.scope, new Map([[first.name, names]]).set(one.name, position))
    }
    return position
  }

  find({ scope, name }: TestCase): number | undefined {
    const names = this.#positions.get(scope)
    return names === undefined ? undefined : this.#among(names, name)
  }

  #among(names: number | Map<string, number>, name: string): number | undefined {
    if (typeof names !== 'number') return names.get(name)
    return this.cases[names]?.name === name ? names : undefined
  }
}

/** Those of a suite that both sides have belong together; what is left then, however its suites are called. */
function matchSeveral(there: readonly TestCase[], here: readonly TestCase[], into: Places): void {
  const [mine, theirs] = [groupBy(there, ({ suite }) => suite), groupBy(here, ({ suite }) => suite)]
  const common = [...mine.keys()].filter((suite) => theirs.has(suite))
  if (common.length < 2) {
    matchAlike(there, here, into)
    return
  }
  for (const suite of common) matchAlike(mine.get(suite) ?? [], theirs.get(suite) ?? [], into)
  const rest = (cases: readonly TestCase[]) => cases.filter(({ suite }) => !common.includes(suite))
  matchAlike(rest(there), rest(here), into)
}

function matchAlike(there: readonly TestCase[], here: readonly TestCase[], into: Places): void {
  const [mine, theirs] = [groupBy(there, (one) => one.status), groupBy(here, (one) => one.status)]
  const pairs: CasePair[] = []
  const [left, right]: [TestCase[], TestCase[]] = [[], []]
  for (const status of ['error', 'failed', 'expected', 'passed', 'skipped'] as const)
    pairUp(mine.get(status) ?? [], theirs.get(status) ?? [], pairs, left, right)
  const [more, moreHere]: [TestCase[], TestCase[]] = [[], []]
  pairUp(left, right, pairs, more, moreHere)
  if (!here.some(didFail)) takeFailures(more, pairs, 'scratch')
  if (!there.some(didFail)) takeFailures(moreHere, pairs, 'ci')
  append(into.pairs, pairs)
  append(into.repeats.scratch, more)
  append(into.repeats.ci, moreHere)
}

/** One by one: a list may have more than a call takes arguments. */
function append<T>(to: T[], list: readonly T[]): void {
  for (const one of list) to.push(one)
}

/** Puts each failure that is left over in the place of one that passed: it is what the two sides differ in. */
function takeFailures(more: TestCase[], pairs: CasePair[], side: 'scratch' | 'ci'): void {
  more.forEach((failure, at) => {
    const position = didFail(failure) ? pairs.findIndex((pair) => pair[side].status === 'passed') : -1
    const pair = pairs[position]
    if (pair === undefined) return
    more[at] = pair[side]
    pairs[position] = { ...pair, [side]: failure }
  })
}

/** Whether a case ended badly: a failure and an error are one. */
export function didFail({ status }: TestCase): boolean {
  return status === 'failed' || status === 'error'
}

function pairUp(
  scratch: readonly TestCase[],
  ci: readonly TestCase[],
  pairs: CasePair[],
  onlyScratch: TestCase[],
  onlyCi: TestCase[],
): void {
  for (let at = 0; at < scratch.length || at < ci.length; at++) {
    const [there, here] = [scratch[at], ci[at]]
    if (there && here) pairs.push({ scratch: there, ci: here })
    else if (there) onlyScratch.push(there)
    else if (here) onlyCi.push(here)
  }
}

/** Puts cases that only one side has beside the case by which the other side skipped or failed to load them together. */
function withTheWhole(places: Places, scratch: readonly TestCase[], ci: readonly TestCase[]): Matched {
  const there = wholes(places.onlyCi, scratch, places.onlyScratch)
  const here = wholes(places.onlyScratch, ci, places.onlyCi)
  if (there.size + here.size === 0) return places
  const covers = new Set([...there.values(), ...here.values()])
  return {
    ...places,
    pairs: [
      ...places.pairs,
      ...[...there].map(([one, whole]) => ({ scratch: whole, ci: one })),
      ...[...here].map(([one, whole]) => ({ scratch: one, ci: whole })),
    ],
    onlyScratch: places.onlyScratch.filter((one) => !here.has(one) && !covers.has(one)),
    onlyCi: places.onlyCi.filter((one) => !there.has(one) && !covers.has(one)),
  }
}

/**
 * For each case that the other side lacks, the case of that side which stands for it, where there is one.
 *
 * @param lacking cases that the other side lacks
 * @param otherSide all cases of that side
 * @param onlyThere those of them that this side lacks: of what could not be loaded only such a one stands for others
 */
function wholes(
  lacking: readonly TestCase[],
  otherSide: readonly TestCase[],
  onlyThere: readonly TestCase[],
): Map<TestCase, TestCase> {
  const found = new Map<TestCase, TestCase>()
  if (lacking.length === 0) return found
  const byId = new Map<string, TestCase>()
  for (const one of otherSide) if (one.status === 'skipped') byId.set(caseId(one), one)
  for (const one of onlyThere) {
    const own = setUpOf(one)
    if (own !== null) byId.set(own, one)
    else if (one.status === 'error') byId.set(caseId(one), one)
  }
  if (byId.size === 0) return found
  for (const one of lacking) {
    const whole = enclosingIds(one).find((id) => byId.has(id))
    if (whole !== undefined) found.set(one, byId.get(whole) ?? one)
  }
  return found
}

/** What JUnit, TestNG, Go and go-junit-report call a class or a package that could not be built or set up. */
const SET_UP = /^(?:|\[.*\]|Failure|TestMain|classMethod|initializationError|(?:before|setUp)(?:All|Class)\b.*)$/

/** The class or package that a failed case says could not be set up; null where it is a case like others. */
function setUpOf(one: TestCase): string | null {
  return one.scope !== '' && didFail(one) && SET_UP.test(one.name) ? one.scope : null
}
