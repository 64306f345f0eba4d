import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Block } from '../../src/report/document.ts'
import { fitMarkdown } from '../../src/report/fit.ts'
import { renderMarkdown } from '../../src/report/markdown.ts'

const table = (name: string, rows: number): Block => ({
  kind: 'table',
  head: [[name], ['é']],
  rows: Array.from({ length: rows }, (_, row) => [[`${name} ${row}`], ['|']]),
})
const folded = (name: string, ...blocks: readonly Block[]): Block => ({
  kind: 'details',
  summary: [`${name}: counted`],
  blocks,
})
const REPORT: readonly Block[] = [
  { kind: 'paragraph', content: [{ strong: ['CI passed'] }] },
  table('Head', 40),
  { kind: 'heading', content: ['What to look at'] },
  { kind: 'list', ordered: true, items: Array.from({ length: 30 }, (_, item) => [`Entry ${item}`]) },
  folded('Small', table('Small', 5)),
  folded('Large', table('Large', 200)),
  folded('Diff', { kind: 'diff', lines: Array.from({ length: 100 }, (_, line) => `+line ${line}`) }),
]
const rows = (markdown: string, name: string) =>
  markdown.split('\n').filter((line) => new RegExp(`^\\| ${name} \\d`).test(line)).length
const fitted = (max: number) => {
  const markdown = fitMarkdown(REPORT, max, ['the file ', { code: 'f' }])
  assert.ok(Buffer.byteLength(markdown) <= max, `${Buffer.byteLength(markdown)} of ${max}`)
  assert.match(markdown, /^\*\*CI passed\*\*\n/)
  return markdown
}
const whole = Buffer.byteLength(renderMarkdown(REPORT))

describe('a report in so many bytes', () => {
  test('what fits is left as it is', () => {
    assert.equal(fitted(whole), renderMarkdown(REPORT))
    assert.notEqual(fitted(whole - 1), renderMarkdown(REPORT))
  })

  test('the largest folded part loses its last rows first, and says how many and where they are', () => {
    const markdown = fitted(whole - 1500)
    const left = rows(markdown, 'Large')
    assert.ok(left > 0 && left < 200)
    assert.match(
      markdown,
      new RegExp(
        `\\*Left out here, for its length: ${200 - left} of 200 rows\\. All of it is in the file \`f\`\\.\\*\\n\\n</details>`,
      ),
    )
    assert.deepEqual([rows(markdown, 'Small'), rows(markdown, 'Head')], [5, 40])
    assert.match(markdown, /^\+line 99$/m)
  })

  test('then the other folded parts, whose counts stay; then tables; then lists', () => {
    const noDetails = fitted(1600)
    assert.match(noDetails, /Large: counted.*\n\n\*Left out here, for its length: 200 of 200 rows/)
    assert.match(noDetails, /Diff: counted.*\n\n\*Left out here, for its length: 100 of 100 lines/)
    assert.ok(rows(noDetails, 'Head') < 40)
    assert.match(noDetails, /^30\. Entry 29$/m)
    const sentences = fitted(850)
    assert.match(sentences, /40 of 40 rows/)
    assert.match(sentences, /\d+ of 30 entries/)
  })

  test('at every size it is Markdown that is closed, in time', () => {
    for (let max = 850; max < whole; max += 97) {
      const markdown = fitted(max)
      assert.equal(markdown.split('<details>').length, markdown.split('</details>').length)
      assert.equal((markdown.match(/^```/gm) ?? []).length % 2, 0)
    }
  })
})
