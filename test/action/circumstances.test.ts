import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gitIn, makeCheckout } from '../support/checkout.ts'
import { type Fault, type GitHub, startGitHub } from '../support/github.ts'
import { checkedReport } from '../support/report.ts'
import { runAction } from '../support/runner.ts'
import { temporaryFolder } from '../support/temporary.ts'

const PASS = { 'evidence/pytest.exit': '0\n' }

async function withGitHub(
  use: (github: GitHub) => Promise<void>,
  fault?: Parameters<typeof startGitHub>[0],
): Promise<void> {
  const github = await startGitHub(fault)
  try {
    await use(github)
  } finally {
    await github.close()
  }
}

const report = (result: { outputs: Readonly<Record<string, string>> }) =>
  checkedReport(readFileSync(result.outputs.report ?? '', 'utf8'))

test('the check is posted on the head commit, never on the merge', () =>
  withGitHub(async (github) => {
    const { cwd, event, head, git } = makeCheckout({ change: PASS })
    const result = await runAction({
      cwd,
      event,
      github,
      inputs: { command: 'true' },
      env: { GITHUB_SHA: git('rev-parse', 'HEAD') },
    })
    assert.equal(github.checkRuns[0]?.head_sha, head)
    assert.equal(result.outputs['check-run-id'], String(github.checkRuns[0]?.id))
    assert.equal(result.outputs['check-run-url'], github.checkRuns[0]?.html_url)
  }))

test('a shallow checkout of the merge alone: the head commit is fetched', () =>
  withGitHub(async (github) => {
    const origin = makeCheckout({ change: PASS })
    origin.git('branch', 'merged')
    origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
    const cwd = join(temporaryFolder('shallow-'), 'clone')
    gitIn(tmpdir())('clone', '--quiet', '--depth=1', '--branch=merged', `file://${origin.cwd}`, cwd)
    gitIn(cwd)('switch', '--quiet', '--detach')
    const result = await runAction({ cwd, event: origin.event, github, inputs: { command: 'true' } })
    assert.equal(result.outputs.witness, 'unbound')
    assert.equal(result.outputs['scratch-exit-code'], '0')
    assert.equal(report(result).source.headTree, origin.git('rev-parse', 'HEAD^1~1^{tree}'))
  }))

test('a shallow checkout whose origin cannot be reached: the bundle is read from the merge, and that is said', () =>
  withGitHub(async (github) => {
    const origin = makeCheckout({ change: PASS })
    origin.git('branch', 'merged')
    const cwd = join(temporaryFolder('shallow-'), 'clone')
    gitIn(tmpdir())('clone', '--quiet', '--depth=1', '--branch=merged', `file://${origin.cwd}`, cwd)
    gitIn(cwd)('remote', 'set-url', 'origin', 'file:///nonexistent')
    const result = await runAction({ cwd, event: origin.event, github, inputs: { command: 'true' } })
    assert.equal(result.outputs['scratch-exit-code'], '0')
    const limit = report(result).findings.find(({ id }) => id === 'source/not-compared')
    assert.match(limit?.message ?? '', /read from the merge.*fetch-depth: 0/)
  }))

test('no git repository: CI decides, and the remedy is said', () =>
  withGitHub(async (github) => {
    const cwd = temporaryFolder('no-git-')
    const { event, head } = makeCheckout()
    const result = await runAction({ cwd, event, github, inputs: { command: 'true' } })
    assert.equal(result.code, 0)
    assert.equal(result.outputs.witness, 'none')
    assert.match(
      report(result).findings.find(({ id }) => id === 'source/not-compared')?.message ?? '',
      /nothing is checked out, and the commit under review could not be fetched from .*actions\/checkout.*contents: read/i,
    )
    assert.equal(github.checkRuns[0]?.head_sha, head)
  }))

test('no git program: CI decides', () =>
  withGitHub(async (github) => {
    const { cwd, event } = makeCheckout({ change: PASS })
    const bin = temporaryFolder('bin-')
    for (const tool of [
      'bash',
      'sh',
      'uname',
      'sed',
      'grep',
      'cat',
      'mktemp',
      'rm',
      'cp',
      'mkdir',
      'date',
      'sort',
      'tr',
      'head',
      'sha256sum',
      'dirname',
      'basename',
      'env',
      'ls',
      'mv',
      'cut',
      'wc',
      'find',
      'awk',
      'getconf',
      'touch',
      'chmod',
      'sleep',
      'kill',
      'printf',
      'true',
    ])
      writeFileSync(join(bin, tool), `#!/bin/sh\nPATH=/usr/local/bin:/usr/bin:/bin exec ${tool} "$@"\n`, {
        mode: 0o755,
      })
    const result = await runAction({ cwd, event, github, inputs: { command: 'true' }, env: { PATH: bin } })
    assert.equal(result.outputs.conclusion, 'success', result.stdout + result.stderr)
    assert.match(
      report(result).findings.find(({ id }) => id === 'source/not-compared')?.message ?? '',
      /git is not installed/,
    )
  }))

test('an event without a pull request: a push', () =>
  withGitHub(async (github) => {
    const { cwd, git } = makeCheckout({ change: PASS })
    const after = git('rev-parse', 'HEAD')
    const result = await runAction({
      cwd,
      eventName: 'push',
      event: { after, before: '0'.repeat(40), ref: 'refs/heads/main' },
      env: { GITHUB_SHA: after },
      github,
      inputs: { command: 'true' },
    })
    assert.equal(github.checkRuns[0]?.head_sha, after)
    // The bundle says nothing of its source, and the merge that was pushed has more than the commit that brought it.
    assert.equal(result.outputs.witness, 'stale')
    assert.match(result.stdout, /later commits changed 1 file/)
  }))

test('an event with nothing in it: the checked-out commit', () =>
  withGitHub(async (github) => {
    const { cwd, git } = makeCheckout({ change: PASS })
    const sha = git('rev-parse', 'HEAD')
    for (const event of [{}, [], { pull_request: { head: 7 } }, { after: 'main' }]) {
      const result = await runAction({
        cwd,
        eventName: 'workflow_dispatch',
        event,
        github,
        inputs: { command: 'true' },
        env: { GITHUB_SHA: sha },
      })
      assert.equal(result.outputs['scratch-exit-code'], '0', String(event))
      assert.equal(github.checkRuns.at(-1)?.head_sha, sha)
    }
  }))

test('a proxy is used, where the runner names one', () =>
  withGitHub(async (github) => {
    const asked: string[] = []
    // It knows the way to a host that no name server knows.
    const proxy = createServer().on('connect', ({ url }, client) => {
      asked.push(url ?? '')
      const upstream = connect(Number(new URL(github.url).port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      client.on('error', () => upstream.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    try {
      const { cwd, event, head } = makeCheckout({ change: PASS })
      const url = 'http://api.github.invalid:8080'
      const env = { http_proxy: `http://127.0.0.1:${port}`, no_proxy: '', GITHUB_API_URL: url }
      const result = await runAction({ cwd, event, github: { url }, inputs: { command: 'true' }, env })
      assert.equal(github.checkRuns[0]?.head_sha, head, result.stdout)
      assert.ok(asked.length > 0 && asked.every((one) => one === 'api.github.invalid:8080'), asked.join())
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  }))

test('no token: a warning with the remedy, the conclusion untouched', async () => {
  const { cwd, event } = makeCheckout({ change: PASS })
  const result = await runAction({ cwd, event, inputs: { command: 'true', token: '' } })
  assert.equal(result.code, 0)
  assert.match(result.stdout, /::warning::No check was posted: The input `token` is empty/)
  assert.equal(result.outputs['check-run-id'], '')
  assert.match(result.summary, /CI passed/)
})

const FAULTS: [string, Fault, RegExp][] = [
  [
    '403 of a fork',
    { kind: 'status', status: 403, headers: { 'x-accepted-github-permissions': 'checks=write' } },
    /permissions: checks: write.*fork/,
  ],
  ['404 of another forge', { kind: 'status', status: 404 }, /no check-runs API.*check: none/],
  ['422', { kind: 'status', status: 422 }, /did not accept the check \(422: .*No commit found/],
  [
    '429',
    { kind: 'status', status: 429, headers: { 'retry-after': '3600' } },
    /rate limit is reached \(429\).*3600 seconds/,
  ],
  ['401', { kind: 'status', status: 401 }, /not valid \(401\)/],
  ['an answer that is no check run', { kind: 'body', body: '[]' }, /could not be used/],
]
for (const [name, fault, says] of FAULTS) {
  for (const [command, code] of [
    ['true', 0],
    ['false', 1],
  ] as const) {
    test(`the API answers ${name}, CI runs \`${command}\``, () =>
      withGitHub(
        async (github) => {
          const { cwd, event } = makeCheckout({ change: PASS })
          const result = await runAction({ cwd, event, github, inputs: { command } })
          assert.equal(result.code, code)
          assert.equal(result.outputs.conclusion, code === 0 ? 'success' : 'failure')
          assert.match(result.stdout, new RegExp(`::warning::No check was posted: .*${says.source}`))
          assert.match(result.summary, /CI alone decides/)
        },
        () => fault,
      ))
  }
}

test('`check: job` puts title and summary on the job, and no conclusion', () =>
  withGitHub(async (github) => {
    const { cwd, event } = makeCheckout({ change: PASS })
    await runAction({ cwd, event, github, inputs: { command: 'true', check: 'job' } })
    assert.deepEqual(
      github.requests.map(({ method, path }) => `${method} ${path}`),
      ['PATCH /repos/octo/shop/check-runs/99'],
    )
    assert.equal('conclusion' in ((github.requests[0]?.body ?? {}) as object), false)
    assert.match(github.checkRuns[0]?.output.title ?? '', /^CI passed\./)
    assert.deepEqual(github.rejected, [])
  }))

test('`check: none` and `annotations: false`', () =>
  withGitHub(async (github) => {
    const { cwd, event } = makeCheckout({ change: { 'evidence/pytest.exit': 'x' } })
    await runAction({ cwd, event, github, inputs: { command: 'true', check: 'none' } })
    assert.deepEqual(github.requests, [])
    await runAction({ cwd, event, github, inputs: { command: 'true', annotations: 'false' } })
    assert.deepEqual(github.checkRuns[0]?.output.annotations, [])
  }))

const WRONG_INPUTS: [string, Record<string, string>, RegExp][] = [
  ['neither command nor ci-evidence', {}, /Neither of the inputs `command` and `ci-evidence`/],
  ['both', { command: 'true', 'ci-evidence': 'x' }, /Both inputs `command` and `ci-evidence`/],
  ['ci-evidence without ci-result', { 'ci-evidence': 'x' }, /`ci-result` is missing/],
  ['an unknown result', { 'ci-evidence': 'x', 'ci-result': 'passed' }, /`ci-result` is `passed`/],
  ['ci-result with a command', { command: 'true', 'ci-result': 'success' }, /`ci-result` goes with `ci-evidence`/],
  ['an unknown kind of check', { command: 'true', check: 'yes' }, /`check` is `yes`. It takes `new`, `job`, `none`/],
  ['a bundle outside the repository', { command: 'true', evidence: '../x' }, /outside the repository/],
  ['a working directory that is not there', { command: 'true', 'working-directory': 'nowhere' }, /nowhere/],
]
for (const [name, inputs, says] of WRONG_INPUTS) {
  test(`wrong inputs: ${name}`, async () => {
    const { cwd, event } = makeCheckout()
    const result = await runAction({ cwd, event, inputs })
    assert.equal(result.code, 1)
    assert.match(result.stdout, new RegExp(`::error::.*${says.source}`))
  })
}

test('the command has neither our inputs nor tokens that are not meant for tests', () =>
  withGitHub(async (github) => {
    const { cwd, event } = makeCheckout()
    const result = await runAction({
      cwd,
      event,
      github,
      token: 'the-token',
      inputs: { command: 'env' },
      env: { MINE: 'kept' },
    })
    assert.match(result.stdout, /^MINE=kept$/m)
    assert.doesNotMatch(
      result.stdout,
      /^(?:INPUT_\w+|ACTIONS_RUNTIME_TOKEN|ACTIONS_ID_TOKEN_REQUEST_TOKEN|GITHUB_OUTPUT)=/m,
    )
    assert.doesNotMatch(result.stdout.replace('::add-mask::the-token', ''), /the-token/)
  }))

test('a cancelled run concludes `cancelled`, and the command is told', () =>
  withGitHub(async (github) => {
    const { cwd, event } = makeCheckout({ change: PASS })
    const result = await runAction({
      cwd,
      event,
      github,
      inputs: { command: 'echo started; sleep 30; echo not reached' },
      // Once: the report that the step prints at its end names the command again.
      onStart: (child) => {
        let told = false
        child.stdout?.on('data', (data) => {
          if (!told && /^started$/m.test(String(data))) told = child.kill('SIGINT')
        })
      },
    })
    assert.equal(result.outputs.conclusion, 'cancelled')
    assert.equal(result.code, 1)
    assert.equal(github.checkRuns[0]?.conclusion, 'cancelled')
    assert.doesNotMatch(result.stdout, /^not reached$/m)
  }))
