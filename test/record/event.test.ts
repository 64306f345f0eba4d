import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimOf, readEvent } from '../../src/record/event.ts'

const A = 'a'.repeat(40)
const B = 'b'.repeat(40)

test('the head of each kind of event', () => {
  const pull = { pull_request: { title: 'T', body: 'All tests pass', head: { sha: A }, base: { sha: B, ref: 'main' } } }
  assert.deepEqual(readEvent(pull, B), { headSha: A, baseSha: B, base: 'main', words: 'T\nAll tests pass' })
  assert.deepEqual(readEvent({ merge_group: { head_sha: A, base_sha: B, base_ref: 'refs/heads/main' } }, null), {
    headSha: A,
    baseSha: B,
    base: 'main',
    words: null,
  })
  assert.equal(readEvent({ workflow_run: { head_sha: A } }, B).headSha, A)
  // A pushed tag may be an object of its own: the commit is what the runner names.
  assert.deepEqual(readEvent({ after: A, before: '0'.repeat(40) }, B), {
    headSha: B,
    baseSha: null,
    base: null,
    words: null,
  })
  for (const nothing of [
    null,
    undefined,
    7,
    'x',
    [],
    {},
    { pull_request: null },
    { pull_request: { head: { sha: '--upload-pack' } } },
    { __proto__: { after: A } },
  ])
    assert.equal(readEvent(nothing, B).headSha, B)
})

const CLAIMS: [string, string | null][] = [
  ['All tests pass ✅', 'All tests pass'],
  ['all 412 unit tests are passing.', 'all 412 unit tests are passing'],
  ['I ran the suite: 12 passed, 0 failed', '12 passed'],
  ['Tests pass locally', 'Tests pass'],
  ['pytest is green', 'pytest is green'],
  ['Result: PASS', 'PASS'],
  ['Adds a password field', null],
  ['This will pass the token on', null],
  ['Fix the failing tests', null],
  ['', null],
]
for (const [words, claim] of CLAIMS)
  test(`the claim in ${JSON.stringify(words)}`, () => assert.equal(claimOf(words), claim))
