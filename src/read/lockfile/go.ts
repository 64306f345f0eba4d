import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder } from '../package.ts'
import { DocumentError } from './format.ts'

const SUM = /^(\S+) (v\S+?)(\/go\.mod)? (h\d+:\S+)$/

/**
 * Reads `go.sum`: the hashes of all module versions that were considered. Lines for a `go.mod` alone name no module that
 * could have been built, and are left out.
 */
export function readGoSum(text: string): PackageList {
  const found = new PackageBuilder('go')
  text.split(/\r?\n/).forEach((raw, index) => {
    if (raw.trim() === '') return
    const [, name = '', version = '', modOnly, hash] = SUM.exec(raw.trim()) ?? []
    if (hash === undefined) found.skip(raw.trim(), index + 1)
    else if (modOnly === undefined) found.add(name, version, { artefacts: artefactsOf([hash]), conditional: true })
  })
  return found.list()
}

/** Whether every line is one of `go.sum`. */
export function looksLikeGoSum(text: string): boolean {
  const lines = text
    .slice(0, 200_000)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 50)
  return lines.length > 0 && lines.every((line) => SUM.test(line.trim()))
}

/** Directives that name no module to build. */
const OTHER = /^(?:go|toolchain|godebug|exclude|retract|tool|ignore|module)$/

/**
 * Reads `go.mod`: what is required, each as what replaces it. Since Go 1.17 it names all modules that are built.
 *
 * @throws DocumentError where there is no `module` line
 */
export function readGoMod(text: string): PackageList {
  const found = new PackageBuilder('go')
  const required: { name: string; version: string; direct: boolean }[] = []
  const replaced = new Map<string, { name: string; version: string | null }>()
  let block: string | null = null
  let named = false
  text.split(/\r?\n/).forEach((raw, index) => {
    const body = raw.replace(/\/\/.*$/, '').trim()
    if (body === '') return
    if (block !== null && body === ')') {
      block = null
      return
    }
    const opened = /^([a-z]+)\s*\($/.exec(body)
    if (block === null && opened !== null) {
      block = opened[1] ?? null
      return
    }
    const [word = '', ...more] = body.split(/\s+/).map((part) => part.replace(/^["`]|["`]$/g, ''))
    const directive = block ?? word
    const words = block === null ? more : [word, ...more]
    named ||= directive === 'module'
    if (directive === 'require' && words.length === 2 && /^v\d/.test(words[1] ?? ''))
      required.push({ name: words[0] ?? '', version: words[1] ?? '', direct: !/\/\/\s*indirect\b/.test(raw) })
    else if (directive === 'replace' && words.includes('=>')) {
      const at = words.indexOf('=>')
      const [name = '', version = null] = words.slice(at + 1)
      replaced.set(words.slice(0, at).join(' '), { name, version })
    } else if (!OTHER.test(directive)) found.skip(raw.trim(), index + 1)
  })
  if (!named) throw new DocumentError('it has no `module` line')
  for (const { name, version, direct } of required) {
    const other = replaced.get(`${name} ${version}`) ?? replaced.get(name)
    // Which platform needs a module is not told.
    const rest = { direct, conditional: true }
    if (other === undefined) found.add(name, version, rest)
    else
      found.add(other.version === null ? name : other.name, other.version, { ...rest, local: other.version === null })
  }
  return found.list()
}
