/**
 * Cuts the requests that the action makes out of GitHub's own OpenAPI description, so that the tests can hold every request
 * against it. Made once, and again for a newer description:
 *
 *     npm pack @octokit/openapi && tar xzf octokit-openapi-*.tgz package/package.json package/generated/api.github.com.json
 *     node scripts/slice-openapi.js package > test/support/openapi/github.json
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const REQUESTS = [
  ['post', '/repos/{owner}/{repo}/check-runs'],
  ['patch', '/repos/{owner}/{repo}/check-runs/{check_run_id}'],
  ['get', '/repos/{owner}/{repo}/commits/{ref}/check-runs'],
  ['get', '/repos/{owner}/{repo}/pulls'],
]

const root = process.argv[2]
const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const description = JSON.parse(readFileSync(join(root, 'generated/api.github.com.json'), 'utf8'))

/** The schema with what it refers to in its place, and without prose. The requests' schemas are not recursive. */
function resolved(value) {
  if (Array.isArray(value)) return value.map(resolved)
  if (typeof value !== 'object' || value === null) return value
  if (typeof value.$ref === 'string')
    return resolved(
      value.$ref
        .slice(2)
        .split('/')
        .reduce((at, key) => at[key], description),
    )
  const kept = Object.entries(value).filter(
    ([key, of]) =>
      !(['description', 'example', 'examples', 'title', 'externalDocs'].includes(key) && isProse(key, of)) &&
      !key.startsWith('x-'),
  )
  return Object.fromEntries(kept.map(([key, of]) => [key, resolved(of)]))
}

/** `title` and `description` are also names of properties, whose values are schemas. */
function isProse(key, of) {
  return typeof of === 'string' || key.startsWith('example') || key === 'externalDocs'
}

/** The parameters behind the question mark, as the schema of an object. */
function query(parameters) {
  const named = parameters.filter((one) => one.in === 'query')
  return {
    type: 'object',
    required: named.filter((one) => one.required).map((one) => one.name),
    properties: Object.fromEntries(named.map((one) => [one.name, one.schema])),
  }
}

const requests = REQUESTS.map(([method, path]) => {
  const { operationId, requestBody, parameters } = description.paths[path][method]
  return {
    method: method.toUpperCase(),
    path,
    operationId,
    schema:
      requestBody === undefined
        ? query(resolved(parameters))
        : resolved(requestBody.content['application/json'].schema),
  }
})
process.stdout.write(
  `${JSON.stringify({ source: `${name} ${version}`, license, description: description.info.version, requests }, null, 1)}\n`,
)
