import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { CaseStatus, Problem, TestCase, TestReport } from './evidence.ts'
import { caseId, caseName, caseScope } from './junit-identity.ts'
import { screen } from './junit-screen.ts'
import { clip, decodeText } from './text.ts'

/** What the parser makes of an element: attributes under `@name`, children as arrays, text under `#text`. */
type Element = { readonly [key: string]: unknown }

/** Elements of which all that matters is that they are not kept: they hold paths, user names and secrets. */
const DROPPED = new Set(['system-out', 'system-err', 'properties'])
const SUITES = ['testsuites', 'testsuite'] as const
const RESULTS = ['error', 'failure', 'skipped'] as const
/** `status` and `result` of cases that have no child that says so. */
const NOT_RUN = new Set(['disabled', 'notrun', 'ignored', 'suppressed', 'skipped'])

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  htmlEntities: true,
  // Only the predefined entities are left: a DOCTYPE is refused before.
  processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
  maxNestedTags: 300,
  isArray: (_name, _path, _leaf, isAttribute) => !isAttribute,
  updateTag: (name) => (DROPPED.has(name) ? false : name),
})

/**
 * Reads all JUnit XML of a bundle as one report.
 *
 * @param files each file's name in the bundle, and its bytes
 * @returns the report, null where no file can be read; a file that breaks off or is something else is a problem and no
 *   part of the report: half a run is never shown as a whole one
 */
export function readTestReport(files: readonly { readonly file: string; readonly bytes: Uint8Array }[]): {
  report: TestReport | null
  problems: Problem[]
} {
  const problems: Problem[] = []
  const read: string[] = []
  const report = {
    cases: [] as TestCase[],
    suiteProblems: [] as Mutable<TestReport['suiteProblems']>,
    countMismatches: [] as Mutable<TestReport['countMismatches']>,
  }
  for (const { file, bytes } of files) {
    const parsed = parse(file, bytes, problems)
    if (parsed === null) continue
    read.push(file)
    collect(file, parsed, report)
  }
  return { report: read.length === 0 ? null : { files: read, ...report }, problems }
}

type Mutable<T extends readonly unknown[]> = T[number][]

function parse(file: string, bytes: Uint8Array, problems: Problem[]): Element | null {
  const unreadable = (line: number | null, why: string) => {
    problems.push({ kind: 'unreadable', file, line, why })
    return null
  }
  const decoded = decodeText(bytes)
  if (decoded.invalidAt !== null) problems.push({ kind: 'not-utf8', file, line: decoded.invalidAt })
  if (decoded.text.trim() === '') return unreadable(null, 'the file is empty')
  const screened = screen(decoded.text)
  if (screened.refused !== null) return unreadable(screened.refused.line, screened.refused.why)
  if (screened.controlAt !== null) problems.push({ kind: 'control-characters', file, line: screened.controlAt })
  const valid = XMLValidator.validate(screened.text)
  if (valid !== true) return unreadable(valid.err.line, `it is no whole XML document: ${clip(valid.err.msg, 200)}`)
  try {
    const root = parser.parse(screened.text) as Element
    return SUITES.some((name) => root[name] !== undefined)
      ? root
      : unreadable(1, 'it is no JUnit XML: its root is neither `testsuites` nor `testsuite`')
  } catch (error) {
    return unreadable(null, error instanceof Error ? clip(error.message, 200) : 'it cannot be parsed')
  }
}

/** Walks the suites of a document without recursion. Totals in attributes are held against the cases, never used. */
function collect(
  file: string,
  root: Element,
  into: {
    cases: TestCase[]
    suiteProblems: Mutable<TestReport['suiteProblems']>
    countMismatches: Mutable<TestReport['countMismatches']>
  },
): void {
  const open: { element: Element; path: readonly string[]; host: string }[] = [{ element: root, path: [], host: '' }]
  for (let suite = open.pop(); suite !== undefined; suite = open.pop()) {
    const { element, path, host } = suite
    for (const problem of [...children(element, 'error'), ...children(element, 'failure')])
      into.suiteProblems.push({ file, message: messageOf(problem) })
    const cases = children(element, 'testcase')
    for (const one of cases) into.cases.push(readCase(one, path, host))
    const inner = SUITES.flatMap((name) => children(element, name))
    const total = /^\d{1,9}$/.exec(attribute(element, 'tests') ?? '')
    // A suite of suites repeats its children's totals: only one without is held against its own cases.
    if (total !== null && inner.length === 0 && Number(total[0]) !== cases.length)
      into.countMismatches.push({ file, attribute: Number(total[0]), elements: cases.length })
    for (const next of inner.reverse()) {
      const name = attribute(next, 'name')
      open.push({
        element: next,
        path: name === null ? path : [...path, name],
        host: attribute(next, 'hostname') ?? host,
      })
    }
  }
}

function readCase(element: Element, suites: readonly string[], host: string): TestCase {
  const [kind, result] = resultOf(element)
  const named = {
    suites,
    host,
    classname: attribute(element, 'classname') ?? attribute(element, 'class'),
    name: attribute(element, 'name') ?? '',
    file: attribute(element, 'file'),
  }
  return {
    id: caseId(named),
    name: caseName(named),
    scope: caseScope(named),
    status: kind,
    seconds: secondsOf(attribute(element, 'time')),
    message: result === null ? null : messageOf(result),
  }
}

/** The worst result that a case has: error, failure, skipped, passed. Attempts that were rerun are no result. */
function resultOf(element: Element): [CaseStatus, Element | string | null] {
  for (const name of RESULTS) {
    const [child] = children(element, name)
    if (child !== undefined) return [name === 'failure' ? 'failed' : name, child]
  }
  if (attribute(element, 'failure') !== null) return ['failed', attribute(element, 'failure')]
  const said = [attribute(element, 'status'), attribute(element, 'result')].map((word) => word?.toLowerCase() ?? '')
  return [said.some((word) => NOT_RUN.has(word)) ? 'skipped' : 'passed', null]
}

/** The first line of a result's message or text. A module that pytest skips as a whole has its reason in the text. */
function messageOf(result: Element | string): string | null {
  const inner = clip(typeof result === 'string' ? result : String((result['#text'] as unknown) ?? ''), 4096)
  const message = attribute(result, 'message')
  const whole = message === 'collection skipped' ? inner.split('Skipped: ')[1]?.replace(/["']?\)\s*$/, '') : undefined
  const line = (whole ?? message ?? inner).split(/\r?\n/).find((one) => one.trim() !== '')
  return line === undefined ? null : clip(line.trim(), 300)
}

/** Seconds of `1.234`, `1,234.5` and `80.8us`; null where nothing or nothing sensible is recorded. */
function secondsOf(time: string | null): number | null {
  const match = /^(\d[\d,]*(?:\.\d+)?(?:e-?\d{1,2})?)\s*(us|µs|ms|s)?$/i.exec((time ?? '').trim().slice(0, 40))
  if (match === null) return null
  const scale = { us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1 }[(match[2] ?? 's').toLowerCase()] ?? 1
  return Number(match[1]?.replaceAll(',', '')) * scale
}

function children(element: Element, name: string): (Element | string)[] & Element[] {
  const found = Object.hasOwn(element, name) ? element[name] : undefined
  return (Array.isArray(found) ? found : []) as (Element | string)[] & Element[]
}

function attribute(element: Element | string, name: string): string | null {
  if (typeof element === 'string') return null
  const found = Object.hasOwn(element, `@${name}`) ? element[`@${name}`] : null
  return typeof found === 'string' ? found : null
}
