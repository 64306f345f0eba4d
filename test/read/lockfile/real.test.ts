import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareArtefacts } from '../../../src/compare/artefacts.ts'
import { differenceOf } from '../../../src/compare/packages.ts'
import { foldName, foldVersion } from '../../../src/read/ecosystem.ts'
import type { Package, PackageList } from '../../../src/read/evidence.ts'
import { readFreeze } from '../../../src/read/freeze.ts'
import { formatByContent } from '../../../src/read/lockfile/find.ts'
import { LOCKFILE_FORMATS } from '../../../src/read/lockfile/formats.ts'
import { readLockfile } from '../../../src/read/lockfile/read.ts'
import { decodeText } from '../../../src/read/text.ts'
import { bytesOf, nameOf, REAL_FILES, type RealFile } from '../../support/lockfiles.ts'
import { reordered, withComment, without } from '../../support/rearranged.ts'

const EMPTY = { added: [], removed: [], changed: [] }

/** Counted as the other counter did. */
function count(packages: readonly Package[], what: RealFile['counts']): number {
  const pairs = packages.flatMap(({ name, version, source, local }) => {
    if (what === 'all') return [`${name} ${version ?? ''}`]
    return local ? [] : [`${name} ${version ?? source ?? ''}`]
  })
  return new Set(pairs).size
}

/** Names as any counter may have folded them. */
const alike = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '-')

function assertRead(list: PackageList | null, real: RealFile): void {
  assert.ok(list !== null)
  assert.deepEqual(list.notRead, [])
  assert.equal(count(list.packages, real.counts), real.packages, real.how)
  const { ecosystem } = list
  const of = (version: string) => foldVersion(ecosystem, version).replace(/^v(?=\d)/, '')
  for (const [name, version] of real.samples) {
    // Swift's pin of a branch is counted by its commit.
    const found = list.packages.filter((one) => alike(one.name) === alike(foldName(ecosystem, name)))
    const there = found.some(
      (one) => of(one.version ?? '') === of(version) || one.artefacts.some(({ hash }) => hash === `commit:${version}`),
    )
    assert.ok(there || (version === '' && found.length > 0), `${name} ${version}`)
  }
}

const lockfiles = REAL_FILES.filter(({ format }) => !format.startsWith('installed:'))

test('every format has files of a real shape, small and large', () => {
  for (const { id } of LOCKFILE_FORMATS) {
    const sizes = lockfiles.filter(({ format }) => format === id).map(({ packages }) => packages)
    assert.ok(Math.min(...sizes) < 60 && Math.max(...sizes) > 100, `${id}: ${sizes.join()}`)
  }
})

describe('lockfiles of real tools', () => {
  for (const real of lockfiles) {
    test(`${real.file}, by ${real.tool}: ${real.packages} packages`, () => {
      const bytes = bytesOf(real)
      const { text } = decodeText(bytes)
      const reading = readLockfile(bytes, nameOf(real))
      assert.deepEqual([reading.format?.id, reading.problem], [real.format, null])
      assertRead(reading.list, real)
      // Without its name it is known by its content.
      assert.equal(formatByContent(text)?.id, real.format)
    })

    test(`${real.file}: order, comments, line ends and repetition change nothing`, () => {
      const { text } = decodeText(bytesOf(real))
      const { read } = LOCKFILE_FORMATS.find(({ id }) => id === real.format) ?? assert.fail()
      const list = read(text)
      for (const [how, other] of Object.entries({
        itself: text,
        CRLF: text.replace(/\r?\n/g, '\r\n'),
        comment: withComment(real.format, text),
        order: reordered(real.format, text),
      })) {
        const changed = read(other)
        assert.deepEqual(differenceOf(list.ecosystem, list.packages, changed.packages), EMPTY, how)
        const { otherHash, otherFile, same } = compareArtefacts(list, changed, null)
        assert.deepEqual(
          [otherHash, otherFile, same > 0],
          [[], [], list.packages.some((one) => one.artefacts.length > 0 && !one.local)],
          how,
        )
        assert.deepEqual(changed.notRead, [], how)
      }
    })

    test(`${real.file}: an entry that is taken out is what differs`, () => {
      const { text } = decodeText(bytesOf(real))
      const { read } = LOCKFILE_FORMATS.find(({ id }) => id === real.format) ?? assert.fail()
      const list = read(text)
      let seen = 0
      for (const other of without(real.format, text)) {
        const { added, removed, changed } = differenceOf(list.ecosystem, list.packages, read(other).packages)
        assert.deepEqual([added, changed], [[], []])
        // One install path of several, or one platform of several, is no package less; in the trees of npm's first
        // version what lies below an entry goes with it.
        assert.ok(removed.length <= 1 || /"lockfileVersion":\s*1\b/.test(text), JSON.stringify(removed))
        seen += removed.length
      }
      // There every package stands once for each platform.
      assert.ok(seen > 0 || real.format === 'conda-lock.yml')
    })
  }
})

/** How our own table calls what the command prints. */
const FORMS: Readonly<Record<string, string>> = {
  'npm ls --all --json': 'npm ls --json',
  'npm ls --all': 'npm ls',
  'npm ls --all --parseable --long': 'npm ls --parseable',
  'pnpm ls -r --depth Infinity --json': 'pnpm ls --json',
  'pnpm ls -r --depth Infinity': 'pnpm ls',
  'pnpm ls --depth Infinity': 'pnpm ls',
  'bun pm ls --all': 'npm ls',
  'yarn info -AR --json': 'yarn info --json',
  'pip list --format=freeze': 'pip freeze',
  'pip list --format=columns': 'pip list',
  'uv pip freeze': 'pip freeze',
  'uv pip list': 'pip list',
  'cargo tree --prefix none': 'cargo tree',
  'go list -deps': 'go list -m all',
}

describe('lists of installed packages of real tools', () => {
  for (const real of REAL_FILES.filter(({ format }) => format.startsWith('installed:'))) {
    test(`${real.file}, by ${real.tool}: ${real.packages} packages`, () => {
      const command = real.format.replace('installed:', '')
      const { form, packages } = readFreeze('freeze.txt', bytesOf(real))
      assert.equal(form, FORMS[command] ?? command)
      // Some print the name that the project calls a package by.
      assertRead(packages, /^(?:yarn list|bun pm ls)/.test(command) ? { ...real, samples: [] } : real)
    })
  }
})
