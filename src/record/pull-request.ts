import { getOctokit } from '@actions/github'
import { type ReviewEvent, readEvent } from './event.ts'
import { reasonOf } from './reason.ts'

/** GitHub's API, as this job may use it. */
export interface Api {
  readonly url: string
  readonly token: string
  readonly owner: string
  readonly repo: string
}

/** How long GitHub may take to answer, in milliseconds. */
const PATIENCE = 10_000

/**
 * A workflow run of a pull request says which commit it is of; of a fork's it says not which pull request. GitHub is asked, by
 * the branch that the run is of, and believed where the pull request is still at that commit.
 *
 * @param event what the payload says
 * @param payload the payload of the event
 * @returns the event, with what the pull request is for and its words; or with why that could not be told. It never throws.
 */
export async function withPullRequest(event: ReviewEvent, payload: unknown, api: Api): Promise<ReviewEvent> {
  const run = workflowRun(payload)
  if (run === null || event.headSha === null) return event
  const unknown = (why: string): ReviewEvent =>
    // With the base that the payload names, only the words are missing.
    event.baseSha !== null
      ? event
      : {
          ...event,
          limit: {
            what: `what the pull request changes was not compared: which one this run is of could not be told, ${why}`,
            remedy: 'give the job `permissions: pull-requests: read`, and look at the files of the pull request',
          },
        }
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new DOMException('no answer', 'TimeoutError')), PATIENCE)
  try {
    const { data } = await getOctokit(api.token, { baseUrl: api.url }).rest.pulls.list({
      ...{ owner: api.owner, repo: api.repo, state: 'all', head: `${run.owner}:${run.branch}`, per_page: 100 },
      request: { signal: abort.signal },
    })
    if (!Array.isArray(data)) return unknown('the answer of GitHub is no list')
    const [pull, another] = data.filter(({ head }) => head.sha === event.headSha)
    if (pull === undefined) return unknown('GitHub names none at that commit')
    // To two branches: nothing tells which of them is meant.
    if (another !== undefined) return unknown('GitHub names several at that commit')
    return { ...readEvent({ pull_request: pull }, null), headSha: event.headSha }
  } catch (error) {
    return unknown(`GitHub could not be asked (${reasonOf(error)})`)
  } finally {
    clearTimeout(timer)
  }
}

/** The branch that a workflow run of a pull request is of, and whose it is. */
function workflowRun(payload: unknown): { readonly owner: string; readonly branch: string } | null {
  const run = (payload as { workflow_run?: Record<string, unknown> } | null)?.workflow_run
  const owner = (run?.head_repository as { owner?: { login?: unknown } } | null | undefined)?.owner?.login
  const branch = run?.head_branch
  if (run?.event !== 'pull_request' || typeof owner !== 'string' || typeof branch !== 'string') return null
  return { owner, branch }
}
