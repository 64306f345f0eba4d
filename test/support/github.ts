import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { problemsOf } from './openapi.ts'

/** A check run as GitHub keeps it. */
export interface CheckRun {
  id: number
  name: string
  head_sha: string
  status: string
  conclusion: string | null
  html_url: string
  details_url?: string
  external_id?: string
  output: { title: string; summary: string; text?: string; annotations: Record<string, unknown>[] }
}

/** A pull request as GitHub lists it: the parts that are looked at. */
export interface PullRequest {
  readonly title: string
  readonly body: string | null
  readonly head: { readonly sha: string; readonly ref: string; readonly label: string }
  readonly base: { readonly sha: string; readonly ref: string }
}

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** What goes wrong instead of an answer. */
export type Fault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'body'; readonly body: string }
  /** An answer that never ends, a byte at a time. */
  | { readonly kind: 'drip' }

export interface GitHub {
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** Requests that GitHub would not accept, with why. */
  readonly rejected: readonly (RecordedRequest & { readonly problems: readonly string[] })[]
  readonly checkRuns: readonly CheckRun[]
  /** The pull requests of the repository. */
  readonly pulls: PullRequest[]
  close(): Promise<void>
}

const REFUSALS: Readonly<Record<number, string>> = {
  401: '{"message":"Bad credentials","documentation_url":"https://docs.github.com/rest","status":"401"}',
  403: '{"message":"Resource not accessible by integration","documentation_url":"https://docs.github.com/rest/checks/runs#create-a-check-run","status":"403"}',
  404: '{"message":"Not Found","documentation_url":"https://docs.github.com/rest","status":"404"}',
  422: '{"message":"Invalid request.","errors":["No commit found for SHA"],"documentation_url":"https://docs.github.com/rest","status":"422"}',
  429: '{"message":"You have exceeded a secondary rate limit.","documentation_url":"https://docs.github.com/rest","status":"429"}',
  500: '{"message":"Server Error"}',
  502: '<html><head><title>502 Bad Gateway</title></head></html>',
}

/**
 * A stand-in for GitHub's API on this machine. It holds each request against GitHub's own OpenAPI description, answers as
 * GitHub does and keeps what was posted.
 *
 * @param faultOf asked before each request is answered; what it returns happens instead
 */
export async function startGitHub(
  faultOf: (request: RecordedRequest, index: number) => Fault | null = () => null,
): Promise<GitHub> {
  const requests: RecordedRequest[] = []
  const rejected: (RecordedRequest & { problems: string[] })[] = []
  const checkRuns: CheckRun[] = []
  const pulls: PullRequest[] = []

  const server = createServer(async (incoming, outgoing) => {
    const address = new URL(incoming.url ?? '/', 'http://localhost')
    const request = {
      method: incoming.method ?? '',
      path: address.pathname,
      body: incoming.method === 'GET' ? Object.fromEntries(address.searchParams) : await readBody(incoming),
    }
    requests.push(request)
    const fault = faultOf(request, requests.length - 1)
    if (fault !== null) return commit(fault, outgoing)
    if (!/^(?:token|bearer) \S+/i.test(incoming.headers.authorization ?? ''))
      return answer(outgoing, 401, JSON.parse(REFUSALS[401] ?? ''))
    const problems = problemsOf(request.method, request.path, request.body)
    if (problems === null) return answer(outgoing, 404, JSON.parse(REFUSALS[404] ?? ''))
    if (problems.length > 0) {
      rejected.push({ ...request, problems })
      return answer(outgoing, 422, {
        message: `Invalid request.\n\n${problems.join('\n')}`,
        documentation_url: 'https://docs.github.com/rest',
      })
    }
    if (request.path.endsWith('/pulls'))
      return answer(
        outgoing,
        200,
        pulls.filter(({ head }) => head.label === (request.body as Record<string, string>).head),
      )
    if (request.method === 'GET') return answer(outgoing, 200, listed(request, checkRuns))
    return answer(outgoing, request.method === 'POST' ? 201 : 200, keep(request, checkRuns))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A test that fails before it closes the server must end.
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    rejected,
    checkRuns,
    pulls,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** The check runs of a commit by a name, as a list shows them: without their annotations, which are counted. */
function listed({ path, body }: RecordedRequest, checkRuns: readonly CheckRun[]): unknown {
  const ref = path.split('/').at(-2)
  const { check_name: name } = body as Record<string, string>
  const found = checkRuns.filter((run) => run.head_sha === ref && (name === undefined || run.name === name))
  return {
    total_count: found.length,
    check_runs: found.map(({ output: { annotations, ...output }, ...run }) => ({
      ...run,
      output: { ...output, annotations_count: annotations.length },
    })),
  }
}

/** Creates or changes a check run; annotations are added to those that it has. */
function keep({ method, path, body }: RecordedRequest, checkRuns: CheckRun[]): CheckRun {
  const { output, ...rest } = body as Partial<CheckRun>
  const id = method === 'POST' ? 1000 + checkRuns.length : Number(path.split('/').at(-1))
  let run = checkRuns.find((one) => one.id === id)
  if (run === undefined) {
    const [, , owner, repo] = path.split('/')
    run = {
      id,
      name: 'a job of the runner',
      head_sha: '',
      status: method === 'POST' ? 'queued' : 'in_progress',
      conclusion: null,
      html_url: `https://github.example/${owner}/${repo}/runs/${id}`,
      output: { title: '', summary: '', annotations: [] },
    }
    checkRuns.push(run)
  }
  const annotations = [...run.output.annotations, ...(output?.annotations ?? [])]
  Object.assign(run, rest, { output: { ...run.output, ...output, annotations } })
  return run
}

function commit(fault: Fault, outgoing: ServerResponse): void {
  switch (fault.kind) {
    case 'hang':
      return
    case 'reset':
      outgoing.socket?.resetAndDestroy()
      return
    case 'drip': {
      outgoing.writeHead(201, { 'content-type': 'application/json' })
      const timer = setInterval(() => outgoing.write(' '), 50)
      outgoing.on('close', () => clearInterval(timer))
      return
    }
    case 'body':
      outgoing.writeHead(201, { 'content-type': 'application/json' }).end(fault.body)
      return
    case 'status': {
      const body = fault.body ?? REFUSALS[fault.status] ?? '{}'
      const type = body.startsWith('<') ? 'text/html' : 'application/json; charset=utf-8'
      outgoing.writeHead(fault.status, { 'content-type': type, ...fault.headers }).end(body)
    }
  }
}

function answer(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}
