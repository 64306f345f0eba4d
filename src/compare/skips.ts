import { groupBy } from '../read/group.ts'
import type { CasePair, SkipCause, SkipGroup } from './comparison.ts'

const CAUSES: readonly [Exclude<SkipCause, 'other' | 'module'>, RegExp][] = [
  [
    'credentials',
    /\b(?:credentials?|api[ _-]?keys?|tokens?|secrets?|passwords?|unauthenticated|log(?:ged)? in|_KEY\b|_TOKEN\b)/i,
  ],
  [
    'network',
    /\b(?:network|egress|internet|offline|online|connection|connect|unreachable|dns|resolve|socket|proxy|timed? ?out|http\w*|url\w*)\b/i,
  ],
  [
    'platform',
    /\b(?:windows|win32|linux|darwin|mac ?os\w*|posix|platform|arm64|aarch64|x86_64|architecture|gpu|cuda|root|python ?[<>=]|requires? python|node ?[<>=])/i,
  ],
]

const MODULE =
  /(?:no module named|could not import|cannot find (?:module|package)|missing (?:module|dependency|package)|needs? the (?:module|package)) ['"`]?([\w@/.-]{1,100})/i

/**
 * Groups skipped cases by what their messages say.
 *
 * @param pairs the same case on both sides
 * @param side the side on which it was skipped
 * @returns one group a cause, and one a missing module; the largest first
 */
export function groupSkips(pairs: readonly CasePair[], side: 'scratch' | 'ci'): SkipGroup[] {
  const groups = groupBy(pairs, (pair) => {
    const { cause, detail } = causeOf(pair[side].message)
    return `${cause} ${detail ?? ''}`
  })
  return [...groups.values()]
    .map((group): SkipGroup => ({ ...causeOf(group[0][side].message), pairs: group }))
    .sort((a, b) => b.pairs.length - a.pairs.length)
}

/** The cause that a message names; `other` where it names none that is known. */
export function causeOf(message: string | null): { cause: SkipCause; detail: string | null } {
  if (message === null) return { cause: 'other', detail: null }
  const module = MODULE.exec(message)?.[1]?.replace(/[.'"`]+$/, '')
  if (module !== undefined) return { cause: 'module', detail: module.split('.', 1)[0] ?? module }
  return { cause: CAUSES.find(([, pattern]) => pattern.test(message))?.[0] ?? 'other', detail: null }
}
