import { groupBy } from '../read/group.ts'
import type { CasePair, SkipCause, SkipGroup } from './comparison.ts'

/** A missing module, by the words that name it. The first group is its name. */
const MODULES = [
  /\b(?:no module named|could not import|cannot import|failed to import) ['"`]?([\w.-]{1,100})/i,
  /\b(?:cannot find|missing|needs?|requires?|install) (?:the )?(?:module|package|library|dependency) ['"`]?([\w@/.-]{1,100})/i,
  /\b(?:needs?|requires?|install) (?:the )?['"`]?([\w@/.-]{1,100})['"`]? (?:module|package|library)\b/i,
  /(?:^|[\s'"`])([\w@/.-]{1,100})['"`]? (?:is |are |was )?not (?:installed|importable)\b/i,
]

/** That something is not there, or has to be. */
const LACK =
  '(?:no|not|without|needs?|needed|requires?|required|missing|unset|lacks?|lacking|absent|set|provide|unavailable|disabled|blocked|denied)'
const CREDENTIALS =
  '(?:credentials?|secrets?|passwords?|passphrase|(?:api|access|secret|private)[ _-]?keys?|(?:api|access|auth|bearer)[ _-]?tokens?)'
const NETWORK = '(?:network|internet|egress|remote[ -]data)(?: access| connection| connectivity)?'
const PLATFORM =
  '(?:windows|win32|linux|darwin|mac ?os ?x?|posix|unix|freebsd|wsl|musl|glibc|arm64|aarch64|x86_64|amd64|(?:32|64)[ -]bit|big[ -]endian|cpython|pypy|cuda(?: devices?)?|gpus?)'
const TOOL = '(?:python|node(?:\\.?js)?|go|ruby|java|rust|jdk)'

/**
 * The first that fits. Words that a message may hold for other reasons (`token`, `network code`, `password hashing`) are no
 * sign by themselves: something has to be said to be missing, refused or for somewhere else.
 */
const CAUSES: readonly (readonly [Exclude<SkipCause, 'module' | 'other'>, RegExp])[] = [
  ['credentials', /\b[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS|PAT)\b/],
  ['credentials', new RegExp(`\\b${LACK} (?:(?:an?|any|the|your|valid) )?(?:[\\w-]+ )?${CREDENTIALS}\\b`, 'i')],
  [
    'credentials',
    new RegExp(
      `\\b${CREDENTIALS} (?:(?:is|are|was|were) )?(?:not |un)(?:set|available|provided|configured|found|given)\\b`,
      'i',
    ),
  ],
  [
    'credentials',
    /\b(?:no|needs? an?|requires? an?|without an?|missing) token\b|\b(?:unauthori[sz]ed|unauthenticated|not (?:logged|signed) in)\b/i,
  ],
  ['network', new RegExp(`\\b${LACK} (?:(?:an?|any|the|working) )?${NETWORK}\\b`, 'i')],
  [
    'network',
    new RegExp(
      `\\b${NETWORK} (?:(?:is|are|was|were) )?(?:not |un)?(?:available|unavailable|reachable|unreachable|allowed|disabled|blocked|required|needed|down)\\b`,
      'i',
    ),
  ],
  [
    'network',
    /^offline$|\b(?:(?:is|are|running|runs?|when|while) offline|(?:is|are) not online|name resolution|no route to host|connection (?:refused|reset|error|failed|timed out|timeout)|(?:can(?:no|')t|could ?n[o']t|could not|unable to|failed to) (?:connect|resolve|reach)|getaddrinfo|E(?:NOTFOUND|CONNREFUSED|CONNRESET|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH)|max retries exceeded|(?:host|server|network) (?:is )?unreachable)\b/i,
  ],
  [
    'platform',
    new RegExp(
      `\\b(?:only|just|${LACK}|(?:un|not )supported|skip(?:ped|s)?|fails?|broken|run) (?:(?:on|for|with|by|under|in|an?|the) )*${PLATFORM}\\b`,
      'i',
    ),
  ],
  [
    'platform',
    new RegExp(
      `\\b${PLATFORM}(?:\\/\\w+)?(?: |-)(?:only|specific|not supported|unsupported|is not supported|required|is required|needed)\\b`,
      'i',
    ),
  ],
  [
    'platform',
    new RegExp(
      `^(?:not )?(?:an? )?${PLATFORM}$|\\b(?:this|your|the|wrong|other|unsupported) (?:platform|architecture|os|operating system)\\b|\\b(?:platform|architecture) (?:is )?not supported\\b`,
      'i',
    ),
  ],
  ['platform', new RegExp(`\\b${TOOL} ?(?:[<>]|=|v?\\d)`, 'i')],
]

/**
 * Groups skipped cases by what their messages say: one group a cause, and one a missing module.
 *
 * @param pairs the same case on both sides
 * @param side the side on which it was skipped
 * @returns the largest first, of two alike by name
 */
export function groupSkips(pairs: readonly CasePair[], side: 'scratch' | 'ci'): SkipGroup[] {
  const groups = groupBy(pairs, (pair) => {
    const { cause, detail } = causeOf(pair[side].message)
    return `${cause} ${detail ?? ''}`
  })
  return [...groups]
    .sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .map(([, group]) => ({ ...causeOf(group[0][side].message), pairs: group }))
}

/**
 * The cause that a message names, in the tools' and people's usual English.
 *
 * @param message a skip's message, at most a line of some hundred characters
 * @returns `other` where it names none that is known, or where there is none; `detail` is a missing module's name
 */
export function causeOf(message: string | null): { cause: SkipCause; detail: string | null } {
  if (message === null) return { cause: 'other', detail: null }
  for (const pattern of MODULES) {
    const name = pattern.exec(message)?.[1]?.replace(/[./-]+$/, '')
    if (name) return { cause: 'module', detail: pattern === MODULES[0] ? (name.split('.', 1)[0] ?? name) : name }
  }
  return { cause: CAUSES.find(([, pattern]) => pattern.test(message))?.[0] ?? 'other', detail: null }
}
