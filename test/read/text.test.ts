import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutCredentials } from '../../src/read/ecosystem.ts'
import { clip, clipEntries, decodeText, lineOf } from '../../src/read/text.ts'

const TEXT = 'Zoë ✓\r\n2\n'
const utf16 = Buffer.from(`\ufeff${TEXT}`, 'utf16le')
const DECODED: [string, Uint8Array, string, number | null][] = [
  ['UTF-8', Buffer.from(TEXT), TEXT, null],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), TEXT, null],
  ['UTF-16, little end first', utf16, TEXT, null],
  ['UTF-16, big end first', Buffer.from(utf16).swap16(), TEXT, null],
  ['nothing', new Uint8Array(), '', null],
  ['Latin-1', Buffer.from('a\nb\nZo\xeb\n', 'latin1'), 'a\nb\nZo\ufffd\n', 3],
  ['half a character', Buffer.from('\u2713').subarray(0, 2), '\ufffd', 1],
]
for (const [name, bytes, text, invalidAt] of DECODED)
  test(`decoded: ${name}`, () => assert.deepEqual(decodeText(bytes), { text, invalidAt }))

test('a text is clipped between characters', () => {
  assert.equal(clip('abc', 3), 'abc')
  assert.equal(clip('abcd', 3), 'abc…')
  assert.equal(clip('ab😀d', 3), 'ab…')
})

test('entries are clipped, and what is left out is counted', () => {
  const entries = [1, 2, 3].map((line) => ({ line, text: `${line}` }))
  assert.equal(clipEntries(entries, 3), entries)
  assert.deepEqual(clipEntries(entries, 1), [entries[0], { line: null, text: '2 more lines' }])
})

test('lines are counted from one', () =>
  assert.deepEqual(
    [0, 1, 2, 3].map((at) => lineOf('a\n\nb', at)),
    [1, 1, 2, 3],
  ))

const ADDRESSES = {
  'https://me:secret@host.example/a@1': 'https://host.example/a@1',
  'git+https://token@host.example/a.git@0123#egg=a': 'git+https://host.example/a.git@0123#egg=a',
  'https://me:sec@ret@host.example/a': 'https://host.example/a',
  'see ssh://git@a.example and ssh://git@b.example/': 'see ssh://a.example and ssh://b.example/',
  'https://host.example/@scope/a?mail=a@b': 'https://host.example/@scope/a?mail=a@b',
}
for (const [address, without] of Object.entries(ADDRESSES))
  test(`without credentials: ${address}`, () => assert.equal(withoutCredentials(address), without))
