import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { readEvidence } from '../../src/read/bundle-files.ts'
import type { Problem } from '../../src/read/evidence.ts'

const FILES = { 'pytest.exit': '0\n', 'lock.copy': 'a==1\n' }
const SUMS = Object.entries(FILES)
  .map(([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`)
  .join('')

function edited(files: Record<string, string>, problems: Problem[] = []): string[] {
  const contents = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))
  const found = readEvidence('evidence', contents, problems).problems
  return found.flatMap((problem) => (problem.kind === 'edited-after-capture' ? [problem.file] : []))
}

test('a bundle as it was captured', () => assert.deepEqual(edited({ ...FILES, SHA256SUMS: SUMS }), []))
test('a file changed after capture', () =>
  assert.deepEqual(edited({ ...FILES, 'pytest.exit': '1\n', SHA256SUMS: SUMS }), ['pytest.exit']))
test('a file added after capture', () =>
  assert.deepEqual(edited({ ...FILES, 'freeze.txt': 'a==1\n', SHA256SUMS: SUMS }), ['freeze.txt']))
test('a file removed after capture', () =>
  assert.deepEqual(edited({ 'pytest.exit': '0\n', SHA256SUMS: SUMS }), ['lock.copy']))
test('a file that could not be read is not judged', () => {
  const problem: Problem = { kind: 'over-cap', file: 'lock.copy', bytes: 1, cap: 0 }
  assert.deepEqual(edited({ 'pytest.exit': '0\n', SHA256SUMS: SUMS }, [problem]), [])
})
test('without sums nothing is judged', () => assert.deepEqual(edited(FILES), []))
