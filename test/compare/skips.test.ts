import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { causeOf, groupSkips } from '../../src/compare/skips.ts'

const CAUSES: [string | null, string, string | null][] = [
  ["could not import 'psycopg': No module named 'psycopg'", 'module', 'psycopg'],
  ["No module named 'google.cloud.storage'", 'module', 'google'],
  ["Cannot find module 'lodash.merge'", 'module', 'lodash.merge'],
  ["Cannot find package '@scope/kit' imported from /home/dev/a.mjs", 'module', '@scope/kit'],
  ['numpy is not installed', 'module', 'numpy'],
  ['requires the `lxml` package', 'module', 'lxml'],
  ['needs network access', 'network', null],
  ['offline', 'network', null],
  ['shop_test.go:7: dial tcp 10.0.0.1:5432: connect: connection refused', 'network', null],
  ['getaddrinfo ENOTFOUND registry.example.test', 'network', null],
  ['Temporary failure in name resolution', 'network', null],
  ['could not connect to the database', 'network', null],
  ['only on Windows', 'platform', null],
  ['requires Python >= 3.12', 'platform', null],
  ['no CUDA device', 'platform', null],
  ['does not run on linux/arm64', 'platform', null],
  ['shop_test.go:12: GITHUB_TOKEN is not set', 'credentials', null],
  ['set AWS_SECRET_ACCESS_KEY to run this', 'credentials', null],
  ['needs credentials', 'credentials', null],
  ['no API key', 'credentials', null],
  ['requires network', 'network', null],
  ['the network is not available', 'network', null],
  ['network access is disabled', 'network', null],
  ['needs an internet connection', 'network', null],
  ['skipped: running offline', 'network', null],
  ['API_KEY not set', 'credentials', null],
  ['password is not configured', 'credentials', null],
  ['skipped on Windows', 'platform', null],
  ['Linux only', 'platform', null],
  ['needs a GPU', 'platform', null],
  ['not supported on this platform', 'platform', null],
  // Words that look like a sign and are none.
  ['password hashing is slow', 'other', null],
  ['API key rotation not implemented', 'other', null],
  ['requires linux network namespace', 'platform', null],
  ['DNS-style names unsupported', 'other', null],
  ['network code is legacy, see ticket', 'other', null],
  ['token bucket of the windows scheduler', 'other', null],
  ['unexpected token in the grammar', 'other', null],
  ['the root node has no url', 'other', null],
  ['needs networkx', 'other', null],
  ['slow; run with --runslow', 'other', null],
  ['rounding', 'other', null],
  ['', 'other', null],
  [null, 'other', null],
]

describe('causes', () => {
  for (const [message, cause, detail] of CAUSES) {
    test(`${message}: ${cause}`, () => assert.deepEqual(causeOf(message), { cause, detail }))
  }
})

test('groups are by cause and by module, the largest first and of two alike by name', () => {
  const pairs = [
    'offline',
    "No module named 'b'",
    "No module named 'a'",
    'no network',
    "No module named 'a.x'",
    null,
  ].map((message, index) => {
    const ci = {
      ...{ scope: '', name: `${index}`, suite: '', attempts: 0 },
      ...({ status: 'passed', seconds: null, message: null } as const),
    }
    return { scratch: { ...ci, status: 'skipped', message } as const, ci }
  })
  assert.deepEqual(
    groupSkips(pairs, 'scratch').map(({ cause, detail, pairs }) => [cause, detail, pairs.map((pair) => pair.ci.name)]),
    [
      ['module', 'a', ['2', '4']],
      ['network', null, ['0', '3']],
      ['module', 'b', ['1']],
      ['other', null, ['5']],
    ],
  )
})
