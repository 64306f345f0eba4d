import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import type { Problem } from './evidence.ts'

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
    const source = { content, filePath: file, ext: file.slice(file.lastIndexOf('.')), contentType: 'text' as const }
    const { messages } = await lintSource({ source, options: { config: { rules: [RULE] } } })
    if (messages.length === 0) {
      masked.set(file, bytes)
      continue
    }
    const copy = Uint8Array.from(bytes)
    const told = new Set<string>()
    for (const { ruleId = '', range, loc } of messages) {
      for (let at = range[0]; at < range[1]; at++) if (copy[at] !== 0x0a && copy[at] !== 0x0d) copy[at] = MASK
      const what = ruleId.replace(/^.*secretlint-rule-/, '')
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
