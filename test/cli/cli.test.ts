import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Content, gitIn, writeFiles } from '../support/checkout.ts'
import { checkedReport } from '../support/report.ts'
import { temporaryFolder } from '../support/temporary.ts'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

function project(files: Record<string, Content>): string {
  const cwd = temporaryFolder('pro ject-')
  writeFiles(cwd, files)
  const git = gitIn(cwd)
  git('init', '--quiet')
  git('add', '--all', '--force')
  git('commit', '--quiet', '--allow-empty', '--message', 'project')
  return cwd
}

function cli(cwd: string, ...args: string[]) {
  return spawnSync(process.execPath, [CLI, ...args], { cwd, encoding: 'utf8', timeout: 60_000 })
}

const PASS = { 'evidence/pytest.exit': '0\n' }

for (const [name, command, code] of [
  ['a command that passes', ['true'], 0],
  ['a command that fails', ['sh', '-c', 'exit 1'], 1],
  ['a command that is killed', ['sh', '-c', 'kill -9 $$'], 137],
  ['a command that is not there', ['no-such-command'], 127],
  ['a command that reads its input', ['cat'], 0],
] as const) {
  test(`the exit code is that of ${name}, whatever the bundle says`, () => {
    for (const bundle of [PASS, { 'evidence/pytest.exit': '1\n' }, {}]) {
      const result = cli(project(bundle), '--', ...command)
      assert.equal(result.status, code, result.stderr)
      assert.match(result.stdout, /CI alone decides this check/)
    }
  })
}

test('a real pytest that fails, passes and is killed', {
  skip: spawnSync('python3', ['-m', 'pytest', '--version']).status !== 0 && 'pytest is not installed',
}, () => {
  const cwd = project({
    ...PASS,
    'test_a.py':
      'import os, signal\n\ndef test_a():\n    how = os.environ["HOW"]\n    if how == "kill":\n        os.kill(os.getpid(), signal.SIGKILL)\n    assert how == "pass"\n',
    '.gitignore': '__pycache__/\n',
  })
  for (const [how, code] of [
    ['pass', 0],
    ['fail', 1],
    ['kill', 137],
  ] as const) {
    const result = cli(
      cwd,
      '--format',
      'json',
      '--output',
      join(tmpdir(), `cli-${process.pid}.json`),
      '--',
      'env',
      `HOW=${how}`,
      'python3',
      '-m',
      'pytest',
      '-q',
      '-p',
      'no:cacheprovider',
      '--junitxml=out/junit.xml',
    )
    assert.equal(result.status, code, result.stdout + result.stderr)
    const report = checkedReport(readFileSync(join(tmpdir(), `cli-${process.pid}.json`), 'utf8'))
    assert.equal(report.conclusion, code === 0 ? 'success' : 'failure')
    assert.equal(report.ci[0]?.exitCode, code)
    assert.deepEqual(
      report.tests.ci,
      how === 'kill'
        ? null
        : {
            total: 1,
            passed: how === 'pass' ? 1 : 0,
            failed: how === 'pass' ? 0 : 1,
            errors: 0,
            skipped: 0,
            expected: 0,
          },
    )
  }
})

const USAGE: [string[], RegExp][] = [
  [[], /No command/],
  [['--'], /No command/],
  [['--frobnicate', '--', 'true'], /--frobnicate/],
  [['--format', 'xml', '--', 'true'], /No such format: xml/],
  [['--ci-evidence', 'x', '--', 'true'], /Both a command and/],
  [['pytest', '--', 'true'], /pytest/],
  [['--cwd', 'nowhere', '--', 'true'], /nowhere/],
  [['--ci-evidence', 'nowhere'], /nowhere/],
]
for (const [args, says] of USAGE) {
  test(`wrong usage exits with 2: ${args.join(' ') || '(nothing)'}`, () => {
    const result = cli(project(PASS), ...args)
    assert.equal(result.status, 2, result.stdout)
    assert.match(result.stderr, says)
    assert.equal(result.stdout, '')
  })
}

test('--help and --version', () => {
  const cwd = project({})
  assert.match(cli(cwd, '--help').stdout, /--evidence DIR/)
  assert.match(cli(cwd, '--version').stdout, /^\d+\.\d+\.\d+\n$/)
})

test("the report goes to standard output behind the command's own, the notes to standard error", () => {
  const result = cli(project(PASS), '--format', 'markdown', '--', 'echo', 'own output')
  assert.match(result.stdout, /^own output\n\*\*CI passed\./)
  assert.match(result.stderr, /capture_run: exit 0/)
})

test('no colour where nobody asked for it', () => {
  const cwd = project(PASS)
  const run = (env: Record<string, string>, ...args: string[]) =>
    spawnSync(process.execPath, [CLI, ...args, '--', 'true'], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    }).stdout
  assert.doesNotMatch(run({}), /\u001b/)
  assert.match(run({ FORCE_COLOR: '1' }), /\u001b\[1m/)
  assert.doesNotMatch(run({ FORCE_COLOR: '1', NO_COLOR: '1' }), /\u001b/)
  assert.doesNotMatch(run({ FORCE_COLOR: '1' }, '--no-color'), /\u001b/)
})

test('two directories of evidence are compared, and exit 0', () => {
  const cwd = project({ 'evidence/pytest.exit': '0\n', 'ci/pytest.exit': '1\n' })
  const result = cli(cwd, '--ci-evidence', 'ci', '--format', 'json')
  assert.equal(result.status, 0, result.stderr)
  const report = checkedReport(result.stdout)
  assert.equal(report.conclusion, 'failure')
  assert.equal(report.witness, 'contradicted')
})

test('an HTML page stands alone: no script, no request', () => {
  const cwd = project({ 'evidence/pytest.exit': '<script>alert(1)</script>' })
  const page = join(cwd, 'report.html')
  cli(cwd, '--format', 'html', '--output', page, '--', 'true')
  const html = readFileSync(page, 'utf8')
  assert.doesNotMatch(html, /<script|src=|url\(|@import/i)
  assert.match(html, /&#60;script&#62;alert\(1\)&#60;\/script&#62;/)
})

test('outside git', () => {
  const cwd = temporaryFolder('no git ')
  writeFiles(cwd, PASS)
  const result = cli(cwd, '--', 'true')
  assert.equal(result.status, 0)
  assert.match(result.stdout, /The source was not compared: this is no git repository/)
})

test('a bundle that was captured here and is not committed yet is corroborated', {
  skip: !existsSync('/bin/bash') && 'no bash',
}, () => {
  const cwd = project({
    'run.sh':
      '#!/bin/sh\necho \'<testsuite name="s"><testcase classname="a" name="b" time="0.1"/></testsuite>\' > out.xml\n',
    '.gitignore': 'out.xml\n',
  })
  const script = fileURLToPath(new URL('../../capture_run.sh', import.meta.url))
  assert.equal(spawnSync('bash', [script, '--junit', 'out.xml', '--', './run.sh'], { cwd }).status, 0)
  const result = cli(cwd, '--junit', 'out.xml', '--format', 'json', '--', './run.sh')
  const report = checkedReport(result.stdout)
  assert.equal(report.source.same, true)
  assert.equal(report.witness, 'corroborated', result.stdout)
})

test('what is not recorded of the language is not the same: unbound, and not said to be the same toolchain', () => {
  const cwd = project({ '.gitignore': '/*\n' })
  const tree = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd, encoding: 'utf8' }).stdout.trim()
  const facts = 'schema=2\nos=Linux\narch=x86_64\n'
  const bundle = (directory: string, toolchain: string, run = '') =>
    writeFiles(join(cwd, directory), {
      'pytest.exit': '0\n',
      'toolchain.txt': facts + toolchain,
      'run.txt': `schema=2\nrunner=pytest\ncommand=pytest\nexit=0\ngit.tree=${tree}\n${run}`,
      'junit.xml': '<testsuite name="s"><testcase classname="a" name="b" time="0.1"/></testsuite>',
    })
  const WITH = 'python.version=3.11.4\n'
  for (const [there, here, witness, words] of [
    [WITH, WITH, 'corroborated', /same source, same toolchain, same 1 test/],
    [WITH, 'python.version=3.11.9\n', 'corroborated', /same source, toolchain of the same ABI, same 1 test/],
    [`${WITH}libc=glibc 2.36\n`, WITH, 'corroborated', /same toolchain as far as recorded/],
    [WITH, '', 'unbound', /as far as it was recorded: not everything was/],
    ['', WITH, 'unbound', /not everything was/],
    ['', '', 'unbound', /not everything was/],
    [WITH, `${WITH}node.version=20.11.1\n`, 'corroborated', /as far as recorded/],
    [`${WITH}node.version=20.11.1\n`, WITH, 'unbound', /not everything was/],
  ] as const) {
    bundle('evidence', there)
    bundle('ci', here)
    const report = checkedReport(cli(cwd, '--ci-evidence', 'ci', '--format', 'json').stdout)
    assert.equal(report.witness, witness, `${there}|${here}`)
    const { stdout } = cli(cwd, '--ci-evidence', 'ci')
    assert.match(stdout.replace(/\s+/g, ' '), words, `${there}|${here}`)
  }

  bundle('evidence', WITH, 'signal=INT\nrunner.2=go-test\ncommand.2=go test ./...\n')
  writeFiles(join(cwd, 'evidence'), {
    'pytest.exit': '130\n',
    'run.txt': `schema=2\nrunner=pytest\ncommand=pytest\nsignal=INT\nrunner.2=go-test\ncommand.2=go test ./...\ngit.tree=${tree}\n`,
  })
  const stdout = cli(cwd, '--ci-evidence', 'ci').stdout.replace(/\s+/g, ' ')
  assert.match(stdout, /The scratch run was interrupted, by SIGINT\..*Never run: go test \.\/\.\.\./s)
  assert.doesNotMatch(stdout, /coverage threshold/)
})

test('tools that were not seen to run are said to be those on PATH', () => {
  const cwd = project({})
  writeFiles(join(cwd, 'evidence'), {
    'command.exit': '0\n',
    'toolchain.txt': 'schema=2\nos=Linux\narch=x86_64\npython.version=3.11.4\n',
    'run.txt': 'schema=2\nrunner=command\ncommand=make test\ntools=path\nexit=0\n',
  })
  const stdout = cli(cwd, '--', 'true').stdout.replace(/\s+/g, ' ')
  assert.match(stdout, /which tools were on its PATH/)
  assert.match(stdout, /Which tools the scratch command started was not seen/)
  assert.doesNotMatch(stdout, /Python 3\.11\.4 on the scratch box exited/)
})

test('the evidence of CI that lies in the repository is no part of its source', () => {
  const cwd = project({ 'a.txt': 'a\n' })
  const script = fileURLToPath(new URL('../../capture_run.sh', import.meta.url))
  for (const args of [
    ['--out', 'evidence'],
    ['--out', 'ci', '--bundle', 'evidence'],
  ])
    assert.equal(spawnSync('bash', [script, ...args, '--', 'true'], { cwd }).status, 0)
  const report = checkedReport(cli(cwd, '--ci-evidence', 'ci', '--format', 'json').stdout)
  assert.equal(report.source.same, true)
  // Anything else in its directory is.
  writeFiles(cwd, { 'ci/conftest.py': '' })
  assert.equal(checkedReport(cli(cwd, '--ci-evidence', 'ci', '--format', 'json').stdout).source.same, false)
})
