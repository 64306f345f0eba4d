import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareLockfiles } from '../../src/compare/lockfiles.ts'
import { fits, type Target, targetOf } from '../../src/compare/wheel.ts'
import { readEvidence } from '../../src/read/bundle-files.ts'
import { readToolchain } from '../../src/read/toolchain.ts'

const toolchain = (facts: string) => readToolchain('toolchain.txt', Buffer.from(`schema=2\n${facts}`)).toolchain
const DEBIAN = toolchain('os=Linux\narch=x86_64\nlibc=glibc 2.36\npython.version=3.12.4\n')
const MAC = toolchain('os=Darwin\narch=arm64\npython.version=3.12.4\n')

const target = (facts: string): Target => targetOf(toolchain(facts)) ?? assert.fail()
const linux = target('os=Linux\narch=amd64\nlibc=glibc 2.36\npython.version=3.12.4')
const alpine = target('os=Linux\narch=x86_64\nlibc=musl 1.2.4\npython.version=3.12.4')
const mac = target('os=Darwin\narch=arm64\npython.version=3.11.9')
const windows = target('os=Windows\narch=AMD64\npython.version=3.13.0')
const unknown = target('kernel=1')

const CASES: [file: string, linux: boolean, alpine: boolean, mac: boolean, windows: boolean][] = [
  ['a-1.0-py3-none-any.whl', true, true, true, true],
  ['a-1.0-py2.py3-none-any.whl', true, true, true, true],
  ['a-1.0-py2-none-any.whl', false, false, false, false],
  ['a-1.0.tar.gz', true, true, true, true],
  ['a-1.0-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl', true, false, false, false],
  ['a-1.0-cp312-cp312-musllinux_1_2_x86_64.whl', false, true, false, false],
  ['a-1.0-cp312-cp312-linux_x86_64.whl', true, true, false, false],
  ['a-1.0-cp311-cp311-macosx_11_0_arm64.whl', false, false, true, false],
  ['a-1.0-cp311-cp311-macosx_10_9_universal2.whl', false, false, true, false],
  ['a-1.0-cp311-cp311-macosx_10_9_x86_64.whl', false, false, false, false],
  ['a-1.0-cp313-cp313-win_amd64.whl', false, false, false, true],
  ['a-1.0-cp313-cp313-win32.whl', false, false, false, false],
  ['a-1.0-cp38-abi3-manylinux_2_17_x86_64.whl', true, false, false, false],
  ['a-1.0-cp313-abi3-manylinux_2_17_x86_64.whl', false, false, false, false],
  ['a-1.0-1build-cp312-cp312-manylinux_2_28_x86_64.whl', true, false, false, false],
  ['a-1.0-cp312-cp312-manylinux_2_17_aarch64.whl', false, false, false, false],
  ['a-1.0-pp310-pypy310_pp73-manylinux_2_17_x86_64.whl', false, false, false, false],
]
for (const [file, ...expected] of CASES) {
  test(file, () => {
    assert.deepEqual(
      [linux, alpine, mac, windows].map((one) => fits(file, one)),
      expected,
    )
    // What CI did not record of itself rules nothing out.
    if (!file.includes('py2-')) assert.equal(fits(file, unknown), true)
  })
}

/** A lockfile with one package, and these files of it. */
const poetry = (files: Record<string, string>) =>
  `[[package]]\nname = "numpy"\nversion = "2.1.3"\ngroups = ["main"]\nfiles = [\n${Object.entries(files)
    .map(([file, hash]) => `    {file = "${file}", hash = "sha256:${hash}"},\n`)
    .join('')}]\n\n[metadata]\ncontent-hash = "0"\npython-versions = "*"\n`

const LINUX = 'numpy-2.1.3-cp312-cp312-manylinux_2_17_x86_64.whl'
const OSX = 'numpy-2.1.3-cp312-cp312-macosx_14_0_arm64.whl'

function artefacts(there: Record<string, string>, here: Record<string, string>, ci: typeof DEBIAN | null) {
  const files = new Map([['lock.copy', Buffer.from(poetry(there))]])
  const lockfiles = [{ path: 'poetry.lock', bytes: Buffer.from(poetry(here)), changedHere: null }]
  const [row] = compareLockfiles(readEvidence('evidence', files, []), lockfiles, ci)
  const names = (list: readonly { name: string }[] | undefined) => list?.map(({ name }) => name)
  return [row?.compared, row?.artefacts?.same, names(row?.artefacts?.otherHash), names(row?.artefacts?.otherFile)]
}

test('one more wheel is the same artefact for the platforms that both have', () => {
  assert.deepEqual(artefacts({ [LINUX]: 'aa' }, { [LINUX]: 'aa', [OSX]: 'bb' }, DEBIAN), ['same', 1, [], []])
})

test('one file with another hash is another hash, whatever else agrees', () => {
  const here = { [LINUX]: 'aa', [OSX]: 'cc' }
  assert.deepEqual(artefacts({ [LINUX]: 'aa', [OSX]: 'bb' }, here, DEBIAN), ['differs', 0, ['numpy'], []])
})

test('a lockfile without a file for CI’s platform is told as that, and only there', () => {
  const [there, here] = [{ [OSX]: 'bb' }, { [LINUX]: 'aa', [OSX]: 'bb' }]
  assert.deepEqual(artefacts(there, here, DEBIAN), ['differs', 0, [], ['numpy']])
  assert.deepEqual(artefacts(there, here, MAC), ['same', 1, [], []])
  assert.deepEqual(artefacts(there, here, null), ['same', 1, [], []])
})
