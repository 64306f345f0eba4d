/**
 * Spearman's rank correlation of pairs, ties at their mean rank.
 *
 * @param one the first values of the pairs
 * @param other their second values, as many
 * @param distinct how many distinct values each side must have at least
 * @returns -1 to 1; null where a side has fewer, or but one
 */
export function spearman(one: Float64Array, other: Float64Array, distinct = 2): number | null {
  const [a, b] = [ranks(one), ranks(other)]
  if (a.distinct < Math.max(distinct, 2) || b.distinct < Math.max(distinct, 2)) return null
  const mean = (one.length + 1) / 2
  let product = 0
  let left = 0
  let right = 0
  for (let index = 0; index < one.length; index++) {
    const x = (a.ranks[index] ?? 0) - mean
    const y = (b.ranks[index] ?? 0) - mean
    product += x * y
    left += x * x
    right += y * y
  }
  return product / Math.sqrt(left * right)
}

/** The mean rank of each value, and how many distinct values there are. */
function ranks(values: Float64Array): { ranks: Float64Array; distinct: number } {
  const sorted = values.toSorted()
  const rankOf = new Map<number, number>()
  for (let start = 0; start < sorted.length; ) {
    let end = start
    while (end < sorted.length && sorted[end] === sorted[start]) end++
    rankOf.set(sorted[start] ?? 0, (start + 1 + end) / 2)
    start = end
  }
  const ranked = new Float64Array(values.length)
  for (let index = 0; index < values.length; index++) ranked[index] = rankOf.get(values[index] ?? 0) ?? 0
  return { ranks: ranked, distinct: rankOf.size }
}
