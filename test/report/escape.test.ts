import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { marked } from 'marked'
import { fenceFor, htmlText, markdownCode, markdownText, terminalText, visible } from '../../src/report/escape.ts'

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** The text of rendered Markdown, and the tags in it. */
function rendered(markdown: string): { text: string; tags: string[] } {
  const html = marked(markdown, { async: false, gfm: true })
  const text = html.replace(/<[^>]*>/g, '').replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) => {
    return code === undefined ? (NAMED[name] ?? '?') : String.fromCodePoint(Number(code))
  })
  return { text: text.replaceAll('\u200b', '').trim(), tags: [...html.matchAll(/<(\w+)/g)].map((tag) => tag[1] ?? '') }
}

const HOSTILE = [
  'a|b',
  'a\\|b',
  'a\\\\|b',
  '`',
  '``',
  'a`|`b',
  '<b>',
  '<!-- x',
  '&lt;',
  '[x](http://y)',
  '![x](y)',
  '**b**',
  '_b_',
  '~~b~~',
  '# h',
  '1. x',
  '- x',
  '> x',
  '</td></table>',
  '@user',
  '#1',
  'GH-1',
  'https://x.y',
  'www.x.y',
  '$x$',
  '\\',
  '*',
  '***',
  '```',
]

for (const text of HOSTILE) {
  test(`${JSON.stringify(text)} is text in a cell`, () => {
    for (const escaped of [markdownText, markdownCode]) {
      const { text: seen, tags } = rendered(`| h | i |\n|---|---|\n| ${escaped(text)} | end |`)
      assert.equal(
        seen
          .split('\n')
          .filter((line) => line.trim() !== '')
          .join('/'),
        `h/i/${text}/end`,
      )
      assert.deepEqual(
        tags.filter((tag) => tag !== 'code'),
        ['table', 'thead', 'tr', 'th', 'th', 'tbody', 'tr', 'td', 'td'],
      )
    }
  })
}

test('any text is text in a cell, and no table is broken', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.array(fc.constantFrom(...HOSTILE), { maxLength: 6 }).map((parts) => parts.join('')),
      ),
      (text) => {
        for (const escaped of [markdownText, markdownCode]) {
          const { tags } = rendered(`| h | i |\n|---|---|\n| x${escaped(text)} | end |`)
          assert.deepEqual(
            tags.filter((tag) => tag !== 'code'),
            ['table', 'thead', 'tr', 'th', 'th', 'tbody', 'tr', 'td', 'td'],
          )
        }
      },
    ),
    { numRuns: 2000 },
  )
})

test('mentions, references and links are none', () => {
  assert.equal(markdownText('@octocat'), '@&#8203;octocat')
  assert.equal(markdownText('fixes #12'), 'fixes #&#8203;12')
  assert.equal(markdownText('https://evil.example'), 'https:&#8203;//evil.example')
  assert.equal(markdownText('see 0123abcdef0123'), 'see 0123ab&#8203;cdef01&#8203;23')
  assert.equal(markdownText('20260818'), '20260818')
})

test('every character can be seen', () => {
  assert.equal(visible('a\u202eb\u200bc\u0000d\u001b[31m\ud800'), 'a\\u{202e}b\\u{200b}c\\u{0}d\\u{1b}[31m\\u{d800}')
  assert.equal(visible('a\r\nb\nc\td'), 'a⏎b⏎c d')
  assert.equal(visible('😀é漢'), '😀é漢')
  assert.equal(visible('x'.repeat(400)).length, 301)
  assert.equal(visible(`${'x'.repeat(299)}😀`), `${'x'.repeat(299)}…`)
  assert.equal(terminalText('\u001b]0;title\u0007'), '\\u{1b}]0;title\\u{7}')
  assert.equal(htmlText('<a href="x">&'), '&#60;a href=&#34;x&#34;&#62;&#38;')
})

test('a fence is longer than any run of back-ticks in its block', () => {
  assert.equal(fenceFor(['+a', '-````']), '`````')
  assert.equal(fenceFor(['+a']), '```')
})
