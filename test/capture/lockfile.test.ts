import assert from 'node:assert/strict'
import { test } from 'node:test'
import { facts, Workspace } from './workspace.ts'

const CASES: readonly [string, readonly string[], string, string | null][] = [
  // what is tested, files, runner's command, the file that is copied
  ['the order of names', ['uv.lock', 'poetry.lock', 'package-lock.json'], 'true', 'poetry.lock'],
  ['a Python runner wants a Python lockfile', ['package-lock.json', 'uv.lock'], 'true pytest', 'uv.lock'],
  ['npm test wants that of npm', ['poetry.lock', 'yarn.lock'], 'true npm test', 'yarn.lock'],
  ['go test wants go.sum', ['poetry.lock', 'go.sum'], 'true go test', 'go.sum'],
  ['requirements.txt where there is no other', ['requirements.txt', 'Cargo.lock'], 'true pytest', 'requirements.txt'],
  ['a lockfile at the top beats requirements.txt here', ['sub/requirements.txt', 'uv.lock'], 'true pytest', 'uv.lock'],
  ['here before at the top', ['sub/uv.lock', 'poetry.lock'], 'true pytest', 'sub/uv.lock'],
  ['none', ['package-lock.json'], 'true pytest', null],
]
for (const [name, files, command, expected] of CASES) {
  test(`lockfile: ${name}`, (t) => {
    const space = new Workspace(t).withoutPython().write({ 'sub/keep': '' })
    space.write(Object.fromEntries(files.map((file) => [file, `bytes of ${file}\r\n`]))).commit()
    const done = space.capture(['--', ...command.split(' ')], { cwd: 'sub', out: 'evidence' })
    assert.equal(done.files.get('lock.copy'), expected === null ? 'NO_LOCKFILE\n' : `bytes of ${expected}\r\n`)
    assert.equal(facts(done.files.get('run.txt')).get('lockfile') ?? null, expected)
  })
}

test('lockfiles by name, several, and one that is missing', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'a.lock': 'A', 'sub/b b.lock': 'B', 'uv.lock': 'U' }).commit()
  const args = ['--lockfile', '../a.lock', '--lockfile', 'nowhere.lock', '--lockfile', 'b b.lock', '--', 'true']
  const done = space.capture(args, { cwd: 'sub' })
  assert.deepEqual(
    [done.files.get('lock.copy'), done.files.get('lock-2.copy'), done.files.get('lock-3.copy')],
    ['A', undefined, 'B'],
  )
  const run = facts(done.files.get('run.txt'))
  assert.deepEqual(
    [run.get('lockfile'), run.get('lockfile.2'), run.get('lockfile.3')],
    ['a.lock', undefined, 'sub/b b.lock'],
  )
  assert.match(done.stderr, /no such lockfile: nowhere\.lock/)
})

test('the copy is from before the command', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'uv.lock': 'before' })
  assert.equal(space.capture(['--', 'sh', '-c', 'echo after > uv.lock']).files.get('lock.copy'), 'before')
})

test('Go: go.mod says which modules are chosen, go.sum what their bytes are; both are copied', (t) => {
  const files = { 'go.mod': 'module example.com/m\n\ngo 1.20\n', 'go.sum': 'example.com/a v1.0.0 h1:aa=\n' }
  const { files: bundle } = new Workspace(t).withoutPython().write(files).capture(['--', 'go', 'version'])
  const run = facts(bundle.get('run.txt'))
  assert.deepEqual([run.get('lockfile'), run.get('lockfile.2')], ['go.mod', 'go.sum'])
  assert.deepEqual([bundle.get('lock.copy'), bundle.get('lock-2.copy')], [files['go.mod'], files['go.sum']])
})

test('the lockfile of the directory that the command goes to', (t) => {
  const files = { 'uv.lock': 'top\n', 'backend/poetry.lock': 'backend\n', 'backend/pyproject.toml': '' }
  const space = new Workspace(t).withoutPython().write(files)
  const { files: bundle } = space.capture(['--', 'sh', '-c', 'cd backend && python -m pytest'])
  assert.equal(bundle.get('lock.copy'), 'backend\n')
})

test('requirements in several files are copied together', (t) => {
  const files = { 'requirements.txt': 'a==1\n', 'requirements-dev.txt': 'b==1\n', 'requirements_docs.txt': 'c==1\n' }
  const space = new Workspace(t).withoutPython().write({ ...files, 'requirements.md': '', 'test_a.py': '' })
  const run = facts(space.capture(['--', 'python', '-m', 'pytest']).files.get('run.txt'))
  assert.deepEqual(
    ['lockfile', 'lockfile.2', 'lockfile.3', 'lockfile.4'].map((key) => run.get(key)),
    ['requirements.txt', 'requirements-dev.txt', 'requirements_docs.txt', undefined],
  )
})

test('a project of Bun whose tests npm starts has its lockfile', (t) => {
  const files = { 'package.json': '{"scripts": {"test": "true"}}', 'bun.lock': '{}' }
  const { files: bundle } = new Workspace(t).withoutPython().write(files).capture(['--', 'npm', 'test'])
  assert.equal(bundle.get('lock.copy'), '{}')
})

test('what a package of Node.js brings along in its own archive is part of it', (t) => {
  const files = {
    'package.json': '{}',
    'node_modules/a/package.json': '{"name": "a", "version": "1.0.0", "bundleDependencies": ["b"]}',
    'node_modules/a/node_modules/b/package.json': '{"name": "b", "version": "9.9.9"}',
    'node_modules/c/package.json': '{"name": "c", "version": "2.0.0"}',
    'node_modules/c/node_modules/d/package.json': '{"name": "d", "version": "3.0.0"}',
  }
  const { files: bundle } = new Workspace(t).withoutPython().write(files).capture(['--', 'node', '--version'])
  assert.equal(
    bundle.get('freeze.txt'),
    'node_modules/a:a@1.0.0\nnode_modules/c/node_modules/d:d@3.0.0\nnode_modules/c:c@2.0.0\n',
  )
})
