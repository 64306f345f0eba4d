import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { facts, noPytest, noPython, PYTHON, Workspace } from './workspace.ts'

test('a passing pytest project is found by its layout, run and recorded', { skip: noPytest }, (t) => {
  const space = new Workspace(t).write({ 'tests/test_sum.py': 'def test_sum():\n    assert 1 + 1 == 2\n' }).commit()
  const done = space.capture([])
  assert.equal(done.status, 0, done.stderr)
  assert.match(done.stdout, /1 passed/)
  assert.equal(done.files.get('pytest.exit'), '0\n')
  assert.equal(done.files.get('lock.copy'), 'NO_LOCKFILE\n')
  assert.match(done.files.get('junit.xml') ?? '', /<testcase classname="tests.test_sum" name="test_sum"/)
  assert.match(done.files.get('freeze.txt') ?? '', /^pytest==\d/m)
  const run = facts(done.files.get('run.txt'))
  assert.equal(run.get('schema'), '2')
  assert.equal(run.get('runner'), 'pytest')
  assert.equal(run.get('command'), 'python3 -m pytest')
  assert.deepEqual(
    [run.get('argv.0'), run.get('argv.1'), run.get('argv.2'), run.get('argv.3')],
    ['python3', '-m', 'pytest', undefined],
  )
  assert.equal(run.get('cwd'), '.')
  assert.equal(run.get('exit'), '0')
  assert.match(run.get('started') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.ok((run.get('finished') ?? '') >= (run.get('started') ?? ''))
  assert.match(done.stderr, /^capture_run: the evidence is in evidence/m)
})

test('a failing pytest exits with its own code', { skip: noPytest }, (t) => {
  const space = new Workspace(t).write({ 'test_no.py': 'def test_no():\n    assert False\n' })
  const done = space.capture(['--', 'python3', '-m', 'pytest', '-q'])
  assert.equal(done.status, 1)
  assert.equal(done.files.get('pytest.exit'), '1\n')
  assert.match(done.files.get('junit.xml') ?? '', /failures="1"/)
})

test('a pytest that is killed leaves 137 and no JUnit of an earlier run', { skip: noPytest }, (t) => {
  const kill = 'import os\ndef test_kill():\n    os.kill(os.getpid(), 9)\n'
  const space = new Workspace(t).write({ 'test_kill.py': kill, 'evidence/junit.xml': '<testsuites/>' })
  const done = space.capture(['--', 'python3', '-m', 'pytest'])
  assert.equal(done.status, 137)
  assert.equal(done.files.get('pytest.exit'), '137\n')
  assert.equal(facts(done.files.get('run.txt')).get('exit'), '137')
  assert.equal(done.files.has('junit.xml'), false)
})

test('any command: exit code, output and input are its own', (t) => {
  const space = new Workspace(t).withoutPython()
  const done = spawnSync(
    'bash',
    [join(import.meta.dirname, '../../capture_run.sh'), '--', 'sh', '-c', 'cat; echo oops >&2; exit 3'],
    {
      cwd: space.project,
      env: space.env,
      encoding: 'utf8',
      input: 'typed in\n',
    },
  )
  assert.equal(done.status, 3)
  assert.equal(done.stdout, 'typed in\n')
  assert.match(done.stderr, /^oops$/m)
  assert.equal(space.bundle().get('command.exit'), '3\n')
  const run = facts(space.bundle().get('run.txt'))
  assert.equal(run.get('command'), 'cat; echo oops >&2; exit 3')
  assert.equal(run.get('argv.1'), '-c')
})

test('a unittest command is `command`, run by the Python that it names', { skip: noPython }, (t) => {
  const space = new Workspace(t).write({
    'test_one.py': 'import unittest\nclass One(unittest.TestCase):\n    def test_one(self): pass\n',
  })
  const done = space.capture(['--', 'python3', '-m', 'unittest', '-v'])
  assert.equal(done.status, 0, done.stderr)
  assert.equal(done.files.get('command.exit'), '0\n')
  assert.equal(done.files.has('junit.xml'), false)
})

const RUNNERS: readonly [string, string][] = [
  ['pytest -q', 'pytest'],
  ['python3 -m pytest', 'pytest'],
  ['pip install pytest\npytest tests', 'pytest'],
  ['FOO=1 uv run --frozen pytest', 'pytest'],
  ['# run pytest\nmake test', 'command'],
  ['npm ci && npm test', 'npm-test'],
  ['npm run test:unit', 'npm-test'],
  ['go vet ./... ; go test ./...', 'go-test'],
  ['cargo +nightly test', 'cargo-test'],
  ['cargo nextest run', 'cargo-test'],
  ['pip install pytest', 'command'],
]
for (const [script, runner] of RUNNERS) {
  test(`runner of ${JSON.stringify(script)} is ${runner}`, (t) => {
    const space = new Workspace(t).withoutPython()
    // Nothing of the script is run: -n reads it alone.
    const done = space.capture(['--', 'bash', '--noprofile', '--norc', '-n', '-eo', 'pipefail', '-c', script])
    const run = facts(done.files.get('run.txt'))
    assert.equal(run.get('runner'), runner)
    assert.equal(run.get('command'), script.replaceAll('\n', '\\n'))
    assert.ok(done.files.has(`${runner}.exit`))
  })
}

test('words are quoted as a person would, only where the shell needs it', (t) => {
  const done = new Workspace(t).withoutPython().capture(['--', 'true', '-k', 'a and b', "it's", 'x=1', '', 'a\\b'])
  const run = facts(done.files.get('run.txt'))
  assert.equal(run.get('command'), `true -k 'a and b' 'it'\\\\''s' x=1 '' 'a\\\\b'`)
  assert.equal(run.get('argv.5'), '')
  assert.equal(run.get('argv.6'), 'a\\\\b')
})

test('a command that does not exist: 127, recorded', (t) => {
  const done = new Workspace(t).withoutPython().capture(['--', './nowhere'])
  assert.equal(done.status, 127)
  assert.equal(done.files.get('command.exit'), '127\n')
})

test('no layout that is known: a word in place of the exit code, and what to do', (t) => {
  const done = new Workspace(t).withoutPython().write({ 'README.md': '' }).capture([])
  assert.equal(done.status, 2)
  assert.equal(done.files.get('pytest.exit'), 'NO_PYTEST_LAYOUT\n')
  assert.match(done.stderr, /capture_run\.sh -- COMMAND/)
  assert.equal(facts(done.files.get('run.txt')).has('exit'), false)
})

test('Python tests and no pytest: NO_PYTEST', (t) => {
  const space = new Workspace(t).write({ 'test_a.py': '', 'bin/python3': '#!/bin/sh\nexit 1\n' })
  chmodSync(join(space.project, 'bin/python3'), 0o755)
  space.write({ 'bin/python': '#!/bin/sh\nexit 1\n' })
  chmodSync(join(space.project, 'bin/python'), 0o755)
  const done = space.capture([], { env: { PATH: `${space.project}/bin:${process.env.PATH}` } })
  assert.equal(done.status, 2)
  assert.equal(done.files.get('pytest.exit'), 'NO_PYTEST\n')
})

test('several layouts: each is run, with an exit file, JUnit and lines of run.txt of its own', {
  skip: noPytest,
}, (t) => {
  const space = new Workspace(t).write({
    'test_a.py': 'def test_a(): pass\n',
    'package.json': '{"scripts": {"test": "node --test a.test.mjs"}}',
    'a.test.mjs': "import { test } from 'node:test'\ntest('fails', () => { throw new Error('no') })\n",
    'requirements.lock': 'pytest\n',
    'package-lock.json': '{}',
  })
  const done = space.capture([])
  assert.equal(done.status, 1, done.stderr)
  assert.equal(done.files.get('pytest.exit'), '0\n')
  assert.equal(done.files.get('npm-test.exit'), '1\n')
  assert.match(done.files.get('junit-pytest.xml') ?? '', /name="test_a"/)
  assert.match(done.files.get('junit-node-test.xml') ?? '', /name="fails"/)
  const run = facts(done.files.get('run.txt'))
  assert.deepEqual(
    ['runner', 'command', 'exit', 'runner.2', 'command.2', 'argv.2.1', 'exit.2', 'lockfile', 'lockfile.2'].map((key) =>
      run.get(key),
    ),
    ['pytest', 'python3 -m pytest', '0', 'npm-test', 'npm test', 'test', '1', 'requirements.lock', 'package-lock.json'],
  )
  assert.ok((run.get('started.2') ?? '') >= (run.get('finished') ?? ''))
})

test('a layout whose tool is missing: a word in place of its exit code, and exit 2', { skip: noPytest }, (t) => {
  const space = new Workspace(t).write({ 'test_a.py': 'def test_a(): pass\n', 'phpunit.xml': '', 'bin/keep': '' })
  const tools = [
    'bash',
    'git',
    'sed',
    'grep',
    'tr',
    'od',
    'cat',
    'rm',
    'mkdir',
    'mkfifo',
    'mktemp',
    'date',
    'sort',
    'head',
    'tail',
    'uname',
    'sha256sum',
    'find',
    'mv',
    'sleep',
    'readlink',
  ]
  for (const tool of tools)
    symlinkSync(
      spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim(),
      join(space.project, 'bin', tool),
    )
  symlinkSync(PYTHON?.executable ?? '', join(space.project, 'bin/python3'))
  const done = space.capture([], { env: { PATH: join(space.project, 'bin'), PYTHONHOME: '' } })
  assert.equal(done.status, 2, done.stderr)
  assert.equal(done.files.get('pytest.exit'), '0\n', done.stderr)
  assert.equal(done.files.get('phpunit.exit'), 'NO_PHPUNIT\n')
})

test('npm test by layout', (t) => {
  const done = new Workspace(t).write({ 'package.json': '{"scripts": {"test": "exit 9"}}' }).capture([])
  assert.equal(done.status, 9)
  assert.equal(done.files.get('npm-test.exit'), '9\n')
  const toolchain = facts(done.files.get('toolchain.txt'))
  const node = spawnSync('node', ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim()
  assert.equal(toolchain.get('node.version'), node)
  assert.equal(toolchain.has('python.version'), false)
})

test('stale files of the bundle are removed, other files stay', (t) => {
  const space = new Workspace(t).withoutPython().write({
    'evidence/pytest.exit': '0\n',
    'evidence/junit-3.xml': '<testsuites/>',
    'evidence/lock-2.copy': 'x',
    'evidence/freeze-node.txt': 'x',
    'evidence/notes.md': 'mine',
    'other.exit': 'mine',
  })
  const done = space.capture(['--', 'false'])
  assert.equal(done.status, 1)
  assert.deepEqual([...done.files.keys()].toSorted(), [
    'SHA256SUMS',
    'command.exit',
    ...(done.files.has('freeze.txt') ? ['freeze.txt'] : []),
    'lock.copy',
    'notes.md',
    'run.txt',
    'toolchain.txt',
  ])
  assert.ok(readdirSync(space.project).includes('other.exit'))
})

test('--no-run records toolchain, lockfile and packages, and no run', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'requirements.lock': 'a==1\n' })
  const done = space.capture(['--no-run', '--', 'sh', '-c', 'echo RAN'])
  assert.equal(done.status, 0)
  assert.equal(done.stdout, '')
  assert.equal(done.files.get('lock.copy'), 'a==1\n')
  assert.equal(
    [...done.files.keys()].some((name) => name.endsWith('.exit')),
    false,
  )
  assert.equal(facts(done.files.get('run.txt')).has('command'), false)
})

test('an evidence directory that cannot be written does not stop the command', (t) => {
  const space = new Workspace(t).withoutPython().write({ evidence: 'a file, no directory' })
  const done = space.capture(['--', 'sh', '-c', 'echo RAN; exit 5'])
  assert.equal(done.status, 5)
  assert.equal(done.stdout, 'RAN\n')
  assert.match(done.stderr, /cannot write to evidence: nothing is recorded/)
})

for (const [args, message] of [
  [['--nope'], /unknown argument: --nope/],
  [['pytest'], /a command goes after --/],
  [['--out'], /--out needs a value/],
  [['--'], /no command after --/],
  [['--out', '.', '--', 'true'], /a directory of its own/],
] as const) {
  test(`wrong usage: ${args.join(' ')}`, (t) => {
    const done = new Workspace(t).capture(args)
    assert.equal(done.status, 2)
    assert.match(done.stderr, message)
    assert.equal(done.files.size, 0)
  })
}

test('--help goes to standard output', (t) => {
  const done = new Workspace(t).capture(['--help'])
  assert.equal(done.status, 0)
  assert.match(done.stdout, /^usage: capture_run\.sh/)
  assert.equal(done.stderr, '')
})
