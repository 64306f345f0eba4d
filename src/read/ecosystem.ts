import type { Ecosystem } from './evidence.ts'

/** A package's name as its ecosystem compares it: PEP 503 for Python, as written elsewhere. */
export function foldName(ecosystem: Ecosystem | null, name: string): string {
  return ecosystem === 'python' ? name.toLowerCase().replace(/[-_.]+/g, '-') : name
}

/** A version as its ecosystem compares it: two that are equal have one spelling. PEP 440 for Python, as written elsewhere. */
export function foldVersion(ecosystem: Ecosystem | null, version: string): string {
  return ecosystem === 'python' ? pep440(version) : version
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
