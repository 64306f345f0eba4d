import type { Toolchain } from '../read/evidence.ts'

/** What a wheel's name says of where it can be installed, beside what CI recorded of itself. */
export interface Target {
  /** `linux`, `darwin`, `windows`; null where it is not recorded. */
  readonly system: string | null
  readonly arch: string | null
  readonly musl: boolean | null
  /** `312` for Python 3.12; null where no Python is recorded. */
  readonly python: string | null
}

/** The place that CI's toolchain describes; null where it is not recorded at all. */
export function targetOf(toolchain: Toolchain | null): Target | null {
  if (toolchain === null) return null
  const get = (key: string) => toolchain.facts.get(key)?.value.toLowerCase() ?? null
  const version = /^(\d+)\.(\d+)/.exec(get('python.version') ?? '')
  const libc = get('libc')
  return {
    system: get('os'),
    arch: ARCHITECTURES.get(get('arch') ?? '') ?? get('arch'),
    musl: libc === null || libc === 'static' ? null : libc.startsWith('musl'),
    python: version === null ? null : `${version[1]}${version[2]}`,
  }
}

const ARCHITECTURES: ReadonlyMap<string, string> = new Map([
  ['amd64', 'x86_64'],
  ['x64', 'x86_64'],
  ['arm64', 'aarch64'],
  ['i386', 'i686'],
])

/** `numpy-2.1.3-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl`: what follows name and version. */
const WHEEL = /-((?:py|cp|pp|ip|jy|graalpy)[\w.]*)-([\w.]+)-([\w.]+)\.whl$/

/**
 * Whether a file may be installed at a place. Where its name or the place does not tell, it may.
 *
 * @param file the name of an artefact; other files than wheels, such as source distributions, fit everywhere
 */
export function fits(file: string, target: Target): boolean {
  const match = WHEEL.exec(file)
  if (match === null) return true
  const [, pythons = '', abi = '', platforms = ''] = match
  return pythonFits(pythons, abi, target) && platforms.split('.').some((tag) => platformFits(tag, target))
}

function pythonFits(pythons: string, abi: string, { python }: Target): boolean {
  if (python === null) return true
  const [major = '', minor = ''] = [python.slice(0, 1), python.slice(1)]
  return pythons.split('.').some((tag) => {
    const [, kind = '', theirs = '', their = ''] = /^([a-z]+)(\d)(\d*)$/.exec(tag) ?? []
    if (theirs !== major) return false
    // A stable ABI, or none at all, goes for later versions too.
    if (kind === 'py' || abi === 'abi3' || abi === 'none') return their === '' || Number(their) <= Number(minor)
    return their === minor
  })
}

function platformFits(tag: string, { system, arch, musl }: Target): boolean {
  if (tag === 'any') return true
  const of = tag.startsWith('macosx') ? 'darwin' : tag.startsWith('win') ? 'windows' : 'linux'
  if (system !== null && system !== of) return false
  if (musl !== null && ((musl && tag.startsWith('manylinux')) || (!musl && tag.startsWith('musllinux')))) return false
  if (arch === null || tag.endsWith('universal2')) return true
  if (of === 'windows') return tag === { x86_64: 'win_amd64', aarch64: 'win_arm64', i686: 'win32' }[arch]
  return tag.endsWith(`_${of === 'darwin' && arch === 'aarch64' ? 'arm64' : arch}`)
}
