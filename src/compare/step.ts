import type { Change } from './comparison.ts'

/** What a change of version is, the loudest first; `other` where the two are no numbers, or equal ones. */
const STEPS = ['downgrade', 'major', 'minor', 'patch', 'other'] as const
export type Step = (typeof STEPS)[number]

/** The step from one version to another, by the numbers that they start with: 2.1.3 → 2.2.0 is `minor`. */
export function stepOf({ from, to }: Change): Step {
  const [before, after] = [numbers(from), numbers(to)]
  const at = before.findIndex((number, index) => number !== (after[index] ?? 0))
  const place = at === -1 && after.length > before.length ? before.length : at
  if (before.length === 0 || after.length === 0 || place === -1) return 'other'
  if ((before[place] ?? 0) > (after[place] ?? 0)) return 'downgrade'
  return place === 0 ? 'major' : place === 1 ? 'minor' : 'patch'
}

/** The changes with the loudest first, of one step in the order in which they are. */
export function loudestFirst<T extends Change>(changes: readonly T[]): T[] {
  const ranked = changes.map((change) => ({ change, rank: STEPS.indexOf(stepOf(change)) }))
  return ranked.sort((a, b) => a.rank - b.rank).map(({ change }) => change)
}

function numbers(version: string): number[] {
  const match = /^v?(\d{1,9}(?:\.\d{1,9}){0,5})(?![\d.!])/.exec(version)
  return match?.[1]?.split('.').map(Number) ?? []
}
