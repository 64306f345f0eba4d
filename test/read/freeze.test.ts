import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readFreeze } from '../../src/read/freeze.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/lockfiles/${name}`, import.meta.url))

const read = (text: string | Uint8Array) => {
  const { form, packages } = readFreeze('freeze.txt', typeof text === 'string' ? Buffer.from(text) : text)
  return { form, names: packages.packages.map((one) => `${one.name} ${one.version ?? '-'}`), notRead: packages.notRead }
}

test('pip freeze, with every form of a line', () => {
  const { form, names, notRead } = read(
    'PyYAML==6.0.3\n# Editable install with no version control (Foo.Bar==1.0)\n-e /home/user/foo\nplain @ file:///home/user/plain\nvcs @ git+https://example.com/r.git@0123456789\n-e git+https://example.com/r.git@0123#egg=Other_One\n',
  )
  assert.equal(form, 'pip freeze')
  assert.deepEqual(names, ['pyyaml 6.0.3', 'foo-bar 1.0', 'plain -', 'vcs -', 'other-one -'])
  assert.deepEqual(notRead, [])
})

test('pip list, UTF-16 as PowerShell writes it, npm, go', () => {
  assert.deepEqual(
    read(
      'Package    Version Editable project location\n---------- ------- ---\nFlask      3.1.3\nshop       1.0     /home/user/shop\n',
    ).names,
    ['flask 3.1.3', 'shop 1.0'],
  )
  assert.deepEqual(read(Buffer.from('\ufeffa==1\r\nb==2\r\n', 'utf16le')), {
    form: 'pip freeze',
    names: ['a 1', 'b 2'],
    notRead: [],
  })
  const tree = read(fixture('npm-ls.txt'))
  assert.equal(tree.form, 'npm ls')
  assert.equal(new Set(tree.names).size, 13)
  assert.deepEqual(tree.notRead, [])
  assert.ok(tree.names.includes('is-number 7.0.0'))
  const json = read(fixture('npm-ls.json'))
  assert.equal(json.form, 'npm ls --json')
  assert.equal(new Set(json.names).size, 13)
  const go = read(fixture('go-list.txt'))
  assert.equal(go.form, 'go list -m all')
  assert.equal(go.names.length, 5)
  assert.deepEqual(
    read('example.com/m\nexample.com/a v1.0.0 => example.com/b v1.1.0\nexample.com/c v1.0.0 => ./c\n').names,
    ['example.com/m -', 'example.com/b v1.1.0', 'example.com/c v1.0.0'],
  )
})

test('an unknown form is read as none: every line is kept, up to a limit', () => {
  const { form, names, notRead } = read(Array.from({ length: 80 }, (_, index) => `what is this ${index}?`).join('\n'))
  assert.equal(form, null)
  assert.deepEqual(names, [])
  assert.equal(notRead.length, 51)
  assert.deepEqual(notRead.at(-1), { line: null, text: '30 more lines' })
})
