import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { facts, noPytest, PYTHON, SCRIPT, Workspace } from './workspace.ts'

const missing = (tool: string) => (spawnSync(tool, ['--help']).error === undefined ? false : `${tool} is not installed`)

test('shellcheck has nothing to say', { skip: missing('shellcheck') }, () => {
  const done = spawnSync('shellcheck', [SCRIPT], { encoding: 'utf8' })
  assert.equal(done.stdout, '')
  assert.equal(done.status, 0)
})

test('bash reads it', () => {
  assert.equal(spawnSync('bash', ['-n', SCRIPT]).status, 0)
})

test('SHA256SUMS lists every other file and verifies', { skip: missing('sha256sum') }, (t) => {
  const space = new Workspace(t).withoutPython().write({ 'uv.lock': 'x' })
  const done = space.capture(['--junit', 'r.xml', '--', 'sh', '-c', 'echo "<a/>" > r.xml'])
  const verified = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd: join(space.project, 'evidence'),
    encoding: 'utf8',
  })
  assert.equal(verified.status, 0, verified.stdout + verified.stderr)
  const listed = (done.files.get('SHA256SUMS') ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(66))
  assert.deepEqual(listed, [...done.files.keys()].filter((name) => name !== 'SHA256SUMS').toSorted())
})

test('no secret of the environment, of the remote or of a URL gets into the evidence', { skip: noPytest }, (t) => {
  const space = new Workspace(t).write({ 'test_a.py': 'def test_a(): pass\n' }).commit()
  space.git('remote', 'add', 'origin', 'https://user:s3cret-remote@git.example.com/a.git')
  const names =
    'GITHUB_TOKEN GH_TOKEN AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN NPM_TOKEN NODE_AUTH_TOKEN PIP_INDEX_URL UV_INDEX_URL UV_PUBLISH_TOKEN TWINE_PASSWORD DATABASE_URL PGPASSWORD OPENAI_API_KEY STRIPE_KEY SENTRY_DSN DOCKER_PASSWORD CARGO_REGISTRY_TOKEN GOAUTH SSH_AUTH_SOCK HTTPS_PROXY'
  const env = Object.fromEntries(names.split(' ').map((name) => [name, `https://u:s3cret-${name}@x.example.com`]))
  assert.equal(Object.keys(env).length, 20)
  const done = space.capture(
    ['--', 'python3', '-m', 'pytest', '--rootdir=.', '--override-ini=x=https://me:s3cret-typed@h/p'],
    { env },
  )
  assert.equal(done.status, 0, done.stdout + done.stderr)
  for (const [name, content] of done.files) assert.doesNotMatch(content, /s3cret/, name)
  assert.match(done.files.get('run.txt') ?? '', /x=https:\/\/h\/p/)
})

test('the home directory is ~ in paths, also of editable packages', { skip: noPytest }, (t) => {
  const space = new Workspace(t)
  const info = 'site/plain-1.0.dist-info'
  space.write({
    [`${info}/METADATA`]: 'Metadata-Version: 2.1\nName: plain\nVersion: 1.0\n',
    [`${info}/direct_url.json`]: JSON.stringify({
      url: 'https://me:s3cret@git.example.com/plain.git',
      vcs_info: { vcs: 'git', commit_id: 'a'.repeat(40) },
    }),
    'site/local-2.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: local\nVersion: 2.0\n',
    'site/local-2.0.dist-info/direct_url.json': JSON.stringify({ url: `file://${space.root}/local`, dir_info: {} }),
  })
  const env = { HOME: space.root, PYTHONPATH: join(space.project, 'site') }
  const done = space.capture(['--', PYTHON?.executable ?? '', '-c', 'pass', join(space.root, 'x')], { env })
  const freeze = done.files.get('freeze.txt') ?? ''
  assert.match(freeze, /^plain @ git\+https:\/\/git\.example\.com\/plain\.git@a{40}$/m)
  assert.match(freeze, /^local @ file:\/\/~\/local$/m)
  const run = facts(done.files.get('run.txt'))
  assert.equal(run.get('argv.3'), '~/x')
  assert.equal(facts(done.files.get('toolchain.txt')).get('env.PYTHONPATH'), 'set')
  for (const [name, content] of done.files) assert.equal(content.includes(space.root), false, name)
})

test('the environment of the command is the caller’s own', (t) => {
  const space = new Workspace(t).withoutPython()
  const names = [
    'out',
    'runner',
    'command',
    'name',
    'file',
    'word',
    'line',
    'option',
    'value',
    'index',
    'system',
    'head',
  ]
  const env = Object.fromEntries(names.map((name) => [name, 'mine']))
  const print = 'const e = process.env; console.log(JSON.stringify(e))'
  const done = space.capture(['--', process.execPath, '-e', print], { env })
  const seen = JSON.parse(done.stdout)
  for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) delete seen[name]
  assert.deepEqual(seen, { ...space.env, ...env })
})

test('busybox is all it needs beside bash and git', { skip: missing('busybox') }, (t) => {
  const space = new Workspace(t).withoutPython().write({ 'uv.lock': 'x', 'a.txt': 'a\n' }).commit()
  const bin = join(space.root, 'busybox')
  mkdirSync(bin)
  const busybox = spawnSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).stdout.trim()
  const applets = spawnSync('busybox', ['--list'], { encoding: 'utf8' }).stdout.trim().split('\n')
  for (const applet of applets) symlinkSync(busybox, join(bin, applet))
  for (const tool of ['bash', 'git']) {
    symlinkSync(spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim(), join(bin, tool))
  }
  const done = space.capture(['--junit', 'r.xml', '--', 'sh', '-c', 'echo "<a/>" > r.xml; exit 4'], {
    env: { PATH: bin },
  })
  assert.equal(done.status, 4, done.stderr)
  assert.doesNotMatch(done.stderr, /not found|invalid|usage/i)
  assert.equal(done.files.get('junit.xml'), '<a/>\n')
  const run = facts(done.files.get('run.txt'))
  assert.equal(run.get('git.tree'), space.git('rev-parse', 'HEAD^{tree}'))
  assert.match(done.files.get('SHA256SUMS') ?? '', /^[0-9a-f]{64} {2}run\.txt$/m)
  assert.ok(readdirSync(bin).length > 100)
})
