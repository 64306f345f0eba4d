import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { fitBytes } from '../../src/publish/budget.ts'
import { printable } from '../../src/publish/log.ts'
import { writeJobSummary } from '../../src/publish/summary.ts'
import { commandsIn } from '../support/runner.ts'

const HOSTILE = [
  '::error::x',
  '  ::set-output name=a::b',
  'a\r::warning::x',
  '\r\n::x::',
  'see ##[error]x',
  '##[group]',
  '\u2028::x::',
  '\u0000::x::',
  '\t::add-path::/tmp',
  ':::error::x',
  '####[error]x',
]
for (const text of HOSTILE)
  test(`${JSON.stringify(text)} is no command when printed`, () => assert.deepEqual(commandsIn(printable(text)), []))

test('no text is a command when printed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...HOSTILE, ':', '#', '[', ' ', '\r', '\n', 'error', ']'), { maxLength: 12 }),
      (parts) => {
        assert.deepEqual(commandsIn(printable(parts.join(''))), [])
      },
    ),
  )
})

test('what fits is left as it is', () => assert.equal(fitBytes('é\n', 3, 'more'), 'é\n'))

test('what does not fit is cut at a line, and what is open is closed', () => {
  const markdown = `# Title\n<details><summary>x</summary>\n\n\`\`\`\`diff\n${'+é line\n'.repeat(1000)}\`\`\`\`\n\n</details>\n`
  const cut = fitBytes(markdown, 2000, 'The rest is elsewhere.')
  assert.ok(Buffer.byteLength(cut) <= 2000)
  assert.match(cut, /\+é line\n````\n\n<\/details>\n\nThe rest is elsewhere\.\n$/)
})

test('any text fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 3000 }), fc.integer({ min: 600, max: 2000 }), (text, max) => {
      const cut = fitBytes(text, max, 'more')
      assert.ok(Buffer.byteLength(cut) <= Math.max(max, 0) || cut === text)
      assert.equal(Buffer.from(cut).toString(), cut)
    }),
  )
})

test('the job summary is appended to, and kept below what the runner drops', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'summary-')), 'summary.md')
  assert.equal(await writeJobSummary(path, 'first\n'), null)
  assert.equal(await writeJobSummary(path, 'x\n'.repeat(1_000_000)), null)
  const written = readFileSync(path)
  assert.ok(written.length <= 1024 * 1024)
  assert.match(written.toString(), /^first\nx\n/)
})

test('a summary that cannot be written is a warning with the remedy', async () => {
  assert.match(
    (await writeJobSummary('/dev/full', 'x'.repeat(10_000))) ?? '',
    /No job summary was written: .*output `summary`/,
  )
  assert.match((await writeJobSummary(undefined, 'x')) ?? '', /GITHUB_STEP_SUMMARY is not set/)
})
