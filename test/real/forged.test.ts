import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { type PullRequest, type Reviewed, reviewPullRequest } from '../support/pull-request.ts'
import { ids } from '../support/report.ts'

/** Forged and hollow runs, really run in the scratch box and then in CI by the built action; and honest ones beside them. */
const skip = spawnSync('python3', ['-m', 'pytest', '--version']).status !== 0 && 'pytest is not installed'

const FAILING = 'def test_a():\n    assert 1 == 1\n\ndef test_b():\n    assert 1 == 2\n'
const IGNORED = { '.gitignore': '__pycache__/\n.pytest_cache/\nout.xml\n', '.gitattributes': 'evidence/** -text\n' }

interface Forgery {
  readonly what: string
  readonly project: Readonly<Record<string, string>>
  readonly command?: PullRequest['command']
  /** What the process returns, there and in CI. */
  readonly exit: number
  readonly conclusion: 'success' | 'failure'
  readonly witness: string
  /** A finding, and what its sentence says. It is told of both sides, since both ran the same. */
  readonly finding: string
  readonly says: RegExp
}

const FORGERIES: readonly Forgery[] = [
  {
    what: 'a test that ends the process with 0',
    project: { 'test_a.py': `import os\n\n${FAILING}\ndef test_c():\n    os._exit(0)\n` },
    exit: 0,
    conclusion: 'success',
    witness: 'unbound',
    finding: 'tests/not-written',
    says: /exited 0 and left no JUnit XML/,
  },
  {
    what: 'a test that ends the process with 3',
    project: { 'test_a.py': 'import os\n\ndef test_c():\n    os._exit(3)\n' },
    exit: 3,
    conclusion: 'failure',
    witness: 'unbound',
    finding: 'tests/not-written',
    says: /exited 3 and left no JUnit XML/,
  },
  {
    what: 'sys.exit(0) in conftest.py',
    project: { 'conftest.py': 'import sys\nsys.exit(0)\n', 'test_a.py': FAILING },
    exit: 0,
    conclusion: 'success',
    witness: 'unbound',
    finding: 'tests/not-written',
    says: /exited 0 and left no JUnit XML/,
  },
  {
    what: 'a session hook that sets the status',
    project: {
      'conftest.py': 'def pytest_sessionfinish(session):\n    session.exitstatus = 0\n',
      'test_a.py': FAILING,
    },
    exit: 0,
    conclusion: 'success',
    witness: 'inconsistent',
    finding: 'exit/against-report',
    says: /exited 0, and its own XML has 1 failure/,
  },
  {
    what: 'a pipe that loses the code',
    project: { 'test_a.py': FAILING, 'run.sh': '#!/bin/sh\npython3 -m pytest -q --junitxml=out.xml | tail -n 1\n' },
    command: 'sh run.sh',
    exit: 0,
    conclusion: 'success',
    witness: 'inconsistent',
    finding: 'exit/against-report',
    says: /exited 0, and its own XML has 1 failure/,
  },
  {
    what: '|| true',
    project: { 'test_a.py': FAILING, 'run.sh': '#!/bin/sh\npython3 -m pytest -q --junitxml=out.xml || true\n' },
    command: 'sh run.sh',
    exit: 0,
    conclusion: 'success',
    witness: 'inconsistent',
    finding: 'exit/against-report',
    says: /exited 0, and its own XML has 1 failure/,
  },
  {
    what: '-k that matches nothing',
    project: { 'test_a.py': FAILING },
    command: 'python3 -m pytest -q -k nothing',
    exit: 5,
    conclusion: 'failure',
    witness: 'unbound',
    finding: 'tests/none-ran',
    says: /No test ran .*The XML has no case/,
  },
  {
    what: 'everything skipped',
    project: { 'test_a.py': `import pytest\n\npytestmark = pytest.mark.skip("later")\n\n${FAILING}` },
    exit: 0,
    conclusion: 'success',
    witness: 'inconsistent',
    finding: 'tests/none-ran',
    says: /2 cases, all skipped/,
  },
  {
    what: 'every test said to take 0.01 s',
    project: {
      'conftest.py':
        'import pytest\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    report.outcome = "passed"\n    report.duration = 0.01 if call.when == "call" else 0\n',
      'test_a.py': 'import pytest\n\n@pytest.mark.parametrize("n", range(12))\ndef test_many(n):\n    assert n == 99\n',
    },
    exit: 0,
    conclusion: 'success',
    // Both sides ran the same source, and what it says of its times is said.
    witness: 'corroborated',
    finding: 'tests/same-time',
    says: /All 12 tests .* took the same time, 0\.01 s/,
  },
  {
    what: 'a file of node:test that ends the process before its tests',
    project: {
      'package.json': '{"name": "shop", "version": "1.0.0", "private": true}\n',
      'a.test.js':
        "const { test } = require('node:test')\nprocess.exit(0)\ntest('adds', () => { throw new Error('no') })\n",
    },
    command: 'node --test',
    exit: 0,
    conclusion: 'success',
    witness: 'unbound',
    finding: 'tests/hollow',
    says: /1 file counted as a passed test .*a\.test\.js/,
  },
]

describe('forged and hollow runs', { skip }, () => {
  for (const { what, project, command, exit, conclusion, witness, finding, says } of FORGERIES) {
    test(`${what}: ${finding}`, async () => {
      const { capture, result, report } = await reviewed({
        project,
        command: command ?? 'python3 -m pytest -q',
        ...(project['run.sh'] ? { junit: 'out.xml' } : {}),
      })
      assert.equal(capture.status, exit, capture.stderr)
      assert.equal(report.conclusion, conclusion)
      assert.equal(result.code, conclusion === 'success' ? 0 : 1)
      const said = report.findings.filter(({ id }) => id === finding).map(({ message }) => message)
      assert.equal(said.length, 2, `${ids(report)}`)
      for (const message of said) assert.match(message, says)
      assert.equal(report.witness, witness)
    })
  }
})

test('a report that CI wrote before and that was committed is named as a copy', { skip }, async () => {
  // An earlier run's report, put in both places, as a step does that downloads an artifact.
  const junit =
    '<testsuites><testsuite name="pytest" timestamp="2026-11-30T10:00:00+00:00" time="0.2"><testcase classname="test_a" name="test_a" time="0.1"/></testsuite></testsuites>'
  const { report } = await reviewed({
    project: { 'test_a.py': FAILING, 'run.sh': `#!/bin/sh\necho '${junit}' > out.xml\n` },
    command: 'sh run.sh',
    junit: 'out.xml',
  })
  assert.ok(ids(report).includes('tests/copied'))
  assert.equal(ids(report).filter((id) => id === 'tests/timestamp').length, 2)
  assert.equal(report.witness, 'unbound')
})

test('two honest runs of 200 tests: no warning at all, and their times rank alike', { skip }, async () => {
  const { report, result, github } = await reviewed({
    project: {
      'test_many.py':
        'import time\nimport pytest\n\n@pytest.mark.parametrize("n", range(200))\ndef test_many(n):\n    time.sleep((n * 37 % 200) / 5000)\n',
    },
    command: 'python3 -m pytest -q',
  })
  assert.equal(result.code, 0)
  assert.deepEqual(
    report.findings.filter(({ level }) => level === 'warning'),
    [],
  )
  assert.equal(report.witness, 'corroborated')
  assert.deepEqual(report.tests.timeRanks?.cases, 200)
  assert.ok((report.tests.timeRanks?.rho ?? 0) > 0.9, `${report.tests.timeRanks?.rho}`)
  const { summary, text } = github.checkRuns[0]?.output ?? {}
  assert.match(`${summary}`, /200 claimed; 200 confirmed by CI\./)
  assert.match(`${text}`, /Case times rank alike \((?:0\.9\d|1\.00) over 200 cases\)/)
})

function reviewed(pullRequest: PullRequest): Promise<Reviewed> {
  const { project } = pullRequest
  return reviewPullRequest({
    ...pullRequest,
    project: { ...IGNORED, ...(project['package.json'] ? {} : { 'requirements.txt': 'pytest\n' }), ...project },
  })
}
