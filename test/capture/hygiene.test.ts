// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are the shell's
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
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

/** Constructs that bash 3.2 does not know, each with a line that has it. */
const NEWER: readonly [RegExp, string][] = [
  [/\b(?:declare|local|typeset|readonly) +-[a-zA-Z]*[Agnlu]/, 'declare -A map'],
  [/\b(?:mapfile|readarray|coproc)\b/, 'mapfile -t lines'],
  [/\$\{!?\w+(?:\[[^\]]*\])?(?:\^|,,?\}|,\[|@[A-Za-z]\})/, 'echo "${name^^}"'],
  [/\|&/, 'make |& cat'],
  [/&>>/, 'make &>>log'],
  [/\s;;?&\s*$/, 'a) ;;&'],
  [/\bwait +-[nfp]/, 'wait -n'],
  [/\[\[? +-[vR] /, '[[ -v name ]]'],
  [/\bread +-[a-zA-Z]*[Ni]\b/, 'read -N 1 x'],
  [/\$\{?(?:BASHPID|EPOCHSECONDS|EPOCHREALTIME|SRANDOM|BASH_ARGV0)\b/, 'kill $BASHPID'],
  [/printf +-v +\S+\[/, "printf -v 'a[0]' x"],
  [/printf +'[^']*%(?:-?\d+)?\(/, "printf '%(%F)T'"],
  [/\$\{\w+\[-\d+\]/, 'echo "${list[-1]}"'],
  [/\$\{\w+:[^}:]*: *-\d+\}/, 'echo "${name:0:-1}"'],
  [/\bexec +\{\w+\}/, 'exec {fd}<file'],
  [/\{\d+\.\.\d+\.\.\d+\}/, 'echo {1..9..2}'],
  [/\$'[^']*\\[uU]/, "x=$'\\u00e9'"],
  // An empty list is unset there.
  [
    /(?<!\+)"\$\{(?:run_env|extra|github|given_globs|junit_globs|junit_places|lock_paths|absent_runners|seen_words|python_words|all_words|run_words|unmerged|paths|interactive|fresh|kept)\[@\]\}"/,
    'for x in "${extra[@]}"; do',
  ],
]

test('nothing in it is newer than bash 3.2', () => {
  const lines = readFileSync(SCRIPT, 'utf8').split('\n')
  const found = lines.flatMap((line, index) => {
    // A list that is known not to be empty there.
    if (
      /\$\{#\w+\[@\]\} -gt|\{ *merge_junit|for word in "\$\{all_words\[@\]\}"|extra=\(--|merge_junit "|as_typed "\$\{extra|run_argv\+=\("\$\{extra|export "\$\{run_env|conda_python "|uv_apart "|junit_globs=\("/.test(
        line,
      )
    )
      return []
    return NEWER.filter(([pattern]) => pattern.test(line)).map(() => `${index + 1}: ${line}`)
  })
  assert.deepEqual(found, [])
  for (const [pattern, sample] of NEWER) assert.match(sample, pattern)
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

test('a variable that may hold anything is recorded as set', { skip: noPytest }, (t) => {
  const space = new Workspace(t).write({ 'test_a.py': 'def test_a(): pass\n' })
  const names = [
    'PYTEST_ADDOPTS',
    'NODE_OPTIONS',
    'RUSTFLAGS',
    'JAVA_TOOL_OPTIONS',
    'MAVEN_OPTS',
    'LD_LIBRARY_PATH',
    'HTTPS_PROXY',
  ]
  const env = Object.fromEntries(names.map((name) => [name, `-k s3cret or test_a`]))
  const done = space.capture(['--', 'python3', '-m', 'pytest', '-q'], {
    env: { ...env, NODE_OPTIONS: '--title=s3cret' },
  })
  for (const [name, content] of done.files) if (name !== 'junit.xml') assert.doesNotMatch(content, /s3cret/, name)
  for (const name of names) assert.equal(facts(done.files.get('toolchain.txt')).get(`env.${name}`), 'set')
  assert.equal(facts(done.files.get('run.txt')).get('asked'), 'pytest: --junitxml, through PYTEST_ADDOPTS')
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

const offline = spawnSync('unshare', ['--net', 'true']).status === 0

test('without network', { skip: noPytest || (!offline && 'no namespace without network can be made here') }, (t) => {
  const space = new Workspace(t)
    .write({ 'test_a.py': 'def test_a(): pass\n', 'go.mod': 'module example.com/m\n' })
    .commit()
  const done = spawnSync('unshare', ['--net', 'bash', SCRIPT, '--', 'python3', '-m', 'pytest', '-q'], {
    cwd: space.project,
    env: space.env,
    encoding: 'utf8',
  })
  assert.equal(done.status, 0, done.stderr)
  assert.ok(facts(space.bundle().get('toolchain.txt')).has('python.version'))
  assert.ok(space.bundle().has('SHA256SUMS'))
})

test('a home directory that cannot be written', { skip: noPytest }, (t) => {
  const space = new Workspace(t).write({ 'test_a.py': 'def test_a(): pass\n', 'package.json': '{}' }).commit()
  const done = space.capture(['--', 'python3', '-m', 'pytest', '-q'], { env: { HOME: '/proc/none' } })
  assert.equal(done.status, 0, done.stderr)
  assert.equal(done.files.get('pytest.exit'), '0\n')
  assert.ok(facts(done.files.get('toolchain.txt')).has('node.version'))
})

test('a path with spaces and a line end, in a repository and in none', { skip: noPytest }, (t) => {
  for (const repository of [true, false]) {
    const space = new Workspace(t)
    const folder = 'a b\nc'
    space.write({ [`${folder}/test_a.py`]: 'def test_a(): pass\n', [`${folder}/uv.lock`]: 'x' })
    if (repository) space.commit()
    const done = space.capture(['--', 'python3', '-m', 'pytest', '-q'], { cwd: folder })
    assert.equal(done.status, 0, done.stderr)
    assert.equal(done.files.get('lock.copy'), 'x')
    assert.match(done.files.get('junit.xml') ?? '', /test_a/)
    const run = facts(done.files.get('run.txt'))
    assert.equal(run.get('git.tree'), repository ? space.git('rev-parse', 'HEAD^{tree}') : undefined)
    assert.equal(run.get('cwd'), repository ? 'a b\\nc' : '.')
    assert.equal(run.get('lockfile'), repository ? 'a b\\nc/uv.lock' : 'uv.lock')
  }
})

// What cargo starts by itself is not of the script's doing.
test('each tool is started at most twice, whatever the project uses', {
  skip: process.platform !== 'linux' && 'for Linux',
}, (t) => {
  const space = new Workspace(t)
  const bin = join(space.root, 'counted')
  const log = join(space.root, 'started')
  mkdirSync(bin)
  writeFileSync(log, '')
  const tools = [
    'python3',
    'node',
    'npm',
    'pnpm',
    'yarn',
    'go',
    'cargo',
    'rustc',
    'java',
    'mvn',
    'gradle',
    'ruby',
    'bundle',
  ]
  const there = [...tools, 'dotnet', 'php', 'deno', 'bun'].filter((tool) => {
    const real = spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8', env: space.env }).stdout.trim()
    if (real === '') return false
    const wrapper = join(bin, tool)
    writeFileSync(
      wrapper,
      `#!/bin/sh\n[ "$(cat /proc/$PPID/comm)" = cargo ] || echo ${tool} >>'${log}'\nexec '${real}' "$@"\n`,
    )
    chmodSync(wrapper, 0o755)
    return true
  })
  space.write({
    'test_a.py': '',
    'package.json': '{"scripts": {"test": "node --test"}}',
    'node_modules/a/package.json': '{"name": "a", "version": "1.0.0"}',
    'go.mod': 'module example.com/m\n\ngo 1.20\n',
    'm.go': 'package m\n',
    'Cargo.toml': '[package]\nname = "m"\nversion = "0.1.0"\n',
    'src/lib.rs': '',
    'pom.xml': '<project/>',
    Gemfile: '',
    'm.csproj': '<Project/>',
    'composer.json': '{}',
    'deno.json': '{}',
    'bunfig.toml': '',
  })
  const env = { PATH: `${bin}${delimiter}${space.env.PATH}`, HOME: process.env.HOME ?? '', GOTOOLCHAIN: 'local' }
  const done = space.capture(['--', 'true'], { env })
  assert.equal(done.status, 0, done.stderr)
  const started = readFileSync(log, 'utf8').trim().split('\n')
  const counts = there.map((tool): [string, number] => [tool, started.filter((one) => one === tool).length])
  assert.deepEqual(
    counts.filter(([, count]) => count > 2),
    [],
  )
  const toolchain = facts(done.files.get('toolchain.txt'))
  for (const tool of there.filter((name) =>
    ['python3', 'node', 'go', 'cargo', 'rustc', 'java', 'ruby', 'php'].includes(name),
  ))
    assert.ok(toolchain.has(`${tool.replace('3', '')}.version`), `${tool} is there, and has no version`)
})
