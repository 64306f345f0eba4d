import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder, placeOf } from '../package.ts'
import { DocumentError } from './format.ts'

const HEX = /^"([^"]+)": \{:hex, :"?([^",]+)"?, "([^"]+)", "([0-9a-f]*)"(?:.*"([0-9a-f]{64})")?.*\},?$/
const GIT = /^"([^"]+)": \{:git, "([^"]+)", "([0-9a-f]+)".*\},?$/

/**
 * Reads `mix.lock`, one dependency a line. Which environment needs it is not told.
 *
 * @throws DocumentError where it is no map
 */
export function readMixLock(text: string): PackageList {
  if (!text.trimStart().startsWith('%{')) throw new DocumentError('it does not begin with `%{`', 1)
  if (!text.trimEnd().endsWith('}')) throw new DocumentError('it ends before its map does', text.split(/\r?\n/).length)
  const found = new PackageBuilder('hex')
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim()
    if (/^(?:%\{|\}|%\{\})?$/.test(line)) return
    const [, , name, version, inner, outer] = HEX.exec(line) ?? []
    if (name !== undefined && version !== undefined) {
      found.add(name, version, { artefacts: artefactsOf([`sha256:${outer ?? inner}`]), conditional: true })
      return
    }
    const [, key, url, commit] = GIT.exec(line) ?? []
    if (key === undefined || url === undefined) found.skip(line, index + 1)
    else found.add(key, null, { source: placeOf(url, commit ?? null), conditional: true })
  })
  return found.list()
}
