import { setTimeout as sleep } from 'node:timers/promises'
import { getOctokit } from '@actions/github'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import type { Conclusion } from '../judge/conclusion.ts'
import { askedToWait, type Refusal, refusalOf } from './refusal.ts'

/** A line of a file of the pull request with something to say about it. Lines are one-based. */
export interface Annotation {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  readonly level: 'notice' | 'warning'
  readonly title: string
  readonly message: string
}

/** A check to post. */
export interface CheckRequest {
  /** `new`: a check run of its own; `job`: title and summary on the running job's own check run. */
  readonly mode: 'new' | 'job'
  readonly token: string
  readonly apiUrl: string
  readonly owner: string
  readonly repo: string
  readonly headSha: string
  readonly name: string
  readonly conclusion: Conclusion
  readonly title: string
  /** Markdown, at most 65,535 bytes, as `text`. */
  readonly summary: string
  readonly text: string
  readonly annotations: readonly Annotation[]
  /** For `job`. */
  readonly checkRunId: string | null
  readonly detailsUrl: string | null
  /** What posts: the job of a workflow, and which run and attempt of it. A check of an earlier one is replaced. */
  readonly run: { readonly origin: string; readonly id: string }
  /** RFC 3339. */
  readonly startedAt: string
  readonly completedAt: string
  /** How long one request and all of them may take, in milliseconds. */
  readonly limits?: { readonly requestMs: number; readonly totalMs: number }
}

export type CheckResult =
  | { readonly posted: true; readonly id: number; readonly url: string; readonly notes: readonly string[] }
  | ({ readonly posted: false } & Refusal)

/** GitHub takes so many annotations in one request, and adds those of the next. */
const ANNOTATIONS = 50
const LIMITS = { requestMs: 20_000, totalMs: 75_000 }

/**
 * Posts a check. It never throws: a refused or failing API is an answer, with why and what to do.
 */
export async function publishCheck(request: CheckRequest): Promise<CheckResult> {
  if (request.token === '')
    return {
      posted: false,
      why: 'The input `token` is empty.',
      remedy: 'Leave it out: its default is the token of the job. The job summary has the report.',
    }
  const checkRunId = Number(request.checkRunId)
  if (request.mode === 'job' && !(Number.isSafeInteger(checkRunId) && checkRunId > 0))
    return {
      posted: false,
      why: "The id of this job's check run is not known.",
      remedy: 'Give the input `check-run-id`, or use `check: new`. The job summary has the report.',
    }
  const client = clientFor(request)
  const chunks = chunked(request.annotations)
  const repository = { owner: request.owner, repo: request.repo }
  try {
    const earlier = request.mode === 'new' ? await earlierCheck(client, request) : null
    // Annotations of an update are added to those that are there.
    const sent = earlier?.annotated ? [] : chunks
    const result = {
      ...({ name: request.name, status: 'completed', conclusion: request.conclusion } as const),
      ...{ started_at: request.startedAt, completed_at: request.completedAt, external_id: externalId(request.run) },
      ...(request.detailsUrl === null ? {} : { details_url: request.detailsUrl }),
      output: output(request, sent[0]),
    }
    const { data } =
      request.mode === 'job'
        ? await client.rest.checks.update({ ...repository, check_run_id: checkRunId, output: output(request, sent[0]) })
        : earlier === null
          ? await client.rest.checks.create({ ...repository, head_sha: request.headSha, ...result })
          : await client.rest.checks.update({ ...repository, check_run_id: earlier.id, ...result })
    if (typeof data?.id !== 'number')
      return { posted: false, ...refusalOf(new Error('the answer is no check run'), request.apiUrl) }
    const notes: string[] = []
    for (const chunk of sent.slice(1)) {
      try {
        await client.rest.checks.update({ ...repository, check_run_id: data.id, output: output(request, chunk) })
      } catch (error) {
        const { why, remedy } = refusalOf(error, request.apiUrl)
        notes.push(`The check was posted, without all of its annotations: ${why} ${remedy}`)
        break
      }
    }
    return { posted: true, id: data.id, url: data.html_url ?? '', notes }
  } catch (error) {
    return { posted: false, ...refusalOf(error, request.apiUrl) }
  }
}

/** By which a check of this action is known again, and the run that posted it. */
function externalId({ origin, id }: CheckRequest['run']): string {
  return `scratch-evidence: ${origin}: ${id}`
}

/**
 * The check that an earlier run of the same job posted for this commit under this name; what another leg or another workflow
 * posted stays. Where that cannot be told there is none: one check more is better than none.
 */
async function earlierCheck(
  client: ReturnType<typeof clientFor>,
  { owner, repo, headSha, name, run }: CheckRequest,
): Promise<{ readonly id: number; readonly annotated: boolean } | null> {
  try {
    const { data } = await client.rest.checks.listForRef({
      ...{ owner, repo, ref: headSha, check_name: name, per_page: 100 },
      request: { retries: 0 },
    })
    const [newest] = data.check_runs
      .filter(({ external_id: id }) => id?.startsWith(externalId({ ...run, id: '' })) && id !== externalId(run))
      .sort((a, b) => b.id - a.id)
    return newest === undefined ? null : { id: newest.id, annotated: newest.output.annotations_count > 0 }
  } catch {
    return null
  }
}

/** A client that retries what is worth it, waits where GitHub asks for it, and gives up when the time is over. */
function clientFor(request: CheckRequest) {
  const { requestMs, totalMs } = request.limits ?? LIMITS
  const end = Date.now() + totalMs
  const wait = (seconds: number, _options: object, _client: object, retries: number) =>
    retries < 2 && Date.now() + seconds * 1000 < end
  return getOctokit(
    request.token,
    {
      baseUrl: request.apiUrl,
      // Those that are worth it by their status: 5xx. The other plugin waits for rate limits.
      retry: { retries: 2, doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] },
      throttle: { onRateLimit: wait, onSecondaryRateLimit: wait },
      // The report is the log: the client has nothing to add.
      log: { debug() {}, info() {}, warn() {}, error() {} },
    },
    // The first is the innermost: it bounds each try, not all of them together.
    bounded(requestMs, end),
    retry,
    throttling,
  )
}

/** Bounds each try of a request in time. When all the time is over, the last failure stands. */
function bounded(requestMs: number, end: number) {
  let last: unknown = null
  return (client: { hook: ReturnType<typeof getOctokit>['hook'] }) => {
    client.hook.wrap('request', async (send, options) => {
      const left = end - Date.now()
      if (left <= 0 && last !== null) throw last
      // Not AbortSignal.timeout: its timer does not keep the process alive, and the check would be lost in silence.
      const abort = new AbortController()
      const timer = setTimeout(
        () => abort.abort(new DOMException('no answer', 'TimeoutError')),
        Math.min(requestMs, left),
      )
      try {
        // In place: the hooks hand on the object that they were given.
        options.request = { ...options.request, signal: abort.signal }
        return await send(options)
      } catch (error) {
        last = error
        // The plugin for rate limits heeds what GitHub asks there; where a server fails, none does.
        const wait = askedToWait(error)
        if (Date.now() + wait < end) await sleep(wait)
        else options.request.retries = 0
        throw error
      } finally {
        clearTimeout(timer)
      }
    })
    return {}
  }
}

function output(request: CheckRequest, annotations: readonly Annotation[] = []) {
  return {
    title: request.title,
    summary: request.summary,
    ...(request.text === '' ? {} : { text: request.text }),
    annotations: annotations.map(({ path, startLine, endLine, level, title, message }) => ({
      path,
      start_line: startLine,
      end_line: endLine,
      annotation_level: level,
      title,
      message,
    })),
  }
}

function chunked(annotations: readonly Annotation[]): (readonly Annotation[])[] {
  const chunks: (readonly Annotation[])[] = []
  for (let at = 0; at < annotations.length; at += ANNOTATIONS) chunks.push(annotations.slice(at, at + ANNOTATIONS))
  return chunks
}
