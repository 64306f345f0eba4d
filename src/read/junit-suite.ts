import type { FileReport } from './junit-collect.ts'
import { suitePath } from './junit-identity.ts'
import { momentOf, secondsOf } from './junit-time.ts'
import type { Attributes } from './xml.ts'

/** No more names of machines are kept. */
const HOSTS = 32

/** A `<testsuite>` or `<testsuites>` while it is read. */
export interface Suite {
  readonly path: string
  /** Playwright puts its project where others put the machine's name; null in other reporters' files. */
  readonly project: string | null
  /** How many cases its attributes say that it has. */
  readonly declared: number | null
  /** How many of them did not pass, likewise; null where it does not say. */
  readonly declaredFailures: number | null
  readonly seconds: number | null
  /** jest-junit wrote it. */
  readonly jest: boolean
  readonly outer: Suite | null
  cases: number
  executed: number
  /** Whether it has a case that did not pass, or an attempt or a problem that its totals may count. */
  failures: boolean
  suites: number
  /** It is a Go package that was answered from the cache. */
  cached: boolean
}

/** A suite that begins. */
export function openSuite(name: string, attributes: Attributes, outer: Suite | null): Suite {
  if (outer !== null) outer.suites++
  const title = name === 'testsuites' ? '' : (attributes.get('name') ?? '')
  return {
    path: title === '' ? (outer?.path ?? '') : suitePath(outer?.path ?? '', title),
    project: projectOf(name, attributes, outer),
    declared: totalOf(attributes, 'tests'),
    declaredFailures: sumOf(totalOf(attributes, 'failures'), totalOf(attributes, 'errors')),
    seconds: secondsOf(attributes.get('time')),
    jest: outer === null ? attributes.get('name') === 'jest tests' : outer.jest,
    outer,
    ...{ cases: 0, executed: 0, failures: false, suites: 0, cached: false },
  }
}

function totalOf(attributes: Attributes, name: string): number | null {
  const text = attributes.get(name)
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
}

function sumOf(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0)
}

/** Of the reporters that are known only Playwright's gives the root an `id`. */
function projectOf(name: string, attributes: Attributes, outer: Suite | null): string | null {
  if (outer === null) return name === 'testsuites' && attributes.has('id') ? '' : null
  return outer.project === null ? null : (attributes.get('hostname') ?? outer.project)
}

/** Keeps what a suite says of when, where and how long it ran. */
export function remember(name: string, attributes: Attributes, suite: Suite, into: FileReport): void {
  const host = suite.project === null ? attributes.get('hostname')?.trim() : undefined
  if (host && into.hosts.size < HOSTS) into.hosts.add(host)
  if (name === 'testsuite' && suite.seconds !== null) {
    into.suiteSeconds = Math.max(into.suiteSeconds ?? 0, suite.seconds)
  }
  const moment = momentOf(attributes.get('timestamp'))
  if (moment === null) return
  const known = into.moments.find(({ first }) => first.zoned === moment.zoned)
  if (known === undefined) into.moments.push({ first: moment, last: moment })
  else if (moment.at < known.first.at) known.first = moment
  else if (moment.at > known.last.at) known.last = moment
}
