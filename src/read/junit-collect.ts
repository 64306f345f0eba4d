import type { TestCase, TestReport } from './evidence.ts'
import { asResult, firstLine, isAttempt, type Result, statedStatus, worse } from './junit-case.ts'
import { identify, isPytest, jestName } from './junit-identity.ts'
import { openSuite, remember, type Suite } from './junit-suite.ts'
import { type Moment, secondsOf } from './junit-time.ts'
import { type Attributes, XmlError, type XmlHandler } from './xml.ts'

export const ROOTS: ReadonlySet<string> = new Set(['testsuites', 'testsuite'])
/** Elements that are never looked into: they hold paths, user names and secrets. */
const SEALED = new Set(['system-out', 'system-err', 'properties'])
/** The most cases and suite-level problems that a bundle's reports may have together: beyond, memory is at stake. */
export const CAP = 1_000_000
/** No more is kept of a result's text, of which one line is then taken, once it has this many UTF-16 units. */
const TEXT = 8192
/** With so many times that differ, no other run writes the same report. */
const TIMES = 8

/** What is read of one file. */
export interface FileReport {
  readonly cases: TestCase[]
  readonly hollow: TestCase[]
  readonly suiteProblems: TestReport['suiteProblems'][number][]
  readonly countMismatches: TestReport['countMismatches'][number][]
  readonly hosts: Set<string>
  /** The earliest and the latest timestamp of its suites, with a zone and without. */
  readonly moments: { first: Moment; last: Moment }[]
  /** The longest time that a suite gives for itself; null where none gives any. */
  suiteSeconds: number | null
  /** Different times of its cases that are not zero, as many as are needed to tell it from the report of another run. */
  readonly times: Set<number>
  /** Executed cases of Go packages that took no time at all: `go test` answers them from its cache. */
  cachedCases: number
}

/** Whether no other run would write the same: it is dated, or has times enough. */
export function isOfOneRun({ moments, times }: FileReport): boolean {
  return moments.length > 0 || times.size === TIMES
}

function emptyReport(): FileReport {
  return {
    ...{ cases: [], hollow: [], suiteProblems: [], countMismatches: [], hosts: new Set<string>(), moments: [] },
    ...{ times: new Set<number>(), suiteSeconds: null, cachedCases: 0 },
  }
}

/** An element that is open. One that is not known is looked through: a case may stand in it. */
type Frame =
  | { readonly kind: 'suite'; readonly suite: Suite }
  | CaseFrame
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'other' | 'sealed' }

/** A `<testcase>` that is open. There is one at a time, so that one frame does for all. */
interface CaseFrame {
  readonly kind: 'case'
  one: Written
  /** The one of its result elements that decides. */
  worst: Result | null
  /** Its source file, where the reporter writes one; else ''. */
  file: string
  /** Whether it has a name or a class: what pytest writes of a case that an interrupt ended before has neither. */
  named: boolean
  /** It stands for a file that ran no test of its own. */
  hollow: boolean
}

/** A case while it is read. */
type Written = { -readonly [K in keyof TestCase]: TestCase[K] }

/** Builds the report of one file from its elements. Totals in attributes are held against the cases, never used. */
export class Collector implements XmlHandler {
  readonly report: FileReport = emptyReport()
  readonly #file: string
  readonly #room: number
  readonly #open: Frame[] = []
  #suite: Suite | null = null
  #kept = 0
  /** The case before, in the same suite, where it may turn out to be an attempt that was run again; and its file. */
  #earlier: TestCase | null = null
  #earlierFile = ''
  #lastClass = ''
  #spare: CaseFrame | null = null

  /**
   * @param file its name in the bundle
   * @param room how many cases and problems may be kept
   */
  constructor(file: string, room: number) {
    this.#file = file
    this.#room = room
  }

  open(name: string, attributes: Attributes): boolean {
    const frame = this.#frame(name, attributes)
    this.#open.push(frame)
    return frame.kind === 'result'
  }

  text(text: string): void {
    const frame = this.#open[this.#open.length - 1]
    if (frame?.kind === 'result' && frame.result.text.length < TEXT) frame.result.text += text
  }

  /** @throws XmlError where there is more than there is room for */
  close(): void {
    const frame = this.#open.pop()
    if (frame?.kind === 'case') this.#closeCase(frame)
    else if (frame?.kind === 'suite') this.#closeSuite(frame.suite)
    else if (frame?.kind === 'result') this.#closeResult(frame.result)
  }

  #frame(name: string, attributes: Attributes): Frame {
    const inside = this.#open[this.#open.length - 1]
    if (inside?.kind === 'sealed') {
      if (this.#suite !== null && name === 'property') this.#markGo(this.#suite, attributes.get('name'))
      return SEALED_FRAME
    }
    if (SEALED.has(name)) return SEALED_FRAME
    if (name === 'testcase') {
      if (this.#suite !== null) this.#suite.cases++
      return this.#openCase(attributes)
    }
    if (ROOTS.has(name)) {
      this.#earlier = null
      this.#suite = openSuite(name, attributes, this.#suite)
      remember(name, attributes, this.#suite, this.report)
      return { kind: 'suite', suite: this.#suite }
    }
    if (inside?.kind === 'case' && isAttempt(name)) {
      inside.one.attempts++
      return OTHER_FRAME
    }
    const result = inside?.kind === 'case' || inside?.kind === 'suite' ? asResult(name, attributes) : null
    return result === null ? OTHER_FRAME : { kind: 'result', result }
  }

  /** gotestsum names Go's version, and no cache: a package that took no time was answered from it. Our script says so. */
  #markGo(suite: Suite, property: string | undefined): void {
    if (property === 'go.cached' || (property === 'go.version' && suite.seconds === 0)) suite.cached = true
  }

  #openCase(attributes: Attributes): CaseFrame {
    const suite = this.#suite
    const written = attributes.get('name') ?? ''
    const classname = this.#sameClass(attributes.get('classname') ?? attributes.get('class') ?? '')
    const full = suite?.jest ? jestName(classname, written) : written
    const { scope, name, hollow } = identify(
      suite?.path ?? '',
      suite?.project ?? '',
      suite?.jest ? full : classname,
      full,
    )
    const seconds = secondsOf(attributes.get('time'))
    const one: Written = {
      scope,
      name,
      suite: suite?.path ?? '',
      seconds,
      status: statedStatus(attributes),
      message: null,
      attempts: 0,
    }
    const file = attributes.get('file') ?? ''
    const named = written !== '' || classname !== ''
    const frame = this.#spare
    if (frame === null) return { kind: 'case', one, worst: null, file, named, hollow }
    this.#spare = null
    frame.one = one
    frame.worst = null
    frame.file = file
    frame.named = named
    frame.hollow = hollow
    return frame
  }

  #closeCase(frame: CaseFrame): void {
    const { one, worst, file, named, hollow } = frame
    this.#spare = frame
    const suite = this.#suite
    if (worst === null && !named) {
      if (suite !== null) suite.cases--
      return
    }
    const { cases } = this.report
    // pytest-rerunfailures leaves of each attempt but the last a case without any result.
    const attempt = this.#isAgain(one, file)
    if (attempt) one.attempts += (this.#earlier?.attempts ?? 0) + 1
    if (worst !== null) {
      one.status = worst.status
      one.message = firstLine(worst)
    }
    if (suite !== null) {
      if (one.status !== 'skipped') suite.executed++
      if (one.attempts > 0 || (one.status !== 'passed' && one.status !== 'skipped')) suite.failures = true
    }
    if (one.seconds && this.report.times.size < TIMES) this.report.times.add(one.seconds)
    if (hollow && one.status === 'passed') this.report.hollow.push(one)
    if (attempt) cases[cases.length - 1] = one
    else {
      this.#count()
      cases.push(one)
    }
    this.#earlier = isPytest(one.suite) && worst === null ? one : null
    this.#earlierFile = file
  }

  #isAgain({ scope, name }: TestCase, file: string): boolean {
    const earlier = this.#earlier
    return earlier !== null && earlier.name === name && earlier.scope === scope && this.#earlierFile === file
  }

  /** The class of the case before where it is the same, so that one text is kept for all cases of a class. */
  #sameClass(classname: string): string {
    if (classname !== this.#lastClass) this.#lastClass = classname
    return this.#lastClass
  }

  #closeSuite({ declared, declaredFailures, failures, cases, executed, suites, outer, cached }: Suite): void {
    const mismatch = (of: 'cases' | 'failures', attribute: number, elements: number) => {
      this.#count()
      this.report.countMismatches.push({ file: this.#file, attribute, elements, of })
    }
    // A suite of suites repeats their totals, or not: only one of cases alone is held against its own.
    if (declared !== null && suites === 0 && declared !== cases) mismatch('cases', declared, cases)
    if (declaredFailures && suites === 0 && !failures) mismatch('failures', declaredFailures, 0)
    if (cached) this.report.cachedCases += executed
    this.#suite = outer
    this.#earlier = null
  }

  #closeResult(result: Result): void {
    const around = this.#open[this.#open.length - 1]
    if (around?.kind === 'case') around.worst = worse(around.worst, result)
    else if (result.status !== 'skipped') {
      this.#count()
      if (this.#suite !== null) this.#suite.failures = true
      this.report.suiteProblems.push({ file: this.#file, message: firstLine(result) })
    }
  }

  #count(): void {
    if (++this.#kept > this.#room) throw new XmlError(`it has more than ${CAP.toLocaleString('en')} cases`, null)
  }
}

const SEALED_FRAME: Frame = { kind: 'sealed' }
const OTHER_FRAME: Frame = { kind: 'other' }
