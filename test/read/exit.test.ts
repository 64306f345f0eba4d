import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readExit } from '../../src/read/exit.ts'

const CASES: [string, number | null, string | null][] = [
  ['0\n', 0, null],
  ['0', 0, null],
  ['  1\r\n', 1, null],
  ['137\n', 137, null],
  ['\ufeff0\n', 0, null],
  ['0 failed', null, '0 failed'],
  ['', null, ''],
  ['\n', null, ''],
  ['NO_PYTEST_LAYOUT\n', null, 'NO_PYTEST_LAYOUT'],
  ['-1', null, '-1'],
  ['256', null, '256'],
  ['0x0', null, '0x0'],
  ['0\n1\n', null, '0\n1'],
  ['0.0', null, '0.0'],
  ['٠', null, '٠'],
]
for (const [text, code, word] of CASES) {
  test(`an exit file that holds ${JSON.stringify(text)}`, () => {
    assert.deepEqual(readExit('pytest.exit', Buffer.from(text)).exit, {
      file: 'pytest.exit',
      runner: 'pytest',
      code,
      word,
    })
  })
}

test('ten megabytes are cut', () => {
  const { exit } = readExit('pytest.exit', Buffer.alloc(10 * 1024 * 1024, 'x'))
  assert.equal(exit.code, null)
  assert.equal(exit.word?.length, 201)
})
