import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { facts, noPytest, noPython, SCRIPT, Workspace } from './workspace.ts'

/** Counts the signals that reach it for a second from the first one on, and writes how many. */
const COUNTER = `
import os, signal, sys, time
count = [0]
def on_signal(number, frame): count[0] += 1
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(number, on_signal)
print("ready"); sys.stdout.flush()
end = time.time() + 20
while not count[0] and time.time() < end: time.sleep(0.01)
end = time.time() + 1
while time.time() < end: time.sleep(0.01)
open("count", "w").write(str(count[0]))
`

/** Starts the script, and waits for a line of the command's. */
async function start(t: TestContext, space: Workspace, command: readonly string[], ready: RegExp, detached = false) {
  const child = spawn('bash', [SCRIPT, ...(command.length ? ['--', ...command] : [])], {
    cwd: space.project,
    env: space.env,
    detached,
  })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  child.stderr?.on('data', (bytes) => {
    output += bytes
  })
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (bytes) => {
      output += bytes
      if (ready.test(output)) resolve()
    })
    child.on('exit', () => resolve())
  })
  return { child, output: () => output }
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  return child.exitCode
}

for (const [name, number] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  for (const group of [false, true]) {
    test(`${name} to ${group ? 'the whole group' : 'the script alone'} reaches the command once`, {
      skip: noPython,
    }, async (t) => {
      const space = new Workspace(t).withoutPython()
      const { child, output } = await start(t, space, ['python3', '-c', COUNTER], /ready/, group)
      process.kill(group ? -(child.pid ?? 0) : (child.pid ?? 0), name)
      assert.equal(await ended(child), number, output())
      assert.equal(readFileSync(join(space.project, 'count'), 'utf8'), '1')
      const bundle = space.bundle()
      assert.equal(bundle.get('command.exit'), `${number}\n`)
      const run = facts(bundle.get('run.txt'))
      assert.equal(run.get('signal'), name.slice(3))
      assert.equal(run.has('exit'), false)
      assert.ok(run.has('finished'))
      assert.ok(bundle.has('SHA256SUMS'))
    })
  }
}

test('pytest gets its KeyboardInterrupt and ends in its own way', { skip: noPytest }, async (t) => {
  const slow = 'import time\ndef test_slow():\n    print("ready", flush=True)\n    time.sleep(20)\n'
  const space = new Workspace(t).withoutPython().write({ 'test_slow.py': slow })
  const { child, output } = await start(t, space, ['python3', '-m', 'pytest', '-s'], /ready/)
  child.kill('SIGINT')
  assert.equal(await ended(child), 130)
  assert.match(output(), /KeyboardInterrupt/)
  assert.equal(space.bundle().get('pytest.exit'), '130\n')
})

/** Runs its arguments in a terminal of their own, types Ctrl-C after "ready", and prints what the terminal shows. */
const TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
shown = b""
while True:
    try: piece = os.read(terminal, 4096)
    except OSError: break
    if not piece: break
    if b"ready" in piece and b"ready" not in shown: os.write(terminal, b"\\x03")
    shown += piece
status = os.waitpid(pid, 0)[1]
print("exit", os.WEXITSTATUS(status))
`

test('Ctrl-C in a terminal reaches the command once', { skip: noPython }, async (t) => {
  const space = new Workspace(t).withoutPython()
  const args = ['-c', TERMINAL, 'bash', SCRIPT, '--', 'python3', '-c', COUNTER]
  const child = spawn('python3', args, { cwd: space.project, env: space.env })
  let output = ''
  child.stdout.on('data', (bytes) => {
    output += bytes
  })
  await once(child, 'close')
  assert.match(output, /exit 130/)
  assert.equal(readFileSync(join(space.project, 'count'), 'utf8'), '1')
})

test('a script that is killed leaves a bundle that says the run began, and no exit code', {
  skip: noPython,
}, async (t) => {
  const space = new Workspace(t).withoutPython()
  const { child } = await start(t, space, ['python3', '-c', COUNTER], /ready/, true)
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await once(child, 'close')
  const run = facts(space.bundle().get('run.txt'))
  assert.ok(run.has('started'))
  assert.deepEqual([run.has('finished'), run.has('exit'), run.has('signal')], [false, false, false])
  assert.equal(existsSync(join(space.project, 'evidence/command.exit')), false)
})

test('a command that dies of a signal by itself is an exit code, no interruption', (t) => {
  const done = new Workspace(t).withoutPython().capture(['--', 'sh', '-c', 'kill -TERM $$'])
  assert.equal(done.status, 143)
  const run = facts(done.files.get('run.txt'))
  assert.deepEqual([run.get('exit'), run.has('signal')], ['143', false])
})

test('an interrupt in the first of several runs: what was not run is listed without a start', {
  skip: noPytest,
}, async (t) => {
  const space = new Workspace(t).write({
    'test_slow.py': 'import time\ndef test_slow():\n    print("ready", flush=True)\n    time.sleep(20)\n',
    'package.json': '{"name": "both", "scripts": {"test": "node --test"}}',
    'pytest.ini': '[pytest]\naddopts = -s\n',
  })
  const { child, output } = await start(t, space, [], /ready/)
  child.kill('SIGTERM')
  assert.equal(await ended(child), 143, output())
  const bundle = space.bundle()
  const run = facts(bundle.get('run.txt'))
  assert.deepEqual([run.get('runner'), run.get('signal'), run.has('exit')], ['pytest', 'TERM', false])
  assert.deepEqual([run.get('command.2'), run.has('started.2'), run.has('exit.2')], ['npm test', false, false])
  assert.equal(bundle.get('pytest.exit'), '143\n')
  assert.equal(bundle.has('npm.exit') || bundle.has('node.exit'), false)
  assert.match(output(), /not run any more: npm test/)
})

test('go test, interrupted: its signal, and no JUnit file that looks whole', {
  skip: spawnSync('go', ['version']).status !== 0 && 'go is not installed',
}, async (t) => {
  const space = new Workspace(t).withoutPython().write({
    'go.mod': 'module example.com/slow\n\ngo 1.20\n',
    'slow_test.go':
      'package slow\nimport ("testing"; "time")\nfunc TestQuick(t *testing.T) {}\n' +
      'func TestSlow(t *testing.T) { time.Sleep(20 * time.Second) }\n',
  })
  space.env.GOCACHE = spawnSync('go', ['env', 'GOCACHE'], { encoding: 'utf8' }).stdout.trim()
  const { child, output } = await start(t, space, ['go', 'test', '-v', './...'], /=== RUN +TestSlow/, true)
  child.kill('SIGINT')
  assert.equal(await ended(child), 130, output())
  const bundle = space.bundle()
  assert.equal(bundle.get('go-test.exit'), '130\n')
  assert.equal(facts(bundle.get('run.txt')).get('signal'), 'INT')
  const xml = bundle.get('junit.xml') ?? ''
  assert.match(xml, /name="TestQuick" time="[^"]*"><\/testcase>/)
  assert.match(xml, /name="TestSlow" time="[^"]*">\s*<failure message="It never ended/)
})
