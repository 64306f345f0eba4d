import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spearman } from '../../src/compare/spearman.ts'

// Worked out by hand from the ranks, 1 - 6·Σd²/(n·(n²-1)) where no values are tied and Pearson's r of the ranks where some are.
const CASES: [string, [number, number][], number | null][] = [
  [
    'one order',
    [
      [1, 10],
      [2, 20],
      [3, 40],
    ],
    1,
  ],
  [
    'the opposite order',
    [
      [1, 40],
      [2, 20],
      [3, 10],
    ],
    -1,
  ],
  [
    'Σd² = 2 of n = 4',
    [
      [1, 1],
      [2, 3],
      [3, 2],
      [4, 4],
    ],
    0.8,
  ],
  [
    'ranks 1, 2½, 2½, 4 against 1, 2, 3, 4',
    [
      [1, 1],
      [2, 2],
      [2, 3],
      [3, 4],
    ],
    4.5 / Math.sqrt(4.5 * 5),
  ],
  [
    'one value on a side',
    [
      [1, 1],
      [1, 2],
      [1, 3],
    ],
    null,
  ],
  ['nothing', [], null],
]

for (const [what, pairs, rho] of CASES) {
  test(what, () => {
    const found = spearman(
      Float64Array.from(pairs, ([first]) => first),
      Float64Array.from(pairs, ([, second]) => second),
    )
    if (rho === null || found === null) assert.equal(found, rho)
    else assert.ok(Math.abs(found - rho) < 1e-12, `${found}`)
  })
}
