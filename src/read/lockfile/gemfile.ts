import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder, placeOf } from '../package.ts'
import { DocumentError } from './format.ts'

const SECTION = /^(GIT|PATH|GEM|PLUGIN SOURCE|PLATFORMS|DEPENDENCIES|CHECKSUMS|RUBY VERSION|BUNDLED WITH)$/
const SOURCES = new Set(['GIT', 'PATH', 'GEM', 'PLUGIN SOURCE'])

/** `rake (13.0.6)`, with a platform behind the version, and a digest in CHECKSUMS. */
const SPEC = /^([^\s()]+) \(([^\s()-]+)(?:-[^\s()]+)?\)(?: (sha256=[0-9a-f]+))?$/

/**
 * Reads `Gemfile.lock`. Variants of one version for several platforms are one gem with several artefacts.
 *
 * @throws DocumentError where it has none of the sections
 */
export function readGemfileLock(text: string): PackageList {
  const gems: { name: string; version: string; local: boolean; source: string | null }[] = []
  const sums = new Map<string, string[]>()
  const direct = new Set<string>()
  const found = new PackageBuilder('ruby')
  let section: string | null = null
  let place: { remote: string; revision: string | null } = { remote: '', revision: null }
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '') return
    if (/^\S/.test(line)) {
      section = SECTION.test(line) ? line : null
      place = { remote: '', revision: null }
      if (section === null) found.skip(line, index + 1)
      return
    }
    const body = line.trim()
    if (section === 'DEPENDENCIES') direct.add(body.replace(/[ !].*$/, ''))
    else if (section === 'CHECKSUMS') {
      const [, name = '', version = '', sum] = SPEC.exec(body) ?? []
      if (sum !== undefined)
        sums.set(`${name} ${version}`, [...(sums.get(`${name} ${version}`) ?? []), sum.replace('=', ':')])
    } else if (section !== null && SOURCES.has(section)) {
      const fact = /^ {2}(remote|revision): (.+)$/.exec(line)
      if (fact?.[1] === 'remote') place.remote = fact[2] ?? ''
      if (fact?.[1] === 'revision') place.revision = fact[2] ?? null
      if (!/^ {4}\S/.test(line)) return
      const [, name = '', version = ''] = SPEC.exec(body) ?? []
      if (name === '') found.skip(body, index + 1)
      else
        gems.push({
          name,
          version,
          local: section === 'PATH',
          source: section === 'GIT' ? placeOf(place.remote, place.revision) : null,
        })
    }
  })
  if (gems.length === 0 && !/^(?:GEM|PATH|GIT|DEPENDENCIES)$/m.test(text))
    throw new DocumentError('it has no section of gems')
  for (const { name, version, local, source } of gems)
    found.add(name, version, {
      source,
      local,
      artefacts: artefactsOf(sums.get(`${name} ${version}`) ?? []),
      // Which group a gem is of is not told.
      conditional: true,
      direct: local ? null : direct.has(name),
    })
  return found.list()
}
