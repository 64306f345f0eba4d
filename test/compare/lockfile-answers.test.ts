import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compareLockfiles } from '../../src/compare/lockfiles.ts'
import { readEvidence } from '../../src/read/bundle-files.ts'
import { lockfilePaths } from '../../src/read/lockfile/find.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/lockfiles/${name}`, import.meta.url), 'utf8')

type Content = string | Uint8Array

function compare(copy: Content, path: string | null, repository: Record<string, Content>) {
  const files = new Map([['lock.copy', Buffer.from(copy)]])
  if (path !== null) files.set('run.txt', Buffer.from(`schema=2\nlockfile=${path}\n`))
  const lockfiles = Object.entries(repository).map(([path, content]) => ({
    path,
    bytes: Buffer.from(content),
    changedHere: null,
  }))
  const [row, ...others] = compareLockfiles(readEvidence('evidence', files, []), lockfiles)
  assert.deepEqual(others, [])
  return row ?? assert.fail('no row')
}

const REQUIREMENTS = fixture('uv-plain.requirements.txt')
const POETRY = fixture('poetry.lock')
const NPM = fixture('npm-v3.json')

const PARTNERS: [
  name: string,
  copy: string,
  path: string | null,
  repository: Record<string, string>,
  partner: string,
][] = [
  [
    'the recorded path',
    'a==1\n',
    'b/requirements.lock',
    { 'requirements.lock': 'a==1\n', 'b/requirements.lock': 'a==2\n' },
    'b/requirements.lock',
  ],
  [
    'the same bytes',
    'a==1\n',
    null,
    { 'requirements.lock': 'a==2\n', 'requirements.txt': 'a==1\n' },
    'requirements.txt',
  ],
  [
    'the same format',
    NPM.replace('"4.1.2"', '"4.1.1"'),
    null,
    { 'poetry.lock': POETRY, 'package-lock.json': NPM },
    'package-lock.json',
  ],
  ['the preferred one', 'of no known format\n', null, { 'uv.lock': 'one', 'go.sum': fixture('go.sum') }, 'uv.lock'],
  [
    'none of the recorded path',
    POETRY,
    'old/poetry.lock',
    { 'poetry.lock': POETRY.replace('0', '1') },
    'old/poetry.lock',
  ],
  ['none of its format', NPM, null, { 'poetry.lock': POETRY }, 'lock.copy'],
]
for (const [name, copy, path, repository, partner] of PARTNERS) {
  test(`a copy is held against ${name}`, () => {
    const row = compare(copy, path, repository)
    assert.equal(row.path, partner)
    if (!(partner in repository)) {
      assert.deepEqual([row.compared, row.identical, row.packages.repository], ['could not compare', null, null])
      assert.match(row.why ?? '', /no such lockfile/)
    }
  })
}

const SAME: [name: string, copy: Content, path: string, here: Content][] = [
  ['line ends', REQUIREMENTS.replaceAll('\n', '\r\n'), 'requirements.txt', REQUIREMENTS],
  ['a byte order mark', `\ufeff${NPM}`, 'package-lock.json', NPM],
  ['UTF-16', Buffer.from(`\ufeff${REQUIREMENTS}`, 'utf16le'), 'requirements.txt', REQUIREMENTS],
  ['comments', REQUIREMENTS.replace(/^ +#.*\n/gm, ''), 'requirements.txt', REQUIREMENTS],
  ['order', 'a==1\nb==2\n', 'requirements.txt', 'b==2\na==1\n'],
  ['spelling', 'Foo.Bar==1.0\n', 'requirements.txt', 'foo-bar==1.0.0\n'],
  ['version 2 and 3', fixture('npm-v2.json'), 'package-lock.json', NPM],
  ['version 1 and 3', fixture('npm-v1.json'), 'package-lock.json', NPM],
  [
    'the workspace’s own version',
    '{"packages":{"packages/a":{"name":"a","version":"1.0.0"}}}',
    'package-lock.json',
    '{"packages":{"packages/a":{"name":"a","version":"1.1.0"}}}',
  ],
]
for (const [name, copy, path, here] of SAME) {
  test(`other bytes and the same packages: ${name}`, () => {
    const { compared, identical, diff, packages } = compare(copy, path, { [path]: here })
    assert.deepEqual([compared, identical], ['same', false])
    // Null where the line ends alone differ.
    assert.ok(diff === null || diff.split('\n').every((line) => /^[-+]/.test(line)))
    assert.equal(packages.scratch, packages.repository)
  })
}

const NOT_COMPARED: [name: string, copy: Content, path: string, here: Content, why: RegExp, line: number | null][] = [
  [
    'the copy has conflict markers',
    '{\n<<<<<<< HEAD\n',
    'package-lock.json',
    NPM,
    /^the copy has merge-conflict markers$/,
    2,
  ],
  [
    'the repository’s has',
    NPM,
    'package-lock.json',
    '{\n<<<<<<< HEAD\n',
    /^package-lock\.json of the commit under review has merge/,
    null,
  ],
  [
    'no packages where they stand',
    '{"lockfileVersion":3,"packages":[]}',
    'package-lock.json',
    '{"lockfileVersion":3,"packages":[1]}',
    /its `packages` is no object/,
    null,
  ],
  [
    'another format under the name',
    NPM,
    'poetry.lock',
    POETRY,
    /^the copy is named poetry\.lock and its content is that of package-lock\.json$/,
    null,
  ],
  [
    'another format under a name that is not read',
    NPM,
    'uv.lock',
    NPM.replace('"4.1.2"', '"4.1.1"'),
    /^the copy is named uv\.lock and its content is that of package-lock\.json$/,
    null,
  ],
  [
    'another format under the repository’s name',
    POETRY,
    'poetry.lock',
    NPM,
    /^poetry\.lock of the commit under review is named poetry\.lock and its content/,
    null,
  ],
  [
    'bytes that are no UTF-8',
    Buffer.from('a==1\xeb\n', 'latin1'),
    'requirements.lock',
    Buffer.from('a==1\xec\n', 'latin1'),
    /were not understood/,
    null,
  ],
]
for (const [name, copy, path, here, why, line] of NOT_COMPARED) {
  test(`could not compare: ${name}`, () => {
    const row = compare(copy, path, { [path]: here })
    assert.equal(row.compared, 'could not compare')
    assert.match(row.why ?? '', why)
    assert.equal(row.line, line)
    assert.equal(compare(copy, path, { [path]: copy }).compared, 'same', 'equal bytes are the same whatever is in them')
  })
}

const HASHES: [name: string, there: string, here: string, other: boolean][] = [
  ['one wheel more', 'sha256:aa', 'sha256:aa sha256:bb', false],
  ['none in common', 'sha256:aa sha256:bb', 'sha256:cc', true],
  ['one of two is another', 'sha256:aa sha256:bb', 'sha256:aa sha256:cc', true],
  ['one wheel less', 'sha256:aa sha256:bb', 'sha256:aa', false],
  ['one kind agrees and another does not', 'sha1:aa sha256:aa', 'sha1:aa sha256:bb', true],
  ['no kind in common', 'sha1:aa', 'sha256:aa', false],
]
for (const [name, there, here, other] of HASHES) {
  test(`hashes: ${name}`, () => {
    const line = (version: string, hashes: string) => `a==${version} --hash=${hashes.replaceAll(' ', ' --hash=')}\n`
    const row = compare(line('1.0', there), 'requirements.lock', { 'requirements.lock': line('1.0.0', here) })
    assert.deepEqual(row.artefacts?.otherHash, other ? [{ name: 'a', version: '1.0' }] : [])
    assert.equal(row.compared, other ? 'differs' : 'same')
  })
}

test('what differs is told, and not how the rest is spelled', () => {
  const row = compare('a==1.0\nb==1\nd==1\n', 'requirements.lock', {
    'requirements.lock': 'A==1.0.0\nb==2\nc==1\nd==1\n',
  })
  assert.deepEqual(
    [row.added, row.removed, row.changed],
    [[{ name: 'c', version: '1' }], [], [{ name: 'b', from: '1', to: '2' }]],
  )
})

test('a text that is not read package by package shows no credentials, and no line without end', () => {
  const { diff } = compare(`x: https://me:s3cret@host.example/\n${'y'.repeat(1e6)}\n`, 'yarn.lock', {
    'yarn.lock': 'z\n',
  })
  assert.match(diff ?? '', /^-x: https:\/\/host\.example\/$/m)
  assert.ok((diff ?? '').length < 1000)
})

test('what was not understood is shown up to a limit, and the rest is counted', () => {
  const { notRead } = compare(`a==1\n${'?\n'.repeat(1000)}`, 'requirements.lock', { 'requirements.lock': 'a==1\n' })
  assert.equal(notRead.length, 51)
  assert.deepEqual(notRead.at(-1), { side: 'scratch', line: null, text: '950 more lines' })
})

test('other bytes of the same packages: what else the file says is a diff', () => {
  const row = compare('# by uv 0.1\na==1.0\n', 'requirements.lock', { 'requirements.lock': '# by uv 0.2\na==1.0.0\n' })
  assert.deepEqual([row.compared, row.diff], ['same', '-# by uv 0.1\n-a==1.0\n+# by uv 0.2\n+a==1.0.0'])
})

const DIFFERENT: [name: string, path: string, copy: string, here: string][] = [
  ['a range', 'requirements.txt', 'django<3\n', 'django>=5.0\n'],
  ['no range', 'requirements.txt', 'django\n', 'django>=5.0\n'],
  [
    'a tarball that is none of a registry',
    'package-lock.json',
    '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0","resolved":"https://codeload.example/o/a/tar.gz/aaaaaaa"}}}',
    '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0","resolved":"https://codeload.example/o/a/tar.gz/bbbbbbb"}}}',
  ],
  [
    'the hash at one of two places',
    'package-lock.json',
    '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0","integrity":"sha512-x"},"node_modules/b/node_modules/a":{"version":"1.0.0","integrity":"sha512-y"}}}',
    '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0","integrity":"sha512-x"},"node_modules/b/node_modules/a":{"version":"1.0.0","integrity":"sha512-x"}}}',
  ],
]
for (const [name, path, copy, here] of DIFFERENT)
  test(`not the same: ${name}`, () => assert.equal(compare(copy, path, { [path]: here }).compared, 'differs'))

test('equal bytes that cannot be read are the same, and it is said that nothing was read', () => {
  const broken = '{"lockfileVersion":3,"packages":{"a":1,"a":2}}'
  const row = compare(broken, 'package-lock.json', { 'package-lock.json': broken })
  assert.deepEqual([row.compared, row.identical], ['same', true])
  assert.match(row.why ?? '', /^the bytes are equal, and the copy is no package-lock\.json: .* twice$/)
})

test('the path that a bundle records is looked up as one in the repository, where a lockfile can lie', () => {
  assert.deepEqual(
    lockfilePaths(['./a//poetry.lock', 'b/package-lock.json', 'b/package-lock.json', 'requirements-dev.txt']),
    ['a/poetry.lock', 'b/package-lock.json', 'requirements-dev.txt'],
  )
  const refused = [
    '/etc/poetry.lock',
    '../poetry.lock',
    'a/../../poetry.lock',
    'src/secret.txt',
    'a\\..\\poetry.lock',
    '.git/config',
    'a\0/go.sum',
    '',
  ]
  assert.deepEqual(lockfilePaths([...refused, null]), [])
  const row = compare('a==1\n', './requirements.lock', { 'requirements.lock': 'a==1\n' })
  assert.equal(row.compared, 'same')
})

test('what installs a lockfile of a folder is run there', () => {
  const go = 'example.com/a v1.0.0 h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n'
  const install = (path: string) => compare(go, path, { [path]: go }).install
  assert.equal(install('go.sum'), 'go mod download')
  assert.equal(install('services/api/go.sum'), 'cd services/api && go mod download')
  // It would have to be quoted, and by which shell is not known.
  assert.equal(install('my services/go.sum'), null)
})

test('open ranges are to be resolved, pins to be installed as they are', () => {
  assert.equal(
    compare('a==1\n', 'requirements.lock', { 'requirements.lock': 'a==1\n' }).install,
    'uv pip sync requirements.lock',
  )
  // It need not name what its packages need: a sync would take that away.
  assert.equal(
    compare('a==1\n', 'requirements.txt', { 'requirements.txt': 'a==1\n' }).install,
    'python -m pip install -r requirements.txt',
  )
  assert.equal(
    compare('a>=1\n', 'requirements.txt', { 'requirements.txt': 'a>=1\n' }).install,
    'python -m pip install -r requirements.txt',
  )
})
