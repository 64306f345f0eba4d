import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readmeWorkflows } from '../../scripts/readme-workflows.ts'
import { makeCheckout, writeFiles } from '../support/checkout.ts'
import { type CheckRun, startGitHub } from '../support/github.ts'
import { temporaryFolder } from '../support/temporary.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A runner that runs workflows on this machine; CI installs it. */
const ACT = process.env.ACT ?? 'act'
const skip = spawnSync(ACT, ['--version']).status === 0 ? false : 'act, which runs workflows, is not installed'

/** The workflows of a section of the README, as people copy them. */
const workflows = (heading: string) => readmeWorkflows(heading, 'octo')

const composite = (inputs: readonly string[], run: string) =>
  `name: stand-in\ninputs: {${inputs.map((name) => `${name}: {required: false}`).join(', ')}}\nruns:\n  using: composite\n  steps:\n    - shell: bash\n      run: |\n${run.replace(/^/gm, '        ')}\n`

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: an action's own syntax
/** What cannot be had without GitHub, as small as it can be: artifacts are directories, tools are those of this machine. */
const STAND_INS: Readonly<Record<string, string>> = {
  'actions/upload-artifact@v4': composite(
    ['name', 'path'],
    'mkdir -p "$ARTIFACTS/${{ inputs.name }}" && cp -R "${{ inputs.path }}/." "$ARTIFACTS/${{ inputs.name }}"',
  ),
  'actions/download-artifact@v4': composite(
    ['name', 'path', 'pattern', 'run-id', 'github-token'],
    'mkdir -p "${{ inputs.path }}"\nif [ -n "${{ inputs.name }}" ]; then cp -R "$ARTIFACTS/${{ inputs.name }}/." "${{ inputs.path }}"; else cp -R "$ARTIFACTS"/. "${{ inputs.path }}"; fi',
  ),
  'actions/setup-python@v5': composite(['python-version'], 'python3 --version'),
  'actions/setup-node@v4': composite(['node-version'], 'node --version'),
  'actions/setup-go@v5': composite(['go-version'], 'go version'),
}
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above

const BUNDLE = { 'evidence/command.exit': '0\n', 'evidence/toolchain.txt': 'uname=Linux x86_64\n' }
const PYTHON = { 'requirements.txt': '', 'test_a.py': 'def test_a(): pass\n', '.gitignore': '__pycache__/\n' }
const NODE = {
  'package.json': '{"name": "x", "version": "1.0.0", "scripts": {"test": "node --test"}}\n',
  'package-lock.json':
    '{"name": "x", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": {"name": "x", "version": "1.0.0"}}}\n',
  'a.test.js': "require('node:test')('a', () => {})\n",
  '.gitignore': 'node_modules/\n',
}
const GO = {
  'go.mod': 'module example.com/m\n\ngo 1.20\n',
  'm_test.go': 'package m\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
}
const RUST = {
  'Cargo.toml': '[package]\nname = "m"\nversion = "0.1.0"\n',
  'src/lib.rs': '#[test]\nfn a() {}\n',
  '.gitignore': 'target/\n',
}

/** A pull request in a repository with workflows, run event by event. */
async function run(
  t: TestContext,
  project: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  events: readonly { readonly name: string; readonly workflow: string }[],
): Promise<{ codes: (number | null)[]; log: string; checks: readonly CheckRun[] }> {
  const place = temporaryFolder('workflows-')
  const { cwd, head, base } = makeCheckout({
    project: { ...project, ...files },
    change: BUNDLE,
    body: 'All tests pass',
  })
  const standIns = Object.entries(STAND_INS).map(([name, text]) => {
    writeFiles(join(place, name), { 'action.yml': text })
    return `${name}=${join(place, name)}`
  })
  const action = join(place, 'action')
  mkdirSync(action)
  for (const file of ['action.yml', 'dist', 'capture_run.sh', 'package.json'])
    cpSync(join(ROOT, file), join(action, file), { recursive: true })
  const github = await startGitHub()
  t.after(() => github.close())
  const pull = {
    number: 1,
    title: 'A change',
    body: 'All tests pass',
    head: { sha: head, ref: 'topic' },
    base: { sha: base, ref: 'main' },
  }
  const payload = {
    pull_request: pull,
    merge_group: { head_sha: head, base_sha: base, base_ref: 'refs/heads/main' },
    workflow_run: { id: 7, event: 'pull_request', conclusion: 'success', head_sha: head, pull_requests: [] },
  }
  const codes: (number | null)[] = []
  let log = ''
  for (const { name, workflow } of events) {
    const { pull_request, merge_group, workflow_run } = payload
    const event =
      { pull_request: { pull_request }, merge_group: { merge_group }, workflow_run: { workflow_run } }[name] ?? {}
    writeFiles(place, { 'event.json': JSON.stringify(event) })
    const args = [
      ...[name, '-W', join(cwd, workflow), '-e', join(place, 'event.json'), '-P', 'ubuntu-latest=-self-hosted'],
      ...[
        '-s',
        'GITHUB_TOKEN=a-token',
        '--env',
        `GITHUB_API_URL=${github.url}`,
        '--env',
        `ARTIFACTS=${join(place, 'artifacts')}`,
      ],
      ...[...standIns, `octo/scratch-evidence@v1=${action}`].flatMap((one) => ['--local-repository', one]),
    ]
    const env = {
      ...process.env,
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: process.env.HOME ?? place,
    }
    const child = spawn(ACT, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (log += String(data)))
    codes.push(await new Promise((resolve) => child.on('close', resolve)))
  }
  assert.deepEqual(github.rejected, [], log)
  return { codes, log, checks: github.checkRuns }
}

const WORKFLOW = '.github/workflows/test.yml'

test('one job', { skip }, async (t) => {
  const [workflow = ''] = workflows('## Start')
  const { codes, checks, log } = await run(t, PYTHON, { [WORKFLOW]: workflow }, [
    { name: 'pull_request', workflow: WORKFLOW },
  ])
  assert.deepEqual([codes, checks.length], [[0], 1], log)
  assert.equal(checks[0]?.conclusion, 'success')
  assert.match(checks[0]?.output.summary ?? '', /1 test, 1 passed/)
})

test('one job whose tests fail', { skip }, async (t) => {
  const [workflow = ''] = workflows('## Start')
  const failing = { ...PYTHON, 'test_a.py': 'def test_a(): assert 0\n' }
  const { codes, checks, log } = await run(t, failing, { [WORKFLOW]: workflow }, [
    { name: 'pull_request', workflow: WORKFLOW },
  ])
  assert.deepEqual([codes, checks.map(({ conclusion }) => conclusion)], [[1], ['failure']], log)
})

test('two jobs', { skip }, async (t) => {
  const [workflow = ''] = workflows('### Two jobs: no write token near the tests')
  const { codes, checks, log } = await run(t, PYTHON, { [WORKFLOW]: workflow }, [
    { name: 'pull_request', workflow: WORKFLOW },
  ])
  assert.deepEqual([codes, checks.map(({ conclusion }) => conclusion)], [[0], ['success']], log)
  assert.match(checks[0]?.output.summary ?? '', /\*\*success, exit 0\*\* \| `pytest -q` · 1 test, 1 passed/)
})

test('a matrix of three', { skip }, async (t) => {
  const [workflow = ''] = workflows('### A matrix in one check')
  const { codes, checks, log } = await run(t, NODE, { [WORKFLOW]: workflow }, [
    { name: 'pull_request', workflow: WORKFLOW },
  ])
  assert.deepEqual([codes, checks.map(({ conclusion }) => conclusion)], [[0], ['success']], log)
  assert.match(
    checks[0]?.output.summary ?? '',
    /CI passed in 3 legs\.[\s\S]*The 3 legs of CI[\s\S]*`ci-evidence-node-22`/,
  )
})

test('two workflows, for forks', { skip }, async (t) => {
  const [first = '', second = ''] = workflows('### Forks: two workflows')
  const evidence = '.github/workflows/evidence.yml'
  const { codes, checks, log } = await run(t, GO, { [WORKFLOW]: first, [evidence]: second }, [
    { name: 'pull_request', workflow: WORKFLOW },
    { name: 'workflow_run', workflow: evidence },
  ])
  assert.deepEqual([codes, checks.map(({ conclusion }) => conclusion)], [[0, 0], ['success']], log)
  assert.match(checks[0]?.output.summary ?? '', /`go test \.\/\.\.\.` · 1 test, 1 passed/)
})

test('a merge queue', { skip }, async (t) => {
  const [workflow = ''] = workflows('### A merge queue')
  const { codes, checks, log } = await run(t, RUST, { [WORKFLOW]: workflow }, [
    { name: 'pull_request', workflow: WORKFLOW },
    { name: 'merge_group', workflow: WORKFLOW },
  ])
  // The stand-in's group has the same head; the check of the other event stays.
  assert.deepEqual(
    [codes, checks.map(({ conclusion }) => conclusion)],
    [
      [0, 0],
      ['success', 'success'],
    ],
    log,
  )
})
