import { lineOf } from './text.ts'

/** Deeper documents are refused: no reporter nests its suites so. */
const DEPTH = 256
/** An element with more attributes than this is refused: no reporter writes so many. */
const ATTRIBUTES = 256
/** The most UTF-16 units that are handed on of one piece of text. */
const TEXT = 4096

/** What the reader of a document is told, in the order of the document. */
export interface XmlHandler {
  /**
   * An element begins.
   *
   * @param name without a namespace's prefix
   * @param attributes by their names as written
   * @returns whether the text that stands directly in it is wanted
   */
  open(name: string, attributes: ReadonlyMap<string, string>): boolean
  /** A piece of wanted text, at most its first 4,096 UTF-16 units. */
  text(text: string): void
  /** The element that was opened last and is still open ends. */
  close(): void
}

/** The text is no whole XML document, or not one that is read here. `line` is one-based, null where it has no place. */
export class XmlError extends Error {
  readonly line: number | null
  constructor(message: string, line: number | null) {
    super(message)
    this.name = 'XmlError'
    this.line = line
  }
}

/**
 * Reads an XML document in one pass and keeps nothing of it, so that time is linear and memory is bounded by what the
 * handler keeps. What a report's structure hangs on is strict: one root, matching tags, quoted attributes, no DOCTYPE,
 * nothing after the root. What text hangs on is lenient: a bare `&` or `<` in an attribute stays as it is.
 *
 * @param text the whole document
 * @param roots the names that the root may have
 * @throws XmlError; the handler may have been told the beginning by then
 */
export function readXml(text: string, roots: ReadonlySet<string>, handler: XmlHandler): void {
  const open: { readonly name: string; readonly wanted: boolean }[] = []
  let rooted = false

  const fail = (at: number, why: string): never => {
    throw new XmlError(why, lineOf(text, at))
  }
  const past = (mark: string, from: number): number => {
    const found = text.indexOf(mark, from)
    return found === -1 ? fail(text.length, BREAKS_OFF) : found + mark.length
  }
  const piece = (from: number, to: number, read: (raw: string) => string): void => {
    const top = open.at(-1)
    if (top?.wanted) handler.text(read(text.slice(from, Math.min(to, from + TEXT))))
    else if (top === undefined) {
      const stray = text.slice(from, to).search(/\S/)
      if (stray !== -1) fail(from + stray, rooted ? 'text follows the document' : 'it is no XML: it begins with text')
    }
  }
  const openTag = (start: number): number => {
    const tag = readTag(text, start + 1, fail)
    const name = tag.name.slice(tag.name.indexOf(':') + 1)
    if (open.length === 0) {
      if (rooted) fail(start, 'a second document follows the first')
      if (!roots.has(name)) fail(start, `its root is none of ${[...roots].join(', ')}`)
      rooted = true
    }
    if (open.length === DEPTH) fail(start, `it nests deeper than ${DEPTH} elements`)
    const wanted = handler.open(name, tag.attributes)
    if (tag.empty) handler.close()
    else open.push({ name: tag.name, wanted })
    return tag.end
  }
  const closeTag = (start: number): number => {
    const name = nameAt(text, start + 2)
    const end = afterSpace(text, start + 2 + name.length)
    if (end === text.length) fail(end, BREAKS_OFF)
    if (text[end] !== '>' || open.pop()?.name !== name) fail(start, 'a closing tag does not fit the one that is open')
    handler.close()
    return end + 1
  }

  for (let at = 0; at < text.length; ) {
    const mark = text.indexOf('<', at)
    piece(at, mark === -1 ? text.length : mark, decode)
    if (mark === -1) break
    if (text.startsWith('<!--', mark)) at = past('-->', mark + 4)
    else if (text.startsWith('<?', mark)) at = past('?>', mark + 2)
    else if (text.startsWith('<![CDATA[', mark)) {
      at = past(']]>', mark + 9)
      piece(mark + 9, at - 3, clean)
    } else if (text.startsWith('<!', mark)) fail(mark, 'it has a DOCTYPE, which no reporter writes')
    else at = text[mark + 1] === '/' ? closeTag(mark) : openTag(mark)
  }
  if (open.length > 0) fail(text.length, BREAKS_OFF)
  if (!rooted) fail(text.length, 'it has no element')
}

/**
 * Where a text first has a character that XML does not allow, raw or as `&#27;`.
 *
 * @returns the offset, -1 for nowhere
 */
export function searchControl(text: string): number {
  return text.search(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&#0*(?:[0-8]|1[1-24-9]|2\d|3[01]);|&#x0*(?:[0-8bcef]|1[0-9a-f]);/i,
  )
}

const BREAKS_OFF = 'it breaks off before its end'

interface Tag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** Whether it closes itself. */
  readonly empty: boolean
  /** The offset after its `>`. */
  readonly end: number
}

function readTag(text: string, start: number, fail: (at: number, why: string) => never): Tag {
  const name = nameAt(text, start)
  if (name === '') return fail(start, start === text.length ? BREAKS_OFF : 'a `<` begins no tag')
  const attributes = new Map<string, string>()
  for (let at = afterSpace(text, start + name.length); ; ) {
    if (text[at] === '>') return { name, attributes, empty: false, end: at + 1 }
    if (text[at] === '/' && text[at + 1] === '>') return { name, attributes, empty: true, end: at + 2 }
    const key = nameAt(text, at)
    const equals = afterSpace(text, at + key.length)
    const quoteAt = afterSpace(text, equals + 1)
    const quote = text[quoteAt]
    if (quote === undefined) return fail(text.length, BREAKS_OFF)
    if (key === '' || text[equals] !== '=' || (quote !== '"' && quote !== "'"))
      return fail(at, 'a tag has something that is no attribute')
    const end = text.indexOf(quote, quoteAt + 1)
    if (end === -1) return fail(text.length, BREAKS_OFF)
    if (attributes.has(key)) return fail(at, 'a tag has the same attribute twice')
    if (attributes.size === ATTRIBUTES) return fail(at, `a tag has more than ${ATTRIBUTES} attributes`)
    attributes.set(key, decode(text.slice(quoteAt + 1, end)))
    at = afterSpace(text, end + 1)
  }
}

const NAME = /[^\s<>/=!?'"&]+/y

function nameAt(text: string, at: number): string {
  NAME.lastIndex = at
  return NAME.test(text) ? text.slice(at, NAME.lastIndex) : ''
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return at
}

const REFERENCE = /&(?:#(\d{1,10})|#x([0-9A-Fa-f]{1,8})|(lt|gt|amp|quot|apos));/g
const NAMED = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Resolves references. One that is not known without a DOCTYPE stays as it is written. */
function decode(raw: string): string {
  if (!raw.includes('&')) return clean(raw)
  return clean(
    raw.replace(REFERENCE, (_, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED.get(name) ?? ''
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      const character = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
      return character ? String.fromCodePoint(point) : '\ufffd'
    }),
  )
}

/** Line ends as XML has them; colours of a terminal taken out; other control characters as U+FFFD. */
function clean(text: string): string {
  if (!/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/.test(text)) return text
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\u001b\[[\d;]*m/g, '')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
}
