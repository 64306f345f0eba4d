import { type Block, count, em, group, type Inlines } from './document.ts'
import { renderMarkdown } from './markdown.ts'

/** What a report is shortened in when it is too long, in this order. Its sentences, the verdict first of all, stay. */
const ORDER: readonly (readonly Block['kind'][])[] = [['details'], ['table'], ['list', 'diff']]

/**
 * A report as Markdown of so many bytes of UTF-8. Where it has more, its folded parts lose their last rows, the largest part
 * first; then its tables do, then its lists; each says in its place how much of it is missing and where that can be read.
 *
 * @param max bytes; the sentences of a report alone are far below any limit of GitHub
 * @param where the place that has all of it, to stand after "All of it is in"
 */
export function fitMarkdown(blocks: readonly Block[], max: number, where: Inlines): string {
  return renderMarkdown(fit(blocks, max, where))
}

function fit(blocks: readonly Block[], max: number, where: Inlines): readonly Block[] {
  let over = bytes(blocks) - max
  const kept: (readonly Block[])[] = blocks.map((block) => [block])
  for (const kinds of ORDER) {
    if (over <= 0) break
    const parts = blocks
      .map((block, at) => ({ block, at, size: bytes([block]) }))
      .filter(({ block }) => kinds.includes(block.kind))
      .toSorted((a, b) => b.size - a.size)
    for (const { block, at, size } of parts) {
      if (over <= 0) break
      const short = shortened(block, size - over, where)
      kept[at] = short
      over -= size - bytes(short)
    }
  }
  return kept.flat()
}

/** A part with as much of it as fits, and what was left out. */
function shortened(block: Block, max: number, where: Inlines): readonly Block[] {
  switch (block.kind) {
    case 'details':
      return [{ ...block, blocks: fit(block.blocks, max - bytes([{ ...block, blocks: [] }]), where) }]
    case 'table':
      return firstOf(block.rows, 'row', max, where, (rows) => ({ ...block, rows }))
    case 'list':
      return firstOf(block.items, 'entry', max, where, (items) => ({ ...block, items }))
    case 'diff':
      return firstOf(block.lines, 'line', max, where, (lines) => ({ ...block, lines }))
    default:
      return [block]
  }
}

function firstOf<Part>(
  parts: readonly Part[],
  name: 'row' | 'entry' | 'line',
  max: number,
  where: Inlines,
  make: (first: readonly Part[]) => Block,
): readonly Block[] {
  const names = name === 'entry' ? 'entries' : `${name}s`
  const first = (number: number): readonly Block[] => {
    const left = `${group(parts.length - number)} of ${count(parts.length, name, names)}`
    const note: Block = {
      kind: 'paragraph',
      content: [em(`Left out here, for its length: ${left}. All of it is in `, ...where, '.')],
    }
    return number === 0 ? [note] : [make(parts.slice(0, number)), note]
  }
  let [fits, tooMany] = [0, parts.length]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (bytes(first(middle)) <= max) fits = middle
    else tooMany = middle
  }
  return first(fits)
}

function bytes(blocks: readonly Block[]): number {
  return Buffer.byteLength(renderMarkdown(blocks))
}
