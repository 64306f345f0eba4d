import { isTable, parseYaml, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder, placeOf } from '../package.ts'
import { DocumentError, requireTable } from './format.ts'

/** A name, a range: `@scope/name@npm:^1.0.0`. */
const DESCRIPTOR = /^(@?[^@]+)@(.+)$/s

/**
 * Reads `yarn.lock` of Yarn 2 and later. The name is that of `resolution`, since the key may hold an alias.
 *
 * @throws DocumentError where the text is no YAML, or has no `__metadata`
 */
export function readYarnBerry(text: string): PackageList {
  const { __metadata, ...entries } = requireTable(parseYaml(text)[0], null)
  requireTable(__metadata, '__metadata')
  const direct = new Set(
    Object.values(entries)
      .map(tableOf)
      .filter((entry) => entry.linkType === 'soft')
      .flatMap((entry) =>
        // Yarn 3 leaves the protocol out here, and not in the key.
        Object.entries(tableOf(entry.dependencies)).flatMap(([name, range]) => [
          `${name}@${textOf(range)}`,
          `${name}@npm:${textOf(range)}`,
        ]),
      ),
  )
  const found = new PackageBuilder('npm')
  for (const [key, entry] of Object.entries(entries)) {
    const resolution = DESCRIPTOR.exec(textOf(tableOf(entry).resolution) ?? '')
    if (!isTable(entry) || resolution === null) {
      found.skip(key)
      continue
    }
    const [, name = '', reference = ''] = resolution
    const local = entry.linkType === 'soft' || /^(?:workspace|link|portal|file):/.test(reference)
    const registry = /^(?:npm|patch|condition|virtual):/.test(reference)
    found.add(name, textOf(entry.version), {
      source: local || registry ? null : sourceOf(reference),
      artefacts: artefactsOf([checksum(textOf(entry.checksum))]),
      conditional: entry.conditions !== undefined || reference.startsWith('condition:'),
      local,
      direct: local ? null : key.split(/,\s*/).some((descriptor) => direct.has(descriptor)),
      aliases: aliasesIn(key, name),
    })
  }
  return found.list()
}

/** The names of a key that are not the package's own. */
function aliasesIn(key: string, name: string): string[] {
  const names = key.split(/,\s*/).map((descriptor) => DESCRIPTOR.exec(unquoted(descriptor))?.[1] ?? name)
  return [...new Set(names)].filter((one) => one !== name)
}

function sourceOf(reference: string): string {
  const commit = /[#&](?:commit=)?([0-9a-f]{7,64})$/.exec(reference)?.[1] ?? null
  return placeOf(reference, commit)
}

/** `10c0/…`: only hashes of one cache version are of the same bytes. */
function checksum(text: string | null): string | null {
  if (text === null) return null
  const [version, digest] = text.includes('/') ? text.split('/', 2) : ['', text]
  return `cache${version}:${digest}`
}

/**
 * Reads `yarn.lock` of Yarn 1: blocks of lines, each under the ranges that it answers.
 *
 * @throws DocumentError where no block can be read
 */
export function readYarnClassic(text: string): PackageList {
  const found = new PackageBuilder('npm')
  let blocks = 0
  for (const { head, line, fields } of blocksOf(text)) {
    blocks++
    const descriptor = DESCRIPTOR.exec(unquoted(head.split(/,\s*/, 1)[0] ?? ''))
    const version = fields.version
    if (descriptor === null || version === undefined) {
      found.skip(head, line)
      continue
    }
    const [, key = '', range = ''] = descriptor
    const alias = /^npm:(@?[^@]+)(?:@.*)?$/.exec(range)
    const resolved = fields.resolved ?? null
    const local = /^(?:file|link):/.test(range) || (resolved?.startsWith('file:') ?? false)
    const elsewhere = !local && resolved !== null && /^(?:git|ssh)[+:]|\.git(?:#|$)|codeload\./.test(resolved)
    const [url = '', fragment] = resolved?.split('#', 2) ?? []
    found.add(alias?.[1] ?? key, version, {
      source: elsewhere ? placeOf(url, fragment ?? null) : null,
      artefacts: artefactsOf([
        ...(fields.integrity?.split(/\s+/) ?? []),
        !elsewhere && fragment !== undefined ? `sha1:${fragment}` : null,
      ]),
      local,
      aliases: aliasesIn(head, alias?.[1] ?? key),
      // What is optional is not told: any entry may honestly be absent.
      conditional: true,
    })
  }
  if (blocks === 0 && !/^# yarn lockfile v1$/m.test(text)) throw new DocumentError('it has no entries')
  return found.list()
}

interface Block {
  readonly head: string
  readonly line: number
  readonly fields: Readonly<Record<string, string | undefined>>
}

function* blocksOf(text: string): Generator<Block> {
  let block: { head: string; line: number; fields: Record<string, string> } | null = null
  const lines = text.split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const field = /^ {2}([a-z]+) (.+)$/.exec(line)
    if (/^\S/.test(line)) {
      if (block !== null) yield block
      if (!line.endsWith(':')) throw new DocumentError('it has a line that is no entry', index + 1)
      block = { head: line.slice(0, -1), line: index + 1, fields: {} }
    } else if (block !== null && field?.[1] !== undefined) {
      if (Object.hasOwn(block.fields, field[1]))
        throw new DocumentError(`it has ${field[1]} twice in one entry`, index + 1)
      block.fields[field[1]] = unquoted(field[2] ?? '')
    } else if (block === null) throw new DocumentError('it has a line outside any entry', index + 1)
  }
  if (block !== null) yield block
}

function unquoted(text: string): string {
  return text.replace(/^"|"$/g, '')
}
