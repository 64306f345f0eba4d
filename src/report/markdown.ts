import type { Block, Inlines } from './document.ts'
import { fenceFor, markdownCode, markdownLine, markdownText } from './escape.ts'
import { inlineHtml } from './html.ts'

/**
 * Renders a report as GitHub-flavoured Markdown.
 *
 * @returns Markdown that ends with a newline
 */
export function renderMarkdown(blocks: readonly Block[]): string {
  return `${blocks.map(block).join('\n\n')}\n`
}

function block(node: Block): string {
  switch (node.kind) {
    case 'paragraph':
      return inlines(node.content)
    case 'heading':
      return `### ${inlines(node.content)}`
    case 'table': {
      const row = (cells: readonly Inlines[]) => `| ${cells.map(inlines).join(' | ')} |`
      return [row(node.head), `|${' --- |'.repeat(node.head.length)}`, ...node.rows.map(row)].join('\n')
    }
    case 'list':
      return node.items.map((item, index) => `${node.ordered ? `${index + 1}.` : '-'} ${inlines(item)}`).join('\n')
    case 'details':
      return `<details><summary>${inlineHtml(node.summary)}</summary>\n\n${node.blocks.map(block).join('\n\n')}\n\n</details>`
    case 'diff': {
      const fence = fenceFor(node.lines)
      return [`${fence}diff`, ...node.lines.map(markdownLine), fence].join('\n')
    }
    case 'link':
      return `${inlines(node.before)}[${markdownText(node.text)}](${encodeURI(node.address)})`
  }
}

function inlines(content: Inlines): string {
  return content
    .map((inline) => {
      if (typeof inline === 'string') return markdownText(inline)
      if ('code' in inline) return markdownCode(inline.code)
      if ('icon' in inline) return `${inline.icon} `
      if ('strong' in inline) return `**${inlines(inline.strong)}**`
      return `*${inlines(inline.em)}*`
    })
    .join('')
}
