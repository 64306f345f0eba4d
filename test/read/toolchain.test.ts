import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readToolchain } from '../../src/read/toolchain.ts'

function read(text: string) {
  const { toolchain, problems } = readToolchain('toolchain.txt', Buffer.from(text))
  return {
    format: toolchain.format,
    facts: Object.fromEntries([...toolchain.facts].map(([key, { value }]) => [key, value])),
    problems,
  }
}

test('format 1, as the published script writes it, is read in full', () => {
  const { format, facts, problems } = read(
    [
      'date_utc=2026-11-30T18:02:11Z',
      'pwd=/home/agent/project',
      'uname=Linux sandbox 6.1.0-18-cloud-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01) x86_64 GNU/Linux',
      'python=/usr/bin/python3',
      'Python 3.11.4',
      '/opt/venv/bin/python3.11',
      'linux-x86_64',
      '',
    ].join('\n'),
  )
  assert.equal(format, 1)
  assert.deepEqual(problems, [])
  assert.deepEqual(facts, {
    date: '2026-11-30T18:02:11Z',
    cwd: '/home/agent/project',
    os: 'Linux',
    arch: 'x86_64',
    host: 'sandbox',
    kernel: '6.1.0-18-cloud-amd64',
    'python.path': '/usr/bin/python3',
    'python.version': '3.11.4',
    'python.realpath': '/opt/venv/bin/python3.11',
    'python.platform': 'linux-x86_64',
  })
})

const BARE: [string, string, Record<string, string>][] = [
  ['uname -sm', 'Darwin arm64', { os: 'Darwin', arch: 'arm64' }],
  [
    'python3 -V and sys.executable with sys.platform',
    'Python 3.12.1\n/usr/local/bin/python3 linux',
    { 'python.version': '3.12.1', 'python.path': '/usr/local/bin/python3', os: 'Linux' },
  ],
  ['a release candidate', 'Python 3.14.0rc2+', { 'python.version': '3.14.0rc2+' }],
  [
    'node -v; which node',
    'v20.11.1\n/home/u/.nvm/versions/node/v20.11.1/bin/node',
    { 'node.version': '20.11.1', 'node.path': '/home/u/.nvm/versions/node/v20.11.1/bin/node' },
  ],
  ['go env GOOS GOARCH', 'linux\namd64', { os: 'Linux', arch: 'amd64' }],
  [
    'go version',
    'go version go1.26.8 linux/amd64',
    { 'go.version': '1.26.8', 'go.GOOS': 'linux', 'go.GOARCH': 'amd64' },
  ],
  [
    'rustc -vV',
    'rustc 1.95.0 (59807616e 2026-04-14)\nbinary: rustc\ncommit-hash: 59807616e1\ncommit-date: 2026-04-14\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0\nLLVM version: 22.1.2',
    { 'rustc.version': '1.95.0', 'rustc.commit': '59807616e1', 'rustc.host': 'x86_64-unknown-linux-gnu' },
  ],
  [
    'Windows',
    'Python 3.11.4\nC:\\Python311\\python.exe\nwin-amd64',
    {
      'python.version': '3.11.4',
      'python.path': 'C:\\Python311\\python.exe',
      'python.platform': 'win-amd64',
      os: 'Windows',
      arch: 'amd64',
    },
  ],
  [
    'macOS',
    'Python 3.13.0\nmacosx-14.0-arm64',
    { 'python.version': '3.13.0', 'python.platform': 'macosx-14.0-arm64', os: 'Darwin', arch: 'arm64' },
  ],
  [
    'CRLF and a byte order mark',
    '\ufeffPython 3.11.4\r\nlinux-x86_64\r\n',
    { 'python.version': '3.11.4', 'python.platform': 'linux-x86_64', os: 'Linux', arch: 'x86_64' },
  ],
]
for (const [name, text, facts] of BARE) {
  test(`bare lines: ${name}`, () => {
    const read1 = read(text)
    assert.deepEqual(read1.facts, facts)
    assert.deepEqual(read1.problems, [])
  })
}

test('format 2: keys, the first occurrence of each, and what has no known shape', () => {
  const { format, facts, problems } = read(
    'schema=2\nos=Linux\npython.version=3.12.4\npython.version=3.11.0\nhello\nSECRET=1\nenv.CI=true\n',
  )
  assert.equal(format, 2)
  assert.deepEqual(facts, { schema: '2', os: 'Linux', 'python.version': '3.12.4', 'env.CI': 'true' })
  assert.deepEqual(problems, [
    { kind: 'repeated-key', file: 'toolchain.txt', line: 4, key: 'python.version' },
    { kind: 'unrecognised-line', file: 'toolchain.txt', line: 5, text: 'hello' },
    { kind: 'unrecognised-line', file: 'toolchain.txt', line: 6, text: 'SECRET=1' },
  ])
})

test('a line of no known shape is kept, with its number', () => {
  const { facts, problems } = read('Python 3.11.4\nall tests pass!\n/etc/passwd\n')
  assert.deepEqual(facts, { 'python.version': '3.11.4' })
  assert.deepEqual(
    problems.map((problem) => ('line' in problem ? problem.line : null)),
    [2, 3],
  )
})

test('invalid UTF-8 is shown as such and said', () => {
  const { toolchain, problems } = readToolchain('toolchain.txt', Buffer.from([0x50, 0x0a, 0xff, 0x0a]))
  assert.equal(toolchain.unrecognised[1]?.text, '\ufffd')
  assert.deepEqual(problems[0], { kind: 'not-utf8', file: 'toolchain.txt', line: 2 })
})
