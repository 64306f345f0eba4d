import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRun } from '../../src/read/run-file.ts'

test('every key of run.txt, with its escapes', () => {
  const tree = 'a'.repeat(40)
  const { run, lockPaths, problems } = readRun(
    'run.txt',
    Buffer.from(
      `schema=2\nrunner=pytest\ncommand=pip install .\\npytest -q 'a\\\\b'\nargv.0=bash\nargv.1=-c\nargv.2=x=y\ncwd=.\ntools=path\nstarted=2026-11-30T18:02:11Z\nfinished=2026-11-30T18:02:13Z\nexit=0\nlockfile=poetry.lock\nlockfile.2=sub/uv.lock\ngit.head=${tree}\ngit.tree=${tree}\ngit.dirty=no\ngit.hidden=0\njunit.older.0=old.xml\njunit.missing=pytest: --junitxml\ncached=2\ncached.2=1\ncapture.sha256=${'b'.repeat(64)}\n`,
    ),
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(run, {
    runner: 'pytest',
    command: "pip install .\npytest -q 'a\\b'",
    argv: ['bash', '-c', 'x=y'],
    cwd: '.',
    started: '2026-11-30T18:02:11Z',
    finished: '2026-11-30T18:02:13Z',
    exit: 0,
    signal: null,
    others: [],
    toolsByPath: true,
    lockfile: 'poetry.lock',
    gitHead: tree,
    gitTree: tree,
    gitDirty: false,
    gitHidden: '0',
    olderJUnit: ['old.xml'],
    missingJUnit: ['pytest: --junitxml'],
    cached: 3,
  })
  assert.deepEqual(
    [...lockPaths],
    [
      ['lock.copy', 'poetry.lock'],
      ['lock-2.copy', 'sub/uv.lock'],
    ],
  )
})

test('several runs, each with keys of its own', () => {
  const { run, problems } = readRun(
    'run.txt',
    Buffer.from(
      'runner=pytest\ncommand=pytest\nexit=0\nfinished=f\nrunner.2=npm-test\ncommand.2=npm test\nargv.2.0=npm\nasked.2=A=b\nstarted.2=s\nfinished.2=g\nexit.2=1\nrunner.10=go-test\ncommand.10=go test\n',
    ),
  )
  assert.deepEqual(problems, [])
  assert.deepEqual([run.runner, run.exit, run.command], ['pytest', 0, 'pytest\nnpm test\ngo test'])
  assert.deepEqual(run.others, [
    { runner: 'npm-test', command: 'npm test', finished: 'g', exit: 1 },
    { runner: 'go-test', command: 'go test', finished: null, exit: null },
  ])
})

test('what is no object name, no number and no key is not taken for one', () => {
  const { run, problems } = readRun(
    'run.txt',
    Buffer.from('git.tree=--upload-pack=x\nexit=zero\nexit2=0\nrunner=a\nrunner=b\n'),
  )
  assert.equal(run.gitTree, null)
  assert.equal(run.exit, null)
  assert.equal(run.runner, 'a')
  assert.deepEqual(problems, [
    { kind: 'unrecognised-line', file: 'run.txt', line: 3, text: 'exit2=0' },
    { kind: 'repeated-key', file: 'run.txt', line: 5, key: 'runner' },
  ])
})
