import type { CaseStatus } from './evidence.ts'
import { clip } from './text.ts'
import type { Attributes } from './xml.ts'

/** An `<error>`, `<failure>` or `<skipped>`. */
export interface Result {
  readonly status: Exclude<CaseStatus, 'passed'>
  /** A test that may fail, as one that is still to be done: its runner lets it fail without failing the run. */
  readonly todo: boolean
  readonly message: string
  text: string
}

const MESSAGE = 300
/** What Catch2 says of a test that is allowed to fail, beside the failure. */
const MAY_FAIL = /^TEST_CASE tagged with !(?:mayfail|shouldfail)/

/** The result that an element is; null where its name is none. */
export function asResult(name: string, attributes: Attributes): Result | null {
  const status = name === 'failure' ? 'failed' : name === 'error' || name === 'skipped' ? name : null
  if (status === null) return null
  const message = attributes.get('message') ?? ''
  const type = status === 'skipped' ? attributes.get('type') : undefined
  // pytest says so of a test that it was told not to run at all, too.
  if (type === 'pytest.xfail' && !message.startsWith('[NOTRUN]'))
    return { status: 'expected', todo: false, message, text: '' }
  return { status, todo: type === 'todo' || (status === 'skipped' && MAY_FAIL.test(message)), message, text: '' }
}

/** Whether an element in a case tells of an attempt that was run again, and is no result of the case. */
export function isAttempt(name: string): boolean {
  return name === 'flakyFailure' || name === 'flakyError' || name === 'rerunFailure' || name === 'rerunError'
}

const RANKS: readonly Result['status'][] = ['skipped', 'expected', 'failed', 'error']

/**
 * Of two results of one case the one that decides: error, failure, expected failure, skipped; the first of two alike. A
 * failure of a test that may fail is an expected one.
 */
export function worse(one: Result | null, other: Result): Result {
  if (one === null) return other
  if (one.todo || other.todo) {
    const failure = [one, other].find(({ status }) => status !== 'skipped')
    return failure === undefined ? one : { ...failure, status: 'expected', todo: true }
  }
  return RANKS.indexOf(other.status) > RANKS.indexOf(one.status) ? other : one
}

const STATED = new Map<string, CaseStatus>([
  ...(['disabled', 'notrun', 'ignored', 'suppressed', 'skipped'] as const).map((word) => [word, 'skipped'] as const),
  ...(['fail', 'failed', 'failure'] as const).map((word) => [word, 'failed'] as const),
  ['error', 'error'],
])

/** What a case without a result element says of itself in an attribute: GoogleTest, CTest and others do. */
export function statedStatus(attributes: Attributes): CaseStatus {
  const status = attributes.get('status')
  const result = attributes.get('result')
  if (status === undefined && result === undefined) return 'passed'
  const [one, other] = [status, result].map((word) => STATED.get((word ?? '').toLowerCase()))
  return (one === 'skipped' ? (other ?? one) : (one ?? other)) ?? 'passed'
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
