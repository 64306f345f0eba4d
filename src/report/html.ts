import type { Conclusion } from '../judge/conclusion.ts'
import type { Block, Inlines } from './document.ts'
import { htmlText } from './escape.ts'
import { STYLE } from './page-style.ts'

/** What stands above the report on a page. */
export interface PageHead {
  readonly conclusion: Conclusion
  /** The name of the check. */
  readonly name: string
  /** The check's title, one line. */
  readonly title: string
}

/**
 * Renders a report as one page that stands alone: no script, no request, with GitHub's look.
 *
 * @returns an HTML document
 */
export function renderPage(blocks: readonly Block[], head: PageHead): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${htmlText(head.name)}: ${htmlText(head.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header class="${head.conclusion}">
<svg viewBox="0 0 16 16" width="24" height="24" aria-label="${head.conclusion}"><path d="${ICONS[head.conclusion]}"/></svg>
<div><h1>${htmlText(head.name)}</h1><p>${htmlText(head.title)}</p></div>
</header>
<article>
${blocks.map(block).join('\n')}
</article>
</main>
</body>
</html>
`
}

/** A tick, a cross and a bar, each in a disc. */
const ICONS: Readonly<Record<Conclusion, string>> = {
  success: 'M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0Zm3.6 5.2L7 9.8 4.9 7.7 3.8 8.8 7 12l5.7-5.7Z',
  failure:
    'M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0ZM5.6 4.5 4.5 5.6 6.9 8l-2.4 2.4 1.1 1.1L8 9.1l2.4 2.4 1.1-1.1L9.1 8l2.4-2.4-1.1-1.1L8 6.9Z',
  cancelled: 'M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0ZM4 7.2v1.6h8V7.2Z',
}

function block(node: Block): string {
  switch (node.kind) {
    case 'paragraph':
      return `<p>${inlineHtml(node.content)}</p>`
    case 'heading':
      return `<h3>${inlineHtml(node.content)}</h3>`
    case 'table': {
      const row = (cells: readonly Inlines[], tag: 'th' | 'td') =>
        `<tr>${cells.map((cell) => `<${tag}>${inlineHtml(cell)}</${tag}>`).join('')}</tr>`
      const body = node.rows.map((cells) => row(cells, 'td')).join('\n')
      return `<div class="table"><table><thead>${row(node.head, 'th')}</thead>\n<tbody>${body}</tbody></table></div>`
    }
    case 'list': {
      const tag = node.ordered ? 'ol' : 'ul'
      return `<${tag}>${node.items.map((item) => `<li>${inlineHtml(item)}</li>`).join('\n')}</${tag}>`
    }
    case 'details':
      return `<details><summary>${inlineHtml(node.summary)}</summary>\n${node.blocks.map(block).join('\n')}\n</details>`
    case 'diff':
      return `<pre>${node.lines.map(diffLine).join('')}</pre>`
    case 'link':
      return `<p>${inlineHtml(node.before)}<a href="${htmlText(encodeURI(node.address))}">${htmlText(node.text)}</a></p>`
  }
}

function diffLine(line: string): string {
  const tag = line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : 'span'
  return `<${tag}>${htmlText(line)}</${tag}>`
}

/** Inline text as HTML: for the page, and where Markdown is inside an HTML element that it does not reach into. */
export function inlineHtml(content: Inlines): string {
  return content
    .map((inline) => {
      if (typeof inline === 'string') return htmlText(inline)
      if ('code' in inline) return `<code>${htmlText(inline.code)}</code>`
      if ('icon' in inline) return `<span aria-hidden="true">${inline.icon}</span> `
      if ('strong' in inline) return `<strong>${inlineHtml(inline.strong)}</strong>`
      return `<em>${inlineHtml(inline.em)}</em>`
    })
    .join('')
}
