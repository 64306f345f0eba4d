import { withoutCredentials } from '../ecosystem.ts'
import type { Package, PackageList } from '../evidence.ts'
import { artefactsOf, PackageBuilder } from '../package.ts'

/** A requirement as pip reads it: name, extras, and what follows. */
const REQUIREMENT = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$/s
const PIN = /^={2,3}\s*([^\s,;*]+)$/
/** Options that say where packages come from, and not which. */
const OPTION =
  /^(?:-i|-f|--(?:index-url|extra-index-url|no-index|find-links|trusted-host|only-binary|no-binary|prefer-binary|pre|require-hashes|use-feature))\b/
const INCLUDE = /^(?:-r|-c|--requirement|--constraint)\b/
const EDITABLE = /^(?:-e|--editable)[\s=]\s*/

/** A `#` starts a comment at the start and after white space; in a URL it does not. */
const COMMENT = /(?:^|\s)#/

/** What `pip freeze` says of an editable in the comment before it. */
type Named = { readonly name: string; readonly version: string | null }

/** A requirement, before it is known whether a person named it. */
type Entry = Omit<Package, 'direct' | 'aliases'>

/**
 * Reads `requirements.txt`, what pip-tools and `uv pip compile` write, and `pip freeze`.
 *
 * @returns the packages; a line with a range has `version: null`; lines that include another file are `notRead`, since a
 *   copy alone cannot resolve them
 */
export function readRequirements(text: string): PackageList {
  const found = new PackageBuilder('python')
  const direct = directLines(text)
  let named: Named | null = null
  for (const { line, content } of logicalLines(text)) {
    named = editableComment(content) ?? named
    const body = withoutComment(content)
    if (body === '' || OPTION.test(body)) continue
    const read = INCLUDE.test(body) ? null : readRequirement(body, named)
    named = null
    if (read === null) found.skip(withoutCredentials(body), line)
    else
      found.add(read.name, read.version, { ...read, direct: read.local || direct === null ? null : direct.has(line) })
  }
  return found.list()
}

/**
 * The lines of what a person named, by the comments that pip-tools and uv write under each: `# via -r requirements.in`.
 *
 * @returns their one-based numbers; null where the file has no such comments
 */
function directLines(text: string): ReadonlySet<number> | null {
  const direct = new Set<number>()
  let start = 0
  let commented = false
  for (const { line, content } of logicalLines(text)) {
    const at = content.search(COMMENT)
    const comment = at === -1 ? '' : content.slice(at, at + 1000).trim()
    const via = comment.replace(/^#\s+(?:via\b\s*)?/, '')
    commented ||= comment.startsWith('# via')
    if (!content.startsWith('#')) start = line
    if (/^(?:-r |-c |\S+ \(.*(?:pyproject\.toml|setup\.(?:py|cfg)).*\))/.test(via)) direct.add(start)
  }
  // In what `uv export` writes the project stands by its name alone, which is not known here.
  return commented && !/^#.*\buv export\b/m.test(text.slice(0, 1000)) ? direct : null
}

/**
 * Whether the lines look like requirements, and one at least is more than a word.
 *
 * @param share how much of the lines must: 0 to 1
 */
export function looksLikeRequirements(text: string, share = 0.95): boolean {
  const lines = [...logicalLines(text.slice(0, 200_000))].map(({ content }) => withoutComment(content)).filter(Boolean)
  const fitting = lines.filter(
    (line) =>
      OPTION.test(line) ||
      INCLUDE.test(line) ||
      EDITABLE.test(line) ||
      /^(?:[a-z+]+:\/\/|\.{0,2}[\\/])\S/.test(line) ||
      /^[A-Za-z0-9][\w.-]*\s*(?:\[[^\]]*\]\s*)?(?:[=<>!~]=|[<>@;]|$)/.test(line),
  )
  const telling = fitting.some((line) => EDITABLE.test(line) || INCLUDE.test(line) || /^\w[^\s]*\s*[=<>~!@]/.test(line))
  return telling && fitting.length >= lines.length * share
}

/** Lines with `\` at their end joined with the next, and the number of the first. */
function* logicalLines(text: string): Generator<{ line: number; content: string }> {
  let start = 0
  let parts: string[] = []
  const lines = text.split(/\r?\n/)
  for (let index = 0; index < lines.length; index++) {
    if (parts.length === 0) start = index + 1
    const raw = lines[index] ?? ''
    const goesOn = raw.endsWith('\\') && !raw.trimStart().startsWith('#')
    parts.push(goesOn ? raw.slice(0, -1) : raw)
    if (goesOn && index < lines.length - 1) continue
    yield { line: start, content: parts.join(' ').trim() }
    parts = []
  }
}

function withoutComment(content: string): string {
  const at = content.search(COMMENT)
  return at === -1 ? content : content.slice(0, at).trim()
}

/** `# Editable install with no version control (shop==1.0)` names the package of the `-e` line that follows. */
function editableComment(content: string): Named | null {
  if (!/^# Editable (?:\w+ )?install\b/.test(content)) return null
  const match = /\(([^()=\s]+)(?:==([^()\s]+))?\)/.exec(content)
  return match?.[1] === undefined ? null : { name: match[1], version: match[2] ?? null }
}

/** A requirement that is nothing but a place: a URL, a file, a directory. */
function readPlace(body: string): Entry | null {
  const { wanted, marker } = splitMarker(body.replace(/\s--[a-z-]+[= ]\S+/g, ''))
  const file = (wanted.split(/[?#]/, 1)[0] ?? '').split(/[\\/]/).findLast((part) => part !== '') ?? '.'
  const wheel = /^([A-Za-z0-9][\w.]*)-(\d[^-]*)(?:-.*\.whl|\.tar\.gz|\.zip)$/.exec(file.slice(0, 300))
  const path = isPath(wanted)
  if (/\s/.test(wanted) || (path && !/^(?:file:|\.{0,2}[\\/]|[A-Z]:)/.test(wanted) && wheel === null)) return null
  const egg = /[#&]egg=([\w.-]+)/.exec(wanted)?.[1]
  const name = egg ?? wheel?.[1] ?? file
  const source = path ? 'a local path' : withoutCredentials(wanted)
  return { name, version: wheel?.[2] ?? null, source, artefacts: [], conditional: marker, local: path }
}

function readRequirement(body: string, named: Named | null): Entry | null {
  if (EDITABLE.test(body)) return readEditable(body.replace(EDITABLE, ''), named)
  const hashes = [...body.matchAll(/--hash[= ](\S{1,200})/g)].map((match) => match[1] ?? '')
  const match = REQUIREMENT.exec(body.replace(/\s--[a-z-]+[= ]\S+/g, ''))
  if (match === null || /^[A-Za-z0-9+]+:\/\//.test(body) || /^[^\s@<>=~!;]*[\\/]/.test(body)) return readPlace(body)
  const [, name = '', rest = ''] = match
  const url = /^@\s*(\S+)/.exec(rest)?.[1]
  const { wanted, marker } = url === undefined ? splitMarker(rest) : splitMarker(rest.replace(/^@\s*\S+/, ''))
  const entry = { name, version: null, source: null, artefacts: artefactsOf(hashes), conditional: marker, local: false }
  if (url !== undefined) {
    if (wanted !== '') return null
    return isPath(url) ? { ...entry, local: true } : { ...entry, source: withoutCredentials(url) }
  }
  const pin = PIN.exec(wanted)?.[1]
  if (pin !== undefined) return { ...entry, version: pin }
  if (wanted === '') return entry
  return /^\(?\s*(?:[<>=!~]=|[<>])/.test(wanted) ? { ...entry, source: wanted.replace(/\s+/g, '') } : null
}

/** What stands before a `;`, and whether an environment marker stands after it. */
function splitMarker(text: string): { wanted: string; marker: boolean } {
  const at = text.indexOf(';')
  if (at === -1) return { wanted: text.trim(), marker: false }
  return { wanted: text.slice(0, at).trim(), marker: text.slice(at + 1).trim() !== '' }
}

/** `-e git+https://…@commit#egg=name`, `-e ./path`: the project itself or a checkout. */
function readEditable(target: string, named: Named | null): Entry {
  const egg = /[#&]egg=([\w.-]+)/.exec(target)?.[1]
  const place = target.endsWith(']') ? target.slice(0, target.lastIndexOf('[')) : target
  const folder = place.split(/[\\/]/).findLast((part) => part !== '')
  const name = egg ?? named?.name ?? folder ?? '.'
  return {
    name: /^\.*$/.test(name) ? '(this project)' : name,
    version: named?.version ?? null,
    source: isPath(target) ? 'a local path' : withoutCredentials(target),
    artefacts: [],
    conditional: false,
    local: true,
  }
}

/** A place on the machine, which says nothing to another one and may name its user. */
function isPath(target: string): boolean {
  return target.startsWith('file:') || !target.includes('://')
}
