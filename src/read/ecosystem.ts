import type { Ecosystem } from './evidence.ts'

/** How an ecosystem compares: two names, or two versions, that it takes for equal have one spelling. */
interface Folding {
  readonly name?: (name: string) => string
  readonly version?: (version: string) => string
}

/** As written, where nothing else is said. */
const FOLDING: Readonly<Record<Ecosystem, Folding>> = {
  python: { name: (name) => name.toLowerCase().replace(/[-_.]+/g, '-'), version: pep440 },
  conda: { name: (name) => name.toLowerCase() },
  npm: {},
  go: {},
  cargo: {},
  ruby: {},
  php: { name: (name) => name.toLowerCase(), version: (version) => version.replace(/^v(?=\d)/, '') },
  hex: {},
  nuget: { name: (name) => name.toLowerCase(), version: nuget },
  maven: {},
  swift: { name: (name) => name.toLowerCase() },
  pub: {},
}

/** A package's name as its ecosystem compares it: PEP 503 for Python. */
export function foldName(ecosystem: Ecosystem | null, name: string): string {
  return (ecosystem === null ? undefined : FOLDING[ecosystem].name)?.(name) ?? name
}

/** A version as its ecosystem compares it: PEP 440 for Python. */
export function foldVersion(ecosystem: Ecosystem | null, version: string): string {
  return (ecosystem === null ? undefined : FOLDING[ecosystem].version)?.(version) ?? version
}

/** Three numbers, without a fourth that is 0, and without build metadata. */
function nuget(version: string): string {
  const match = /^(\d+(?:\.\d+){0,3})(-[^+]*)?(?:\+.*)?$/.exec(version)
  if (match === null) return version
  const parts = (match[1] ?? '').split('.').map(digits)
  while (parts.length < 3) parts.push('0')
  if (parts.length === 4 && parts[3] === '0') parts.pop()
  return parts.join('.') + (match[2] ?? '').toLowerCase()
}

const PEP440 =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d+)?)?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d+)?)?([-_.]?dev[-_.]?(\d+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/

/** Numbers without leading zeros, as nearly all versions are. */
const NORMAL = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))*$/

const PRE: Readonly<Record<string, string>> = {
  alpha: 'a',
  a: 'a',
  beta: 'b',
  b: 'b',
  c: 'rc',
  rc: 'rc',
  pre: 'rc',
  preview: 'rc',
}

/** The normal form of PEP 440, without trailing zeros of the release; what is no such version stays as it is. */
function pep440(version: string): string {
  if (NORMAL.test(version) && !version.endsWith('.0')) return version
  const match = version.length > 128 ? null : PEP440.exec(version.trim().toLowerCase())
  if (match === null) return version
  const [, epoch, release = '', pre, preNumber, postDash, post, postNumber, dev, devNumber, local] = match
  const parts = release.split('.').map(digits)
  while (parts.length > 1 && parts.at(-1) === '0') parts.pop()
  return [
    epoch === undefined || digits(epoch) === '0' ? '' : `${digits(epoch)}!`,
    parts.join('.'),
    pre === undefined ? '' : `${PRE[pre]}${digits(preNumber ?? '0')}`,
    postDash !== undefined ? `.post${digits(postDash)}` : post === undefined ? '' : `.post${digits(postNumber ?? '0')}`,
    dev === undefined ? '' : `.dev${digits(devNumber ?? '0')}`,
    local === undefined ? '' : `+${local.split(/[-_.]/).map(digits).join('.')}`,
  ].join('')
}

/** A number without leading zeros; other words as they are. */
function digits(text: string): string {
  return text.replace(/^0+(?=\d+$)/, '')
}

/** A URL without the user name and password that it may hold. */
export function withoutCredentials(url: string): string {
  return url.replace(/:\/\/[^/?#\s]*@/g, '://')
}
