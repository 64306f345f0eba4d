import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeCheckout } from '../support/checkout.ts'
import { startGitHub } from '../support/github.ts'
import { reviewPullRequest } from '../support/pull-request.ts'
import { ids } from '../support/report.ts'
import { runAction } from '../support/runner.ts'

const skip = spawnSync('python3', ['-m', 'pytest', '--version']).status !== 0 && 'pytest is not installed'

const PROJECT = {
  '.gitignore': '__pycache__/\n.pytest_cache/\n',
  '.gitattributes': 'evidence/** -text\n',
  'requirements.txt': 'pytest\n',
  'tests/test_a.py':
    'import os\nimport pytest\n\ndef test_plain():\n    assert 1 + 1 == 2\n\n@pytest.mark.parametrize("n", [1, 2, 3])\ndef test_many(n):\n    assert n\n\ndef test_environment():\n    assert os.environ.get("BREAK") != "1"\n',
}

/** A pull request on this project, captured and run by the action with these variables. */
const pullRequest = (ci: Record<string, string>, scratch: Record<string, string> = {}) =>
  reviewPullRequest({ project: PROJECT, command: 'python3 -m pytest -q', scratch, ci })

test('the same pytest on both sides is corroborated', { skip }, async () => {
  const { capture, result, report } = await pullRequest({})
  assert.equal(capture.status, 0)
  assert.equal(result.code, 0)
  assert.equal(report.source.same, true)
  const warnings = report.findings.filter((finding) => finding.level === 'warning')
  assert.deepEqual(warnings, [])
  assert.equal(report.witness, 'corroborated')
  assert.deepEqual(report.tests.ci, { total: 5, passed: 5, failed: 0, errors: 0, skipped: 0, expected: 0 })
})

test('a test that passes there and fails here: CI failed, and the test is named', { skip }, async () => {
  const { result, report, github } = await pullRequest({ BREAK: '1' })
  assert.equal(result.code, 1)
  assert.equal(result.outputs['ci-exit-code'], '1')
  assert.equal(report.witness, 'contradicted')
  assert.match(
    report.findings.find(({ id }) => id === 'tests/flipped')?.message ?? '',
    /test_environment: passed there, failed here/,
  )
  assert.equal(github.checkRuns[0]?.conclusion, 'failure')
})

test('a scratch run that failed and says so', { skip }, async () => {
  const { capture, result, report } = await pullRequest({}, { BREAK: '1' })
  assert.equal(capture.status, 1)
  assert.equal(result.code, 0)
  assert.equal(report.witness, 'contradicted')
  assert.ok(ids(report).includes('exit/against-ci'))
})

test('what changed after the capture is named, beside the bundle too', { skip }, async () => {
  const { report } = await reviewPullRequest({
    project: { ...PROJECT, 'evidence/conftest.py': '' },
    command: 'python3 -m pytest -q',
    later: { 'evidence/conftest.py': '# another\n', 'tests/test_b.py': '' },
  })
  assert.equal(report.witness, 'stale')
  assert.deepEqual(report.source.changed, ['evidence/conftest.py', 'tests/test_b.py'])
})

test('the evidence of CI can be read by another step', { skip }, async (t) => {
  const { result } = await pullRequest({})
  const directory = result.outputs['ci-evidence'] ?? ''
  assert.match(readFileSync(join(directory, 'run.txt'), 'utf8'), /^command=python3 -m pytest -q$/m)
  const { cwd, event } = makeCheckout({ change: { 'evidence/pytest.exit': '0\n' } })
  const github = await startGitHub()
  t.after(() => github.close())
  // The recorded exit code is 0, which goes with one of GitHub's words only.
  for (const [word, code, exitCode] of [
    ['success', 0, '0'],
    ['failure', 1, ''],
    ['cancelled', 1, ''],
    ['skipped', 1, ''],
  ] as const) {
    const compared = await runAction({ cwd, event, github, inputs: { 'ci-evidence': directory, 'ci-result': word } })
    assert.equal(compared.code, code, compared.stdout)
    assert.equal(compared.outputs.conclusion, word === 'skipped' ? 'failure' : word)
    assert.equal(compared.outputs['ci-exit-code'], exitCode)
  }
})
