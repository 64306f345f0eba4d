/**
 * Markdown that fits into so many bytes of UTF-8. What is left out is left out from the end, in whole lines; what is then
 * open (a fence, a folded part) is closed, and a notice says so.
 *
 * @param markdown the whole
 * @param max bytes
 * @param notice one line that says where the rest is
 */
export function fitBytes(markdown: string, max: number, notice: string): string {
  if (Buffer.byteLength(markdown) <= max) return markdown
  const end = `\n${notice}\n`
  // What closes open parts is short; this much is kept free for it.
  let left = max - Buffer.byteLength(end) - 256
  const kept: string[] = []
  for (const line of markdown.split('\n')) {
    left -= Buffer.byteLength(line) + 1
    if (left < 0) break
    kept.push(line)
  }
  return `${kept.join('\n')}\n${closing(kept)}${end}`
}

/** What closes the fence and the folded parts that are open after these lines. */
function closing(lines: readonly string[]): string {
  let fence: string | null = null
  let folded = 0
  for (const line of lines) {
    const mark = /^`{3,}/.exec(line)?.[0]
    if (fence !== null) fence = mark !== undefined && mark.length >= fence.length && line === mark ? null : fence
    else if (mark !== undefined) fence = mark
    else folded += Number(line.startsWith('<details>')) - Number(line.startsWith('</details>'))
  }
  return `${fence === null ? '' : `${fence}\n`}${'\n</details>\n'.repeat(Math.max(0, folded))}`
}
