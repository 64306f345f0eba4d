import { type MatcherView, XMLParser } from 'fast-xml-parser'
import { checkStructure, XmlError } from './xml-structure.ts'

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

/**
 * Reads an XML document and keeps nothing of it, so that memory is bounded by what the handler keeps.
 *
 * @param text the whole document
 * @param roots the names that the root may have
 * @throws XmlError where the document is not whole or not well formed; the handler has then been told nothing
 */
export function readXml(text: string, roots: ReadonlySet<string>, handler: XmlHandler): void {
  checkStructure(text, roots)
  /** For each element that is open, whether its text is wanted. */
  const open: boolean[] = []
  const closeTo = (depth: number) => {
    for (; open.length > depth; open.pop()) handler.close()
  }
  const parser = new XMLParser({
    ...OPTIONS,
    // Called where an element begins. No element is added to a tree: what ended is told by the depth of what follows.
    updateTag: (name, at, attributes) => {
      closeTo((at as MatcherView).getDepth() - 1)
      open.push(
        handler.open(name, new Map(Object.entries(attributes ?? {}).map(([key, value]) => [key, clean(value)]))),
      )
      return false
    },
    tagValueProcessor: (_name, value, at) => {
      closeTo((at as MatcherView).getDepth())
      if (open.at(-1)) handler.text(clean(value.slice(0, TEXT)))
      return ''
    },
  })
  try {
    parser.parse(searchControl(text) === -1 ? text : withoutControlReferences(text))
  } catch (error) {
    throw new XmlError(error instanceof Error ? error.message : 'it cannot be parsed', null)
  }
  closeTo(0)
}

const OPTIONS = {
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Without it `&#65;` stays as it is written.
  htmlEntities: true,
  // A DOCTYPE is refused before: only entities that XML and HTML know are left, and none of them grows.
  processEntities: {
    enabled: true,
    maxTotalExpansions: Number.MAX_SAFE_INTEGER,
    maxExpandedLength: Number.MAX_SAFE_INTEGER,
  },
  maxNestedTags: 1000,
  strictReservedNames: false,
  jPath: false,
} as const

/** A character that XML does not allow, raw or as `&#27;`. */
const CONTROL =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&#0*(?:[0-8]|1[1-24-9]|2\d|3[01]);|&#x0*(?:[0-8bcef]|1[0-9a-f]);/i

/**
 * Where a text first has a character that XML does not allow.
 *
 * @returns the offset, -1 for nowhere
 */
export function searchControl(text: string): number {
  return text.search(CONTROL)
}

/** References to such characters as the characters themselves: the parser drops the ones and keeps the others. */
function withoutControlReferences(text: string): string {
  return text.replace(new RegExp(CONTROL, 'gi'), (mark) => {
    if (!mark.startsWith('&')) return mark
    return String.fromCharCode(
      /^&#x/i.test(mark) ? Number.parseInt(mark.slice(3), 16) : Number.parseInt(mark.slice(2), 10),
    )
  })
}

/** Line ends as XML has them; colours of a terminal taken out; other control characters as U+FFFD. */
function clean(text: string): string {
  if (!/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/.test(text)) return text
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\u001b\[[\d;]*m/g, '')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
}
