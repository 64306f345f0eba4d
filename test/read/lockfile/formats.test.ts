import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { countPackages, differenceOf } from '../../../src/compare/packages.ts'
import { foldName, foldVersion } from '../../../src/read/ecosystem.ts'
import { formatByContent, formatsByName } from '../../../src/read/lockfile/find.ts'
import { DocumentError } from '../../../src/read/lockfile/format.ts'
import { LOCKFILE_FORMATS } from '../../../src/read/lockfile/formats.ts'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/lockfiles/${name}`, import.meta.url), 'utf8')

/** Files made by the real tools, and how many packages something other than our reader counted in each. */
const REAL: [string, string, number][] = [
  ['uv-hashes.requirements.txt', 'requirements', 18],
  ['uv-plain.requirements.txt', 'requirements', 17],
  ['pip-tools.requirements.txt', 'requirements', 17],
  ['poetry.lock', 'poetry.lock', 21],
  ['npm-v1.json', 'package-lock.json', 35],
  ['npm-v2.json', 'package-lock.json', 35],
  ['npm-v3.json', 'package-lock.json', 35],
  ['go.sum', 'go.sum', 3],
]

const formatOf = (id: string) => LOCKFILE_FORMATS.find((format) => format.id === id) ?? assert.fail(id)

describe('files that the real tools made', () => {
  for (const [name, id, packages] of REAL) {
    test(`${name} has ${packages} packages, and its content tells what it is`, () => {
      const text = fixture(name)
      assert.equal(formatByContent(text)?.id, id)
      const list = formatOf(id).read(text)
      assert.deepEqual(list.notRead, [])
      assert.equal(countPackages(list.ecosystem, list.packages), packages)
    })

    test(`${name}: the same with CRLF, and an entry left out is that entry`, () => {
      const text = fixture(name)
      const { read } = formatOf(id)
      const list = read(text)
      assert.deepEqual(read(text.replaceAll('\n', '\r\n')), list)
      assert.deepEqual(differenceOf(list.ecosystem, list.packages, list.packages), {
        added: [],
        removed: [],
        changed: [],
      })
      for (const [index, one] of list.packages.entries()) {
        const without = list.packages.filter((other) => other.name !== one.name)
        const { removed, added, changed } = differenceOf(list.ecosystem, list.packages, without)
        assert.ok(
          removed.some((entry) => entry.name === one.name),
          `${index} ${one.name}`,
        )
        assert.deepEqual([added, changed], [[], []])
      }
    })
  }

  test('an aliased package has its real name', () => {
    for (const name of ['npm-v1.json', 'npm-v2.json', 'npm-v3.json']) {
      const { packages } = formatOf('package-lock.json').read(fixture(name))
      assert.deepEqual(
        packages
          .filter((one) => one.name === 'is-number')
          .map((one) => one.version)
          .sort(),
        ['6.0.0', '7.0.0'],
      )
      assert.ok(!packages.some((one) => one.name === 'left'))
    }
  })

  test('hashes and markers', () => {
    const { packages } = formatOf('requirements').read(fixture('uv-hashes.requirements.txt'))
    assert.ok(
      packages.every(
        ({ artefacts }) => artefacts.length > 0 && artefacts.every(({ hash }) => /^sha256:[0-9a-f]{64}$/.test(hash)),
      ),
    )
    assert.equal(packages.find((one) => one.name === 'colorama')?.conditional, true)
    assert.equal(packages.find((one) => one.name === 'flask')?.conditional, false)
  })
})

test('requirements: every form of a line', () => {
  const { packages, notRead } = formatOf('requirements').read(
    [
      '# a comment',
      '--index-url https://user:secret@example.com/simple',
      'Foo.Bar_baz==1.0 ; python_version < "3.9"  # why',
      'a[extra,other]==2.0 \\',
      '    --hash=sha256:bb --hash=sha256:aa',
      'b @ https://user:secret@example.com/b-1.0.tar.gz#egg=b',
      '-e git+https://user:secret@example.com/c.git@0123abc#egg=c',
      '-e ./d',
      'e>=1,<2',
      'f==1.*',
      'g===1.0-odd',
      '-r other.txt',
      '<<<<<<< HEAD',
      'h',
    ].join('\n'),
  )
  assert.deepEqual(
    packages.map(({ name, version, source, conditional, local }) => [name, version, source, conditional, local]),
    [
      ['foo-bar-baz', '1.0', null, true, false],
      ['a', '2.0', null, false, false],
      ['b', null, 'https://example.com/b-1.0.tar.gz#egg=b', false, false],
      ['c', null, 'git+https://example.com/c.git@0123abc#egg=c', false, true],
      ['d', null, 'a local path', false, true],
      ['e', null, '>=1,<2', false, false],
      ['f', null, '==1.*', false, false],
      ['g', '1.0-odd', null, false, false],
      ['h', null, null, false, false],
    ],
  )
  assert.deepEqual(
    packages[1]?.artefacts.map(({ hash }) => hash),
    ['sha256:bb', 'sha256:aa'],
  )
  assert.deepEqual(notRead, [
    { line: 12, text: '-r other.txt' },
    { line: 13, text: '<<<<<<< HEAD' },
  ])
  assert.doesNotMatch(JSON.stringify(packages), /secret/)
})

const BROKEN: [string, string, string, number | null][] = [
  ['package-lock.json that breaks off', 'package-lock.json', fixture('npm-v3.json').slice(0, 3000), 1],
  ['package-lock.json that is a list', 'package-lock.json', '[]', null],
  ['package-lock.json with a key twice', 'package-lock.json', '{"packages": {"a": {},\n"a": {}}}', 2],
  ['package-lock.json that is something else', 'package-lock.json', '{"a": 1}', null],
  ['poetry.lock that breaks off', 'poetry.lock', fixture('poetry.lock').slice(0, 5000), 1],
  ['poetry.lock that is JSON', 'poetry.lock', '{"packages": {}}', 1],
  ['poetry.lock of another tool', 'poetry.lock', '[project]\nname = "x"\n', null],
  ['poetry.lock that nests', 'poetry.lock', `a = ${'['.repeat(100_000)}`, 1],
]
for (const [name, id, text, line] of BROKEN) {
  test(`${name} is an error with its line, where the parser tells it`, () => {
    assert.throws(
      () => formatOf(id).read(text),
      (error: unknown) =>
        error instanceof DocumentError && (line === null ? error.line === null : (error.line ?? 0) >= line),
    )
  })
}

test('names that objects have are names', () => {
  const list = formatOf('package-lock.json').read(
    '{"lockfileVersion":3,"packages":{"node_modules/__proto__":{"version":"1.0.0"},"node_modules/constructor":{"version":"2.0.0"}}}',
  )
  assert.deepEqual(
    list.packages.map((one) => [one.name, one.version]),
    [
      ['__proto__', '1.0.0'],
      ['constructor', '2.0.0'],
    ],
  )
})

test('files are known by their names', () => {
  const named = {
    'sub/poetry.lock': 'poetry.lock',
    'requirements.txt': 'requirements',
    'requirements-dev.txt': 'requirements',
    'requirements.lock': 'requirements',
    'npm-shrinkwrap.json': 'package-lock.json',
    'go.sum': 'go.sum',
  }
  for (const [path, id] of Object.entries(named)) assert.equal(formatsByName(path)[0]?.id, id)
  for (const path of ['bun.lockb', 'lock', 'poetry.lock.bak', 'go.work.sum']) assert.deepEqual(formatsByName(path), [])
})

test('a text of no known format is taken for none', () => {
  for (const text of ['', '\n', '{"a":1}', 'hello world this is text\n', '<html></html>'])
    assert.equal(formatByContent(text), null, JSON.stringify(text))
})

const EQUAL: [string, string][] = [
  ['1.0', '1.0.0'],
  ['1.0rc1', '1.0.0-rc.1'],
  ['1.0.post1', '1.0-1'],
  ['v1.0', '1.0'],
  ['2023.03.1', '2023.3.1'],
  ['1.0+cu118', '1.0+CU118'],
  ['1.0a', '1.0a0'],
  ['0!1.0', '1.0'],
  ['1.0.dev1', '1.0dev1'],
]
const OTHER: [string, string][] = [
  ['1!1.0', '1.0'],
  ['2.1.0+cu118', '2.1.0'],
  ['1.0', '1.0.1'],
  ['1.0rc1', '1.0'],
  ['2004d', '2004'],
  ['1.10', '1.1'],
]
for (const [a, b] of EQUAL)
  test(`PEP 440: ${a} is ${b}`, () => assert.equal(foldVersion('python', a), foldVersion('python', b)))
for (const [a, b] of OTHER)
  test(`PEP 440: ${a} is not ${b}`, () => assert.notEqual(foldVersion('python', a), foldVersion('python', b)))
test('PEP 503 for names', () => assert.equal(foldName('python', 'Foo..Bar__-baz'), 'foo-bar-baz'))

test('no text throws anything but a DocumentError', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.json(),
        fc.constantFrom(...REAL.map(([name]) => fixture(name).slice(0, 400))),
      ),
      (text) => {
        formatByContent(text)
        for (const { read } of LOCKFILE_FORMATS) {
          try {
            read(text)
          } catch (error) {
            assert.ok(error instanceof DocumentError, String(error))
          }
        }
      },
    ),
  )
})
