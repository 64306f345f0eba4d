import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { XMLParser } from 'fast-xml-parser'
import type { TestReport } from '../../src/read/evidence.ts'
import { readTestReport } from '../../src/read/junit.ts'
import { caseId } from '../../src/read/junit-identity.ts'

/** What a tool wrote, and what its console said. */
interface Written {
  readonly files: readonly string[]
  readonly console: string
  /** Passed, failed, in error, skipped, failed as expected: the console's counts, with what `why` says. */
  readonly cases: readonly number[]
  readonly attempts: number
}

const FOLDER = new URL('../fixtures/junit/tools/', import.meta.url)
const TOOLS: Readonly<Record<string, Written>> = JSON.parse(readFileSync(new URL('counts.json', FOLDER), 'utf8'))

function bytesOf(file: string): Buffer {
  return readFileSync(new URL(file, FOLDER))
}

function read(name: string): TestReport {
  const files = (TOOLS[name]?.files ?? []).map((file) => ({ file, bytes: bytesOf(file) }))
  const { report, problems } = readTestReport(files)
  assert.ok(report)
  assert.deepEqual(
    problems.filter(({ kind }) => kind !== 'control-characters'),
    [],
  )
  return report
}

function ids(name: string): string[] {
  return read(name).cases.map(caseId).sort()
}

describe('what the tools write is counted as their consoles count it', () => {
  for (const [name, { cases, attempts, console }] of Object.entries(TOOLS)) {
    test(`${name}: ${console}`, () => {
      const report = read(name)
      const of = (status: string) => report.cases.filter((one) => one.status === status).length
      assert.deepEqual([of('passed'), of('failed'), of('error'), of('skipped'), of('expected')], cases)
      assert.equal(
        report.cases.reduce((sum, one) => sum + one.attempts, 0),
        attempts,
      )
    })
  }
})

test('every case of a file is read: as many elements as another parser finds', () => {
  const parser = new XMLParser({ ignoreAttributes: false, processEntities: false, maxNestedTags: 1000 })
  const count = (node: unknown, name: string): number => {
    if (Array.isArray(node)) return node.reduce((sum, one) => sum + count(one, name), 0)
    if (name === 'testcase') return 1
    if (typeof node !== 'object' || node === null) return 0
    return Object.entries(node).reduce((sum, [key, value]) => sum + count(value, key), 0)
  }
  for (const file of Object.values(TOOLS).flatMap(({ files }) => files)) {
    const bytes = bytesOf(file)
    const { report } = readTestReport([{ file, bytes }])
    const cases = report?.cases ?? []
    // Attempts that pytest-rerunfailures writes as cases are none.
    const again = file.startsWith('pytest') ? cases.reduce((sum, one) => sum + one.attempts, 0) : 0
    assert.equal(cases.length + again, count(parser.parse(bytes), ''), file)
  }
})

describe('one suite has the same cases', () => {
  const SAME: [string, string, string][] = [
    ['in another directory', 'pytest-xdist', 'pytest-elsewhere'],
    ['of xunit1 and xunit2', 'pytest-xdist', 'pytest-xdist-xunit1'],
    ['with its attempts and without', 'pytest-xdist', 'pytest-rerunfailures'],
    ['in one file and in a file a class', 'unittest-xml-reporting', 'unittest-xml-reporting-classes'],
    ['of Node 20 and 24', 'node-20-flaky', 'node-24-flaky'],
    ['of two versions of vitest', 'vitest-4-retry', 'vitest-3-retry'],
    ['of class and name exchanged', 'mocha-retry', 'mocha-swapped'],
    ['with retries told and not told', 'playwright-retry', 'playwright-include-retries'],
    ['with the project in the name and not', 'playwright-retry', 'playwright-project-in-name'],
    ['of two templates of jest-junit', 'jest-retry', 'jest-classic'],
    ['read from text and from JSON', 'go-junit-report-text', 'go-junit-report-json'],
  ]
  for (const [what, one, other] of SAME) test(what, () => assert.deepEqual(ids(other), ids(one)))
})

describe('what a report says beside its cases', () => {
  test('packages that Go answered from its cache', () => {
    assert.equal(read('gotestsum-cached').cachedCases, 5)
    assert.equal(read('gotestsum-twice').cachedCases, 0)
    assert.equal(read('gotestsum-rerun-green').cachedCases, 0)
  })
  test('files that ran no test', () => {
    for (const name of ['node-20-flaky', 'node-24-flaky']) assert.equal(read(name).hollow.length, 1)
    for (const name of ['vitest-4-retry', 'jest-retry', 'mocha-retry']) assert.deepEqual(read(name).hollow, [])
  })
  test('machines, and no project of Playwright', () => {
    assert.deepEqual(read('pytest-xdist').hosts, ['box'])
    assert.deepEqual(read('gradle').hosts, ['box'])
    assert.deepEqual(read('playwright-retry').hosts, [])
    assert.deepEqual(read('surefire').hosts, [])
  })
  test('moments with a zone and without, and none of a clock that was not set', () => {
    const moments = (name: string) => read(name).moments.map(({ zoned, at }) => [zoned, new Date(at).getUTCFullYear()])
    assert.deepEqual(new Set(moments('pytest-xdist').map(String)), new Set(['true,2026']))
    assert.deepEqual(new Set(moments('gradle').map(String)), new Set(['false,2026']))
    assert.deepEqual(new Set(moments('jest-suite-errors').map(String)), new Set(['false,2026']))
    assert.deepEqual(moments('mocha-xunit'), [])
  })
})
