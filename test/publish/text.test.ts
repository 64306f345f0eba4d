import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { printable } from '../../src/publish/log.ts'
import { writeJobSummary } from '../../src/publish/summary.ts'
import type { Block } from '../../src/report/document.ts'
import { commandsIn } from '../support/runner.ts'
import { temporaryFolder } from '../support/temporary.ts'

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

/** A report of about so many bytes. */
const report = (bytes: number): Block[] => [
  { kind: 'paragraph', content: ['The verdict'] },
  { kind: 'list', ordered: false, items: Array.from({ length: bytes / 10 }, () => ['12345678']) },
]
const summaryPath = () => join(temporaryFolder('summary-'), 'summary.md')

test('the job summary is appended to, and kept below what the runner drops', async () => {
  const path = summaryPath()
  writeFileSync(path, 'first\n')
  assert.equal(await writeJobSummary(path, report(2_000_000)), null)
  const written = readFileSync(path)
  assert.ok(written.length <= 1024 * 1024 && written.length > 1_000_000)
  assert.match(written.toString(), /^first\nThe verdict\n/)
  assert.match(
    written.toString(),
    /Left out here, for its length: .* All of it is in the file that the output `summary` names\.\*\n$/,
  )
})

test('a command that fills the job summary does not take the report with it', async () => {
  const path = summaryPath()
  writeFileSync(path, 'x'.repeat(1024 * 1024))
  const warning = await writeJobSummary(path, report(1000))
  assert.match(
    warning ?? '',
    /The job summary has the report alone: .* the command had written 1,048,576 bytes into it/,
  )
  assert.match(readFileSync(path, 'utf8'), /^The verdict\n/)
})

test('a summary that cannot be written is a warning with the remedy', async () => {
  assert.match(
    (await writeJobSummary('/dev/full', report(10_000))) ?? '',
    /No job summary was written: .*output `summary`/,
  )
  assert.match((await writeJobSummary(undefined, report(10))) ?? '', /GITHUB_STEP_SUMMARY is not set/)
})
