import assert from 'node:assert/strict'
import { symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { noPytest, Workspace } from './workspace.ts'

const OLD = '<testsuite name="old"/>'
const NEW = '<testsuite name="new"/>'

test('one file is junit.xml; one that a glob finds with spaces in its name too', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'new.txt': NEW })
  const done = space.capture([
    '--junit',
    'out */*.xml',
    '--',
    'sh',
    '-c',
    'mkdir "out 1"; cp new.txt "out 1/TEST a.xml"',
  ])
  assert.equal(done.files.get('junit.xml'), NEW)
})

test('several files are numbered in sorted order, each once', (t) => {
  const space = new Workspace(t).withoutPython()
  const write = 'mkdir r; for n in c a b; do echo "<$n/>" > r/$n.xml; done'
  const done = space.capture(['--junit', 'r/*.xml', '--junit', 'r/a.xml', '--', 'sh', '-c', write])
  assert.deepEqual(
    ['junit.xml', 'junit-1.xml', 'junit-2.xml', 'junit-3.xml', 'junit-4.xml'].map((name) => done.files.get(name)),
    [undefined, '<a/>\n', '<b/>\n', '<c/>\n', undefined],
  )
})

test('a file from before the command is left out and named; one rewritten within the same second counts', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'old.xml': OLD, 'again.xml': OLD, 'new.txt': NEW })
  const done = space.capture(['--junit', '*.xml', '--', 'sh', '-c', 'cat new.txt > again.xml'])
  assert.equal(done.files.get('junit.xml'), NEW)
  assert.match(done.stderr, /^capture_run: older than the command, left out: old\.xml$/m)
})

test('a file that the command changes counts, whatever time it has', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'r.xml': OLD })
  const write = `printf '%s' '${NEW}' > r.xml; touch -t 200001010000 r.xml`
  assert.equal(space.capture(['--junit', 'r.xml', '--', 'sh', '-c', write]).files.get('junit.xml'), NEW)
})

test('a file of the future that the command did not touch is still taken by its time: no clock is trusted to be right', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'r.xml': OLD })
  utimesSync(join(space.project, 'r.xml'), 4e9, 4e9)
  assert.equal(space.capture(['--junit', 'r.xml', '--', 'true']).files.get('junit.xml'), OLD)
})

test('what was to be written and was not is recorded, for each run; what was written, or asked of nobody, is not', (t) => {
  const missing = (args: readonly string[]) => {
    const done = new Workspace(t).withoutPython().capture(args)
    return (done.files.get('run.txt') ?? '').split('\n').filter((line) => line.startsWith('junit.missing'))
  }
  assert.deepEqual(missing(['--junit', 'r/*.xml', '--', 'true']), ['junit.missing=r/*.xml'])
  assert.deepEqual(missing(['--', 'sh', '-c', 'exit 0']), [])
  assert.deepEqual(missing(['--junit', 'r.xml', '--', 'sh', '-c', 'echo "<a/>" > r.xml']), [])
})

test('pytest that ends before its report is recorded as having left none', { skip: noPytest }, (t) => {
  const space = new Workspace(t).write({ 'test_a.py': 'import os\n\ndef test_a():\n    os._exit(0)\n' })
  const done = space.capture(['--', 'python3', '-m', 'pytest', '-q'])
  assert.equal(done.status, 0)
  assert.match(done.files.get('run.txt') ?? '', /^junit\.missing=pytest: --junitxml, through PYTEST_ADDOPTS$/m)
})

test('symbolic links are not followed', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'secret.txt': 'secret' })
  symlinkSync('secret.txt', join(space.project, 'old.xml'))
  const done = space.capture(['--junit', '*.xml', '--junit', 'old.xml', '--', 'sh', '-c', 'ln -s secret.txt r.xml'])
  assert.deepEqual(
    [...done.files.keys()].filter((name) => name.startsWith('junit')),
    [],
  )
  assert.match(done.stderr, /no new file is named by/)
})

test('a file that the command writes into the bundle itself stays as it is', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'new.txt': NEW })
  const done = space.capture(['--junit', 'evidence/*.xml', '--', 'cp', 'new.txt', 'evidence/junit.xml'])
  assert.equal(done.files.get('junit.xml'), NEW)
  assert.equal(done.files.has('junit-1.xml'), false)
})

const ONE_TEST = { 'test_a.py': 'def test_a(): pass\n' }

test('pytest is asked for JUnit unless something speaks against it', { skip: noPytest }, async (t) => {
  const run = ['--', 'python3', '-m', 'pytest', '-q']
  const cases: readonly [string, Record<string, string>, readonly string[], NodeJS.ProcessEnv, boolean][] = [
    ['plain', {}, run, {}, true],
    ['PYTEST_ADDOPTS is kept', {}, run, { PYTEST_ADDOPTS: '-p no:cacheprovider' }, true],
    ['the plugin is off', {}, [...run, '-p', 'no:junitxml'], {}, false],
    ['the plugin is off in PYTEST_ADDOPTS', {}, run, { PYTEST_ADDOPTS: '-p no:junitxml' }, false],
    ['the settings name a file', { 'pytest.ini': '[pytest]\naddopts = --junitxml=mine.xml\n' }, run, {}, false],
    ['other settings', { 'other.ini': '[pytest]\n' }, [...run, '-c', 'other.ini'], {}, false],
    ['twice', {}, ['--', 'bash', '-ec', 'pytest -q\npytest -q'], {}, false],
  ]
  for (const [name, files, args, env, asked] of cases) {
    await t.test(name, (t) => {
      const space = new Workspace(t).withoutPython().write({ ...ONE_TEST, ...files })
      const done = space.capture(args, { env })
      assert.equal(done.status, 0, done.stdout + done.stderr)
      assert.equal(done.files.has('junit.xml'), asked)
      assert.match(done.stderr, asked ? /asks pytest for JUnit/ : /no JUnit: /)
    })
  }
})

for (const args of [
  ['python3', '-m', 'pytest', '--junitxml=mine.xml'],
  ['python3', '-m', 'pytest', '--junit-xml', 'mine.xml'],
  ['bash', '-c', 'python3 -m pytest --deselect="x|y" --junitxml="mine.xml" && true'],
]) {
  test(`the file that the command names is copied in: ${args.join(' ')}`, { skip: noPytest }, (t) => {
    const done = new Workspace(t)
      .withoutPython()
      .write(ONE_TEST)
      .capture(['--', ...args])
    assert.match(done.files.get('junit.xml') ?? '', /test_a/)
    assert.doesNotMatch(done.stderr, /asks pytest/)
  })
}
