import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRun } from '../../src/read/run-file.ts'

test('every key of run.txt, with its escapes', () => {
  const tree = 'a'.repeat(40)
  const { run, lockPaths, problems } = readRun(
    'run.txt',
    Buffer.from(
      `schema=2\nrunner=pytest\ncommand=pip install .\\npytest -q 'a\\\\b'\nargv.0=bash\nargv.1=-c\nargv.2=x=y\ncwd=.\ntools=path\nstarted=2026-11-30T18:02:11Z\nfinished=2026-11-30T18:02:13Z\nexit=0\nlockfile=poetry.lock\nlockfile.2=sub/uv.lock\ngit.head=${tree}\ngit.tree=${tree}\ngit.dirty=no\ngit.base=${tree}\ngit.hidden=1\ngit.hidden.0=h.txt\ngit.removed.0=r.txt\ngit.excluded.0=e.txt\ngit.untracked.0="new\\\\n\\\\303\\\\274.txt"\ngit.change.0=A 100644 ${tree} "new\\\\n\\\\303\\\\274.txt"\ngit.change.1=D 000000 ${'0'.repeat(40)} gone file\ngit.change.more=3\ngit.after.0=M 100644 ${tree} a b.txt\ngit.after.1=A 100644 ${tree} c\ngit.after.2=X 100644 ${tree} d\ngit.filtered=2\ngit.submodule.0=dirty sub module\ngit.ignored=4\ngit.lfs=0\ngit.autocrlf=true\njunit.older.0=old.xml\njunit.missing=pytest: --junitxml\ncached=2\ncached.2=1\ncapture.sha256=${'b'.repeat(64)}\n`,
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
    source: {
      head: tree,
      tree,
      dirty: false,
      base: tree,
      hidden: '1',
      hiddenPaths: ['h.txt'],
      removed: ['r.txt'],
      excluded: ['e.txt'],
      untracked: ['new\n\u00fc.txt'],
      changes: [
        { how: 'added', mode: '100644', oid: tree, quoted: '"new\\n\\303\\274.txt"', path: 'new\n\u00fc.txt' },
        { how: 'removed', mode: '000000', oid: '0'.repeat(40), quoted: 'gone file', path: 'gone file' },
      ],
      unlisted: 3,
      after: [
        { how: 'changed', mode: '100644', oid: tree, quoted: 'a b.txt', path: 'a b.txt' },
        { how: 'added', mode: '100644', oid: tree, quoted: 'c', path: 'c' },
      ],
      submodules: [{ state: 'dirty', path: 'sub module' }],
      ignored: 4,
      lfsPointers: 0,
      filtered: 2,
      lineEndings: { autocrlf: 'true', eol: null },
    },
    script: 'b'.repeat(64),
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
  assert.equal(run.source.tree, null)
  assert.equal(run.exit, null)
  assert.equal(run.runner, 'a')
  assert.deepEqual(problems, [
    { kind: 'unrecognised-line', file: 'run.txt', line: 3, text: 'exit2=0' },
    { kind: 'repeated-key', file: 'run.txt', line: 5, key: 'runner' },
  ])
})
