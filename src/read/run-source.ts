import type { RecordedSource } from './evidence.ts'

/** The keys of `run.txt` that tell of the source, with what a list's keys end in. */
export const SOURCE_KEYS =
  'git\\.(?:head|tree|dirty|base|hidden|ignored|lfs|autocrlf|eol|(?:hidden|untracked|change|after|submodule)\\.(?:\\d{1,4}|more))'

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
  return {
    head: objectId(get('head')),
    tree: objectId(get('tree')),
    dirty: get('dirty') === 'yes' ? true : get('dirty') === 'no' ? false : null,
    base: objectId(get('base')),
    hidden: get('hidden'),
    hiddenPaths: list('hidden'),
    untracked: list('untracked'),
    changes: list('change').flatMap((entry) => {
      const [, mode, oid, path] = /^(\d{6}) ([0-9a-f]{40}|[0-9a-f]{64}) ([\s\S]+)$/.exec(entry) ?? []
      return mode === undefined || oid === undefined || path === undefined ? [] : [{ mode, oid, path }]
    }),
    unlisted: integer(get('change.more')) ?? 0,
    after: list('after').flatMap((entry) => {
      const [, letter, path] = /^([MDA]) ([\s\S]+)$/.exec(entry) ?? []
      const how = HOW.get(letter ?? '')
      return how === undefined || path === undefined ? [] : [{ how, path }]
    }),
    submodules: list('submodule').flatMap((entry) => {
      const [, state, path] = /^(clean|dirty|absent) ([\s\S]+)$/.exec(entry) ?? []
      return path === undefined ? [] : [{ state: state as 'clean' | 'dirty' | 'absent', path }]
    }),
    ignored: integer(get('ignored')),
    lfsPointers: integer(get('lfs')),
    lineEndings: { autocrlf: get('autocrlf'), eol: get('eol') },
  }
}

const HOW: ReadonlyMap<string, RecordedSource['after'][number]['how']> = new Map([
  ['M', 'changed'],
  ['D', 'removed'],
  ['A', 'added'],
])

function integer(value: string | null): number | null {
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : null
}

/** A SHA-1 or SHA-256 object name; anything else is not recorded. */
function objectId(value: string | null): string | null {
  return value !== null && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value) ? value : null
}
