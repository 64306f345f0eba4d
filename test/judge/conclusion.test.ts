import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Conclusion, conclude } from '../../src/judge/conclusion.ts'

const ended = (exitCode: number | null, result: string | null = null) => ({
  name: 'CI',
  exitCode,
  signal: null,
  result,
  shared: false,
})

const CASES: [string, Parameters<typeof conclude>[0], Conclusion][] = [
  ['exit 0', [ended(0)], 'success'],
  ['exit 1', [ended(1)], 'failure'],
  ['exit 137', [ended(137)], 'failure'],
  ['no exit code: the process died', [ended(null)], 'failure'],
  ['nothing ran', [], 'failure'],
  ['cancelled', [ended(130, 'cancelled')], 'cancelled'],
  ['GitHub says success', [ended(null, 'success')], 'success'],
  ["GitHub's word counts, not the recorded number", [ended(0, 'failure')], 'failure'],
  ["GitHub's word counts the other way too", [ended(1, 'success')], 'success'],
  ['skipped is not passed', [ended(null, 'skipped')], 'failure'],
  ['an unknown word is not passed', [ended(0, 'neutral')], 'failure'],
  ['one leg of two failed', [ended(0), ended(2)], 'failure'],
  ['one leg of two was cancelled', [ended(0), ended(130, 'cancelled')], 'cancelled'],
  ['one cancelled, one failed', [ended(1), ended(130, 'cancelled')], 'failure'],
]
for (const [name, results, conclusion] of CASES) test(name, () => assert.equal(conclude(results), conclusion))
