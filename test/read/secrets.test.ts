import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readEvidence } from '../../src/read/bundle-files.ts'
import { maskSecrets } from '../../src/read/secrets.ts'

/** Made here, in pieces, so that no scanner finds them in this file. */
const SECRETS: [string, string, string][] = [
  ['github', `ghp_${'aB3dE5gH7j'.repeat(3)}K1m2N3`, 'a token of GitHub'],
  [
    'privatekey',
    `-----BEGIN RSA PRIVATE ${'KEY-----'}\n${'MIIEpAIBAAKCAQEA'.repeat(8)}\n-----END RSA PRIVATE ${'KEY-----'}`,
    'a private key',
  ],
  ['basicauth', `https://me:${'s3cr3tpassw0rd'}@registry.example.test/simple`, 'a password in an address'],
  ['slack', `xoxb-${'123456789012'}-${'123456789012'}-${'aBcDeFgHiJkLmNoPqRsTuVwX'}`, 'a token of Slack'],
]

async function found(files: Record<string, string>) {
  const contents = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))
  const masked = await maskSecrets(contents)
  return {
    problems: masked.problems,
    texts: Object.fromEntries([...masked.contents].map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')])),
    evidence: readEvidence('evidence', masked.contents, masked.problems, contents),
  }
}

describe('a secret is told by kind and line, and not shown', () => {
  for (const [what, secret, name] of SECRETS)
    test(name, async () => {
      const { problems, texts } = await found({
        'toolchain.txt': `os=Linux\n\u00fc=\u00fc\nnote=${secret}\narch=x86_64\n`,
      })
      assert.deepEqual(
        problems.map((problem) => ({ ...problem })),
        [{ kind: 'secret', file: 'toolchain.txt', line: 3, what }],
      )
      assert.equal(texts['toolchain.txt']?.includes(secret), false)
      assert.match(texts['toolchain.txt'] ?? '', /^os=Linux\n\u00fc=\u00fc\nnote=.*\*{8}[\s\S]*\narch=x86_64\n$/)
    })
})

test('a failure message of pytest that prints the environment', async () => {
  const [, secret] = SECRETS[0] ?? []
  const { evidence } = await found({
    'junit.xml': `<testsuite><testcase name="a"><failure message="assert 'x' in environ({'GITHUB_TOKEN': '${secret}'})"/></testcase></testsuite>`,
  })
  assert.match(evidence.tests?.cases[0]?.message ?? '', /GITHUB_TOKEN.*\*{8}/)
  assert.equal(JSON.stringify(evidence).includes(secret ?? ''), false)
})

test('sums are of the bytes as committed', async () => {
  const [, secret] = SECRETS[0] ?? []
  const text = `note=${secret}\n`
  const sum = (await import('node:crypto')).createHash('sha256').update(text).digest('hex')
  const { evidence } = await found({ 'toolchain.txt': text, SHA256SUMS: `${sum}  toolchain.txt\n` })
  assert.deepEqual(
    evidence.problems.map(({ kind }) => kind).filter((kind) => kind !== 'unrecognised-line'),
    ['secret'],
  )
})

test('what is no secret stays as it is', async () => {
  const honest = {
    'toolchain.txt': 'python.version=3.12.1\nnode.version=v24.1.0\n',
    'freeze.txt': 'numpy==2.3.0 --hash=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n',
    'lock.copy': 'resolved "https://registry.example.test/a/-/a-1.0.0.tgz#0123456789abcdef0123456789abcdef01234567"\n',
    'junit.xml': '<testsuite><testcase name="test_token_of_password"/></testsuite>',
  }
  const { problems, texts } = await found(honest)
  assert.deepEqual([problems, texts], [[], honest])
})
