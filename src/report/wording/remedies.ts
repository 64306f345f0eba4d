import type { ToolchainRow } from '../../compare/comparison.ts'

/** The commands that make a fact of the scratch box that of CI. `{}` stands for CI's value. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['python.version', 'uv venv --python {}'],
  ['pip.version', 'python -m pip install pip=={}'],
  ['pytest.version', 'python -m pip install pytest=={}'],
  ['uv.version', 'uv self update {}'],
  ['poetry.version', 'poetry self update {}'],
  ['node.version', 'nvm install {}'],
  ['npm.version', 'npm install --global npm@{}'],
  ['pnpm.version', 'corepack use pnpm@{}'],
  ['yarn.version', 'corepack use yarn@{}'],
  ['go.version', 'go env -w GOTOOLCHAIN=go{}'],
  ['go.CGO_ENABLED', 'export CGO_ENABLED={}'],
  ['go.GOAMD64', 'export GOAMD64={}'],
  ['go.GOARM64', 'export GOARM64={}'],
  ['rustc.version', 'rustup toolchain install {} && rustup override set {}'],
  ['rustc.channel', 'rustup toolchain install {} && rustup override set {}'],
  ['java.version', 'mise use java@{}'],
  ['mvn.version', 'mvn wrapper:wrapper -Dmaven={}'],
  ['gradle.version', 'gradle wrapper --gradle-version {}'],
  ['ruby.version', 'rbenv install {} && rbenv local {}'],
  ['gem.version', 'gem update --system {}'],
  ['bundler.version', 'gem install bundler --version {}'],
  ['dotnet.version', 'dotnet-install.sh --version {}'],
  ['php.version', 'docker run --rm -it -v "$PWD":/work -w /work php:{}-cli bash'],
  ['deno.version', 'deno upgrade {}'],
  ['bun.version', 'npm install --global bun@{}'],
  ['tz', 'export TZ={}'],
  ['locale', 'export LC_ALL={}'],
])

/**
 * What to run on the scratch box so that a fact is CI's. Null where none is known, where CI's value is not recorded, or where
 * it is more than a word: a command is there to be copied, so nothing else may stand in it.
 */
export function remedyOf(row: ToolchainRow): string | null {
  const { key, ci } = row
  if (ci === null) return null
  if (key.startsWith('env.') && ci === 'not set') return `unset ${key.slice('env.'.length)}`
  if (!/^[\w][\w.+/-]{0,40}$/.test(ci)) return null
  if (key.endsWith('.version')) return versionRemedy(key, ci)
  // A build of the sources has a channel of its own, which cannot be installed.
  if (key === 'rustc.channel' && ci === 'dev') return null
  if (key.startsWith('env.')) return ci === 'set' ? null : `export ${key.slice('env.'.length)}=${ci}`
  return REMEDIES.get(key)?.replaceAll('{}', ci) ?? null
}

/** The names of versions that can be installed, where they are others than the tool prints of itself. */
const INSTALLABLE: ReadonlyMap<string, (version: string) => string | null> = new Map([
  // A free-threaded build or a pre-release has a name, a build of its own (`3.13.0+`) has none.
  ['python.version', (version) => /^\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?$/.exec(version)?.[0] ?? null],
  ['rustc.version', (version) => /-(nightly|beta)\b/.exec(version)?.[1] ?? released(version)],
  ['java.version', (version) => (version.startsWith('1.8.') ? '8' : released(version))],
  // A distribution's own revision stands behind it.
  ['php.version', (version) => /^\d+\.\d+\.\d+/.exec(version)?.[0] ?? null],
])

/** A version that is nothing but numbers. */
function released(version: string): string | null {
  return /^\d+(?:\.\d+)*$/.test(version) ? version : null
}

function versionRemedy(key: string, ci: string): string | null {
  const version = (INSTALLABLE.get(key) ?? released)(ci)
  return version === null ? null : (REMEDIES.get(key)?.replaceAll('{}', version) ?? null)
}

/** The commands for several rows, each once, the first few. */
export function remediesOf(rows: readonly ToolchainRow[]): string[] {
  // A channel is part of the version, where that differs too.
  const versions = rows.some((row) => row.key === 'rustc.version')
  const apart = rows.filter((row) => !(versions && row.key === 'rustc.channel'))
  return [...new Set(apart.flatMap((row) => remedyOf(row) ?? []))].slice(0, 4)
}

/** Distributions whose container images are called as `ID` of os-release, or otherwise. */
const IMAGES: ReadonlyMap<string, string> = new Map([
  ['ubuntu', 'ubuntu'],
  ['debian', 'debian'],
  ['alpine', 'alpine'],
  ['fedora', 'fedora'],
  ['rocky', 'rockylinux/rockylinux'],
  ['almalinux', 'almalinux'],
])

const PLATFORMS: ReadonlyMap<string, string> = new Map([
  ['x86_64', 'linux/amd64'],
  ['amd64', 'linux/amd64'],
  ['aarch64', 'linux/arm64'],
  ['arm64', 'linux/arm64'],
])

/**
 * The command that starts a container of CI's distribution and architecture. Null where CI's distribution is not recorded,
 * or has no image that is known.
 *
 * @param distro `ID` and `VERSION_ID` of os-release: `ubuntu 24.04`
 */
export function containerOf(distro: string | null, arch: string | null): string | null {
  const [id = '', version = ''] = (distro ?? '').split(' ')
  const image = IMAGES.get(id)
  if (image === undefined || !/^\d[\d.]{0,10}$/.test(version)) return null
  const platform = PLATFORMS.get(arch ?? '')
  return `docker run --rm -it ${platform === undefined ? '' : `--platform ${platform} `}-v "$PWD":/work -w /work ${image}:${version} sh`
}
