import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { startGitHub } from '../support/github.ts'
import { ids, type ReportData } from '../support/report.ts'
import { Story } from '../support/story.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** What a leg is changed to, from what a job really recorded. */
interface Leg {
  readonly name: string
  readonly exit?: number
  /** Replacements in its `toolchain.txt`. */
  readonly toolchain?: readonly (readonly [RegExp, string])[]
  /** Its JUnit XML; null for none. */
  readonly junit?: string | null
}

const PASSES = '<testsuite><testcase name="a" time="0.1"/><testcase name="b" time="0.2"/></testsuite>'
const OTHER_PYTHON = [
  [/^python\.soabi=.*$/m, 'python.soabi=cpython-399-x86_64-linux-gnu'],
  [/^python\.version=.*$/m, 'python.version=3.99.0'],
] as const
const WINDOWS = [[/^os=.*$/m, 'os=Windows']] as const

/** The check of a pull request for the legs of a matrix. */
async function check(
  t: TestContext,
  legs: readonly Leg[],
  result: string,
  apiUrl: string | null = null,
): Promise<{ report: ReportData; summary: string; code: number | null }> {
  const story = new Story()
  t.after(() => story.end())
  story.write({ 'b.py': 'b\n' }).capture().commit().push()
  const recorded = story.record()
  const place = temporaryFolder('legs-')
  t.after(() => rmSync(place, { recursive: true, force: true }))
  for (const { name, exit = 0, toolchain = [], junit } of legs) {
    const leg = join(place, name)
    mkdirSync(leg, { recursive: true })
    cpSync(recorded, leg, { recursive: true })
    const edit = (file: string, change: (text: string) => string) =>
      writeFileSync(join(leg, file), change(readFileSync(join(leg, file), 'utf8')))
    edit('toolchain.txt', (text) => toolchain.reduce((all, [from, to]) => all.replace(from, to), text))
    writeFileSync(join(leg, 'command.exit'), `${exit}\n`)
    edit('run.txt', (text) => text.replace(/^exit=.*$/m, `exit=${exit}`))
    if (junit === null) rmSync(join(leg, 'junit.xml'))
    else if (junit !== undefined) writeFileSync(join(leg, 'junit.xml'), junit)
  }
  const inputs = { command: '', junit: '', 'ci-evidence': `${place}/*`, 'ci-result': result }
  const api = apiUrl === null ? {} : { env: { GITHUB_API_URL: apiUrl }, inputs: { ...inputs, check: 'new' } }
  const { report, result: step } = await story.review({ depth: 1, inputs, ...api })
  return { report, summary: step.summary, code: step.code }
}

describe('a matrix', { concurrency: 2 }, () => {
  test('the nearest leg first, with why, and what holds in all, in some and in none', async (t) => {
    const { report, summary, code } = await check(
      t,
      [
        { name: 'ci-windows', toolchain: WINDOWS },
        {
          name: 'ci-other-python',
          toolchain: OTHER_PYTHON,
          junit: PASSES.replace('<testcase name="b" time="0.2"/>', ''),
        },
        { name: 'ci-same' },
      ],
      'success',
    )
    assert.equal(code, 0)
    assert.deepEqual([report.conclusion, report.witness], ['success', 'corroborated'])
    assert.deepEqual(
      report.legs.map(({ name, differences }) => [name, differences]),
      [
        ['ci-same', []],
        ['ci-other-python', ['toolchain', 'tests']],
        ['ci-windows', ['platform']],
      ],
    )
    assert.deepEqual(report.across.tests, { legs: 3, all: 1, some: 1, none: 0 })
    const platform = report.across.aspects.find(({ aspect }) => aspect === 'platform')
    assert.deepEqual(platform, { aspect: 'platform', same: 2, differs: ['ci-windows'], notRecorded: 0 })
    assert.match(summary, /CI passed in 3 legs\. The scratch PASS carries over/)
    assert.match(
      summary,
      /\| `ci-same`, \*\*the nearest\*\* \| exit 0 \| 2 tests, 2 passed \| nothing that was recorded \|/,
    )
    assert.match(summary, /\| The same platform \| 2 of 3, not in `ci-windows` \|/)
    assert.match(summary, /1 passed in all, 1 in some, 0 in none/)
  })

  test('GitHub says failure of the legs together: each is taken at its own word, and none is accused', async (t) => {
    const failed = PASSES.replace('name="b" time="0.2"/>', 'name="b" time="0.2"><failure/></testcase>')
    const { report, summary, code } = await check(
      t,
      [{ name: 'ci-1' }, { name: 'ci-2', exit: 1, junit: failed, toolchain: OTHER_PYTHON }],
      'failure',
    )
    assert.equal(code, 1)
    assert.deepEqual([report.conclusion, report.witness], ['failure', 'corroborated'])
    assert.equal(ids(report).includes('ci/result-against-exit'), false)
    assert.match(summary, /^\*\*CI failed in 1 of 2 legs: `ci-2`\. Beside `ci-1`: The scratch PASS carries over/)
    assert.deepEqual(report.across.aspects[0], { aspect: 'result', same: 1, differs: ['ci-2'], notRecorded: 0 })
  })

  test('GitHub says failure, and every leg recorded 0', async (t) => {
    const { report, summary } = await check(t, [{ name: 'ci-1' }, { name: 'ci-2' }], 'failure')
    assert.equal(report.conclusion, 'failure')
    assert.equal(ids(report).filter((id) => id === 'ci/result-against-exit').length, 1)
    assert.match(summary, /CI failed: GitHub says `failure` of the legs together\./)
  })

  test('GitHub says success, and a leg recorded 1', async (t) => {
    const { report } = await check(t, [{ name: 'ci-1' }, { name: 'ci-2', exit: 1 }], 'success')
    assert.equal(report.conclusion, 'success')
    const [found] = report.findings.filter(({ id }) => id === 'ci/result-against-exit')
    assert.match(found?.message ?? '', /GitHub says success of ci-2, whose recorded exit code is 1/)
  })

  test('fifty legs stay readable, those that failed before the others', async (t) => {
    const legs = Array.from(
      { length: 50 },
      (_, index): Leg => ({
        name: `ci-${String(index).padStart(2, '0')}`,
        exit: index === 37 ? 1 : 0,
        toolchain: index % 2 === 0 ? OTHER_PYTHON : WINDOWS,
        ...(index === 11 ? { junit: null } : {}),
      }),
    )
    const { report, summary } = await check(t, legs, 'failure')
    assert.equal(report.legs.length, 50)
    const [shown = '', folded = ''] = summary.split('<details>')
    assert.equal((shown.match(/^\| `ci-\d\d`/gm) ?? []).length, 6)
    assert.match(shown, /`ci-37` \| exit 1/)
    assert.match(shown, /44 more legs are in the table below/)
    assert.equal((folded.match(/^\| `ci-\d\d`/gm) ?? []).length, 50)
    assert.match(shown, /\| The same platform \| 25 of 50, not in `ci-\d\d`, .* and 21 more \|/)
    assert.match(shown, /2 passed in all 49 that have a report, 0 in some, 0 in none/)
  })

  test('as many legs as GitHub allows, of long names: the check is within its bytes, the job summary has all', async (t) => {
    const word = 'x'.repeat(180)
    const legs = Array.from({ length: 256 }, (_, index): Leg => ({ name: `ci-${index}-${word}`, toolchain: WINDOWS }))
    const github = await startGitHub()
    t.after(() => github.close())
    const { summary } = await check(t, legs, 'success', github.url)
    assert.deepEqual(github.rejected, [])
    const text = github.checkRuns[0]?.output.text ?? ''
    assert.equal((summary.match(/^\| `ci-\d+-x+`[^|]*\|/gm) ?? []).length, 6 + 256)
    assert.match(text, /<summary>All 256 legs: 256 passed<\/summary>/)
    assert.match(
      text,
      /Left out here, for its length: \d+ of 256 rows\. All of it is in the job summary, and in the file/,
    )
    assert.match(text, /What each line means/)
    assert.ok(Buffer.byteLength(text) <= 65_535)
  })

  test('legs of one name in folders of their own', async (t) => {
    const { report } = await check(
      t,
      [{ name: 'linux/evidence' }, { name: 'windows/evidence', toolchain: WINDOWS }],
      'success',
    )
    assert.deepEqual(
      report.legs.map(({ name }) => name),
      ['linux/evidence', 'windows/evidence'],
    )
  })
})
