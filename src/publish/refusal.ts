import { reasonOf } from '../record/reason.ts'
import { visible } from '../report/escape.ts'

/** Why a request was not granted, and what to do. Both are sentences on one line, fit to be printed. */
export interface Refusal {
  readonly why: string
  readonly remedy: string
}

const SUMMARY = 'The job summary has the report.'

/**
 * Puts the failure of a request into words.
 *
 * @param error what the client threw
 * @param apiUrl the API's address, for the sentence
 */
export function refusalOf(error: unknown, apiUrl: string): Refusal {
  const { status, headers, said } = facts(error)
  const wait = headers['retry-after']
  if (
    (status === 403 || status === 429) &&
    (wait !== undefined || headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(said) || status === 429)
  )
    return {
      why: `GitHub's rate limit is reached (${status}).`,
      remedy: `${again(wait)} ${SUMMARY}`,
    }
  switch (status) {
    case 401:
      return {
        why: 'The token is not valid (401).',
        remedy: `Leave the input \`token\` out, or renew what it names. ${SUMMARY}`,
      }
    case 403: {
      const permission = visible(headers['x-accepted-github-permissions'] ?? 'checks=write', 80).replace('=', ': ')
      return {
        why: `The token may not write checks (403: ${said}).`,
        remedy: `Give the job \`permissions: ${permission}\`. The token of a pull request from a fork or of Dependabot is read-only; there the job summary has the report.`,
      }
    }
    case 404:
      return {
        why: `There is no check-runs API for this repository at ${visible(apiUrl, 100)} (404).`,
        remedy: `Gitea and Forgejo have none, and a token without access sees none: use \`check: none\`, or give the token access. ${SUMMARY}`,
      }
    case 422:
      return {
        why: `GitHub did not accept the check (422: ${said}).`,
        remedy: `Please report this: it is a fault of this action. ${SUMMARY}`,
      }
    default:
  }
  if (status !== null && status >= 500 && !isTimeout(error))
    return { why: `GitHub's API failed (${status}).`, remedy: `${again(wait)} ${SUMMARY}` }
  if (isTimeout(error))
    return {
      why: `GitHub's API at ${visible(apiUrl, 100)} did not answer in time.`,
      remedy: `${again()} ${SUMMARY}`,
    }
  return {
    why: `GitHub's API at ${visible(apiUrl, 100)} could not be used: ${said}.`,
    remedy: `${again()} ${SUMMARY}`,
  }
}

/** `wait` is the header `retry-after`: seconds, or else a date, which is not repeated. */
function again(wait = ''): string {
  return `Run the job again ${/^\d{1,9}$/.test(wait) ? `in ${wait} seconds` : 'later'}.`
}

/** How long a server that failed asks to be left alone by `retry-after`, in milliseconds; 0 where it does not say. */
export function askedToWait(error: unknown): number {
  const { status, headers } = facts(error)
  const seconds = Number(headers['retry-after'])
  return status !== null && status >= 500 && seconds > 0 ? seconds * 1000 : 0
}

function isTimeout(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (
      at.name === 'TimeoutError' ||
      at.name === 'AbortError' ||
      /aborted due to timeout|operation was aborted/i.test(at.message)
    )
      return true
  return false
}

function facts(error: unknown): { status: number | null; headers: Record<string, string>; said: string } {
  const status = has(error, 'status') && typeof error.status === 'number' ? error.status : null
  const response = has(error, 'response') ? error.response : null
  const headers: Record<string, string> = {}
  if (has(response, 'headers') && typeof response.headers === 'object' && response.headers !== null)
    for (const [name, value] of Object.entries(response.headers)) headers[name.toLowerCase()] = String(value)
  return {
    status,
    headers,
    said: visible(
      reasonOf(error)
        .replace(/\s+/g, ' ')
        .replace(/ - https:\S+$/, '')
        .replace(/[.\s]+$/, ''),
      200,
    )
      .replace(/::/g, ': :')
      .replace(/##\[/g, '# #['),
  }
}

function has<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && key in value
}
