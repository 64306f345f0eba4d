import type { RecordedChange, RecordedSource } from './evidence.ts'

/** The keys of `run.txt` that tell of the source, with what a list's keys end in. */
export const SOURCE_KEYS =
  'git\\.(?:head|tree|dirty|base|hidden|ignored|lfs|filtered|autocrlf|eol|(?:hidden|removed|excluded|untracked|change|after|submodule)\\.(?:\\d{1,4}|more))'

/**
 * Reads what `run.txt` says of the source that ran.
 *
 * @param values its keys, `git.head` and so on, and their values, unescaped
 * @returns null for what is not recorded, an empty list for a list that is not; an entry of no known shape is left out
 */
export function readSource(values: ReadonlyMap<string, string>): RecordedSource {
  const get = (key: string): string | null => values.get(`git.${key}`) ?? null
  const list = (key: string): string[] =>
    [...values].flatMap(([name, value]) => (new RegExp(`^git\\.${key}\\.\\d+$`).test(name) ? [value] : []))
  const paths = (key: string) => list(key).map(unquoted)
  const changes = (key: string) =>
    list(key).flatMap((entry): RecordedChange[] => {
      const [, letter = '', mode, oid, quoted] = CHANGE.exec(entry) ?? []
      const how = HOW.get(letter)
      if (how === undefined || mode === undefined || oid === undefined || quoted === undefined) return []
      return [{ how, mode, oid, quoted, path: unquoted(quoted) }]
    })
  return {
    head: objectId(get('head')),
    tree: objectId(get('tree')),
    dirty: get('dirty') === 'yes' ? true : get('dirty') === 'no' ? false : null,
    base: objectId(get('base')),
    hidden: get('hidden'),
    hiddenPaths: paths('hidden'),
    removed: paths('removed'),
    excluded: paths('excluded'),
    untracked: paths('untracked'),
    changes: changes('change'),
    unlisted: integer(get('change.more')) ?? 0,
    after: changes('after'),
    submodules: list('submodule').flatMap((entry) => {
      const [, state, quoted] = /^(clean|dirty|absent|empty) ([\s\S]+)$/.exec(entry) ?? []
      return quoted === undefined
        ? []
        : [{ state: state as RecordedSource['submodules'][number]['state'], path: unquoted(quoted) }]
    }),
    ignored: integer(get('ignored')),
    lfsPointers: integer(get('lfs')),
    filtered: integer(get('filtered')),
    lineEndings: { autocrlf: get('autocrlf'), eol: get('eol') },
  }
}

const CHANGE = /^([AMTD]) (\d{6}) ([0-9a-f]{40}|[0-9a-f]{64}) ([^\n]+)$/

const HOW: ReadonlyMap<string, RecordedChange['how']> = new Map([
  ['A', 'added'],
  ['M', 'changed'],
  ['T', 'changed'],
  ['D', 'removed'],
])

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }

/** A path that git has quoted, as it is; bytes that are no UTF-8 become U+FFFD. */
export function unquoted(path: string): string {
  const inside = /^"([\s\S]*)"$/.exec(path)?.[1]
  if (inside === undefined) return path
  const bytes = inside.replace(/\\([0-7]{3}|[\s\S])|[^\x00-\x7f]+/g, (written, escaped: string | undefined) => {
    if (escaped === undefined) return Buffer.from(written).toString('latin1')
    return escaped.length === 3
      ? String.fromCharCode(Number.parseInt(escaped, 8) & 0xff)
      : (ESCAPES[escaped] ?? escaped)
  })
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function integer(value: string | null): number | null {
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : null
}

/** A SHA-1 or SHA-256 object name; anything else is not recorded. */
function objectId(value: string | null): string | null {
  return value !== null && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value) ? value : null
}
