import type { Judgement } from '../judge/judgement.ts'
import { found } from '../judge/rules/rule.ts'
import { maskTexts, secretsIn } from '../read/secrets.ts'
import { renderJson } from './json.ts'
import { makeReport } from './report.ts'
import { renderTerminal } from './terminal.ts'

/**
 * A judgement in which nothing that is shown looks like a secret. Files are masked before they are read; what only their
 * decoding or their names bring about is masked here.
 *
 * @returns the judgement itself where there is nothing to mask
 */
export async function withoutSecrets(judgement: Judgement): Promise<Judgement> {
  const { summary, details } = makeReport(judgement, null)
  const shown = `${renderJson(judgement)}\n${renderTerminal([...summary, ...details], false)}`
  const secrets = await secretsIn(shown)
  if (secrets.length === 0) return judgement
  const { masked, kinds } = await maskTexts(stringsIn(judgement, new Set()), secrets)
  const problems = [...kinds].map((what) => ({ kind: 'secret', file: '', line: null, what }) as const)
  const told = problems.length === 0 ? [] : [found('warning', { id: 'bundle/secret', problems })]
  const clean = replaced(judgement, masked, new Map()) as Judgement
  return { ...clean, findings: [...told, ...clean.findings] }
}

function* stringsIn(value: unknown, seen: Set<unknown>): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) return
  seen.add(value)
  const parts = value instanceof Map ? [...value].flat() : value instanceof Set ? value : Object.values(value)
  for (const part of parts) yield* stringsIn(part, seen)
}

/** The same data with other strings. What was one object before is one after. */
function replaced(value: unknown, by: ReadonlyMap<string, string>, done: Map<unknown, unknown>): unknown {
  if (typeof value === 'string') return by.get(value) ?? value
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  const known = done.get(value)
  if (known !== undefined) return known
  const of = (part: unknown) => replaced(part, by, done)
  const copy =
    value instanceof Map
      ? new Map([...value].map(([key, part]) => [of(key), of(part)]))
      : value instanceof Set
        ? new Set([...value].map(of))
        : Array.isArray(value)
          ? value.map(of)
          : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, of(part)]))
  done.set(value, copy)
  return copy
}
