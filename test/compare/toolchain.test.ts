import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareToolchains } from '../../src/compare/toolchain.ts'
import { readToolchain } from '../../src/read/toolchain.ts'

const toolchain = (...lines: string[]) =>
  readToolchain('toolchain.txt', Buffer.from(['schema=2', ...lines].join('\n'))).toolchain

function grade(key: string, scratch: string | null, ci: string | null) {
  const side = (value: string | null) => toolchain(...(value === null ? [] : [`${key}=${value}`]))
  const [row] = compareToolchains(side(scratch), side(ci))
  return row && [row.grade, row.newer]
}

const CASES: [string, string | null, string | null, unknown][] = [
  ['python.version', '3.11.4', '3.11.9', ['drift', 'ci']],
  ['python.version', '3.11.9', '3.11.9', ['same', null]],
  ['python.version', '3.12.4', '3.11.9', ['abi', 'scratch']],
  ['python.version', '3.9.18', '3.10.0', ['abi', 'ci']],
  ['python.soabi', 'cpython-312-x86_64-linux-gnu', 'cpython-311-x86_64-linux-gnu', ['abi', null]],
  ['python.implementation', 'cpython', 'pypy', ['abi', null]],
  ['libc', 'glibc 2.36', 'glibc 2.39', ['drift', 'ci']],
  ['libc', 'glibc 2.39', 'glibc 2.36', ['abi', 'scratch']],
  ['libc', 'glibc 2.9', 'glibc 2.10', ['drift', 'ci']],
  ['libc', 'musl 1.2.4', 'glibc 2.36', ['platform', null]],
  ['arch', 'amd64', 'x86_64', ['same', null]],
  ['arch', 'arm64', 'aarch64', ['same', null]],
  ['arch', 'arm64', 'x86_64', ['platform', null]],
  ['os', 'Darwin', 'Linux', ['platform', null]],
  ['os', 'linux', 'Linux', ['same', null]],
  ['node.version', '20.11.1', '20.20.2', ['drift', 'ci']],
  ['node.version', '20.11.1', '24.0.0', ['abi', 'ci']],
  ['go.version', '1.26.1', '1.26.8', ['drift', 'ci']],
  ['go.version', '1.25.1', '1.26.8', ['abi', 'ci']],
  ['rustc.host', 'x86_64-unknown-linux-gnu', 'x86_64-unknown-linux-musl', ['platform', null]],
  ['rustc.channel', 'nightly', 'stable', ['abi', null]],
  ['rustc.version', '1.94.0', '1.95.0', ['drift', 'ci']],
  ['go.GOAMD64', 'v1', 'v3', ['drift', 'ci']],
  ['go.GOAMD64', 'v3', 'v1', ['abi', 'scratch']],
  ['go.GOAMD64', 'v1', null, undefined],
  ['go.CGO_ENABLED', '0', '1', ['abi', null]],
  ['go.GOFLAGS', '-tags=integration', '-mod=mod', ['abi', null]],
  ['python.version', '3.13.0', '3.13', ['same', null]],
  ['python.version', '3.13.0rc1', '3.13.0', ['drift', null]],
  ['java.class', '61.0', '65.0', ['abi', 'ci']],
  ['java.version', '1.8.0_392', '8.0.402', ['drift', 'ci']],
  ['java.version', '17.0.9', '21.0.2', ['abi', 'ci']],
  ['java.vm', 'OpenJDK 64-Bit Server VM', 'Eclipse OpenJ9 VM', ['abi', null]],
  ['java.vendor', 'Debian', 'Eclipse Adoptium', ['cosmetic', null]],
  ['java.arch', 'amd64', 'x86_64', ['same', null]],
  ['ruby.version', '3.1.2', '3.1.6', ['drift', 'ci']],
  ['ruby.version', '3.1.2', '3.3.0', ['abi', 'ci']],
  ['ruby.platform', 'x86_64-linux-gnu', 'x86_64-linux-musl', ['platform', null]],
  ['ruby.platform', 'x86_64-linux-gnu', 'x86_64-linux', ['same', null]],
  ['ruby.platform', 'arm64-darwin23', 'arm64-darwin24', ['same', null]],
  ['rustc.host', 'x86_64-unknown-linux-gnu', 'x86_64-unknown-linux-musl', ['platform', null]],
  ['rustc.host', 'x86_64-pc-windows-gnu', 'x86_64-pc-windows-msvc', ['platform', null]],
  ['os', 'MINGW64_NT-10.0-22631', 'Windows', ['same', null]],
  ['dotnet.rid', 'debian.12-x64', 'linux-x64', ['same', null]],
  ['dotnet.rid', 'alpine.3.20-x64', 'linux-x64', ['platform', null]],
  ['libc', 'glibc', 'glibc 2.36', ['unrecorded', null]],
  ['libc', 'glibc unknown', 'glibc 2.36', ['unrecorded', null]],
  ['node.version', 'garbage', 'nonsense', ['abi', null]],
  ['go.version', 'devel +abc', 'tip', ['abi', null]],
  ['dotnet.version', '8.0.404', '8.0.100', ['drift', 'scratch']],
  ['dotnet.rid', 'linux-x64', 'linux-amd64', ['same', null]],
  ['php.threadsafe', 'no', 'yes', ['abi', null]],
  ['deno.version', '2.1.4', '2.9.6', ['drift', 'ci']],
  ['bun.version', '1.1.0', '1.4.5', ['drift', 'ci']],
  ['libc', 'static', 'glibc 2.36', ['platform', null]],
  ['emulated', 'qemu', 'no', ['platform', null]],
  ['container', 'docker', 'none found', ['cosmetic', null]],
  ['env.PYTHONPATH', 'set', 'set', ['unrecorded', null]],
  ['env.PYTHONPATH', 'set', null, ['drift', null]],
  ['env.NODE_ENV', 'test', 'test', ['same', null]],
  ['kernel', '6.1.0', '6.8.0', ['cosmetic', null]],
  ['tz', 'UTC', 'Europe/Paris', ['drift', null]],
  ['locale', null, 'C.UTF-8', ['unrecorded', null]],
  ['python.version', '3.11.4', null, ['unrecorded', null]],
  ['env.CI', null, null, undefined],
  ['env.PYTHONHASHSEED', '0', null, ['drift', null]],
  ['image.version', null, '20260818', undefined],
]
for (const [key, scratch, ci, expected] of CASES)
  test(`${key}: ${scratch} in scratch, ${ci} in CI`, () => assert.deepEqual(grade(key, scratch, ci), expected))

test('a missing toolchain gives rows that are not recorded, and none that is the same', () => {
  const rows = compareToolchains(null, toolchain('os=Linux', 'python.version=3.11.9'))
  assert.deepEqual(
    rows.map((row) => [row.key, row.scratch, row.ci, row.grade]),
    [
      ['os', null, 'Linux', 'unrecorded'],
      ['python.version', null, '3.11.9', 'unrecorded'],
    ],
  )
})
