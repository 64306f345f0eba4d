import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type Content, makeCheckout } from '../support/checkout.ts'
import { type GitHub, startGitHub } from '../support/github.ts'
import { checkedReport, ids } from '../support/report.ts'
import { commandsIn, runAction } from '../support/runner.ts'

const JUNIT = '<testsuite name="pytest"><testcase classname="a" name="b" time="0.1"/></testsuite>'

/** A bundle that is not as it should be, and what is said of it. */
const CASES: {
  name: string
  bundle: Record<string, Content>
  witness: string
  finding: string
  says: RegExp
  file?: string
}[] = [
  {
    name: 'no bundle',
    bundle: {},
    witness: 'none',
    finding: 'bundle/none',
    says: /has no directory evidence\. .*capture_run\.sh/,
  },
  {
    name: 'pytest.exit says `0 failed`',
    bundle: { 'evidence/pytest.exit': '0 failed\n' },
    witness: 'incomplete',
    finding: 'exit/not-a-number',
    says: /says 0 failed\..*one integer/,
    file: 'evidence/pytest.exit',
  },
  {
    name: 'pytest.exit is empty',
    bundle: { 'evidence/pytest.exit': '' },
    witness: 'incomplete',
    finding: 'exit/not-a-number',
    says: /it is empty/,
  },
  {
    name: 'pytest.exit says NO_PYTEST_LAYOUT',
    bundle: { 'evidence/pytest.exit': 'NO_PYTEST_LAYOUT\n' },
    witness: 'incomplete',
    finding: 'exit/not-a-number',
    says: /NO_PYTEST_LAYOUT/,
  },
  {
    name: 'pytest.exit has 10 MB',
    bundle: { 'evidence/pytest.exit': '0\n'.repeat(5_000_000) },
    witness: 'none',
    finding: 'bundle/over-cap',
    says: /10,000,000 bytes.*65,536/,
  },
  {
    name: 'the XML breaks off',
    bundle: { 'evidence/pytest.exit': '0', 'evidence/junit.xml': JUNIT.slice(0, 60) },
    witness: 'unbound',
    finding: 'bundle/unreadable',
    says: /junit\.xml cannot be read.*Line 1/,
    file: 'evidence/junit.xml',
  },
  {
    name: 'the XML has a DOCTYPE',
    bundle: {
      'evidence/pytest.exit': '0',
      'evidence/junit.xml': `<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>\n${JUNIT}`,
    },
    witness: 'unbound',
    finding: 'bundle/unreadable',
    says: /Line 2: It has a DOCTYPE/,
  },
  {
    name: 'the XML is HTML',
    bundle: { 'evidence/pytest.exit': '0', 'evidence/junit.xml': '<html><body>PASS</body></html>' },
    witness: 'unbound',
    finding: 'bundle/unreadable',
    says: /no JUnit XML/,
  },
  {
    name: 'a symbolic link to /etc/passwd',
    bundle: { 'evidence/pytest.exit': '0', 'evidence/toolchain.txt': { link: '/etc/passwd' } },
    witness: 'unbound',
    finding: 'bundle/not-regular',
    says: /toolchain\.txt is a symbolic link/,
  },
  {
    name: 'the directory is a symbolic link',
    bundle: { evidence: { link: '/etc' } },
    witness: 'none',
    finding: 'bundle/not-regular',
    says: /directory is a symbolic link/,
  },
  {
    name: 'the directory is a file',
    bundle: { evidence: 'PASS' },
    witness: 'none',
    finding: 'bundle/not-regular',
    says: /directory is a file/,
  },
  {
    name: 'a directory of other files',
    bundle: { 'evidence/pytest.exit.txt': '0', 'evidence/results.xml': JUNIT },
    witness: 'none',
    finding: 'bundle/unexpected-file',
    says: /pytest\.exit\.txt \(would be read as pytest\.exit\)/,
  },
  {
    name: 'exit 0 with failures in the XML',
    bundle: {
      'evidence/pytest.exit': '0',
      'evidence/junit.xml':
        '<testsuite><testcase classname="a" name="b"><failure message="no"/></testcase></testsuite>',
    },
    witness: 'inconsistent',
    finding: 'exit/against-report',
    says: /exited 0, and its own XML has 1 failure/,
  },
  {
    name: 'exit 0 with nothing run',
    bundle: {
      'evidence/pytest.exit': '0',
      'evidence/junit.xml': '<testsuites><testsuite name="pytest" tests="0"/></testsuites>',
    },
    witness: 'inconsistent',
    finding: 'tests/none-ran',
    says: /No test ran/,
  },
  {
    name: 'a failed scratch run',
    bundle: { 'evidence/pytest.exit': '1' },
    witness: 'contradicted',
    finding: 'exit/against-ci',
    says: /exited 1; CI exited 0/,
  },
  {
    name: 'lines of no known shape',
    bundle: { 'evidence/pytest.exit': '0', 'evidence/toolchain.txt': 'Python 3.11.4\nmy box\n' },
    witness: 'unbound',
    finding: 'bundle/unrecognised-line',
    says: /my box \(line 2\)/,
  },
]

let github: GitHub
before(async () => {
  github = await startGitHub()
})
after(() => github.close())

for (const { name, bundle, witness, finding, says, file } of CASES) {
  test(name, async () => {
    const { cwd, event, head } = makeCheckout({ change: bundle, body: 'All tests pass.' })
    const result = await runAction({ cwd, event, github, inputs: { command: 'true', 'check-name': name } })
    assert.equal(result.code, 0, result.stdout + result.stderr)
    assert.equal(result.outputs.conclusion, 'success')
    assert.equal(result.outputs.witness, witness)
    const report = checkedReport(readFileSync(result.outputs.report ?? '', 'utf8'))
    const found = report.findings.find(({ id }) => id === finding)
    assert.match(found?.message ?? `no ${finding} in ${ids(report)}`, says)
    const check = github.checkRuns.find((run) => run.name === name)
    assert.equal(check?.conclusion, 'success')
    assert.equal(check?.head_sha, head)
    if (file !== undefined) assert.ok(check?.output.annotations.some((annotation) => annotation.path === file))
    assert.match(result.summary, /CI alone decides this check/)
    assert.deepEqual(github.rejected, [])
    // The token is masked and the report folded: the step's own commands, and no other.
    const commands = commandsIn(result.stdout + result.stderr).map((line) => /^::([\w-]+)/.exec(line)?.[1])
    assert.deepEqual(commands, ['add-mask', 'group', 'endgroup'])
  })
}

for (const [command, code] of [
  ['exit 1', 1],
  ['exit 3', 3],
  ['kill -9 $$', 137],
] as const) {
  test(`a bundle that claims a PASS does not move CI's \`${command}\``, async () => {
    const { cwd, event } = makeCheckout({ change: { 'evidence/pytest.exit': '0\n', 'evidence/junit.xml': JUNIT } })
    const result = await runAction({ cwd, event, github, inputs: { command, 'check-name': command } })
    assert.equal(result.code, 1)
    assert.equal(result.outputs.conclusion, 'failure')
    assert.equal(result.outputs['ci-exit-code'], String(code))
    assert.equal(result.outputs.witness, 'contradicted')
    assert.equal(github.checkRuns.find((run) => run.name === command)?.conclusion, 'failure')
  })
}
