/** What GitHub's event says of the change under review. Every `null` means that it says nothing. */
export interface ReviewEvent {
  /** The commit that the check belongs to: never the merge commit of a `pull_request`. */
  readonly headSha: string | null
  readonly baseSha: string | null
  /** The name of the branch that the change is for. */
  readonly base: string | null
  /** The pull request's own words, its title and text. */
  readonly words: string | null
  /** What of it could not be told, and what would help; absent where all could. */
  readonly limit?: { readonly what: string; readonly remedy: string }
}

/**
 * Reads the payload of an event, of any kind, as `GITHUB_EVENT_PATH` holds it.
 *
 * @param payload what the JSON file holds; anything
 * @param fallbackSha `GITHUB_SHA`, for events that name no head of their own
 */
export function readEvent(payload: unknown, fallbackSha: string | null): ReviewEvent {
  const pull = at(payload, 'pull_request')
  if (pull !== undefined) {
    const words = [text(at(pull, 'title')), text(at(pull, 'body'))].filter((part) => part !== null)
    return {
      headSha: sha(at(pull, 'head', 'sha')) ?? fallbackSha,
      baseSha: sha(at(pull, 'base', 'sha')),
      base: text(at(pull, 'base', 'ref')),
      words: words.length === 0 ? null : words.join('\n'),
    }
  }
  const group = at(payload, 'merge_group')
  if (group !== undefined) {
    return {
      headSha: sha(at(group, 'head_sha')) ?? fallbackSha,
      baseSha: sha(at(group, 'base_sha')),
      base: text(at(group, 'base_ref'))?.replace(/^refs\/heads\//, '') ?? null,
      words: null,
    }
  }
  const run = at(payload, 'workflow_run')
  if (run !== undefined) {
    // Empty for a fork's pull request.
    const base = at(run, 'pull_requests', '0', 'base')
    return {
      headSha: sha(at(run, 'head_sha')) ?? fallbackSha,
      baseSha: sha(at(base, 'sha')),
      base: text(at(base, 'ref')),
      words: null,
    }
  }
  return {
    // `after` is the tag itself where an annotated one was pushed.
    headSha: fallbackSha ?? sha(at(payload, 'after')),
    baseSha: sha(at(payload, 'before')),
    base: null,
    words: null,
  }
}

/**
 * Finds where a text claims that tests passed.
 *
 * @returns the words that do, as they stand there; null where none do
 */
export function claimOf(words: string | null): string | null {
  for (const claim of CLAIMS) {
    const match = words?.slice(0, 65_536).match(claim)
    if (match) return match[0].replace(/\s+/g, ' ').trim()
  }
  return null
}

const CLAIMS = [
  /\b(?:all|every)(?: \d{1,7})?(?: of)?(?: the)?(?: unit| existing| new)? ?(?:tests?|checks|specs)(?: (?:are|now|still|do))* (?:pass(?:ed|es|ing)?|green|succeed(?:ed)?)\b/i,
  /\b(?:tests?|test suite|suite|pytest|CI)(?: (?:is|are|now|still|all))* (?:pass(?:ed|es|ing)?|green)\b(?! (?:if|when|once|unless|only))/i,
  /\b\d{1,7}(?:\/\d{1,7})? (?:tests? )?pass(?:ed|ing)\b/i,
  /\b(?:PASS|PASSED|ALL GREEN)\b/,
]

function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = Object.hasOwn(here, key) ? (here as Record<string, unknown>)[key] : undefined
  }
  return here ?? undefined
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** An object name; the all-zero one of a new branch names nothing. */
function sha(value: unknown): string | null {
  return typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value) && !/^0+$/.test(value)
    ? value
    : null
}
