import type { PackageList } from '../evidence.ts'
import { installed, readLines } from './lines.ts'

/** `module version`, with `=> module version` where it is replaced. */
const LINE = /^([\w.~-]+(?:\/[\w.~-]+)*)(?: (v\d\S*))?(?: => (\S+)(?: (v\d\S*))?)?$/

/** Reads what `go list -m all` prints. The main module has no version; a replaced one is what replaces it. */
export function readGoList(text: string): PackageList {
  return readLines('go', text, (line) => {
    const match = LINE.exec(line.trim())
    if (match === null) return null
    const [, name = '', version, replacement, replaced] = match
    if (replacement !== undefined && replaced !== undefined) return installed(replacement, replaced)
    return installed(name, version ?? null, version === undefined || replacement !== undefined)
  })
}

/** Whether the first lines are modules, and one has a version or there is none but the main module, with a host's name. */
export function looksLikeGoList(text: string): boolean {
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 50)
  const versions = lines.some((line) => / v\d/.test(line))
  return (
    lines.every((line) => LINE.test(line)) &&
    (versions || (lines.length === 1 && /^\w[^/]*\.[^/]*\//.test(lines[0] ?? '')))
  )
}
