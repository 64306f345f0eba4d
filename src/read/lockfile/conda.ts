import { parseYaml, tableOf, textOf } from '../document.ts'
import type { Artefact, PackageList } from '../evidence.ts'
import { fileOf, PackageBuilder, placeOf } from '../package.ts'
import { requireList, requireTable } from './format.ts'

/**
 * Reads `conda-lock.yml`: an entry for each platform, of conda or of pip.
 *
 * @throws DocumentError where the text is no YAML, or has no list `package`
 */
export function readCondaLock(text: string): PackageList {
  const found = new PackageBuilder('conda')
  for (const entry of requireList(requireTable(parseYaml(text)[0], null), 'package').map(tableOf)) {
    const { name, version, url, hash, platform } = entry
    if (typeof name !== 'string' || typeof version !== 'string') {
      found.skip(`a package without ${typeof name === 'string' ? `version: ${name}` : 'name'}`)
      continue
    }
    // Any entry may be of another platform, or of a category that was not chosen.
    found.add(name, version, { artefacts: artefacts(url, platform, tableOf(hash)), conditional: true })
  }
  return found.list()
}

/** `…/numpy-2.1.3-py312h58c1407_0.conda`: name, version, build. */
const CONDA_FILE = /^(.+)-([^-]+)-[^-]+\.(?:conda|tar\.bz2)$/

/**
 * Reads `pixi.lock`. Which environment uses an entry stands apart from it, so that any may be absent.
 *
 * @throws DocumentError where the text is no YAML, or has no list `packages`
 */
export function readPixiLock(text: string): PackageList {
  const found = new PackageBuilder('conda')
  for (const entry of requireList(requireTable(parseYaml(text)[0], null), 'packages').map(tableOf)) {
    const conda = textOf(entry.conda) ?? (entry.kind === 'conda' ? textOf(entry.url) : null)
    const pypi = textOf(entry.pypi)
    const place = conda ?? pypi ?? Object.values(entry).find((one) => typeof one === 'string') ?? null
    const named = CONDA_FILE.exec(fileOf(conda ?? '') ?? '')
    const name = textOf(entry.name) ?? named?.[1]
    const version = textOf(entry.version) ?? named?.[2] ?? null
    if (name === undefined || place === null) {
      found.skip(place ?? 'a package without name')
      continue
    }
    const git = place.startsWith('git+')
    const local = !git && !/^[a-z+]+:\/\//.test(place)
    found.add(name, version, {
      source: git ? placeOf(place) : null,
      artefacts: local ? [] : artefacts(place, null, entry),
      conditional: true,
      local,
    })
  }
  return found.list()
}

/** The folder of a channel is a platform, so that one file name may stand for several files. */
function artefacts(url: unknown, platform: unknown, { sha256, md5 }: Readonly<Record<string, unknown>>): Artefact[] {
  const parts = typeof url === 'string' ? placeOf(url).split('/').slice(-2) : []
  const file = parts.length === 2 ? parts.join('/') : textOf(platform)
  const hash = typeof sha256 === 'string' ? `sha256:${sha256}` : typeof md5 === 'string' ? `md5:${md5}` : null
  return hash === null ? [] : [{ file, hash }]
}
