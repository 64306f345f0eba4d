import type { CaseStatus, TestCase } from './evidence.ts'
import { identify } from './junit-identity.ts'
import { clip } from './text.ts'

/** A `<testcase>` as it stands in the file. */
export interface CaseElement {
  readonly attributes: ReadonlyMap<string, string>
  /** The one of its result elements that decides. */
  worst: Result | null
}

/** An `<error>`, `<failure>` or `<skipped>`. */
export interface Result {
  readonly status: Exclude<CaseStatus, 'passed'>
  /** A test that is still to be done: node:test runs it, and lets it fail without failing the run. */
  readonly todo: boolean
  readonly message: string
  text: string
}

const MESSAGE = 300

/** The result that an element is; null where its name is none. Attempts that were rerun (`rerunFailure`) are no result. */
export function asResult(name: string, attributes: ReadonlyMap<string, string>): Result | null {
  const status = name === 'failure' ? 'failed' : name === 'error' || name === 'skipped' ? name : null
  if (status === null) return null
  const todo = status === 'skipped' && attributes.get('type') === 'todo'
  return { status, todo, message: attributes.get('message') ?? '', text: '' }
}

/** Of two results of one case the one that decides: to be done, error, failure, skipped; the first of two alike. */
export function worse(one: Result | null, other: Result): Result {
  const rank = (result: Result) => (result.todo ? 3 : ['skipped', 'failed', 'error'].indexOf(result.status))
  return one === null || rank(other) > rank(one) ? other : one
}

/**
 * A case as the comparison needs it.
 *
 * @param suites the path of the suites around it
 * @param project Playwright's project, '' for none
 */
export function asTestCase(element: CaseElement, suites: string, project: string): TestCase {
  const { attributes, worst } = element
  const classname = attributes.get('classname') ?? attributes.get('class') ?? ''
  return {
    ...identify({ suites, project, classname, name: attributes.get('name') ?? '' }),
    status: worst?.status ?? statedStatus(attributes),
    seconds: secondsOf(attributes.get('time') ?? ''),
    message: worst === null ? null : firstLine(worst),
  }
}

const STATED = new Map<string, CaseStatus>([
  ...(['disabled', 'notrun', 'ignored', 'suppressed', 'skipped'] as const).map((word) => [word, 'skipped'] as const),
  ...(['fail', 'failed', 'failure'] as const).map((word) => [word, 'failed'] as const),
  ['error', 'error'],
])

/** What a case without a result element says of itself in an attribute: GoogleTest, CTest and others do. */
function statedStatus(attributes: ReadonlyMap<string, string>): CaseStatus {
  const stated = ['status', 'result'].map((name) => STATED.get((attributes.get(name) ?? '').toLowerCase()))
  return stated.find((status) => status !== undefined && status !== 'skipped') ?? stated.find(Boolean) ?? 'passed'
}

/** Messages that say no more than the element's name: what is worth reading stands in the text. */
const EMPTY = /^(?:true|failed|skipped|collection (?:skipped|failure))?$/i

/** The line of a result that says the most, cut to 300 characters; null where the file says nothing. */
export function firstLine({ message, text }: Result): string | null {
  const pytest = /^collection (skipped|failure)$/.exec(message)?.[1]
  if (pytest === 'skipped') return shown(text.split('Skipped: ')[1]?.replace(/["']\)$/, '') ?? text)
  // The traceback of a module that could not be imported ends with the reason.
  if (pytest === 'failure') return shown(/^E +(.*)$/m.exec(text)?.[1] ?? text)
  return (EMPTY.test(message.trim()) ? null : shown(message)) ?? shown(text)
}

function shown(text: string): string | null {
  // `go test` frames what a test says with lines of its own.
  const line = text
    .slice(0, 4096)
    .split('\n')
    .find((one) => one.trim() !== '' && !/^\s*(?:(?:===|---) |PASS$|FAIL$)/.test(one))
  return line === undefined ? null : clip(line.trim(), MESSAGE)
}

/**
 * Seconds of a time as reporters write it: `1.5`, `1,234.5`, `0,25`, `80.8us`, `0:01:02.5`; a whole number from 1,000,000
 * on is nanoseconds, which a few reporters write. Null where nothing is recorded, or nothing that is a duration.
 */
function secondsOf(written: string): number | null {
  if (/^\d{1,6}\.\d+$/.test(written)) return Number(written)
  const match = /^(?:(\d{1,4}):)?(?:(\d{1,4}):)?(\d[\d,]*(?:\.\d*)?(?:e[+-]?\d{1,2})?) *(ns|us|µs|μs|ms|s)?$/i.exec(
    written.slice(0, 40).trim(),
  )
  if (match === null) return null
  const [, first, second, last = '', unit = ''] = match
  const number = Number(/^0,|^\d+,\d{1,2}$/.test(last) ? last.replace(',', '.') : last.replaceAll(',', ''))
  const [hours, minutes] = second === undefined ? [0, Number(first ?? 0)] : [Number(first), Number(second)]
  const bare = unit === '' && first === undefined && Number.isInteger(number) && number >= 1e6
  const scale = UNITS.get(bare ? 'ns' : unit.toLowerCase()) ?? 1
  return Number.isFinite(number) ? number * scale + minutes * 60 + hours * 3600 : null
}

const UNITS = new Map([
  ['ns', 1e-9],
  ['us', 1e-6],
  ['µs', 1e-6],
  ['μs', 1e-6],
  ['ms', 1e-3],
])
