import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { countPackages } from '../../../src/compare/packages.ts'
import type { Package } from '../../../src/read/evidence.ts'
import { formatByContent } from '../../../src/read/lockfile/find.ts'
import { DocumentError } from '../../../src/read/lockfile/format.ts'
import { readGoSum } from '../../../src/read/lockfile/go.ts'
import { readPackageLock } from '../../../src/read/lockfile/npm.ts'
import { readPoetryLock } from '../../../src/read/lockfile/poetry.ts'
import { readRequirements } from '../../../src/read/lockfile/requirements.ts'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/lockfiles/${name}`, import.meta.url), 'utf8')

const one = (packages: readonly Package[], name: string) =>
  packages.find((entry) => entry.name === name) ?? assert.fail(`no ${name}`)

describe('package-lock.json', () => {
  for (const version of [1, 2, 3]) {
    test(`version ${version}: nested copies, an alias, git, a workspace, another platform`, () => {
      const { packages, notRead } = readPackageLock(fixture(`workspace-v${version}.json`))
      assert.deepEqual(notRead, [])
      assert.equal(countPackages('npm', packages), 20)
      const versions = (name: string) =>
        packages
          .filter((entry) => entry.name === name)
          .map((entry) => entry.version)
          .sort()
      assert.deepEqual(versions('chalk'), ['4.1.0', '4.1.2'])
      assert.deepEqual(versions('react'), ['18.3.1'])
      assert.deepEqual(versions('my-react'), [])
      assert.equal(one(packages, '@shop/a').local, true)
      assert.equal(one(packages, '@shop/a').source, null)
      assert.equal(
        one(packages, 'is-odd').source,
        'git+ssh://git.example/is-odd#dd06d975d4ddb1e41f48ec22d0eff994a016bdc0',
      )
      assert.equal(one(packages, 'fsevents').conditional, true)
      assert.equal(one(packages, 'ansi-styles').conditional, false)
    })
  }

  test('an archive that is named by its address has no version, and no credentials', () => {
    const { packages } = readPackageLock(
      '{"dependencies":{"a":{"version":"https://me:s3cret@host.example/a.tgz"},"b":{"version":"file:../b"}}}',
    )
    assert.deepEqual(
      packages.map(({ name, version, source, local }) => [name, version, source, local]),
      [
        ['a', null, 'https://host.example/a.tgz', false],
        ['b', null, null, true],
      ],
    )
  })

  // Wrong where packages stand, a list of none would be the same as any other.
  for (const text of [
    '{"lockfileVersion":3,"packages":[]}',
    '{"lockfileVersion":3,"packages":null}',
    '{"lockfileVersion":1,"dependencies":"a"}',
  ])
    test(`${text} is an error`, () => assert.throws(() => readPackageLock(text), DocumentError))

  test('an entry that is no object, or has a version that is no text, is not read', () => {
    for (const text of [
      '{"packages":{"node_modules/a":{"version":1},"node_modules/b":"1.0.0"}}',
      '{"dependencies":{"a":{"version":1},"b":"1.0.0"}}',
    ])
      assert.equal(readPackageLock(text).notRead.length, 2)
  })

  test('a project without dependencies has no packages', () =>
    assert.deepEqual(readPackageLock('{"name":"x","lockfileVersion":1}').packages, []))
})

describe('poetry.lock', () => {
  const HASHES: [file: string, packages: number, name: string, hashes: string[]][] = [
    [
      'poetry-1.1.lock',
      2,
      'markupsafe',
      ['sha256:722695808f4b6457b320fdc131280796bdceb04ab50fe1795cd540799ebe1698', 'sha256:aaaa'],
    ],
    [
      'poetry-2.0.lock',
      11,
      'blinker',
      [
        'sha256:b4ce2265a7abece45e7cc896e98dbebe6cead56bcf805a3d23136d145f5445bf',
        'sha256:ba0efaa9080b619ff2f3459d1d500c57bddea4a6b424b60a91141db6fd2f08bc',
      ],
    ],
    [
      'poetry-git.lock',
      3,
      'colorama',
      [
        'sha256:08695f5cb7ed6e0531a20572697297273c47b8cae5a63ffc6d6ed5c201be6e44',
        'sha256:4f1d9991f5acc0ca119f9d443620b77f9d6b33703e51011c16baf57afb285fc6',
      ],
    ],
  ]
  for (const [file, packages, name, hashes] of HASHES) {
    test(`${file}: packages and hashes`, () => {
      const list = readPoetryLock(fixture(file))
      assert.equal(formatByContent(fixture(file))?.id, 'poetry.lock')
      assert.deepEqual([list.packages.length, list.notRead], [packages, []])
      assert.deepEqual(
        one(list.packages, name)
          .artefacts.map(({ hash }) => hash)
          .sort(),
        hashes,
      )
    })
  }

  test('git: the address and the commit', () =>
    assert.equal(
      one(readPoetryLock(fixture('poetry-git.lock')).packages, 'tiny-thing').source,
      'https://git.example/tiny#f90fac651f1bb6d385201342a12ec51721e3e3e5',
    ))

  test('what is no list of packages is an error', () => {
    for (const text of ['package = 1\n', '[package]\nname = "a"\n', '[metadata]\n[package.a]\n'])
      assert.throws(() => readPoetryLock(text), DocumentError, text)
  })

  test('a package without a name, or with a number of any size for one, is not read', () => {
    const { packages, notRead } = readPoetryLock(
      '[[package]]\nversion = "1"\n[[package]]\nname = 99999999999999999999\nversion = "1"\n[[package]]\nname = "a"\n',
    )
    assert.deepEqual([packages.length, notRead.length], [0, 3])
  })
})

describe('requirements', () => {
  test('one name at two versions, by markers', () => {
    const { packages, notRead } = readRequirements(fixture('uv-universal.requirements.txt'))
    assert.deepEqual([packages.length, notRead], [22, []])
    assert.deepEqual(
      packages.filter((entry) => entry.name === 'numpy').map((entry) => [entry.version, entry.conditional]),
      [
        ['2.4.6', true],
        ['2.5.5', true],
      ],
    )
  })

  const LINES: [line: string, version: string | null, source: string | null, conditional: boolean, local: boolean][] = [
    ['a==1', '1', null, false, false],
    ['a == 1', '1', null, false, false],
    ['a[x, y]==1;python_version<"3"', '1', null, true, false],
    ['a==1 ;', '1', null, false, false],
    ['a==1+cpu', '1+cpu', null, false, false],
    ['a==1  # a comment', '1', null, false, false],
    ['a==1,<2', null, '==1,<2', false, false],
    ['a~=1.0', null, '~=1.0', false, false],
    ['a (>=1)', null, '(>=1)', false, false],
    ['a', null, null, false, false],
    ['a @ https://host.example/a;b.whl#sha256=00', null, 'https://host.example/a;b.whl#sha256=00', false, false],
    ['a @ https://host.example/a.whl ; extra == "x"', null, 'https://host.example/a.whl', true, false],
    ['a@https://host.example/a.whl', null, 'https://host.example/a.whl', false, false],
    ['a @ file:///home/me/a', null, null, false, true],
    ['a @ ./a', null, null, false, true],
    ['-e git+https://host.example/x@0123#egg=a[x]', null, 'git+https://host.example/x@0123#egg=a[x]', false, true],
    ['-e ./a[x]', null, 'a local path', false, true],
    ['--editable=../a/', null, 'a local path', false, true],
  ]
  for (const [line, version, source, conditional, local] of LINES) {
    test(line, () => {
      assert.deepEqual(readRequirements(`${line}\n`), {
        ecosystem: 'python',
        packages: [{ name: 'a', version, source, artefacts: [], conditional, local, direct: null, aliases: [] }],
        notRead: [],
      })
    })
  }

  for (const line of ['-r a.txt', '-ra.txt', '-c a.txt', 'a b', 'a @ https://host.example/a b', '>>>>>>> main', 'a=1'])
    test(`${line} is not understood`, () =>
      assert.deepEqual(readRequirements(`\n${line}\n`).notRead, [{ line: 2, text: line }]))
})

test('go.sum: conflict markers and other lines are not understood', () =>
  assert.deepEqual(
    readGoSum(`<<<<<<< HEAD\n${fixture('go.sum')}=======\nexample.com/a v1.0.0\n`).notRead.map((entry) => entry.line),
    [1, 8, 9],
  ))
