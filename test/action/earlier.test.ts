import assert from 'node:assert/strict'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { startGitHub } from '../support/github.ts'
import { ids } from '../support/report.ts'
import { Story } from '../support/story.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A check from what an earlier job uploaded: `edit` changes the folder that it was downloaded to. */
async function check(t: TestContext, results: string, edit: (folder: string) => void, glob = '') {
  const story = new Story()
  t.after(() => story.end())
  story.write({ 'b.py': 'b\n' }).capture().commit().push()
  const folder = temporaryFolder('downloaded-')
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(story.record(), folder, { recursive: true })
  edit(folder)
  const inputs = { command: '', junit: '', 'ci-evidence': `${folder}${glob}`, 'ci-result': results }
  return story.review({ depth: 1, inputs })
}

/** A run that recorded nothing but an exit code. */
function bare(folder: string, exit: number): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'command.exit'), `${exit}\n`)
}

describe('what an earlier job uploaded', { concurrency: 2 }, () => {
  test("a folder inside of the evidence is no leg: GitHub's word is of the one job", async (t) => {
    const { report, result } = await check(t, 'failure', (folder) => bare(join(folder, 'zz'), 1))
    assert.equal(report.legs.length, 1)
    assert.equal(report.conclusion, 'failure')
    assert.ok(ids(report).includes('ci/result-against-exit'))
    assert.equal(result.outputs['ci-exit-code'], '')
    assert.match(
      result.summary,
      /^\*\*CI failed, and the run that it recorded exited 0\. The scratch PASS agrees with that run: what failed in CI is not in it\.\*\*/,
    )
    assert.equal(ids(report).includes('exit/against-ci'), false)
  })

  for (const [word, conclusion, says] of [
    ['timed_out', 'failure', /CI did not pass: GitHub says `timed_out`\./],
    ['startup_failure', 'failure', /CI did not pass: GitHub says `startup_failure`\./],
    ['neutral', 'failure', /CI did not pass: GitHub says `neutral`\./],
    ['skipped', 'failure', /CI did not pass: GitHub says `skipped`\./],
    ['cancelled', 'cancelled', /CI was cancelled\./],
  ] as const)
    test(`GitHub says ${word}, and nothing was uploaded`, async (t) => {
      const { report, result } = await check(t, word, (folder) => rmSync(folder, { recursive: true }))
      assert.equal(report.conclusion, conclusion)
      assert.match(result.summary, says)
      assert.equal(report.witness, word === 'skipped' || word === 'cancelled' ? 'unbound' : 'contradicted')
    })

  test('of several jobs one uploaded nothing: the other is not accused', async (t) => {
    const { report, result } = await check(t, 'success\nfailure', () => {})
    assert.equal(report.conclusion, 'failure')
    const [found] = report.findings.filter(({ id }) => id === 'ci/result-against-exit')
    assert.match(found?.message ?? '', /of the legs together/)
    assert.match(result.summary, /uploaded nothing/)
  })

  test('entries that cannot be followed are passed over', async (t) => {
    const { report, result } = await check(
      t,
      'success',
      (folder) => {
        const leg = temporaryFolder('leg-')
        cpSync(folder, leg, { recursive: true })
        rmSync(folder, { recursive: true })
        mkdirSync(folder)
        cpSync(leg, join(folder, 'good'), { recursive: true })
        rmSync(leg, { recursive: true })
        symlinkSync('nowhere', join(folder, 'dangling'))
        symlinkSync('itself', join(folder, 'itself'))
      },
      '/*',
    )
    assert.equal(result.code, 0)
    assert.deepEqual([report.conclusion, report.witness], ['success', 'corroborated'])
  })

  test('a leg that recorded nothing is never the nearest', async (t) => {
    const { report, result } = await check(
      t,
      'success',
      (folder) => {
        const good = join(folder, 'z-good')
        const leg = temporaryFolder('leg-')
        cpSync(folder, leg, { recursive: true })
        rmSync(folder, { recursive: true })
        cpSync(leg, good, { recursive: true })
        rmSync(leg, { recursive: true })
        bare(join(folder, 'a-bare'), 0)
      },
      '/*',
    )
    assert.deepEqual(
      report.legs.map(({ name }) => name),
      ['z-good', 'a-bare'],
    )
    assert.match(
      result.summary,
      /\| `a-bare` \| success, exit 0 \| no JUnit XML \| not recorded \||\| `a-bare` \| exit 0 \| no JUnit XML \| not recorded \|/,
    )
  })

  test('more legs than a matrix has are not read, and it is said', async (t) => {
    const { report } = await check(t, 'success', (folder) => {
      rmSync(folder, { recursive: true })
      for (let leg = 0; leg < 300; leg++) bare(join(folder, `leg-${leg}`), 0)
    })
    assert.equal(report.legs.length, 256)
    const [found] = report.findings.filter(({ id }) => id === 'ci/not-recorded')
    assert.match(JSON.stringify(report.findings), /44 more directories of CI's evidence were not read/)
    assert.ok(found)
  })
})

describe('a secret that only decoding or a name brings about', { concurrency: 2 }, () => {
  const token = `ghp_${'aB3dE5gH7j'.repeat(3)}K1m2N3`
  const references = [...token].map((letter) => `&#${letter.charCodeAt(0)};`).join('')
  const places: Record<string, (story: Story) => Story> = {
    'character references': (story) =>
      story.write({
        'evidence/junit.xml': `<testsuite><testcase name="a"><skipped message="no ${references}"/></testcase><testcase name="b ${references}" time="1"/></testsuite>`,
      }),
    'UTF-16': (story) =>
      story.write({ 'evidence/toolchain.txt': Buffer.from(`\ufeffschema=2\nos=${token}\nx ${token}\n`, 'utf16le') }),
    'the name of a file': (story) => story.write({ [`evidence/${token}.txt`]: 'x' }),
  }
  for (const [name, place] of Object.entries(places))
    test(name, async (t) => {
      const story = new Story()
      const github = await startGitHub()
      t.after(() => [story.end(), github.close()])
      place(story.write({ 'b.py': 'b\n' }).capture())
        .commit()
        .push()
      const { report, result } = await story.review({
        depth: 1,
        inputs: { check: 'new' },
        env: { GITHUB_API_URL: github.url },
      })
      assert.equal(github.checkRuns.length, 1)
      for (const shown of [JSON.stringify(report), result.summary, result.stdout, JSON.stringify(github.checkRuns)])
        assert.equal(shown.replaceAll('\\', '').replaceAll('&#8203;', '').includes(token), false)
      const [found] = report.findings.filter(({ id }) => id === 'bundle/secret')
      assert.match(found?.message ?? '', /holds what looks like a secret\. github/)
      assert.equal(report.conclusion, 'success')
    })
})
