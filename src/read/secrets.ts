import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import type { Problem } from './evidence.ts'

// It keeps a mark for each text and goes through all of them at the next one: time that grows with the square of the files.
secretLintProfiler.mark = () => {}

const RULE = { id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }

/** Each in place of a character of a secret. */
const MASK = 0x2a

/**
 * Finds what looks like a secret (a token, a private key, a password in an address) and masks it: a report is public, and
 * shows what a bundle holds.
 *
 * @param contents files by name
 * @returns the files, with `*` for each byte of a secret but line ends, and a problem for each kind of secret in a line
 */
export async function maskSecrets(
  contents: ReadonlyMap<string, Uint8Array>,
): Promise<{ readonly contents: ReadonlyMap<string, Uint8Array>; readonly problems: readonly Problem[] }> {
  const masked = new Map<string, Uint8Array>()
  const problems: Problem[] = []
  for (const [file, bytes] of contents) {
    // A byte is a character, so that a place in the text is one in the file.
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    const messages = await lint(content, file)
    if (messages.length === 0) {
      masked.set(file, bytes)
      continue
    }
    const copy = Uint8Array.from(bytes)
    const told = new Set<string>()
    for (const { ruleId = '', range, loc } of messages) {
      for (let at = range[0]; at < range[1]; at++) if (copy[at] !== 0x0a && copy[at] !== 0x0d) copy[at] = MASK
      const what = kindOf(ruleId)
      const line = loc.start.line
      if (told.has(`${what} ${line}`)) continue
      told.add(`${what} ${line}`)
      problems.push({ kind: 'secret', file, line, what })
    }
    masked.set(file, copy)
  }
  return { contents: masked, problems: problems.slice(0, MOST) }
}

/** No more are told. */
const MOST = 64

/** What looks like a secret in a text. */
export async function secretsIn(text: string): Promise<string[]> {
  return (await lint(text, 'report.txt')).map(({ range }) => text.slice(range[0], range[1]))
}

/**
 * Masks what looks like a secret in texts that were put together from files: decoded, or named by them.
 *
 * @param texts any strings
 * @param known only texts with one of these in them are looked at
 * @returns those that hold a secret, each with its text masked; and the kinds of secrets
 */
export async function maskTexts(
  texts: Iterable<string>,
  known: readonly string[],
): Promise<{ readonly masked: ReadonlyMap<string, string>; readonly kinds: ReadonlySet<string> }> {
  const masked = new Map<string, string>()
  const kinds = new Set<string>()
  for (const text of new Set(texts)) {
    if (!known.some((secret) => text.includes(secret))) continue
    const messages = await lint(text, 'report.txt')
    if (messages.length === 0) continue
    let left = text
    for (const { ruleId = '', range } of messages) {
      left = left.slice(0, range[0]) + '*'.repeat(range[1] - range[0]) + left.slice(range[1])
      kinds.add(kindOf(ruleId))
    }
    masked.set(text, left)
  }
  return { masked, kinds }
}

async function lint(content: string, file: string) {
  const source = { content, filePath: file, ext: file.slice(file.lastIndexOf('.')), contentType: 'text' as const }
  return (await lintSource({ source, options: { config: { rules: [RULE] } } })).messages
}

function kindOf(ruleId: string): string {
  return ruleId.replace(/^.*secretlint-rule-/, '')
}
