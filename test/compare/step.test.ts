import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loudestFirst, type Step, stepOf } from '../../src/compare/step.ts'

const CASES: [from: string, to: string, step: Step][] = [
  ['1.2.3', '2.0.0', 'major'],
  ['1.2.3', '1.3.0', 'minor'],
  ['1.2.3', '1.2.4', 'patch'],
  ['v1.2.3', 'v1.2.4', 'patch'],
  ['1.2', '1.2.1', 'patch'],
  ['1.2.3', '1.2.2', 'downgrade'],
  ['1.10.0', '1.9.0', 'downgrade'],
  ['2.0.0', '1.99.99', 'downgrade'],
  ['1.2.3', '1.2.3', 'other'],
  ['1.2.0', '1.2', 'other'],
  ['2.1.0', '2.1.0+cu118', 'other'],
  ['main', '1.0', 'other'],
  ['', '1.0', 'other'],
]
for (const [from, to, step] of CASES)
  test(`${from} to ${to} is ${step}`, () => assert.equal(stepOf({ name: 'a', from, to }), step))

test('the loudest stands first, and what is as loud stays in order', () => {
  const change = (name: string, from: string, to: string) => ({ name, from, to })
  const changes = [
    change('a', '1.0.0', '1.0.1'),
    change('b', '1.0.0', '1.1.0'),
    change('c', '2.0.0', '1.0.0'),
    change('d', '1.0.0', '2.0.0'),
    change('e', 'x', 'y'),
    change('f', '1.0.0', '1.0.2'),
  ]
  assert.deepEqual(
    loudestFirst(changes).map(({ name }) => name),
    ['c', 'd', 'b', 'a', 'f', 'e'],
  )
})
