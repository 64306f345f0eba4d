import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readFreeze } from '../../src/read/freeze.ts'

function read(content: string | Uint8Array) {
  const { form, packages } = readFreeze('freeze.txt', typeof content === 'string' ? Buffer.from(content) : content)
  const names = (local: boolean) =>
    packages.packages
      .filter((one) => one.local === local)
      .map((one) => `${one.name} ${one.version ?? '-'}`)
      .sort()
  return { form, packages: names(false), local: names(true), notRead: packages.notRead, all: packages.packages }
}

const fixture = (name: string) => readFileSync(new URL(`../fixtures/lockfiles/${name}`, import.meta.url))

// One environment, as the tools list it: see the fixtures' README.
const PYTHON = [
  'certifi 2026.10.19.post1',
  'charset-normalizer 3.5.3',
  'colorama 0.4.6',
  'idna 3.20',
  'pyyaml 6.0.4',
  'requests 2.34.2',
  'typing-extensions 4.16.0',
  'urllib3 2.8.0',
]
const AND_PIP = ['pip 23.2.1', 'setuptools 65.5.0']
const NPM = [
  'ansi-regex 6.6.0',
  'ansi-styles 4.3.0',
  'chalk 4.1.0',
  'chalk 4.1.2',
  'color-convert 2.0.1',
  'color-name 1.1.4',
  'eastasianwidth 0.2.0',
  'emoji-regex 9.2.2',
  'has-flag 4.0.0',
  'is-odd 3.0.1',
  'js-tokens 4.0.0',
  'lodash 4.17.20',
  'lodash 4.18.1',
  'loose-envify 1.4.0',
  'react 18.3.1',
  'string-width 5.1.2',
  'strip-ansi 7.2.0',
  'supports-color 7.2.0',
]

const LISTS: readonly [file: string, form: string, packages: string[], local: string[]][] = [
  [
    'pip-freeze.txt',
    'pip freeze',
    [...PYTHON, 'tiny-thing -'],
    ['bad-remote 2.0.0', 'no-remote 1.0', 'plain-pkg -', 'shop-app-x 1.0'],
  ],
  [
    'uv-freeze.txt',
    'pip freeze',
    [...PYTHON, ...AND_PIP, 'tiny-thing -'],
    ['badremote -', 'nore -', 'plain-pkg -', 'proj -'],
  ],
  [
    'pip-list.txt',
    'pip list',
    [...PYTHON, ...AND_PIP, 'plain-pkg 1.0', 'tiny-thing 2.0.0'],
    ['bad-remote 2.0.0', 'no-remote 1.0', 'shop-app-x 1.0'],
  ],
  [
    'pip-list-v.txt',
    'pip list',
    [...PYTHON, ...AND_PIP, 'plain-pkg 1.0', 'tiny-thing 2.0.0'],
    ['bad-remote 2.0.0', 'no-remote 1.0', 'shop-app-x 1.0'],
  ],
  [
    'pip-list-freeze.txt',
    'pip freeze',
    [...PYTHON, ...AND_PIP, 'bad-remote 2.0.0', 'no-remote 1.0', 'plain-pkg 1.0', 'shop-app-x 1.0', 'tiny-thing 2.0.0'],
    [],
  ],
  ['workspace-ls.txt', 'npm ls', NPM, ['@shop/a 0.3.0']],
  ['workspace-ls-ascii.txt', 'npm ls', NPM, ['@shop/a 0.3.0']],
  // Without the registry's address in the lockfile the alias is all that this form tells.
  [
    'workspace-ls.json',
    'npm ls --json',
    NPM.map((one) => (one === 'react 18.3.1' ? 'my-react 18.3.1' : one)),
    ['@shop/a 0.3.0'],
  ],
  [
    'go-list-replace.txt',
    'go list -m all',
    [
      'github.com/cpuguy83/go-md2man/v2 v2.0.6',
      'github.com/inconshreveable/mousetrap v1.1.0',
      'github.com/pmezard/go-difflib v1.0.0',
      'github.com/russross/blackfriday/v2 v2.1.0',
      'github.com/spf13/cobra v1.9.1',
      'github.com/spf13/pflag v1.0.6',
      'github.com/stretchr/objx v0.5.2',
      'github.com/stretchr/testify v1.10.0',
      'gopkg.in/check.v1 v0.0.0-20161208181325-20d25e280405',
      'gopkg.in/yaml.v3 v3.0.1',
    ],
    ['github.com/davecgh/go-spew v1.1.1', 'shop.example/shop -'],
  ],
  ['cargo-metadata.json', 'cargo metadata', ['itoa 1.0.19'], ['shop 0.1.0']],
]

describe('what the tools print', () => {
  for (const [file, form, packages, local] of LISTS) {
    test(file, () => {
      const list = read(fixture(file))
      assert.deepEqual(
        { form: list.form, packages: list.packages, local: list.local, notRead: list.notRead },
        { form, packages: [...packages].sort(), local, notRead: [] },
      )
    })

    test(`${file} with CRLF, and in UTF-16`, () => {
      const text = `\ufeff${fixture(file).toString('utf8').replaceAll('\n', '\r\n')}`
      const expected = read(fixture(file))
      assert.deepEqual(read(text), expected)
      assert.deepEqual(read(Buffer.from(text, 'utf16le')), expected)
      assert.deepEqual(read(Buffer.from(text, 'utf16le').swap16()), expected)
    })
  }
})

test('no path of the machine and no credentials', () => {
  const list = read(
    'a @ https://me:s3cr@et@host.example/a.whl\n-e git+https://t0ken@host.example/b.git@0123#egg=b\n-e /home/me/c\nd @ file:///home/me/d\n??? https://me:s3cret@host.example\n',
  )
  assert.doesNotMatch(JSON.stringify(list), /s3cr|et@host|t0ken|\/home\/me/)
  assert.deepEqual([list.packages, list.local, list.notRead.length], [['a -'], ['b -', 'c -', 'd -'], 1])
})

test('an alias has its real name where the place of the archive tells it', () => {
  const { packages } = read(
    '{"dependencies":{"my-react":{"version":"18.3.1","resolved":"https://registry.example/react/-/react-18.3.1.tgz"},"my-core":{"version":"7.0.0","resolved":"https://registry.example/npm/@babel/core/-/core-7.0.0.tgz"}}}',
  )
  assert.deepEqual(packages, ['@babel/core 7.0.0', 'react 18.3.1'])
})

test('lines beside the list are kept, and hide nothing of it', () => {
  const pip = read('WARNING: the cache is off\nrequests==2.34.2\nurllib3==2.8.0\n')
  assert.deepEqual(
    [pip.form, pip.packages, pip.notRead],
    ['pip freeze', ['requests 2.34.2', 'urllib3 2.8.0'], [{ line: 1, text: 'WARNING: the cache is off' }]],
  )
  const list = read('Package Version\n------- -------\na       1.0\n\n[notice] A new release of pip is available\n')
  assert.deepEqual(list.notRead, [{ line: 5, text: '[notice] A new release of pip is available' }])
  const npm = read(
    'shop@1.0.0 /home/dev/shop\n+-- a@1.0.0 extraneous\n`-- b@2.0.0 invalid: "^1"\nnpm error code ELSPROBLEMS\n',
  )
  assert.deepEqual(
    [npm.packages, npm.notRead],
    [['a 1.0.0', 'b 2.0.0'], [{ line: 4, text: 'npm error code ELSPROBLEMS' }]],
  )
})

test('an npm project with nothing installed is read', () => {
  const list = read('shop@1.0.0 /home/dev/shop\n└── (empty)\n')
  assert.deepEqual([list.form, list.all, list.notRead], ['npm ls', [], []])
})

test('a Go module without dependencies is read', () => {
  const list = read('shop.example/shop\n')
  assert.deepEqual([list.form, list.local], ['go list -m all', ['shop.example/shop -']])
})

const UNKNOWN = {
  'a word': 'NO_PIP\n',
  prose: 'nothing was installed here\nreally\n',
  'JSON of something else': '{"a": 1}',
  'a diff': '--- a\n+++ b\n-a\n+b\n',
}
for (const [name, text] of Object.entries(UNKNOWN)) {
  test(`${name} is no list of packages, and none of it is lost`, () => {
    const list = read(text)
    assert.deepEqual([list.form, list.all], [null, []])
    assert.deepEqual(
      list.notRead.map((entry) => entry.text),
      text.trim().split('\n'),
    )
  })
}

const CUT = {
  'npm ls --json': fixture('workspace-ls.json').subarray(0, 500),
  'cargo metadata': Buffer.from(`${fixture('cargo-metadata.json').toString('utf8').slice(0, -10)}`),
}
for (const [form, bytes] of Object.entries(CUT)) {
  test(`${form} that breaks off is said to`, () => {
    const list = read(bytes)
    assert.deepEqual([list.form, list.all], [form, []])
    assert.equal(list.notRead.length, 1)
  })
}
