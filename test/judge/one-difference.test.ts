import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareToolchains, TOOLCHAIN_KEYS } from '../../src/compare/toolchain.ts'
import { toolchain } from '../../src/judge/rules/experiment.ts'
import type { Case } from '../../src/judge/rules/rule.ts'
import { readToolchain } from '../../src/read/toolchain.ts'
import { plain } from '../../src/report/document.ts'
import { experimentSentence } from '../../src/report/wording/experiment.ts'
import { label } from '../../src/report/wording/facts.ts'

/** A machine with every tool, as the script records it. */
const MACHINE = {
  ...{ os: 'Linux', arch: 'x86_64', kernel: '6.1.0', distro: 'ubuntu 24.04', libc: 'glibc 2.39', emulated: 'no' },
  ...{ container: 'none found', cpus: '4', tz: 'UTC', locale: 'C.UTF-8' },
  ...{ 'python.path': '/usr/bin/python3', 'python.realpath': '/usr/bin/python3.11', 'python.version': '3.11.4' },
  ...{ 'python.implementation': 'CPython', 'python.soabi': 'cpython-311-x86_64-linux-gnu', 'python.venv': 'no' },
  ...{
    'python.platform': 'linux-x86_64',
    'python.freethreaded': 'no',
    'python.debug': 'no',
    'pytest.version': '8.3.4',
  },
  ...{ 'node.path': '/usr/bin/node', 'node.version': '20.11.1', 'node.modules': '115', 'node.napi': '9' },
  ...{ 'node.openssl': '3.0.13', 'node.platform': 'linux', 'node.arch': 'x64', 'npm.version': '10.2.4' },
  ...{ 'go.version': '1.22.1', 'go.GOOS': 'linux', 'go.GOARCH': 'amd64', 'go.GOAMD64': 'v1', 'go.CGO_ENABLED': '1' },
  ...{
    'rustc.version': '1.76.0',
    'rustc.host': 'x86_64-unknown-linux-gnu',
    'rustc.channel': 'stable',
    'cargo.version': '1.76.0',
  },
  ...{
    'java.class': '61.0',
    'java.version': '17.0.9',
    'java.vm': 'OpenJDK 64-Bit Server VM',
    'java.arch': 'amd64',
    'java.vendor': 'Adoptium',
  },
  ...{ 'ruby.engine': 'ruby', 'ruby.version': '3.1.2', 'ruby.abi': '3.1.0', 'ruby.platform': 'x86_64-linux-gnu' },
  ...{ 'dotnet.version': '8.0.404', 'dotnet.host': '8.0.11', 'dotnet.rid': 'linux-x64', 'dotnet.runtimes': '8.0.11' },
  ...{
    'php.version': '8.2.29',
    'php.api': '20220829',
    'deno.version': '2.1.4',
    'deno.v8': '13.0',
    'bun.version': '1.1.38',
  },
}

type Facts = Record<string, string>

/** A fact that is '' is not recorded. */
const read = (facts: Facts) =>
  readToolchain(
    'toolchain.txt',
    Buffer.from(
      [
        'schema=2',
        ...Object.entries(facts)
          .filter(([, v]) => v !== '')
          .map(([k, v]) => `${k}=${v}`),
      ].join('\n'),
    ),
  ).toolchain

/** The findings of two machines: each as its id with its whole sentence. */
function findings(there: Facts, here: Facts): [string, string][] {
  const [scratch, ci] = [read({ ...MACHINE, ...there }), read({ ...MACHINE, ...here })]
  const comparison = {
    scratch: { toolchain: scratch },
    ci: { toolchain: ci },
    toolchain: compareToolchains(scratch, ci),
  }
  return toolchain({ comparison } as unknown as Case).map((finding) => {
    const { lead, detail } = experimentSentence(finding) ?? { lead: [], detail: [] }
    return [finding.id, `${plain(lead)} ${plain(detail)}`]
  })
}

const python = (version: string): Facts => {
  const short = version.split('.').slice(0, 2).join('')
  return {
    'python.version': version,
    'python.soabi': `cpython-${short}-x86_64-linux-gnu`,
    'python.realpath': `/opt/python${version}`,
  }
}

/** What differs, there, here, the one finding, and what its sentence says; null where there must be none. */
const CASES: [string, Facts, Facts, string | null, RegExp?][] = [
  [
    'a patch of Python',
    python('3.11.4'),
    python('3.11.9'),
    'toolchain/drift',
    /Python 3\.11\.4 there, 3\.11\.9 here\. To run the same experiment: uv venv --python 3\.11\.9\./,
  ],
  [
    'a minor of Python',
    python('3.11.4'),
    python('3.12.1'),
    'toolchain/abi',
    /Another Python ABI.*uv venv --python 3\.12\.1/,
  ],
  ['a newer glibc in CI', { libc: 'glibc 2.36' }, {}, 'toolchain/drift', /CI newer: carries over/],
  [
    'an older glibc in CI',
    {},
    { libc: 'glibc 2.36', distro: 'debian 12' },
    'toolchain/abi',
    /CI has the older.*docker run --rm -it --platform linux\/amd64 .* debian:12 sh/,
  ],
  [
    'musl against glibc, with the ABI tag that names it',
    { libc: 'musl 1.2.4', 'python.soabi': 'cpython-311-x86_64-linux-musl' },
    {},
    'toolchain/platform',
    /musl 1\.2\.4 there.*ubuntu:24\.04/,
  ],
  [
    'another architecture, in all that names it',
    {
      arch: 'aarch64',
      'python.soabi': 'cpython-311-aarch64-linux-gnu',
      'python.platform': 'linux-aarch64',
      'node.arch': 'arm64',
      'go.GOARCH': 'arm64',
      'go.GOAMD64': '',
      'go.GOARM64': 'v8.0',
      'rustc.host': 'aarch64-unknown-linux-gnu',
      'java.arch': 'aarch64',
      'ruby.platform': 'aarch64-linux-gnu',
      'dotnet.rid': 'linux-arm64',
    },
    {},
    'toolchain/platform',
    /--platform linux\/amd64/,
  ],
  ['emulation', { emulated: 'qemu' }, {}, 'toolchain/platform', /Emulated qemu there, no here/],
  [
    'another Node.js, with what is in it',
    {},
    {
      'node.version': '24.1.0',
      'node.modules': '137',
      'node.napi': '10',
      'node.openssl': '3.5.0',
      'npm.version': '11.3.0',
    },
    'toolchain/abi',
    /nvm install 24\.1\.0/,
  ],
  ['a minor of Go', {}, { 'go.version': '1.23.4' }, 'toolchain/abi', /GOTOOLCHAIN=go1\.23\.4/],
  ['cgo', { 'go.CGO_ENABLED': '0' }, {}, 'toolchain/abi', /CGO_ENABLED 0 there, 1 here.*export CGO_ENABLED=1/],
  ['a level that CI lacks', { 'go.GOAMD64': 'v3' }, {}, 'toolchain/abi', /export GOAMD64=v1/],
  ['a Rust channel', { 'rustc.channel': 'nightly' }, {}, 'toolchain/abi', /rustup toolchain install stable/],
  [
    'a Rust version, with its Cargo',
    {},
    { 'rustc.version': '1.77.0' },
    'toolchain/drift',
    /rustup toolchain install 1\.77\.0/,
  ],
  ['a Java release', {}, { 'java.class': '65.0', 'java.version': '21.0.2' }, 'toolchain/abi', /Another Java ABI/],
  ['a Ruby minor', {}, { 'ruby.version': '3.3.0', 'ruby.abi': '3.3.0' }, 'toolchain/abi', /rbenv install 3\.3\.0/],
  [
    'a .NET major',
    {},
    { 'dotnet.version': '9.0.100', 'dotnet.host': '9.0.0', 'dotnet.runtimes': '9.0.0' },
    'toolchain/abi',
    /dotnet-install\.sh --version 9\.0\.100/,
  ],
  ['a time zone', { tz: 'Europe/Berlin' }, {}, 'toolchain/drift', /export TZ=UTC/],
  ['a variable that is set on one side', { 'env.NODE_ENV': 'production' }, {}, 'toolchain/drift', /unset NODE_ENV/],
  [
    'a variable that is set on both sides, to what is not recorded',
    { 'env.RUSTFLAGS': 'set' },
    { 'env.RUSTFLAGS': 'set' },
    'toolchain/not-recorded',
    /RUSTFLAGS/,
  ],
  // The honest twins.
  ['nothing', {}, {}, null],
  [
    'amd64 and x86_64',
    { arch: 'amd64', 'node.arch': 'x86_64', 'java.arch': 'x86_64', 'go.GOARCH': 'x86_64' },
    {},
    null,
  ],
  [
    'kernel, processors, distribution, container',
    { kernel: '6.8.0', cpus: '64', distro: 'debian 13', container: 'docker' },
    {},
    null,
  ],
  [
    'paths, a virtual environment, a vendor',
    {
      'python.path': '.venv/bin/python',
      'python.venv': 'yes',
      'java.vendor': 'Debian',
      'node.path': '~/.volta/bin/node',
    },
    {},
    null,
  ],
  [
    'CI is set, and its image is named',
    {},
    {
      'env.CI': 'true',
      'env.GITHUB_ACTIONS': 'true',
      'image.os': 'ubuntu24',
      'image.version': '20261101.1',
      'runner.os': 'Linux',
      'runner.environment': 'github-hosted',
    },
    null,
  ],
  ['one version in two spellings', { 'python.version': '3.11.4' }, { 'python.version': '3.11.04' }, null],
]
for (const [name, there, here, id, words] of CASES) {
  test(`one difference, one finding: ${name}`, () => {
    const found = findings(there, here)
    assert.deepEqual(
      found.map((finding) => finding[0]),
      id === null ? [] : [id],
      JSON.stringify(found),
    )
    if (words !== undefined) assert.match(found[0]?.[1] ?? '', words)
  })
}

test('every fact of the table has a name of its own', () => {
  const names = TOOLCHAIN_KEYS.map((key) => plain(label(key)))
  assert.equal(new Set(names).size, names.length)
  assert.ok(TOOLCHAIN_KEYS.every((key, index) => names[index] !== key || key === 'libc'))
})
