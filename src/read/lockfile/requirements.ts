import { foldName, withoutCredentials } from '../ecosystem.ts'
import type { Package, PackageList } from '../evidence.ts'
import { clip } from '../text.ts'

/** A requirement as pip reads it: name, extras, and what follows. */
const REQUIREMENT = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$/
const PIN = /^={2,3}\s*([^\s,;*]+)$/
/** Options that say where packages come from, and not which. */
const OPTION =
  /^(?:-i|-f|--(?:index-url|extra-index-url|no-index|find-links|trusted-host|only-binary|no-binary|prefer-binary|pre|require-hashes|use-feature))\b/
const INCLUDE = /^(?:-r|-c|--requirement|--constraint)\b/

/**
 * Reads `requirements.txt`, what pip-tools and `uv pip compile` write, and `pip freeze`.
 *
 * @returns the packages; a line with a range has `version: null`; lines that include another file are `notRead`, since a
 *   copy alone cannot resolve them
 */
export function readRequirements(text: string): PackageList {
  const packages: Package[] = []
  const notRead: { line: number; text: string }[] = []
  let editable: string | null = null
  for (const { line, content } of logicalLines(text)) {
    const comment = /^# Editable (?:Git )?install with no .*?\(([^)]+)\)$/.exec(content)
    if (comment !== null) {
      editable = comment[1] ?? null
      continue
    }
    const body = content.replace(/(?:^|\s)#.*$/, '').trim()
    if (body === '' || OPTION.test(body)) continue
    const read = INCLUDE.test(body) ? null : readRequirement(body, editable)
    editable = null
    if (read === null) notRead.push({ line, text: clip(withoutCredentials(body), 200) })
    else packages.push(read)
  }
  return { ecosystem: 'python', packages, notRead }
}

/** Whether nearly all that is there looks like requirements, and at least one line does. */
export function looksLikeRequirements(text: string): boolean {
  const lines = [...logicalLines(text.slice(0, 200_000))]
    .map(({ content }) => content.replace(/(?:^|\s)#.*$/, '').trim())
    .filter(Boolean)
  const fitting = lines.filter(
    (line) =>
      OPTION.test(line) ||
      INCLUDE.test(line) ||
      /^-e\s/.test(line) ||
      /^[A-Za-z0-9][\w.-]*\s*(?:\[[^\]]*\]\s*)?(?:[=<>!~]=|[<>@;]|$)/.test(line),
  )
  return fitting.length > 0 && fitting.length >= lines.length * 0.95
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

function readRequirement(body: string, editable: string | null): Package | null {
  if (/^(?:-e|--editable)\s/.test(body)) return readEditable(body.replace(/^(?:-e|--editable)\s+/, ''), editable)
  const hashes = [...body.matchAll(/--hash[= ](\S{1,200})/g)].map((match) => match[1] ?? '').sort()
  const [before = '', marker] = body.replace(/\s--[a-z-]+[= ]\S+/g, '').split(/\s*;\s*(.*)/s, 2)
  const match = REQUIREMENT.exec(before.trim())
  if (match === null) return null
  const [, name = '', rest = ''] = match
  const entry = {
    name: foldName('python', name),
    hashes,
    conditional: marker !== undefined && marker !== '',
    local: false,
  }
  const pin = PIN.exec(rest.trim())
  if (pin !== null) return { ...entry, version: pin[1] ?? null, source: null }
  const url = /^@\s*(\S+)$/.exec(rest.trim())?.[1]
  if (url !== undefined)
    return { ...entry, version: null, source: withoutCredentials(url), local: url.startsWith('file:') }
  if (rest.trim() === '' || /^[<>=!~]/.test(rest.trim()) || /^\(/.test(rest.trim()))
    return { ...entry, version: null, source: null }
  return null
}

/** `-e git+https://…@commit#egg=name`, `-e ./path`: the project itself or a checkout. */
function readEditable(target: string, comment: string | null): Package | null {
  const [commentName, commentVersion] = (comment ?? '').split('==')
  const name = /[#&]egg=([\w.-]+)/.exec(target)?.[1] || commentName || target.split(/[\\/]/).filter(Boolean).at(-1)
  if (name === undefined) return null
  const source = /:\/\//.test(target) ? withoutCredentials(target) : 'a local path'
  return {
    name: foldName('python', name),
    version: commentVersion ?? null,
    source,
    hashes: [],
    conditional: false,
    local: true,
  }
}
