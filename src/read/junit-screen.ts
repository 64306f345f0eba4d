import { lineOf } from './text.ts'

/** Deeper documents are refused: no reporter nests its suites so. */
const DEPTH = 256

/** A text made fit for an XML parser, or why it is not. Lines are one-based. */
export interface Screened {
  readonly text: string
  readonly refused: { readonly line: number; readonly why: string } | null
  /** The first control character that XML does not allow, raw or as `&#27;`; they are replaced by U+FFFD. */
  readonly controlAt: number | null
}

/** Looks at a document's marks, in one pass, before a parser sees it: a DOCTYPE and endless nesting are refused. */
export function screen(document: string): Screened {
  const { text, controlAt } = withoutControls(document)
  const refuse = (at: number, why: string): Screened => ({ text, refused: { line: lineOf(text, at), why }, controlAt })
  let depth = 0
  for (let at = text.indexOf('<'); at !== -1; ) {
    let end: number
    if (text.startsWith('<!--', at)) end = text.indexOf('-->', at + 4)
    else if (text.startsWith('<![CDATA[', at)) end = text.indexOf(']]>', at + 9)
    else if (text.startsWith('<?', at)) end = text.indexOf('?>', at + 2)
    else if (text.startsWith('<!', at)) return refuse(at, 'it has a DOCTYPE, which no reporter writes')
    else {
      end = endOfTag(text, at)
      if (text[at + 1] === '/') depth--
      else if (text[end - 1] !== '/') depth++
      if (depth > DEPTH) return refuse(at, `it nests deeper than ${DEPTH} elements`)
    }
    if (end === -1) return refuse(at, 'it breaks off')
    at = text.indexOf('<', end)
  }
  return { text, refused: null, controlAt }
}

/** The `>` of a tag; one inside quotes is none. */
function endOfTag(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const mark = text[at]
    if (mark === '>') return at
    if (mark === '"' || mark === "'") {
      at = text.indexOf(mark, at + 1)
      if (at === -1) return -1
    }
  }
  return -1
}

function withoutControls(text: string): { text: string; controlAt: number | null } {
  let first: number | null = null
  const clean = text.replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&#(?:0*(?:[0-8]|1[1-2]|1[4-9]|2\d|3[01])|x0*(?:[0-8bc]|[ef]|1[0-9a-f]));/gi,
    (_mark, offset: number) => {
      first ??= offset
      return '\ufffd'
    },
  )
  return { text: clean, controlAt: first === null ? null : lineOf(text, first) }
}
