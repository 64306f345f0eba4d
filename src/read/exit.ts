import type { Exit, Problem } from './evidence.ts'
import { clip, decodeText } from './text.ts'

/**
 * Reads `<runner>.exit`: one integer, or a word.
 *
 * @param file the file's name in the bundle
 * @param bytes its content, at most the cap
 * @returns the exit code 0 to 255, or the word that stands there instead ('' for an empty file)
 */
export function readExit(file: string, bytes: Uint8Array): { exit: Exit; problems: Problem[] } {
  const { text, invalidAt } = decodeText(bytes)
  const problems: Problem[] = invalidAt === null ? [] : [{ kind: 'not-utf8', file, line: invalidAt }]
  const content = text.trim()
  const code = /^\d{1,3}$/.test(content) && Number(content) <= 255 ? Number(content) : null
  const runner = file.replace(/\.exit$/, '')
  return { exit: { file, runner, code, word: code === null ? clip(content, 200) : null }, problems }
}

/**
 * What several exit files say together.
 *
 * @returns 0 where each holds 0, else the first other integer; null where a file holds none, or there is no file
 */
export function exitCodeOf(exits: readonly Exit[]): number | null {
  const codes = exits.map((exit) => exit.code)
  const failed = codes.find((code) => code !== null && code !== 0)
  const unknown = codes.length === 0 || codes.includes(null)
  return failed ?? (unknown ? null : 0)
}
