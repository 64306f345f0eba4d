import { lineOf } from './text.ts'

/** Deeper documents are refused: no reporter nests its suites so. */
const DEPTH = 256
/** An element with more attributes than this is refused: no reporter writes so many. */
const ATTRIBUTES = 256
/** A document with more elements is refused: beyond, time and memory are at stake. */
const ELEMENTS = 5_000_000

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
 * Holds a document against what a report's structure hangs on, in one pass: one root, matching tags, quoted attributes, no
 * DOCTYPE, nothing after the root. The parser lets all of these pass.
 *
 * @param text the whole document
 * @param roots the names that the root may have
 * @throws XmlError
 */
export function checkStructure(text: string, roots: ReadonlySet<string>): void {
  const open: string[] = []
  let rooted = false
  let elements = 0

  const fail = (at: number, why: string): never => {
    throw new XmlError(why, lineOf(text, at))
  }
  const past = (mark: string, from: number): number => {
    const found = text.indexOf(mark, from)
    return found === -1 ? fail(text.length, BREAKS_OFF) : found + mark.length
  }
  const noStrayText = (from: number, to: number): void => {
    const stray = open.length > 0 ? -1 : text.slice(from, to).search(/\S/)
    if (stray !== -1) fail(from + stray, rooted ? 'text follows the document' : 'it is no XML: it begins with text')
  }
  const openTag = (start: number): number => {
    const tag = readTag(text, start + 1, fail)
    if (open.length === 0) {
      if (rooted) fail(start, 'a second document follows the first')
      if (!roots.has(tag.name.slice(tag.name.indexOf(':') + 1)))
        fail(start, `it is no JUnit XML: its root is none of ${[...roots].join(', ')}`)
      rooted = true
    }
    if (open.length === DEPTH) fail(start, `it nests deeper than ${DEPTH} elements`)
    if (++elements > ELEMENTS) fail(start, `it has more than ${ELEMENTS.toLocaleString('en')} elements`)
    if (!tag.empty) open.push(tag.name)
    return tag.end
  }
  const closeTag = (start: number): number => {
    const name = nameAt(text, start + 2)
    const end = afterSpace(text, start + 2 + name.length)
    if (end === text.length) fail(end, BREAKS_OFF)
    if (text[end] !== '>' || open.pop() !== name) fail(start, 'a closing tag does not fit the one that is open')
    return end + 1
  }

  for (let at = 0; at < text.length; ) {
    const mark = text.indexOf('<', at)
    noStrayText(at, mark === -1 ? text.length : mark)
    if (mark === -1) break
    if (text.startsWith('<!--', mark)) at = past('-->', mark + 4)
    else if (text.startsWith('<?', mark)) at = past('?>', mark + 2)
    else if (text.startsWith('<![CDATA[', mark)) {
      at = past(']]>', mark + 9)
      noStrayText(mark, at)
    } else if (text.startsWith('<!', mark)) fail(mark, 'it has a DOCTYPE, which no reporter writes')
    else at = text[mark + 1] === '/' ? closeTag(mark) : openTag(mark)
  }
  if (open.length > 0) fail(text.length, BREAKS_OFF)
  if (!rooted) fail(text.length, 'it has no element')
}

const BREAKS_OFF = 'it breaks off before its end'

interface Tag {
  readonly name: string
  /** Whether it closes itself. */
  readonly empty: boolean
  /** The offset after its `>`. */
  readonly end: number
}

function readTag(text: string, start: number, fail: (at: number, why: string) => never): Tag {
  const name = nameAt(text, start)
  if (name === '') return fail(start, start === text.length ? BREAKS_OFF : 'a `<` begins no tag')
  const keys = new Set<string>()
  for (let at = afterSpace(text, start + name.length); ; ) {
    if (text[at] === '>') return { name, empty: false, end: at + 1 }
    if (text[at] === '/' && text[at + 1] === '>') return { name, empty: true, end: at + 2 }
    const key = nameAt(text, at)
    const equals = afterSpace(text, at + key.length)
    const quoteAt = afterSpace(text, equals + 1)
    const quote = text[quoteAt]
    if (quote === undefined) return fail(text.length, BREAKS_OFF)
    if (key === '' || text[equals] !== '=' || (quote !== '"' && quote !== "'"))
      return fail(at, 'a tag has something that is no attribute')
    const end = text.indexOf(quote, quoteAt + 1)
    if (end === -1) return fail(text.length, BREAKS_OFF)
    if (keys.has(key)) return fail(at, 'a tag has the same attribute twice')
    if (keys.size === ATTRIBUTES) return fail(at, `a tag has more than ${ATTRIBUTES} attributes`)
    keys.add(key)
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
