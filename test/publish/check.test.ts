import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Annotation, type CheckRequest, publishCheck } from '../../src/publish/check.ts'
import { type Fault, type GitHub, startGitHub } from '../support/github.ts'
import { problemsOf } from '../support/openapi.ts'

const PATH = '/repos/octo/shop/check-runs'
const COMPLETED = { name: 'x', head_sha: 'a'.repeat(40), status: 'completed', conclusion: 'success' }
const OUTPUT = { title: 'x', summary: 'x' }
const ANNOTATION = {
  path: 'evidence/pytest.exit',
  start_line: 1,
  end_line: 1,
  annotation_level: 'notice',
  message: 'x',
}

const REJECTED: [string, object, RegExp][] = [
  [
    '51 annotations',
    { ...COMPLETED, output: { ...OUTPUT, annotations: Array(51).fill(ANNOTATION) } },
    /annotations must NOT have more than 50 items/,
  ],
  ['65,536 bytes in a summary', { ...COMPLETED, output: { title: 'x', summary: 'x'.repeat(65_536) } }, /65535/],
  [
    '65,536 bytes in 32,768 characters',
    { ...COMPLETED, output: { title: 'x', summary: 'é'.repeat(32_768) } },
    /more than 65535 bytes/,
  ],
  [
    '65,536 bytes in a text',
    { ...COMPLETED, output: { ...OUTPUT, text: 'é'.repeat(32_768) } },
    /output.text has more than 65535 bytes/,
  ],
  [
    'an unknown conclusion',
    { ...COMPLETED, conclusion: 'passed' },
    /conclusion must be equal to one of the allowed values/,
  ],
  ['a title of two lines', { ...COMPLETED, output: { title: 'a\nb', summary: 'x' } }, /more than one line/],
  ['an unknown property', { ...COMPLETED, colour: 'green' }, /additional properties/],
  [
    'an unknown property of an annotation',
    { ...COMPLETED, output: { ...OUTPUT, annotations: [{ ...ANNOTATION, line: 1 }] } },
    /additional properties/,
  ],
  [
    'a completed check without a conclusion',
    { name: 'x', head_sha: 'a'.repeat(40), status: 'completed' },
    /needs a conclusion/,
  ],
  ['no name', { head_sha: 'a'.repeat(40) }, /required property 'name'/],
  ['a branch for a SHA', { ...COMPLETED, head_sha: 'main' }, /no object name/],
  [
    'an annotation that ends before it starts',
    { ...COMPLETED, output: { ...OUTPUT, annotations: [{ ...ANNOTATION, start_line: 2 }] } },
    /ends before it starts/,
  ],
  [
    'an annotation outside the repository',
    { ...COMPLETED, output: { ...OUTPUT, annotations: [{ ...ANNOTATION, path: '/etc/passwd' }] } },
    /no path in the repository/,
  ],
  ['an output without a summary', { ...COMPLETED, output: { title: 'x' } }, /required property 'summary'/],
]
for (const [name, body, says] of REJECTED)
  test(`the stand-in rejects ${name}, as GitHub does`, () =>
    assert.match(problemsOf('POST', PATH, body)?.join('\n') ?? '', says))

test('the stand-in takes what GitHub takes, and knows no other request', () => {
  assert.deepEqual(
    problemsOf('POST', PATH, {
      ...COMPLETED,
      output: { title: 'x', summary: 'x'.repeat(65_535), annotations: Array(50).fill(ANNOTATION) },
    }),
    [],
  )
  assert.equal(problemsOf('POST', '/repos/octo/shop/statuses', {}), null)
})

test('the stand-in wants a token', async () => {
  const github = await startGitHub()
  const answer = await fetch(github.url + PATH, { method: 'POST', body: JSON.stringify(COMPLETED) })
  assert.equal(answer.status, 401)
  await github.close()
})

const REQUEST: Omit<CheckRequest, 'apiUrl'> = {
  mode: 'new',
  token: 'a-token',
  owner: 'octo',
  repo: 'shop',
  headSha: 'a'.repeat(40),
  name: 'Scratch evidence',
  conclusion: 'success',
  title: 'CI passed.',
  summary: 'summary',
  text: 'text',
  annotations: [],
  checkRunId: null,
  detailsUrl: 'https://github.example/octo/shop/actions/runs/1',
  run: { origin: 'octo/shop/.github/workflows/test.yml pull_request test', id: '1 1' },
  startedAt: '2026-12-01T10:00:00.000Z',
  completedAt: '2026-12-01T10:00:01.000Z',
}

async function publish(
  request: Partial<CheckRequest>,
  fault?: Parameters<typeof startGitHub>[0],
): Promise<{ github: GitHub; result: Awaited<ReturnType<typeof publishCheck>> }> {
  const github = await startGitHub(fault)
  const result = await publishCheck({ ...REQUEST, apiUrl: github.url, ...request })
  await github.close()
  assert.deepEqual(github.rejected, [])
  return { github, result }
}

const annotations = (count: number): Annotation[] =>
  Array.from({ length: count }, (_, index) => ({
    path: `evidence/${index}.exit`,
    startLine: 1,
    endLine: 1,
    level: 'notice',
    title: 'x',
    message: String(index),
  }))

/** The requests but for the question whether there is an earlier check. */
const posts = (github: GitHub) => github.requests.filter(({ method }) => method !== 'GET')

test('120 annotations arrive, in three requests', async () => {
  const { github, result } = await publish({ annotations: annotations(120) })
  assert.equal(posts(github).length, 3)
  assert.deepEqual(
    github.checkRuns[0]?.output.annotations.map((one) => one.message),
    Array.from({ length: 120 }, (_, index) => String(index)),
  )
  assert.deepEqual(result, { posted: true, id: 1000, url: github.checkRuns[0]?.html_url, notes: [] })
})

test('a check whose later request fails stays posted, and that is said', async () => {
  const { github, result } = await publish({ annotations: annotations(60) }, ({ method }) =>
    method === 'PATCH' ? { kind: 'status', status: 403 } : null,
  )
  assert.ok(result.posted)
  assert.match(result.notes.join(), /without all of its annotations.*403/)
  assert.equal(github.checkRuns[0]?.conclusion, 'success')
})

test('a server error is tried again', async () => {
  let failed = false
  const { github, result } = await publish({}, ({ method }) => {
    if (method === 'GET' || failed) return null
    failed = true
    return { kind: 'status', status: 502 }
  })
  assert.ok(result.posted)
  assert.equal(posts(github).length, 2)
})

test('a secondary rate limit is waited for, as long as GitHub asks', async () => {
  const started = process.hrtime.bigint()
  let limited = false
  const { result } = await publish({}, ({ method }) => {
    if (method === 'GET' || limited) return null
    limited = true
    return { kind: 'status', status: 429, headers: { 'retry-after': '1' } }
  })
  assert.ok(result.posted)
  assert.ok(process.hrtime.bigint() - started >= 1_000_000_000n)
})

test('a server that fails is left alone as long as it asks, and not asked again where that is too long', async () => {
  const failing = async (seconds: number) => {
    const started = performance.now()
    let failures = 0
    const { github, result } = await publish({ limits: { requestMs: 1_000, totalMs: 20_000 } }, ({ method }) =>
      method === 'GET' || failures++ > 0
        ? null
        : { kind: 'status', status: 503, headers: { 'retry-after': String(seconds) } },
    )
    return { posted: result.posted, requests: posts(github).length, waited: performance.now() - started }
  }
  const [short, long] = [await failing(4), await failing(3_600)]
  assert.deepEqual([short.posted, short.requests, short.waited >= 4_000], [true, 2, true])
  assert.deepEqual([long.posted, long.requests], [false, 1])
})

describe('a run again', () => {
  const runs = async (requests: readonly Partial<CheckRequest>[]) => {
    const github = await startGitHub()
    for (const [attempt, request] of requests.entries())
      await publishCheck({
        ...REQUEST,
        apiUrl: github.url,
        run: { ...REQUEST.run, id: `1 ${attempt}` },
        ...request,
      })
    await github.close()
    assert.deepEqual(github.rejected, [])
    return github.checkRuns
  }

  test('replaces the earlier check of the same name and commit', async () => {
    const [check, ...others] = await runs([
      { conclusion: 'failure', title: 'CI failed.', annotations: annotations(2) },
      { conclusion: 'success', title: 'CI passed.', annotations: annotations(2) },
    ])
    assert.deepEqual(others, [])
    assert.deepEqual([check?.conclusion, check?.output.title], ['success', 'CI passed.'])
    // GitHub adds annotations to those that are there.
    assert.equal(check?.output.annotations.length, 2)
  })

  test('brings the annotations that the earlier one did not have', async () => {
    const [check] = await runs([{}, { annotations: annotations(60) }])
    assert.equal(check?.output.annotations.length, 60)
  })

  test('leaves what another leg of the same run, another workflow and another event posted', async () => {
    const posted = await runs([
      { conclusion: 'failure', run: REQUEST.run },
      { run: REQUEST.run },
      { run: { origin: 'octo/shop/.github/workflows/lint.yml pull_request test', id: '2 1' } },
      { run: { origin: 'octo/shop/.github/workflows/test.yml push test', id: '3 1' } },
    ])
    assert.deepEqual(
      posted.map(({ conclusion }) => conclusion),
      ['failure', 'success', 'success', 'success'],
    )
  })

  test('leaves checks of another name, of another commit and of other makers alone', async () => {
    const github = await startGitHub()
    const post = (request: Partial<CheckRequest>) => publishCheck({ ...REQUEST, apiUrl: github.url, ...request })
    await post({ name: 'Other' })
    await post({ headSha: 'b'.repeat(40) })
    const headers = { authorization: 'token x' }
    await fetch(github.url + PATH, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...COMPLETED, name: REQUEST.name }),
    })
    const before = structuredClone(github.checkRuns)
    await post({ conclusion: 'failure' })
    await github.close()
    assert.deepEqual(github.checkRuns.slice(0, 3), before)
    assert.equal(github.checkRuns.length, 4)
  })

  for (const status of [403, 404, 500])
    test(`posts a check of its own where the question is answered with ${status}`, async () => {
      const { github, result } = await publish({}, ({ method }) =>
        method === 'GET' ? { kind: 'status', status } : null,
      )
      assert.ok(result.posted)
      assert.equal(github.checkRuns.length, 1)
    })
})

const FAILING: [string, Fault, RegExp][] = [
  ['500', { kind: 'status', status: 500 }, /API failed \(500\)/],
  ['502 with HTML', { kind: 'status', status: 502 }, /API failed \(502\)/],
  ['a hang', { kind: 'hang' }, /did not answer in time/],
  ['a reset', { kind: 'reset' }, /could not be used|API failed/],
  ['no JSON', { kind: 'body', body: '<html>' }, /could not be used/],
  ['a slow drip', { kind: 'drip' }, /did not answer in time|the answer is no check run/],
]
const STATUSES = [400, 401, 403, 404, 409, 410, 422, 451, 501]
/** Those that are not tried again, which takes a second each. */
const REFUSED: [string, Fault, RegExp][] = STATUSES.map((status) => [
  String(status),
  { kind: 'status', status },
  new RegExp(`${status}|could not be used`),
])
for (const [name, fault, says] of FAILING) {
  test(`an API that answers with ${name}, always: an answer in bounded time, with what to do`, async () => {
    const { result } = await publish({ limits: { requestMs: 300, totalMs: 1500 } }, () => fault)
    assert.ok(!result.posted)
    assert.match(result.why, says)
    assert.match(result.remedy, /job summary has the report/)
    assert.doesNotMatch(result.why + result.remedy, /[\r\n\u001b]/)
  })
}

// One after the other: the client waits a second between what it writes.
describe('a fault at each call', () => {
  const limits = { requestMs: 300, totalMs: 1500 }
  for (const [name, fault, says] of REFUSED)
    test(`${name} where the check is posted`, async () => {
      const { result } = await publish({ limits }, ({ method }) => (method === 'POST' ? fault : null))
      assert.ok(!result.posted)
      assert.match(result.why, says)
      assert.match(result.remedy, /job summary has the report/)
    })
  for (const [name, fault] of [...FAILING.slice(1), ...REFUSED.slice(2, 3)])
    test(`${name} where the earlier check is asked for: a check is posted all the same`, async () => {
      const { github, result } = await publish({ limits }, ({ method }) => (method === 'GET' ? fault : null))
      assert.ok(result.posted)
      assert.equal(github.checkRuns.length, 1)
    })
  for (const [name, fault] of [...FAILING.slice(2, 4), ...REFUSED.slice(2, 3)])
    test(`${name} where annotations are added: the check stays, and that is said`, async () => {
      const request = { limits, annotations: annotations(60) }
      const { result } = await publish(request, ({ method }) => (method === 'PATCH' ? fault : null))
      assert.ok(result.posted)
      assert.match(result.notes.join(), /without all of its annotations/)
    })
  for (const [name, fault, says] of [...FAILING.slice(2), ...REFUSED.slice(2, 3)])
    test(`${name} for the check of a job`, async () => {
      const { result } = await publish({ limits, mode: 'job', checkRunId: '7' }, () => fault)
      assert.ok(!result.posted)
      assert.match(result.why, says)
    })
})

test('what GitHub says is printed as text', async () => {
  const body = JSON.stringify({ message: 'a\r\n::set-output name=x::y ##[error]z \u202e' })
  const { result } = await publish({}, () => ({ kind: 'status', status: 422, body }))
  assert.ok(!result.posted)
  assert.doesNotMatch(result.why, /::set|##\[|[\r\n\u202e]/)
})

test('a job without its check run id', async () => {
  const { github, result } = await publish({ mode: 'job', checkRunId: '' })
  assert.ok(!result.posted)
  assert.match(result.remedy, /check-run-id/)
  assert.equal(github.requests.length, 0)
})
