import type { Block, Inlines } from './document.ts'
import { terminalText } from './escape.ts'

const STYLES = { bold: 1, dim: 2, italic: 3, red: 31, green: 32, cyan: 36 } as const
type Paint = (style: keyof typeof STYLES, text: string) => string

/**
 * Renders a report for a terminal.
 *
 * @param colour whether escape sequences for colour are allowed
 * @param width columns of the terminal
 * @returns text that ends with a newline
 */
export function renderTerminal(blocks: readonly Block[], colour: boolean, width = 100): string {
  const paint: Paint = (style, text) => (colour ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text)
  return `${blocks.map((node) => block(node, paint, Math.max(60, width))).join('\n\n')}\n`
}

function block(node: Block, paint: Paint, width: number): string {
  switch (node.kind) {
    case 'paragraph':
      return wrap(node.content, paint, width).join('\n')
    case 'heading':
      return paint('bold', text(node.content))
    case 'table':
      return table(node.head, node.rows, paint, width)
    case 'list':
      return node.items
        .map((item, index) => {
          const mark = node.ordered ? `${index + 1}. ` : '- '
          const lines = wrap(item, paint, width - mark.length)
          return lines.map((line, row) => (row === 0 ? mark : ' '.repeat(mark.length)) + line).join('\n')
        })
        .join('\n')
    case 'details':
      return [paint('bold', text(node.summary)), ...node.blocks.map((inner) => block(inner, paint, width))].join('\n\n')
    case 'diff':
      return node.lines
        .map((line) => {
          const shown = terminalText(line)
          return shown.startsWith('+') ? paint('green', shown) : shown.startsWith('-') ? paint('red', shown) : shown
        })
        .join('\n')
    case 'link':
      return `${text(node.before)}${terminalText(node.text)}: ${terminalText(node.address)}`
  }
}

interface Word {
  readonly text: string
  readonly style: keyof typeof STYLES | null
}

function words(content: Inlines, style: Word['style'] = null): Word[] {
  return content.flatMap((inline): Word[] => {
    if (typeof inline === 'string') return split(terminalText(inline), style)
    if ('code' in inline) return [{ text: terminalText(inline.code), style: 'cyan' }]
    if ('icon' in inline) return []
    return words('strong' in inline ? inline.strong : inline.em, 'strong' in inline ? 'bold' : 'italic')
  })
}

/** Words with their white space apart, so that lines break between them. */
function split(shown: string, style: Word['style']): Word[] {
  return shown
    .split(/( +)/)
    .filter(Boolean)
    .map((word) => ({ text: word, style }))
}

/** Breaks a sentence into lines of at most `width` columns; a longer word has a line of its own. */
function wrap(content: Inlines, paint: Paint, width: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  const all = words(content)
  for (let index = 0; index < all.length; index++) {
    const word = all[index] as Word
    const isSpace = word.text.trim() === ''
    let long = word.text.length
    // What touches this word without a space stays with it: `3.11` and the comma behind it.
    for (let next = index + 1; !isSpace && next < all.length && (all[next] as Word).text.trim() !== ''; next++)
      long += (all[next] as Word).text.length
    const glued = index > 0 && (all[index - 1] as Word).text.trim() !== ''
    if (!isSpace && !glued && used > 0 && used + long > width) {
      lines.push(line.trimEnd())
      line = ''
      used = 0
    }
    if (isSpace && used === 0) continue
    line += word.style === null ? word.text : paint(word.style, word.text)
    used += word.text.length
  }
  if (line !== '' || lines.length === 0) lines.push(line.trimEnd())
  return lines
}

function table(head: readonly Inlines[], rows: readonly (readonly Inlines[])[], paint: Paint, width: number): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => length(row[column] ?? []))))
  const gaps = 2 * (head.length - 1)
  // The widest column gives way until the table fits; twelve columns can still be read.
  while (widths.reduce((sum, one) => sum + one, gaps) > width && Math.max(...widths) > 12)
    widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1
  const line = (cells: readonly Inlines[], bold: boolean): string[] => {
    const wrapped = widths.map((limit, column) => wrapCell(cells[column] ?? [], paint, limit, bold))
    const height = Math.max(...wrapped.map((cell) => cell.length))
    return Array.from({ length: height }, (_, row) =>
      wrapped
        .map((cell, column) => {
          const part = cell[row] ?? { shown: '', length: 0 }
          return part.shown + ' '.repeat(Math.max(0, (widths[column] ?? 0) - part.length))
        })
        .join('  ')
        .trimEnd(),
    )
  }
  const rule = widths.map((one) => '─'.repeat(one)).join('──')
  return [
    ...(head.every((cell) => cell.length === 0) ? [] : line(head, true)),
    paint('dim', rule),
    ...rows.flatMap((row) => line(row, false)),
  ].join('\n')
}

function wrapCell(content: Inlines, paint: Paint, width: number, bold: boolean): { shown: string; length: number }[] {
  const bare = wrap(content, (_, part) => part, width)
  const styled = bold ? bare.map((part) => paint('bold', part)) : wrap(content, paint, width)
  // A word that is longer than its column is broken where the column ends.
  return bare.flatMap((part, index) => {
    if (part.length <= width) return [{ shown: styled[index] ?? part, length: part.length }]
    const pieces: { shown: string; length: number }[] = []
    for (let at = 0; at < part.length; at += width) {
      const piece = part.slice(at, at + width)
      pieces.push({ shown: piece, length: piece.length })
    }
    return pieces
  })
}

function text(content: Inlines): string {
  return words(content)
    .map((word) => word.text)
    .join('')
}

function length(content: Inlines): number {
  return text(content).length
}
