import { listOf, parseJson, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { PackageBuilder, packageOf } from '../package.ts'
import { readLines } from './lines.ts'

/** Whether it is the object that `composer show --format=json` prints. */
export function looksLikeComposerJson(text: string): boolean {
  return /^\s*\{\s*"installed"\s*:\s*\[/.test(text)
}

/**
 * Reads `composer show --format=json`.
 *
 * @throws DocumentError where the text is no JSON
 */
export function readComposerJson(text: string): PackageList {
  const found = new PackageBuilder('php')
  for (const { name, version } of listOf(tableOf(parseJson(text)).installed).map(tableOf)) {
    if (typeof name === 'string' && typeof version === 'string') found.add(name, withoutCommit(version))
    else found.skip(textOf(name) ?? 'an entry without name')
  }
  return found.list()
}

/** `vendor/package  v1.2.3  What it is`, and a commit behind the name of a branch. */
const LINE = /^([a-z0-9][\w.-]*\/[\w.-]+)\s+(v?\d\S*|dev-\S+)(?: [0-9a-f]{7,40})?(?:\s.*)?$/i

/** Whether the first lines are packages of `composer show`. */
export function looksLikeComposer(text: string): boolean {
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20)
  return lines.length > 0 && lines.every((line) => LINE.test(line))
}

/** Reads the columns of `composer show`. */
export function readComposer(text: string): PackageList {
  return readLines('php', text, (line) => {
    const [, name, version] = LINE.exec(line.trim()) ?? []
    return name === undefined ? null : packageOf(name, version ?? null)
  })
}

function withoutCommit(version: string): string {
  return version.replace(/ [0-9a-f]{7,40}$/, '')
}
