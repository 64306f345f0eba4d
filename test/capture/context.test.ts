import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { facts, noPython, PYTHON, Workspace } from './workspace.ts'

/** A Node.js of another version, in a directory that is not on PATH: it answers as one. */
function otherNode(space: Workspace, path: string, version: string): void {
  const file = join(space.project, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\ncase $* in *process.*) echo node.version=${version} ;; esac\n`)
  chmodSync(file, 0o755)
}

/** A virtual environment's Python with a version of its own, as far as it is asked. */
function venv(space: Workspace, path: string): void {
  if (PYTHON === null) return
  const done = spawnSync(PYTHON.executable, ['-m', 'venv', '--without-pip', join(space.project, path)])
  assert.equal(done.status, 0)
}

const node = (t: TestContext, command: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const space = new Workspace(t).withoutPython().write({ 'package.json': '{}' })
  otherNode(space, 'own/bin/node', '1.2.3')
  const done = space.capture(['--', ...command], { env })
  return { toolchain: facts(done.files.get('toolchain.txt')), run: facts(done.files.get('run.txt')), done }
}

describe('the Node.js that the words name is the one that is recorded', () => {
  const cases: [string, string[]][] = [
    ['by its path', ['own/bin/node', '--test']],
    ['by its path, in a script', ['sh', '-c', './own/bin/node --test']],
    ['in another directory', ['sh', '-c', 'cd own/bin && ./node --test']],
    ['in a subshell elsewhere', ['sh', '-c', '(cd own && bin/node --test)']],
    ['by a PATH before the command', ['env', `PATH=own/bin:${process.env.PATH}`, 'node', '--test']],
    ['by a PATH that is set in the script', ['bash', '-c', 'export PATH=$PWD/own/bin:$PATH; node --test']],
    ['by a variable of the script', ['bash', '-c', 'N=own/bin/node; $N --test']],
    ['by a variable in braces', ['bash', '-c', `N=own/bin; "\${N}/node" --test`]],
  ]
  for (const [name, command] of cases) {
    test(name, (t) => assert.equal(node(t, command).toolchain.get('node.version'), '1.2.3'))
  }

  test('and after a subshell it is that of the directory again', (t) => {
    const { toolchain } = node(t, ['sh', '-c', '(cd own/bin && true); node --version'])
    assert.notEqual(toolchain.get('node.version'), '1.2.3')
    assert.ok(toolchain.has('node.version'))
  })

  test('a directory that is not there: nothing is recorded in its stead', (t) => {
    const { toolchain } = node(t, ['sh', '-c', 'cd nowhere && node --test'])
    assert.equal(toolchain.has('node.version'), false)
  })
})

describe('the Python that the words name', () => {
  const recorded = (t: TestContext, command: readonly string[]) => {
    const space = new Workspace(t)
    venv(space, 'backend/.venv')
    const done = space.capture(['--', ...command])
    return facts(done.files.get('toolchain.txt')).get('python.prefix')?.replace(space.project, '')
  }
  const own = '/backend/.venv'
  for (const script of [
    'cd backend && .venv/bin/python -c 1',
    'cd backend; . .venv/bin/activate; python -c 1',
    'export PATH=$PWD/backend/.venv/bin:$PATH; python -c 1',
    'PY=backend/.venv/bin/python; $PY -c 1',
  ]) {
    test(script, { skip: noPython }, (t) => {
      const prefix = recorded(t, ['bash', '-c', script])
      assert.equal(prefix, own)
    })
  }

  test('uv run with an environment of its own: not recorded, and said so', { skip: noPython }, (t) => {
    const space = new Workspace(t)
    for (const options of [['--python', '3.8'], ['--isolated'], ['-p', '3.8'], ['--no-project']]) {
      const done = space.capture(['--', 'uv', 'run', ...options, 'pytest'])
      assert.equal(facts(done.files.get('toolchain.txt')).has('python.version'), false, options.join(' '))
      assert.match(done.stderr, /the Python of the tests is not recorded/)
    }
  })
})

describe('variables before a command hold for what is recorded', () => {
  const go = spawnSync('go', ['version']).status === 0
  test('GOARCH, CGO_ENABLED and GOFLAGS', { skip: !go && 'go is not installed' }, (t) => {
    const space = new Workspace(t).withoutPython().write({ 'go.mod': 'module example.com/a\n\ngo 1.20\n' })
    const env = { GOENV: 'off' }
    const asked = (words: string[]) =>
      facts(space.capture(['--', ...words, 'go', 'version'], { env }).files.get('toolchain.txt'))
    const found = asked(['env', 'GOARCH=386', 'CGO_ENABLED=0', 'GOFLAGS=-tags=a -ldflags=-X=main.key=geheim'])
    assert.deepEqual(
      [found.get('go.GOARCH'), found.get('go.CGO_ENABLED'), found.get('go.GOFLAGS')],
      ['386', '0', '-tags=a -ldflags=…'],
    )
    const plain = asked(['env'])
    assert.deepEqual([plain.get('go.GOFLAGS'), plain.get('go.GOEXPERIMENT')], ['none', 'none'])
  })
})

test('a command whose tools are not seen says that those on PATH are recorded', (t) => {
  for (const command of [['true'], ['sh', '-c', './run.sh'], ['make', 'test']]) {
    const { run, done } = node(t, command)
    assert.equal(run.get('tools'), 'path', command.join(' '))
    assert.match(done.stderr, /is not seen in its words/)
  }
  assert.equal(node(t, ['node', '--version']).run.has('tools'), false)
})

test('what a command calls a secret is not in the record of its words', (t) => {
  const { done } = node(t, ['env', 'API_TOKEN=geheim', 'sh', '-c', 'DB_PASSWORD=geheim true; true --key=geheim'])
  assert.equal(done.status, 0)
  for (const [name, text] of done.files) assert.doesNotMatch(text, /geheim/, name)
  assert.match(done.files.get('run.txt') ?? '', /API_TOKEN=\*\*\*/)
})
