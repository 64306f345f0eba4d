/**
 * Spearman's rank correlation of pairs, ties at their mean rank.
 *
 * @returns -1 to 1; null where a side has but one distinct value
 */
export function spearman(pairs: readonly (readonly [number, number])[]): number | null {
  const a = ranks(pairs.map(([first]) => first))
  const b = ranks(pairs.map(([, second]) => second))
  const mean = (pairs.length + 1) / 2
  let product = 0
  let left = 0
  let right = 0
  for (let index = 0; index < pairs.length; index++) {
    const x = (a[index] ?? 0) - mean
    const y = (b[index] ?? 0) - mean
    product += x * y
    left += x * x
    right += y * y
  }
  return left === 0 || right === 0 ? null : product / Math.sqrt(left * right)
}

function ranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((x, y) => (values[x] ?? 0) - (values[y] ?? 0))
  const ranked = new Array<number>(values.length).fill(0)
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end < order.length && values[order[end] ?? 0] === values[order[start] ?? 0]) end++
    for (let at = start; at < end; at++) ranked[order[at] ?? 0] = (start + 1 + end) / 2
    start = end
  }
  return ranked
}
