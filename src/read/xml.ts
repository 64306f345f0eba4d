import { lineOf } from './text.ts'
import { type Decoding, decodingOf } from './xml-text.ts'

/** Deeper documents are refused: no reporter nests its suites so. */
const DEPTH = 256
/** An element with more attributes than this is refused: no reporter writes so many. */
const ATTRIBUTES = 256
/** A document with more elements is refused: beyond, time and memory are at stake. */
const ELEMENTS = 5_000_000
/** The most UTF-16 units that are handed on of one piece of text. */
const TEXT = 4096

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
 * The attributes of the tag at hand, by their names as written. Nothing is taken out of the text before it is asked for:
 * few are, and a report has them a million times.
 */
export class Attributes {
  readonly #text: string
  readonly #decoding: Decoding
  /** Of each attribute: where its name begins and ends, and where its value does. */
  readonly #spans: number[] = []
  #end = 0

  constructor(text: string, decoding: Decoding) {
    this.#text = text
    this.#decoding = decoding
  }

  get(key: string): string | undefined {
    for (let at = 0; at < this.#end; at += 4) {
      const from = this.#spans[at] as number
      if ((this.#spans[at + 1] as number) - from !== key.length || !this.#text.startsWith(key, from)) continue
      return this.#decoding.text(this.#text.slice(this.#spans[at + 2], this.#spans[at + 3]))
    }
    return undefined
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  get size(): number {
    return this.#end / 4
  }

  /** Makes room for those of the next tag, in the same array. */
  clear(): void {
    this.#end = 0
  }

  add(from: number, to: number, valueFrom: number, valueTo: number): void {
    this.#spans[this.#end] = from
    this.#spans[this.#end + 1] = to
    this.#spans[this.#end + 2] = valueFrom
    this.#spans[this.#end + 3] = valueTo
    this.#end += 4
  }

  /** Whether one of them has the name that stands there in the text. */
  named(from: number, to: number): boolean {
    const text = this.#text
    for (let at = 0; at < this.#end; at += 4) {
      const start = this.#spans[at] as number
      if ((this.#spans[at + 1] as number) - start !== to - from) continue
      let step = 0
      while (step < to - from && text.charCodeAt(start + step) === text.charCodeAt(from + step)) step++
      if (step === to - from) return true
    }
    return false
  }
}

/** What the reader of a document is told, in the order of the document. */
export interface XmlHandler {
  /**
   * An element begins.
   *
   * @param name without a namespace's prefix
   * @param attributes those of this element, until this returns
   * @returns whether the text that stands directly in it is wanted
   */
  open(name: string, attributes: Attributes): boolean
  /** A piece of wanted text, at most its first 4,096 UTF-16 units. */
  text(text: string): void
  /** The element that was opened last and is still open ends. */
  close(): void
}

/**
 * Reads an XML document in one pass and keeps nothing of it. Strict about what a report hangs on: one root, matching tags,
 * quoted attributes, no DOCTYPE, nothing after the root. Lenient about characters: a bare `&`, a `<` in a value and
 * control characters are read, as reporters write them.
 *
 * @param text the whole document
 * @param roots the names that the root may have
 * @param odd whether `searchControl` finds anything in it, or it has carriage returns
 * @throws XmlError where the document is not whole or not well formed. What the handler was told until then is of no worth.
 */
export function readXml(text: string, roots: ReadonlySet<string>, odd: boolean, handler: XmlHandler): void {
  new Reading(text, roots, decodingOf(odd), handler).all()
}

const BREAKS_OFF = 'it breaks off before its end'

/** One reading of one document. A class, since closures of each call would have to be compiled anew by the engine. */
class Reading {
  readonly #text: string
  readonly #roots: ReadonlySet<string>
  readonly #decoding: Decoding
  readonly #handler: XmlHandler
  readonly #attributes: Attributes
  /** The names of the elements that are open, and whether the text that stands in each is wanted. */
  readonly #open: string[] = []
  readonly #wanted: boolean[] = []
  #rooted = false
  #elements = 0
  /** Whether the tag that was read last closes itself. */
  #empty = false

  constructor(text: string, roots: ReadonlySet<string>, decoding: Decoding, handler: XmlHandler) {
    this.#text = text
    this.#roots = roots
    this.#decoding = decoding
    this.#handler = handler
    this.#attributes = new Attributes(text, decoding)
  }

  all(): void {
    const text = this.#text
    for (let at = 0; at < text.length; ) {
      const mark = text.indexOf('<', at)
      this.#textBetween(at, mark === -1 ? text.length : mark)
      if (mark === -1) break
      at = this.#markup(mark)
    }
    if (this.#open.length > 0) this.#fail(text.length, BREAKS_OFF)
    if (!this.#rooted) this.#fail(text.length, 'it has no element')
  }

  #markup(mark: number): number {
    const text = this.#text
    const next = text[mark + 1]
    if (next === '/') return this.#closeTag(mark)
    if (next === '?') return this.#past('?>', mark + 2)
    if (next !== '!') return this.#openTag(mark)
    if (text.startsWith('<!--', mark)) return this.#past('-->', mark + 4)
    if (text.startsWith('<![CDATA[', mark)) return this.#cdata(mark)
    return this.#fail(mark, 'it has a DOCTYPE, which no reporter writes')
  }

  #textBetween(from: number, to: number): void {
    if (this.#open.length === 0) this.#noStray(from, to)
    else if (to > from && this.#wanted[this.#wanted.length - 1])
      this.#handler.text(this.#decoding.text(this.#text.slice(from, Math.min(to, from + TEXT))))
  }

  #cdata(mark: number): number {
    const from = mark + 9
    const end = this.#past(']]>', from)
    if (this.#open.length === 0) this.#noStray(mark, end)
    else if (this.#wanted[this.#wanted.length - 1])
      this.#handler.text(this.#decoding.cdata(this.#text.slice(from, Math.min(end - 3, from + TEXT))))
    return end
  }

  #openTag(start: number): number {
    const written = this.#text.slice(start + 1, afterName(this.#text, start + 1))
    const end = this.#tag(start + 1, written)
    const name = written.slice(written.indexOf(':') + 1)
    if (this.#open.length === 0) this.#root(start, name)
    if (this.#open.length === DEPTH) this.#fail(start, `it nests deeper than ${DEPTH} elements`)
    if (++this.#elements > ELEMENTS) this.#fail(start, `it has more than ${ELEMENTS.toLocaleString('en')} elements`)
    const wanted = this.#handler.open(name, this.#attributes)
    if (this.#empty) this.#handler.close()
    else {
      this.#open.push(written)
      this.#wanted.push(wanted)
    }
    return end
  }

  #root(start: number, name: string): void {
    if (this.#rooted) this.#fail(start, 'a second document follows the first')
    if (!this.#roots.has(name))
      this.#fail(start, `it is no JUnit XML: its root is none of ${[...this.#roots].join(', ')}`)
    this.#rooted = true
  }

  #closeTag(start: number): number {
    const name = this.#text.slice(start + 2, afterName(this.#text, start + 2))
    const end = afterSpace(this.#text, start + 2 + name.length)
    if (end >= this.#text.length) this.#fail(end, BREAKS_OFF)
    if (this.#text[end] !== '>' || this.#open.pop() !== name)
      this.#fail(start, 'a closing tag does not fit the one that is open')
    this.#wanted.pop()
    this.#handler.close()
    return end + 1
  }

  /** Reads the attributes of a tag whose name is known; returns the offset after its `>`. */
  #tag(start: number, name: string): number {
    const text = this.#text
    const attributes = this.#attributes
    if (name === '') this.#fail(start, start >= text.length ? BREAKS_OFF : 'a `<` begins no tag')
    attributes.clear()
    for (let at = afterSpace(text, start + name.length); ; ) {
      this.#empty = text[at] === '/' && text[at + 1] === '>'
      if (this.#empty) return at + 2
      if (text[at] === '>') return at + 1
      const keyEnd = afterName(text, at)
      const equals = afterSpace(text, keyEnd)
      const quoteAt = afterSpace(text, equals + 1)
      const quote = text[quoteAt]
      if (quote === undefined) return this.#fail(text.length, BREAKS_OFF)
      if (keyEnd === at || text[equals] !== '=' || (quote !== '"' && quote !== "'"))
        this.#fail(at, 'a tag has something that is no attribute')
      const end = text.indexOf(quote, quoteAt + 1)
      if (end === -1) this.#fail(text.length, BREAKS_OFF)
      if (attributes.named(at, keyEnd)) this.#fail(at, 'a tag has the same attribute twice')
      if (attributes.size === ATTRIBUTES) this.#fail(at, `a tag has more than ${ATTRIBUTES} attributes`)
      attributes.add(at, keyEnd, quoteAt + 1, end)
      at = afterSpace(text, end + 1)
    }
  }

  #past(mark: string, from: number): number {
    const found = this.#text.indexOf(mark, from)
    return found === -1 ? this.#fail(this.#text.length, BREAKS_OFF) : found + mark.length
  }

  #noStray(from: number, to: number): void {
    const at = this.#text.slice(from, to).search(/\S/)
    if (at !== -1)
      this.#fail(from + at, this.#rooted ? 'text follows the document' : 'it is no XML: it begins with text')
  }

  #fail(at: number, why: string): never {
    throw new XmlError(why, lineOf(this.#text, at))
  }
}

/** Characters that end a name, beside white space: a loop over codes takes a third of what a regular expression does. */
const ENDS_NAME = new Set([...'<>/=!?\'"&'].map((mark) => mark.charCodeAt(0)))

function afterName(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); code > SPACE && !ENDS_NAME.has(code); code = text.charCodeAt(at)) at++
  return at
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= SPACE) at++
  return at
}

const SPACE = 32
