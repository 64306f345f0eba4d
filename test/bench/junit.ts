/**
 * Reading two JUnit reports and comparing them, against what other actions do to read one: `xml2js` with
 * `parseStringPromise`, and `xml-js` with `JSON.parse(xml2json(…))`, both of which build the whole tree. CPU seconds and peak memory of a
 * whole process for each cell, the median of seven, and the ratio of ours to the better of theirs. Prints a table; nothing
 * here is a test.
 */
import { spawnSync } from 'node:child_process'
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { temporaryFolder } from '../support/temporary.ts'

const PEERS = ['xml2js@0.6.2', 'xml-js@1.6.11']
const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))

/** A report as pytest writes it. */
function report(cases: number, classes: number): string {
  const parts = [
    '<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="0" ',
    `failures="${Math.ceil(cases / 97)}" tests="${cases}" time="12.5" timestamp="2026-01-01T00:00:00+00:00" hostname="box">`,
  ]
  for (let n = 0; n < cases; n++) {
    const scope = `tests.unit.test_module_${Math.floor((n * classes) / cases)}.TestThing`
    const time = (((n * 7919) % 1000) / 1000).toFixed(3)
    const open = `<testcase classname="${scope}" name="test_behaviour_of_case_${n}[param-${n % 7}]" time="${time}"`
    if (n % 50 === 0)
      parts.push(open, '><skipped type="pytest.skip" message="needs network">t.py:3</skipped></testcase>')
    else if (n % 97 === 0) parts.push(open, '><failure message="assert 1 == 2">E assert 1 == 2</failure></testcase>')
    else parts.push(open, ' />')
  }
  return `${parts.join('')}</testsuite></testsuites>`
}

const OURS = `
import { readFileSync } from 'node:fs'
import { compareTests } from '${SOURCE}/compare/tests.ts'
import { readTestReport } from '${SOURCE}/read/junit.ts'
const read = (path) => readTestReport([{ file: 'junit.xml', bytes: readFileSync(path) }]).report
const [there, here] = process.argv.slice(2)
const compared = compareTests({ report: read(there), exit: 1 }, { report: read(here), exit: 1 })
console.log(compared.agreed + compared.skippedInBoth)`

const XML2JS = `
const { parseStringPromise } = require('xml2js')
parseStringPromise(require('node:fs').readFileSync(process.argv[2], 'utf8')).then((tree) =>
  console.log(tree.testsuites.testsuite[0].testcase.length))`

const XML_JS = `
const { xml2json } = require('xml-js')
const tree = JSON.parse(xml2json(require('node:fs').readFileSync(process.argv[2], 'utf8'), { compact: true }))
console.log(tree.testsuites.testsuite.testcase.length)`

const TELL = `
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  console.log((userCPUTime + systemCPUTime) / 1e6, maxRSS / 1024)
})`

const folder = temporaryFolder('bench-')
writeFileSync(join(folder, 'package.json'), '{}')
const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...PEERS], { cwd: folder, encoding: 'utf8' })
if (npm.status !== 0) throw new Error(npm.stderr)
symlinkSync(
  fileURLToPath(new URL('../../node_modules/@nodable', import.meta.url)),
  join(folder, 'node_modules/@nodable'),
)
writeFileSync(join(folder, 'entry.ts'), OURS + TELL)
const build = await rolldown({ input: join(folder, 'entry.ts'), platform: 'node' })
await build.write({ file: join(folder, 'ours.mjs') })
writeFileSync(join(folder, 'xml2js.cjs'), XML2JS + TELL)
writeFileSync(join(folder, 'xml-js.cjs'), XML_JS + TELL)

interface Cost {
  readonly seconds: number
  readonly megabytes: number
}

/** Runs a script, which says at its end what its process took. */
function cost(script: string, ...args: string[]): Cost {
  const done = spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' })
  const [count, figures = ''] = done.stdout.trim().split('\n')
  if (done.status !== 0 || !(Number(count) > 0)) throw new Error(done.stderr || done.stdout)
  const [seconds = Number.NaN, megabytes = Number.NaN] = figures.split(' ').map(Number)
  return { seconds, megabytes }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const SIZES: [string, number, number][] = [
  ['100,000 cases', 100_000, 2_000],
  ['100,000 cases, as many classes', 100_000, 100_000],
  ['500,000 cases', 500_000, 2_000],
]
console.log('report                            MB   ours, two read and compared   xml2js, one   xml-js, one      ratio')
for (const [name, cases, classes] of SIZES) {
  const [there, here] = [join(folder, 'there.xml'), join(folder, 'here.xml')]
  writeFileSync(there, report(cases, classes))
  writeFileSync(here, report(cases, classes))
  const rounds = [1, 2, 3, 4, 5, 6, 7].map(() => [
    cost('ours.mjs', there, here),
    cost('xml2js.cjs', there),
    cost('xml-js.cjs', there),
  ])
  const of = (at: number, key: keyof Cost) => median(rounds.map((round) => round[at]?.[key] ?? Number.NaN))
  const cell = (at: number) => `${of(at, 'seconds').toFixed(2)} s ${of(at, 'megabytes').toFixed(0)} MB`
  const ratio = (key: keyof Cost) => (of(0, key) / Math.min(of(1, key), of(2, key))).toFixed(2)
  console.log(
    [
      name.padEnd(32),
      (statSync(there).size / 1e6).toFixed(0).padStart(4),
      cell(0).padStart(28),
      cell(1).padStart(13),
      cell(2).padStart(13),
      `${ratio('seconds')} s ${ratio('megabytes')} MB`.padStart(17),
    ].join(' '),
  )
}
