import { DocumentError, parseJson, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { packageOf } from '../package.ts'
import { readLines } from './lines.ts'

/** Whether it begins as `yarn list` of Yarn 1 does. */
export function looksLikeYarnList(text: string): boolean {
  return /^yarn list v\d/m.test(text.slice(0, 1000))
}

/** Reads the tree of `yarn list`. A dependency that is only asked for, further down, has a range and no version. */
export function readYarnList(text: string): PackageList {
  return readLines('npm', text, (raw) => {
    if (/^(?:yarn list v|Done in|warning |info )/.test(raw)) return 'nothing'
    const match = /^[│├└─┬|`+\s-]+(@?[^@\s]+)@(.+)$/.exec(raw)
    if (match === null) return null
    const [, name = '', version = ''] = match
    return /^\d+\.\d+\.\d+[^\s]*$/.test(version) ? packageOf(name, version) : 'nothing'
  })
}

/** Whether each line is an object as `yarn info --json` prints them. */
export function looksLikeYarnInfo(text: string): boolean {
  return /^\{"value":"[^"]*","children":\{/.test(text)
}

/** Reads `yarn info --all --recursive --json`, an object a line. */
export function readYarnInfo(text: string): PackageList {
  return readLines('npm', text, (raw) => {
    const entry = tableOf(parsed(raw))
    const match = /^(@?[^@]+)@(?:virtual:[^#]*#)?(.*)$/s.exec(textOf(entry.value) ?? '')
    const version = textOf(tableOf(entry.children).Version)
    if (match === null || version === null) return null
    return packageOf(match[1] ?? '', version, { local: /^(?:workspace|link|portal|file):/.test(match[2] ?? '') })
  })
}

function parsed(line: string): unknown {
  try {
    return parseJson(line)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return null
  }
}
