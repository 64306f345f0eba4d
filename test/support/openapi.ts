import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

/** GitHub's own description of a request. */
interface DescribedRequest {
  readonly method: string
  readonly path: string
  readonly schema: object
}

const slice: { readonly requests: readonly DescribedRequest[] } = JSON.parse(
  readFileSync(new URL('openapi/github.json', import.meta.url), 'utf8'),
)

// What stands behind a question mark is text: it is taken for what it is described as.
const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: true })
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/)

const compiled: readonly { method: string; path: RegExp; validate: ValidateFunction }[] = slice.requests.map(
  ({ method, path, schema }) => ({
    method,
    path: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
    validate: ajv.compile(closed(schema) as object),
  }),
)

/** No property that is not described: GitHub rejects some and ignores others, and neither is meant. */
function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(closed)
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in inner && inner.type === 'object' ? { ...inner, additionalProperties: false } : inner
}

/**
 * Holds a request against GitHub's description and against what the description leaves out.
 *
 * @returns what is wrong with it; null where GitHub has no such request
 */
export function problemsOf(method: string, path: string, body: unknown): string[] | null {
  const known = compiled.find((one) => one.method === method && one.path.test(path))
  if (known === undefined) return null
  known.validate(body)
  return [
    ...(known.validate.errors ?? []).map(
      (error) => `${error.instancePath || 'body'} ${error.message} ${JSON.stringify(error.params)}`,
    ),
    ...unwritten(body),
  ]
}

/** The rules that GitHub keeps and its description does not state. */
function unwritten(body: unknown): string[] {
  const check = body as {
    status?: string
    conclusion?: string
    head_sha?: string
    output?: { title?: string; summary?: string; text?: string; annotations?: Record<string, unknown>[] }
  }
  const problems: string[] = []
  const rule = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem)
  }
  const bytes = (text: unknown) => Buffer.byteLength(typeof text === 'string' ? text : '')
  rule(check.status !== 'completed' || check.conclusion !== undefined, 'a completed check needs a conclusion')
  rule(
    check.head_sha === undefined || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(check.head_sha),
    'head_sha is no object name',
  )
  rule(bytes(check.output?.summary) <= 65_535, 'output.summary has more than 65535 bytes')
  rule(bytes(check.output?.text) <= 65_535, 'output.text has more than 65535 bytes')
  rule(!/[\r\n]/.test(check.output?.title ?? ''), 'output.title has more than one line')
  rule((check.output?.title ?? 'x') !== '', 'output.title is empty')
  for (const [index, one] of (check.output?.annotations ?? []).entries()) {
    const at = `output.annotations[${index}]`
    rule(
      typeof one.path === 'string' && one.path !== '' && !/^[/.]{1,2}\//.test(one.path) && !one.path.startsWith('/'),
      `${at}.path is no path in the repository`,
    )
    rule(Number(one.start_line) >= 1 && Number(one.end_line) >= Number(one.start_line), `${at} ends before it starts`)
    rule(one.start_column === undefined || one.start_line === one.end_line, `${at} has columns on several lines`)
    rule(bytes(one.message) <= 65_536 && bytes(one.raw_details) <= 65_536, `${at} has more than 64 KiB`)
    rule(bytes(one.title) <= 255, `${at}.title has more than 255 bytes`)
    rule(one.message !== '', `${at}.message is empty`)
  }
  return problems
}
