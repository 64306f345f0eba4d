import { FAILSAFE_SCHEMA, loadAll, YAMLException } from 'js-yaml'
import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'
import { parse, TomlError } from 'smol-toml'
import { lineOf } from './text.ts'

/** A text is not of the format that it was read as. `line` is one-based, null where the parser does not tell. */
export class DocumentError extends Error {
  readonly line: number | null
  constructor(message: string, line: number | null = null) {
    super(message)
    this.name = 'DocumentError'
    this.line = line
  }
}

/** An object of a document, whose values are not known yet. It may have a key `__proto__` of its own. */
export type Table = Readonly<Record<string, unknown>>

/** Nothing that tools write nests deeper. */
const DEPTH = 500

/**
 * Reads JSON, strictly: a key that stands twice in one object is an error, as is anything behind the end.
 *
 * @param comments whether comments and commas before a closing bracket are allowed, as in `bun.lock`
 * @throws DocumentError with the line of the first fault
 */
export function parseJson(text: string, { comments = false }: { comments?: boolean } = {}): unknown {
  let root: unknown
  const open: { readonly value: unknown[] | Record<string, unknown>; key: string }[] = []
  const put = (value: unknown) => {
    const parent = open.at(-1)
    if (parent === undefined) root = value
    else if (Array.isArray(parent.value)) parent.value.push(value)
    else setOwn(parent.value, parent.key, value)
  }
  const begin = (value: unknown[] | Record<string, unknown>, offset: number) => {
    if (open.length >= DEPTH) throw new DocumentError(`it nests deeper than ${DEPTH}`, lineOf(text, offset))
    put(value)
    open.push({ value, key: '' })
  }
  const end = () => {
    open.pop()
  }
  const visitor = {
    onObjectBegin: (offset: number) => begin({}, offset),
    onObjectEnd: end,
    onArrayBegin: (offset: number) => begin([], offset),
    onArrayEnd: end,
    onObjectProperty: (key: string, offset: number) => {
      const parent = open.at(-1)
      if (parent === undefined) return
      if (Object.hasOwn(parent.value, key))
        throw new DocumentError(`it has the key ${JSON.stringify(key.slice(0, 100))} twice`, lineOf(text, offset))
      parent.key = key
    },
    onLiteralValue: put,
    onError: (code: ParseErrorCode, offset: number) => {
      throw new DocumentError(`it is no JSON: ${said(printParseErrorCode(code))}`, lineOf(text, offset))
    },
  }
  visit(text, visitor, { disallowComments: !comments, allowTrailingComma: comments })
  return root
}

/** `PropertyNameExpected` as words. */
function said(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

/** A plain assignment to `__proto__` would set no key. */
function setOwn(table: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') table[key] = value
  else Object.defineProperty(table, key, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * Reads TOML.
 *
 * @throws DocumentError with the line of the first fault, such as a key that stands twice
 */
export function parseToml(text: string): Table {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' })
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : ''
    throw new DocumentError(
      `it is no TOML: ${why.replace(/^Invalid TOML document: /, '')}`,
      error instanceof TomlError ? error.line : null,
    )
  }
}

/**
 * Reads YAML with every scalar as text, so that a version `1.10` stays one. Aliases are few in any lockfile; many are refused.
 *
 * @returns the documents of the stream, those that are empty left out
 * @throws DocumentError with the line of the first fault, such as a key that stands twice
 */
export function parseYaml(text: string): unknown[] {
  try {
    const documents = loadAll(text, { schema: FAILSAFE_SCHEMA, maxAliases: 1000, maxDepth: DEPTH })
    return documents.filter((one) => one !== undefined && one !== null && one !== '')
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    throw new DocumentError(`it is no YAML: ${error.reason}`, error.mark === undefined ? null : error.mark.line + 1)
  }
}

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value where it is an object, else an empty one. */
export function tableOf(value: unknown): Table {
  return isTable(value) ? value : {}
}

/** The value where it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value where it is text, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
