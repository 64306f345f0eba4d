import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { facts, noPytest, noPython, PYTHON, Workspace } from './workspace.ts'

/** Interpreters other than `python3`, by what pyenv or the system offers. */
function otherPythons(): string[] {
  const found = new Set<string>()
  const root = process.env.PYENV_ROOT ?? join(process.env.HOME ?? '/', '.pyenv')
  let versions: string[] = []
  try {
    versions = readdirSync(join(root, 'versions'))
  } catch {}
  const named = [2.7, 3.6, 3.8, 3.9]
    .map(String)
    .concat(['3.10', '3.11', '3.12', '3.13', '3.14'])
    .map((n) => `python${n}`)
  for (const name of [...versions.map((version) => join(root, 'versions', version, 'bin/python')), ...named]) {
    const asked = spawnSync(name, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' })
    if (asked.status === 0) found.add(realpathSync(asked.stdout.trim()))
  }
  if (PYTHON !== null) found.delete(realpathSync(PYTHON.executable))
  return [...found]
}
const others = otherPythons()

/** What an interpreter says of itself, asked in another way than the script does. */
function selfPortrait(python: string): Record<string, string> {
  const asked = spawnSync(python, ['-V'], { encoding: 'utf8' })
  const version = `${asked.stdout}${asked.stderr}`.trim().replace('Python ', '')
  return { 'python.version': version, 'python.realpath': realpathSync(python) }
}

test('the system, against what its own tools print', { skip: process.platform !== 'linux' && 'for Linux' }, (t) => {
  const space = new Workspace(t).withoutPython()
  const env = {
    TZ: 'Europe/Berlin',
    LC_ALL: 'C',
    CI: 'true',
    ImageOS: 'ubuntu24',
    ImageVersion: '2026',
    RUNNER_OS: 'Linux',
  }
  const toolchain = facts(space.capture(['--', 'true'], { env }).files.get('toolchain.txt'))
  const print = (command: string) => spawnSync('sh', ['-c', command], { encoding: 'utf8' }).stdout.trim()
  const expected = {
    schema: '2',
    os: 'Linux',
    arch: print('uname -m'),
    kernel: print('uname -r'),
    cpus: print('nproc'),
    distro: print('. /etc/os-release; echo $ID $VERSION_ID'),
    tz: 'Europe/Berlin',
    locale: 'C',
    'env.CI': 'true',
    'env.TZ': 'Europe/Berlin',
    'image.os': 'ubuntu24',
    'image.version': '2026',
    'runner.os': 'Linux',
  }
  for (const [key, value] of Object.entries(expected)) assert.equal(toolchain.get(key), value, key)
  const glibc = print('getconf GNU_LIBC_VERSION')
  if (glibc !== '') assert.equal(toolchain.get('libc'), glibc)
})

test('the Python that the command runs by is the one that is recorded', { skip: noPython }, (t) => {
  const done = new Workspace(t).capture(['--', 'python3', '-c', 'pass'])
  const toolchain = facts(done.files.get('toolchain.txt'))
  const python = realpathSync(PYTHON?.executable ?? '')
  for (const [key, value] of Object.entries(selfPortrait(python))) assert.equal(toolchain.get(key), value, key)
  assert.equal(toolchain.get('python.implementation'), 'CPython')
  assert.equal(toolchain.get('python.venv'), 'no')
  if (PYTHON?.pytest) assert.equal(toolchain.get('pytest.version'), PYTHON.pytest)
})

for (const python of others) {
  test(`probing ${selfPortrait(python)['python.version']}`, (t) => {
    const done = new Workspace(t).capture(['--', python, '-c', 'pass'])
    const toolchain = facts(done.files.get('toolchain.txt'))
    for (const [key, value] of Object.entries(selfPortrait(python))) assert.equal(toolchain.get(key), value, key)
    for (const key of ['python.platform', 'python.prefix', 'python.freethreaded', 'python.debug']) {
      assert.ok(toolchain.has(key), key)
    }
    const pip = spawnSync(python, ['-m', 'pip', '--version'], { encoding: 'utf8' })
    if (pip.status === 0) assert.equal(toolchain.get('pip.version'), pip.stdout.split(' ')[1])
  })
}

test('a script in a virtual environment leads to that environment', {
  skip: others.length === 0 && 'one Python',
}, (t) => {
  const space = new Workspace(t)
  const python = others.at(-1) ?? ''
  const made = spawnSync(python, ['-m', 'venv', '--without-pip', join(space.project, 'env')])
  if (made.status !== 0) return t.skip('that Python makes no environments')
  const bin = join(space.project, 'env/bin')
  space.write({
    'short/bin/pytest': `#!${python}\nprint("ran")\n`,
    'env/bin/pytest': `#!/bin/sh\n'''exec' "${bin}/python" "$0" "$@"\n' '''\nprint("ran")\n`,
  })
  spawnSync('chmod', ['+x', join(bin, 'pytest'), join(space.project, 'short/bin/pytest')])
  const expected = selfPortrait(python)['python.version']
  for (const command of [
    ['env/bin/pytest'],
    ['short/bin/pytest'],
    ['bash', '-c', '. "env/bin/activate"\npytest'],
    ['bash', '-c', 'PATH=/usr/bin:/bin\ntimeout 60 "./env/bin/python" -c pass'],
  ]) {
    const done = space.capture(['--', ...command])
    assert.equal(done.status, 0, done.stderr)
    assert.equal(facts(done.files.get('toolchain.txt')).get('python.version'), expected, command.join(' '))
  }
})

test('an environment that the command itself makes is recorded', { skip: noPython }, (t) => {
  const script = 'python3 -m venv --without-pip .venv\n.venv/bin/python -m unittest --help'
  const done = new Workspace(t).capture(['--', 'bash', '-ec', `${script} >/dev/null`])
  assert.equal(done.status, 0, done.stderr)
  const toolchain = facts(done.files.get('toolchain.txt'))
  assert.equal(toolchain.get('python.path'), '.venv/bin/python')
  assert.equal(toolchain.get('python.venv'), 'yes')
})

test('uv run means the environment of the project', { skip: noPython }, (t) => {
  const space = new Workspace(t)
  const uv =
    '#!/bin/sh\nset -e\n[ -d .venv ] || python3 -m venv --without-pip .venv\nshift\nexec .venv/bin/python -c "$@"\n'
  space.write({ 'bin/uv': uv })
  spawnSync('chmod', ['+x', join(space.project, 'bin/uv')])
  const done = space.capture(['--', 'uv', 'run', 'pass # pytest'], {
    env: { PATH: `${space.project}/bin:${space.env.PATH}` },
  })
  assert.equal(done.status, 0, done.stderr)
  const toolchain = facts(done.files.get('toolchain.txt'))
  assert.equal(toolchain.get('python.venv'), 'yes')
  assert.equal(toolchain.get('python.path'), '.venv/bin/python')
  assert.equal(done.files.get('freeze.txt')?.includes('pytest'), false)
})

test('modules of the project do not shadow those that are asked', { skip: noPytest }, (t) => {
  const trap = 'raise SystemExit("shadowed")\n'
  const space = new Workspace(t).write({ 'platform.py': trap, 'sysconfig.py': trap, 'pip.py': trap, 're.py': trap })
  const done = space.capture(['--', 'python3', '-c', 'pass'])
  assert.ok(facts(done.files.get('toolchain.txt')).has('python.soabi'))
  assert.match(done.files.get('freeze.txt') ?? '', /^pytest==/m)
})

for (const [tool, file, content, key, ask] of [
  ['go', 'go.mod', 'module example.com/m\n\ngo 1.20\n', 'go.version', "go env GOVERSION | sed 's/^go//'"],
  ['cargo', 'Cargo.toml', '[package]\nname = "m"\nversion = "0.1.0"\n', 'rustc.version', "rustc -V | cut -d' ' -f2"],
] as const) {
  const missing = spawnSync(tool, ['version']).error === undefined ? false : `${tool} is not installed`
  test(`${tool}: version and packages`, { skip: missing }, (t) => {
    const space = new Workspace(t).write({ [file]: content, 'src/lib.rs': '', 'm.go': 'package m\n' })
    const real = { HOME: process.env.HOME ?? '', GOFLAGS: '', GOTOOLCHAIN: 'local' }
    if (tool === 'cargo') spawnSync('cargo', ['generate-lockfile', '--offline'], { cwd: space.project })
    const done = space.capture(['--', tool, 'version'], { env: real })
    const expected = spawnSync('sh', ['-c', ask], { encoding: 'utf8', env: { ...process.env, ...real } }).stdout.trim()
    assert.equal(facts(done.files.get('toolchain.txt')).get(key), expected)
    assert.match(
      done.files.get('freeze.txt') ?? '',
      tool === 'go' ? /^# go list -deps -test .*\nexample\.com\/m/ : /"name":"m"/,
    )
  })
}

test('the machine is known again by a digest of its name, and its name is nowhere', (t) => {
  const space = new Workspace(t).withoutPython()
  const uname = "#!/bin/sh\ncase $* in -n) echo Builder-7.example.org ;; *) echo 'Linux 6.1.0 x86_64' ;; esac\n"
  mkdirSync(join(space.root, 'tools'))
  writeFileSync(join(space.root, 'tools/uname'), uname, { mode: 0o755 })
  const { files } = space.capture(['--', 'true'], { env: { PATH: `${join(space.root, 'tools')}:${space.env.PATH}` } })
  const mark = createHash('sha256').update('builder-7').digest('hex').slice(0, 16)
  assert.equal(facts(files.get('toolchain.txt')).get('host'), mark)
  for (const text of files.values()) assert.doesNotMatch(text, /builder-7/i)
})
