import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compareInstalled, installedAgainstLock } from '../../src/compare/installed.ts'
import { compareLockfiles } from '../../src/compare/lockfiles.ts'
import { readEvidence } from '../../src/read/bundle-files.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/lockfiles/${name}`, import.meta.url), 'utf8')

const evidence = (files: Record<string, string>) =>
  readEvidence('evidence', new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])), [])

function compareOne(copy: string | null, repository: Record<string, string>, run = '') {
  const files: Record<string, string> = {
    'pytest.exit': '0',
    ...(copy === null ? {} : { 'lock.copy': copy }),
    ...(run === '' ? {} : { 'run.txt': run }),
  }
  const [first, ...others] = compareLockfiles(
    evidence(files),
    Object.entries(repository).map(([path, text]) => ({ path, bytes: Buffer.from(text), changedHere: null })),
  )
  assert.deepEqual(others, [])
  return first ?? assert.fail('no comparison')
}

const POETRY = fixture('poetry.lock')

test('the same bytes are the same, and counted', () => {
  const compared = compareOne(POETRY, { 'poetry.lock': POETRY })
  assert.equal(compared.compared, 'same')
  assert.equal(compared.identical, true)
  assert.deepEqual(compared.packages, { scratch: 21, repository: 21 })
})

test('other bytes and the same packages: line ends, a comment', () => {
  const compared = compareOne(`# another comment\n${POETRY.replaceAll('\n', '\r\n')}`, { 'poetry.lock': POETRY })
  assert.equal(compared.compared, 'same')
  assert.equal(compared.identical, false)
})

test('one version, from the scratch copy to the lockfile under review', () => {
  const version = /name = "flask"\nversion = "([^"]+)"/.exec(POETRY)?.[1] ?? ''
  const compared = compareOne(
    POETRY.replace(`name = "flask"\nversion = "${version}"`, 'name = "flask"\nversion = "0.1"'),
    { 'poetry.lock': POETRY },
  )
  assert.equal(compared.compared, 'differs')
  assert.deepEqual(compared.changed, [{ name: 'flask', from: '0.1', to: version }])
  assert.equal(compared.diff, null)
  assert.equal(compared.install, 'poetry sync')
})

test('the same versions with another hash', () => {
  const compared = compareOne('a==1 --hash=sha256:00\nb==1 --hash=sha256:11\n', {
    'requirements.lock': 'a==1 --hash=sha256:22\nb==1 --hash=sha256:11\n',
  })
  assert.equal(compared.compared, 'differs')
  assert.deepEqual(compared.artefacts?.otherHash, [{ name: 'a', version: '1' }])
})

test('hashes of two kinds, or none on a side, are not compared', () => {
  for (const here of ['a==1 --hash=sha512:22\n', 'a==1\n'])
    assert.equal(compareOne('a==1 --hash=sha256:00\n', { 'requirements.lock': here }).compared, 'same')
})

test('several versions of one package are a set', () => {
  const lock = (...versions: string[]) =>
    JSON.stringify({
      lockfileVersion: 3,
      packages: Object.fromEntries(
        versions.map((version, index) => [`${'node_modules/x/'.repeat(index)}node_modules/a`, { version }]),
      ),
    })
  assert.equal(compareOne(lock('1.0.0', '2.0.0'), { 'package-lock.json': lock('2.0.0', '1.0.0') }).compared, 'same')
  assert.deepEqual(compareOne(lock('1.0.0', '2.0.0'), { 'package-lock.json': lock('1.0.0') }).removed, [
    { name: 'a', version: '2.0.0' },
  ])
})

test('a format that is not read package by package is compared as text, and never the same', () => {
  const compared = compareOne('a 1\nb 2\n', { 'deps.lock': 'a 1\nb 1\n' }, 'schema=2\nlockfile=deps.lock\n')
  assert.equal(compared.compared, 'could not compare')
  assert.match(compared.why ?? '', /not read package by package/)
  assert.equal(compared.diff, '-b 2\n+b 1')
  assert.equal(compareOne('a 1\n', { 'deps.lock': 'a 1\n' }).compared, 'same')
})

test('a copy that is not what its name says', () => {
  const compared = compareOne(
    '{"lockfileVersion":3,"packages":{"":{"name":"x"}}}',
    { 'poetry.lock': POETRY },
    'schema=2\nlockfile=poetry.lock\n',
  )
  assert.equal(compared.compared, 'could not compare')
  assert.match(compared.why ?? '', /named poetry\.lock and its content is that of package-lock\.json/)
})

test('a copy that breaks off has its line', () => {
  const compared = compareOne(POETRY.slice(0, 5000), { 'poetry.lock': POETRY }, 'schema=2\nlockfile=poetry.lock\n')
  assert.equal(compared.compared, 'could not compare')
  assert.ok((compared.line ?? 0) > 1)
})

test('NO_LOCKFILE, no copy, and a copy of what the commit does not have', () => {
  assert.equal(compareOne('NO_LOCKFILE\n', { 'poetry.lock': POETRY }).scratch, 'none')
  assert.equal(compareOne(null, { 'poetry.lock': POETRY }).scratch, 'missing')
  assert.deepEqual(compareLockfiles(evidence({ 'lock.copy': 'NO_LOCKFILE' }), []), [])
  const alone = compareOne('a==1\n', {})
  assert.equal(alone.compared, 'could not compare')
  assert.match(alone.why ?? '', /no such lockfile/)
})

test('an entry that was not understood keeps equal packages from being the same', () => {
  const compared = compareOne('a==1\n-r more.txt\n', { 'requirements.lock': 'a==1\n' })
  assert.equal(compared.compared, 'could not compare')
  assert.deepEqual(compared.notRead, [{ side: 'scratch', line: 2, text: '-r more.txt' }])
})

test('go.sum and open ranges are named as weak', () => {
  assert.match(
    compareOne(fixture('go.sum'), { 'go.sum': fixture('go.sum') }).weak ?? '',
    /hashes of all versions considered/,
  )
  assert.match(
    compareOne('a\nb==1\n', { 'requirements.txt': 'a\nb==1\n' }).weak ?? '',
    /1 of its 2 entries names no exact version/,
  )
})

test('20,000 packages, wholly different: bounded, complete in the lists, without a diff', () => {
  const lock = (version: number) =>
    Array.from({ length: 20_000 }, (_, index) => `package-${index}==${version}.${index}`).join('\n')
  const compared = compareOne(lock(1), { 'requirements.lock': lock(2) })
  assert.equal(compared.changed.length, 20_000)
  assert.equal(compared.diff, null)
})

const LOCKED = {
  'lock.copy': 'a==1.0\nb==2.0\nc==3.0 ; sys_platform == "win32"\n',
  'run.txt': 'schema=2\nlockfile=requirements.lock\n',
}

test('what was installed against what was locked', () => {
  const against = installedAgainstLock(
    evidence({
      ...LOCKED,
      'freeze.txt':
        'A==1.0.0\nb==2.1\nd==4\npip==24.0\nsetuptools==70\n-e git+https://example.com/p.git@0123456#egg=project\n',
    }),
  )
  assert.deepEqual(against, {
    installed: 5,
    lockfile: 'requirements.lock',
    install: 'uv pip sync requirements.lock',
    notLocked: [{ name: 'd', version: '4' }],
    otherVersion: [{ name: 'b', from: '2.0', to: '2.1' }],
    missing: [],
    notInstalled: 1,
  })
})

test('honest: what is locked is installed, and nothing is said', () => {
  const against = installedAgainstLock(evidence({ ...LOCKED, 'freeze.txt': 'a==1.0\nB==2\n' }))
  assert.deepEqual([against?.notLocked, against?.otherVersion], [[], []])
})

test('a requirements.txt with ranges is no lockfile: what it does not name is not accused', () => {
  const against = installedAgainstLock(
    evidence({
      'lock.copy': 'a==1.0\nb>=2\n',
      'run.txt': 'schema=2\nlockfile=requirements.txt\n',
      'freeze.txt': 'a==1.0\nb==2.1\ntransitive==1\n',
    }),
  )
  assert.deepEqual([against?.notLocked, against?.otherVersion], [[], []])
})

test('a real npm project: what landed is locked, without the packages of other platforms', () => {
  const against = installedAgainstLock(
    evidence({ 'lock.copy': fixture('npm-v3.json'), 'freeze.txt': fixture('npm-ls.txt') }),
  )
  assert.deepEqual(
    [against?.notLocked, against?.otherVersion, against?.installed, against?.notInstalled],
    [[], [], 13, 22],
  )
})

test('there against here', () => {
  const there = evidence({ 'freeze.txt': 'a==1.0\nb==2.0\nonly-there==1\npip==1\n' })
  const here = evidence({ 'freeze.txt': 'A==1.0.0\nb==2.1\nonly-here==1\npip==2\n' })
  assert.deepEqual(compareInstalled(there, here)[0]?.againstCi, {
    added: [{ name: 'only-here', version: '1' }],
    removed: [{ name: 'only-there', version: '1' }],
    changed: [{ name: 'b', from: '2.0', to: '2.1' }],
  })
  assert.equal(compareInstalled(there, evidence({ 'pytest.exit': '0' }))[0]?.againstCi, null)
})
