import type { Problem, Run } from './evidence.ts'
import { readSource, SOURCE_KEYS } from './run-source.ts'
import { decodeText } from './text.ts'

const KEYS = new RegExp(
  `^(?:schema|(?:runner|command|argv|asked|started|finished|exit|signal|cached|junit\\.missing)(?:\\.\\d{1,5}){0,2}|cwd|tools|lockfile(?:\\.\\d{1,3})?|${SOURCE_KEYS}|junit\\.older\\.\\d{1,5}|capture\\.sha256)$`,
)

/**
 * Reads `run.txt` of format 2: lines `key=value` with `\n`, `\r` and `\\` escaped. Keys of a second, third … run end in its number.
 *
 * @param file the file's name in the bundle, for the problems
 * @param bytes its content, at most the cap
 * @returns the run, and the path of each lockfile copy by the copy's file name
 */
export function readRun(
  file: string,
  bytes: Uint8Array,
): { run: Run; lockPaths: ReadonlyMap<string, string>; problems: Problem[] } {
  const { text, invalidAt } = decodeText(bytes)
  const problems: Problem[] = invalidAt === null ? [] : [{ kind: 'not-utf8', file, line: invalidAt }]
  const values = new Map<string, string>()
  text.split(/\r?\n/).forEach((raw, index) => {
    if (raw.trim() === '') return
    const equals = raw.indexOf('=')
    const key = raw.slice(0, Math.max(equals, 0))
    if (!KEYS.test(key)) problems.push({ kind: 'unrecognised-line', file, line: index + 1, text: raw })
    else if (values.has(key)) problems.push({ kind: 'repeated-key', file, line: index + 1, key })
    else values.set(key, unescaped(raw.slice(equals + 1)))
  })

  const get = (key: string): string | null => values.get(key) ?? null
  const argv: string[] = []
  for (let word = get('argv.0'); word !== null; word = get(`argv.${argv.length}`)) argv.push(word)
  const numbers = [...values.keys()].flatMap((key) => /^(?:runner|command|exit)\.(\d+)$/.exec(key)?.[1] ?? [])
  const later = [...new Set(numbers)].sort((a, b) => Number(a) - Number(b))
  const others = later.map((number) => ({
    runner: get(`runner.${number}`),
    command: get(`command.${number}`),
    finished: get(`finished.${number}`),
    exit: integer(get(`exit.${number}`)),
  }))
  const commands = [get('command'), ...later.map((number) => get(`command.${number}`))]
  const olderJUnit = [...values].filter(([key]) => key.startsWith('junit.older.')).map(([, path]) => path)
  const lockPaths = new Map<string, string>()
  for (const [key, value] of values) {
    if (key === 'lockfile') lockPaths.set('lock.copy', value)
    else if (key.startsWith('lockfile.')) lockPaths.set(`lock-${key.slice('lockfile.'.length)}.copy`, value)
  }
  const run: Run = {
    runner: get('runner'),
    command: commands.filter((command) => command !== null).join('\n') || get('command'),
    argv,
    cwd: get('cwd'),
    started: get('started'),
    finished: get('finished'),
    exit: integer(get('exit')),
    signal: get('signal'),
    others,
    toolsByPath: get('tools') === 'path',
    lockfile: get('lockfile'),
    source: readSource(values),
    script: digest(get('capture.sha256')),
    olderJUnit,
    missingJUnit: [...values].filter(([key]) => /^junit\.missing(?:\.\d+)?$/.test(key)).map(([, text]) => text),
    cached: sum([...values].filter(([key]) => /^cached(?:\.\d+)?$/.test(key)).map(([, text]) => text)),
  }
  return { run, lockPaths, problems }
}

/** The sum of numbers as written; null where there is none. */
function sum(numbers: readonly string[]): number | null {
  const read = numbers.filter((text) => /^\d{1,6}$/.test(text)).map(Number)
  return read.length === 0 ? null : read.reduce((a, b) => a + b)
}

function unescaped(value: string): string {
  return value.replace(/\\([\\nr])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter === 'r' ? '\r' : '\\'))
}

function integer(value: string | null): number | null {
  return value !== null && /^\d{1,3}$/.test(value) ? Number(value) : null
}

/** A SHA-256; anything else is not recorded. */
function digest(value: string | null): string | null {
  return value !== null && /^[0-9a-f]{64}$/.test(value) ? value : null
}
