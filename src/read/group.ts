/** Groups items by a key, in order of first appearance. (`Map.groupBy` is newer than Node 20.) */
export function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>()
  for (const item of items) {
    const of = key(item)
    const group = groups.get(of)
    if (group === undefined) groups.set(of, [item])
    else group.push(item)
  }
  return groups
}
