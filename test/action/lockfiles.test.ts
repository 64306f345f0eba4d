import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { gitIn, makeCheckout, writeFiles } from '../support/checkout.ts'
import { startGitHub } from '../support/github.ts'
import { checkedReport } from '../support/report.ts'
import { runAction } from '../support/runner.ts'

const LOCK = 'a==1.0 --hash=sha256:aa\nb==2.0 --hash=sha256:bb\n'
const RUN = 'schema=2\nrunner=pytest\ncommand=pytest\nlockfile=requirements.lock\nexit=0\n'
const BUNDLE = { 'evidence/pytest.exit': '0\n', 'evidence/run.txt': RUN, 'evidence/lock.copy': LOCK }

async function findings(options: Parameters<typeof makeCheckout>[0], after: (cwd: string) => void = () => {}) {
  const github = await startGitHub()
  try {
    const { cwd, event } = makeCheckout(options)
    after(cwd)
    const result = await runAction({ cwd, event, github, inputs: { command: 'true' } })
    const report = checkedReport(readFileSync(result.outputs.report ?? '', 'utf8'))
    const about = report.findings.filter(({ id }) => /^lockfile\/|^source\/own-judge$/.test(id))
    return { ids: about.map(({ id }) => id), words: about.map(({ message }) => message).join('\n'), report }
  } finally {
    await github.close()
  }
}

describe('a lockfile that the pull request changes', () => {
  const project = { 'requirements.lock': LOCK.replace('2.0', '1.9') }
  test('is named', async () => {
    const { ids, words } = await findings({ project, change: { ...BUNDLE, 'requirements.lock': LOCK } })
    assert.deepEqual(ids, ['source/own-judge'])
    assert.match(words, /This pull request edits its own judge: 1 file\. lockfile requirements\.lock\./)
  })

  test('is not, where the pull request leaves it alone', async () => {
    const { ids } = await findings({ project: { 'requirements.lock': LOCK }, change: BUNDLE })
    assert.deepEqual(ids, [])
  })

  test('is not, where it is the base that moved', async () => {
    const { ids } = await findings({ project: { 'requirements.lock': LOCK }, change: BUNDLE }, (cwd) => {
      const git = gitIn(cwd)
      git('switch', '--quiet', 'main')
      writeFiles(cwd, { 'requirements.lock': LOCK.replace('a==1.0', 'a==1.1') })
      git('commit', '--quiet', '--all', '--message', 'main upgrades')
      git('switch', '--quiet', '--detach')
      git('merge', '--quiet', '--no-ff', '--message', 'merge', 'topic')
    })
    assert.deepEqual(ids, [])
  })
})

test('a lockfile that git ignores is told as that, with the way to commit it', async () => {
  const project = { '.gitignore': 'requirements.lock\n' }
  const { ids, words } = await findings({ project, change: BUNDLE })
  assert.deepEqual(ids, ['lockfile/ignored'])
  assert.match(words, /used requirements\.lock, which git ignores.*git add --force requirements\.lock/)
  const honest = await findings({ project: { '.gitignore': '*.log\n', 'requirements.lock': LOCK }, change: BUNDLE })
  assert.deepEqual(honest.ids, [])
})

describe('no copy of the lockfile', () => {
  const project = { 'requirements.lock': LOCK }
  const exit = { 'evidence/pytest.exit': '0\n' }
  const CASES: [string, Record<string, string>, Record<string, string>, string[]][] = [
    ['nothing at all', project, exit, ['lockfile/missing']],
    ['only a freeze', project, { ...exit, 'evidence/freeze.txt': 'a==1.0\nb==2.0\n' }, ['lockfile/only-freeze']],
    ['NO_LOCKFILE beside one', project, { ...exit, 'evidence/lock.copy': 'NO_LOCKFILE\n' }, ['lockfile/none']],
    ['NO_LOCKFILE, and none here', {}, { ...exit, 'evidence/lock.copy': 'NO_LOCKFILE\n' }, ['lockfile/nowhere']],
    ['none there and none here, and nothing said', {}, exit, []],
    ['a copy', project, { ...exit, 'evidence/lock.copy': LOCK }, []],
    [
      'a weak one',
      { 'requirements.txt': 'a==1.0\nb>=2\n' },
      { ...exit, 'evidence/lock.copy': 'a==1.0\nb>=2\n' },
      ['lockfile/weak'],
    ],
  ]
  for (const [name, files, change, expected] of CASES) {
    test(name, async () => {
      const { ids, words } = await findings({ project: { 'README.md': '', ...files }, change })
      assert.deepEqual(ids, expected)
      if (expected.length > 0) assert.ok(words.length > 20)
    })
  }
})

test('what is locked with no condition and not installed is named; what has a marker is counted', async () => {
  const lock = `${LOCK}c==3.0 ; sys_platform == "win32" --hash=sha256:cc\n`
  const files = { 'requirements.lock': lock }
  const bundle = { ...BUNDLE, 'evidence/lock.copy': lock, 'evidence/freeze.txt': 'a==1.0\n' }
  const { report } = await findings({ project: files, change: bundle })
  const found = report.findings.filter(({ id }) => id === 'installed/missing')
  assert.match(found[0]?.message ?? '', /1 package is locked for every platform and was not installed.*b 2\.0/)
  const honest = { ...bundle, 'evidence/freeze.txt': 'a==1.0\nb==2.0\n' }
  const other = await findings({ project: files, change: honest })
  assert.deepEqual(
    other.report.findings.filter(({ id }) => id === 'installed/missing'),
    [],
  )
})
