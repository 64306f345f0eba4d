import type { Problem, TestCase, TestReport } from './evidence.ts'
import { asResult, asTestCase, type CaseElement, firstLine, type Result, worse } from './junit-case.ts'
import { suitePath } from './junit-identity.ts'
import { readXml, searchControl, type XmlHandler } from './junit-xml.ts'
import { decodeText, lineOf } from './text.ts'
import { XmlError } from './xml-structure.ts'

const ROOTS = new Set(['testsuites', 'testsuite'])
/** Elements that are never looked into: they hold paths, user names and secrets. */
const SEALED = new Set(['system-out', 'system-err', 'properties'])
/** The most cases and suite-level problems that a bundle's reports may have together: beyond, memory is at stake. */
const CAP = 1_000_000
/** No more is kept of a result's text, of which one line is then taken, once it has this many UTF-16 units. */
const TEXT = 8192

type Mutable<T extends readonly unknown[]> = T[number][]

/** What is read of one file. */
interface FileReport {
  readonly cases: TestCase[]
  readonly suiteProblems: Mutable<TestReport['suiteProblems']>
  readonly countMismatches: Mutable<TestReport['countMismatches']>
}

/**
 * Reads all JUnit XML of a bundle as one report.
 *
 * @param files each file's name in the bundle, and its bytes
 * @returns the report, null where no file can be read. A file that breaks off, or is something else, is an `unreadable`
 *   problem and no part of the report: half a run is never shown as a whole one.
 */
export function readTestReport(files: readonly { readonly file: string; readonly bytes: Uint8Array }[]): {
  report: TestReport | null
  problems: Problem[]
} {
  const problems: Problem[] = []
  const read: string[] = []
  const reports: FileReport[] = []
  let kept = 0
  for (const { file, bytes } of files) {
    const report = readJUnit(file, bytes, CAP - kept, problems)
    if (report === null) continue
    read.push(file)
    reports.push(report)
    kept += report.cases.length + report.suiteProblems.length + report.countMismatches.length
  }
  if (read.length === 0) return { report: null, problems }
  return {
    report: {
      files: read,
      cases: reports.flatMap((one) => one.cases),
      suiteProblems: reports.flatMap((one) => one.suiteProblems),
      countMismatches: reports.flatMap((one) => one.countMismatches),
    },
    problems,
  }
}

function readJUnit(file: string, bytes: Uint8Array, room: number, problems: Problem[]): FileReport | null {
  const { text, invalidAt } = decodeText(bytes)
  if (invalidAt !== null) problems.push({ kind: 'not-utf8', file, line: invalidAt })
  if (text.trim() === '') {
    problems.push({ kind: 'unreadable', file, line: null, why: 'it is empty' })
    return null
  }
  const control = searchControl(text)
  if (control !== -1) problems.push({ kind: 'control-characters', file, line: lineOf(text, control) })
  const report: FileReport = { cases: [], suiteProblems: [], countMismatches: [] }
  try {
    readXml(text, ROOTS, collect(file, room, report))
    return report
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    problems.push({ kind: 'unreadable', file, line: error.line, why: error.message })
    return null
  }
}

/** An element that is open. One that is not known is looked through: a case may stand in it. */
type Frame =
  | { readonly kind: 'suite'; readonly suite: Suite }
  | { readonly kind: 'case'; readonly element: CaseElement }
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'other' | 'sealed' }

interface Suite {
  readonly path: string
  /** Playwright puts its project where others put the machine's name; null in other reporters' files. */
  readonly project: string | null
  /** How many cases its attributes say that it has. */
  readonly declared: number | null
  readonly outer: Suite | null
  cases: number
  suites: number
}

/** Builds the report of one file from its elements. Totals in attributes are held against the cases, never used. */
function collect(file: string, room: number, into: FileReport): XmlHandler {
  const open: Frame[] = []
  let suite: Suite | null = null
  let kept = 0
  const keep = <T>(list: T[], item: T) => {
    if (++kept > room) throw new XmlError(`it has more than ${CAP.toLocaleString('en')} cases`, null)
    list.push(item)
  }

  const asFrame = (name: string, attributes: ReadonlyMap<string, string>): Frame => {
    const around = open.at(-1)?.kind
    if (around === 'sealed' || SEALED.has(name)) return { kind: 'sealed' }
    if (ROOTS.has(name)) {
      suite = openSuite(name, attributes, suite)
      return { kind: 'suite', suite }
    }
    if (name === 'testcase') {
      if (suite !== null) suite.cases++
      return { kind: 'case', element: { attributes, worst: null } }
    }
    const result = around === 'case' || around === 'suite' ? asResult(name, attributes) : null
    return result === null ? { kind: 'other' } : { kind: 'result', result }
  }

  return {
    open(name, attributes) {
      const frame = asFrame(name, attributes)
      open.push(frame)
      return frame.kind === 'result'
    },
    text(text) {
      const frame = open.at(-1)
      if (frame?.kind === 'result' && frame.result.text.length < TEXT) frame.result.text += text
    },
    close() {
      const frame = open.pop()
      if (frame?.kind === 'suite') {
        const { declared, cases, suites, outer } = frame.suite
        // A suite of suites repeats their totals, or not: only one of cases alone is held against its own.
        if (declared !== null && suites === 0 && declared !== cases)
          keep(into.countMismatches, { file, attribute: declared, elements: cases })
        suite = outer
      } else if (frame?.kind === 'case') {
        // What pytest writes of a case that an interrupt ended before it had a name is no case.
        if (
          frame.element.worst === null &&
          !frame.element.attributes.get('name') &&
          !frame.element.attributes.get('classname')
        ) {
          if (suite !== null) suite.cases--
          return
        }
        keep(into.cases, asTestCase(frame.element, suite?.path ?? '', suite?.project ?? ''))
      } else if (frame?.kind === 'result') {
        const around = open.at(-1)
        if (around?.kind === 'case') around.element.worst = worse(around.element.worst, frame.result)
        else if (frame.result.status !== 'skipped') keep(into.suiteProblems, { file, message: firstLine(frame.result) })
      }
    },
  }
}

function openSuite(name: string, attributes: ReadonlyMap<string, string>, outer: Suite | null): Suite {
  if (outer !== null) outer.suites++
  const title = name === 'testsuites' ? '' : (attributes.get('name') ?? '')
  const tests = /^\d{1,9}$/.exec(attributes.get('tests') ?? '')
  return {
    path: title === '' ? (outer?.path ?? '') : suitePath(outer?.path ?? '', title),
    project: projectOf(name, attributes, outer),
    declared: tests === null ? null : Number(tests[0]),
    outer,
    cases: 0,
    suites: 0,
  }
}

/** Of the reporters that are known only Playwright's gives the root an `id`. */
function projectOf(name: string, attributes: ReadonlyMap<string, string>, outer: Suite | null): string | null {
  if (outer === null) return name === 'testsuites' && attributes.has('id') ? '' : null
  return outer.project === null ? null : (attributes.get('hostname') ?? outer.project)
}
