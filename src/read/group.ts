/** Groups items by a key, in order of first appearance. (`Map.groupBy` is newer than Node 20.) */
export function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group === undefined) groups.set(key(item), [item])
    else group.push(item)
  }
  return groups
}
