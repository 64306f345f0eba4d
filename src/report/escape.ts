/**
 * The only way into a report for text that came out of a bundle, a tool or a pull request. Each function takes any
 * string and returns one that is nothing but that text where it is put.
 */

/** Longer values are cut: nothing that a reviewer reads in a table is longer. */
const LONGEST = 300

// Control, format and private characters, halves of surrogate pairs, line separators, and all that shows as nothing.
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Text on one line, in which every character can be seen: line breaks are shown as `⏎`, invisible characters as `\u{202e}`.
 *
 * @param longest in UTF-16 units; the rest is cut and the cut shown as `…`
 */
export function visible(text: string, longest = LONGEST): string {
  const cut = text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : text
  return cut
    .replace(/\r?\n/g, '⏎')
    .replace(/\t/g, ' ')
    .replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** Stands where text is to be broken until all else is escaped. A private character: `visible` leaves none in a text. */
const BREAK = '\ue000'

/** Text in Markdown that stays text, in paragraphs and in cells of tables. Zero-width spaces keep GitHub from linking it. */
export function markdownText(text: string): string {
  return (
    visible(text)
      .replace(/([@#])(?=[\p{L}\p{N}_])/gu, `$1${BREAK}`)
      .replace(/(GH-|www)(?=[\d.])/gi, `$1${BREAK}`)
      .replace(/:(?=\/\/)/g, `:${BREAK}`)
      // What looks like a commit, in pieces that are too short for one.
      .replace(/(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,}/gi, (hex) => hex.replace(/.{6}(?=.)/g, `$&${BREAK}`))
      .replace(/[&<>|]/g, (mark) => `&#${mark.charCodeAt(0)};`)
      .replace(/[\\`*_[\]~$]/g, '\\$&')
      .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
      .replace(/^(\s*)([-+=])/, '$1\\$2')
      .replaceAll(BREAK, '&#8203;')
  )
}

/**
 * A value in Markdown as code. A back-tick span takes anything but what would end it, a cell of a table or a formula; with
 * those it is HTML, with every mark spelled as an entity.
 */
export function markdownCode(text: string): string {
  const shown = visible(text)
  if (/^[^`|\\$]+$/.test(shown) && shown.trim() === shown) return `\`${shown}\``
  return `<code>${shown.replace(/[^\p{L}\p{N} ]/gu, (mark) => `&#${mark.codePointAt(0)};`)}</code>`
}

/** A line of a fenced block. The fence is longer than any run of back-ticks (see `fenceFor`). */
export function markdownLine(text: string): string {
  return visible(text)
}

/** A fence that no line of the block can close. */
export function fenceFor(lines: readonly string[]): string {
  const longest = lines.reduce(
    (most, line) => Math.max(most, ...[...line.matchAll(/`+/g)].map((run) => run[0].length)),
    2,
  )
  return '`'.repeat(Math.max(3, longest + 1))
}

/** Text in HTML, in elements and in quoted attributes. */
export function htmlText(text: string): string {
  return visible(text).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

/** Text on a terminal: no character of it can move the cursor or colour anything. */
export function terminalText(text: string): string {
  return visible(text)
}
