import { COMMON_HTML, CURRENCY, EntityDecoder } from '@nodable/entities'

/** Entities that XML and HTML know. None of them grows: those of a DOCTYPE never come here. */
const DECODER = new EntityDecoder({ namedEntities: { ...COMMON_HTML, ...CURRENCY } })

/** A character that XML does not allow, raw and as `&#27;`. */
const RAW = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const REFERENCE = /&#0*(?:[0-8]|1[1-24-9]|2\d|3[01]);|&#x0*(?:[0-8bcef]|1[0-9a-f]);/i
const REFERENCES = new RegExp(REFERENCE, 'gi')

/**
 * Where a text first has a character that XML does not allow, raw or as a reference.
 *
 * @returns the offset, -1 for nowhere
 */
export function searchControl(text: string): number {
  const raw = text.search(RAW)
  const reference = text.includes('&#') ? text.search(REFERENCE) : -1
  return raw === -1 || reference === -1 ? Math.max(raw, reference) : Math.min(raw, reference)
}

/** How the values and the text of a document are decoded. */
export interface Decoding {
  /** What stands between quotes or tags, as it is meant. */
  text(raw: string): string
  /** The same of CDATA, in which nothing is a reference. */
  cdata(raw: string): string
}

/**
 * The decoding of a document: references resolved, line ends as XML has them, colours of a terminal taken out, other
 * control characters as U+FFFD. Nearly all documents have none of these, and each value need not be searched for them.
 *
 * @param odd whether the document has a character that XML does not allow, or a carriage return
 */
export function decodingOf(odd: boolean): Decoding {
  return odd ? ODD : PLAIN
}

const PLAIN: Decoding = {
  // A carriage return can still come of `&#13;`.
  text: (raw) => (raw.includes('&') ? cleanText(DECODER.decode(raw)) : raw),
  cdata: (raw) => raw,
}

const ODD: Decoding = {
  text: (raw) => cleanText(raw.includes('&') ? DECODER.decode(withoutControlReferences(raw)) : raw),
  // Colours are often written as `&#27;` in CDATA too.
  cdata: (raw) => cleanText(withoutControlReferences(raw)),
}

/** References to control characters as the characters themselves, which the decoder would drop. */
function withoutControlReferences(raw: string): string {
  return raw.replace(REFERENCES, (mark) => {
    const hex = /^&#x/i.test(mark)
    return String.fromCharCode(Number.parseInt(mark.slice(hex ? 3 : 2), hex ? 16 : 10))
  })
}

function cleanText(text: string): string {
  if (!/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/.test(text)) return text
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\u001b\[[\d;]*m/g, '')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
}
