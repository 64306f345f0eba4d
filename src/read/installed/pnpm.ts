import { listOf, parseJson, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { PackageBuilder, packageOf } from '../package.ts'
import { readLines } from './lines.ts'

const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'unsavedDependencies']

/** Whether it is the list of projects that `pnpm ls --json` prints. */
export function looksLikePnpmJson(text: string): boolean {
  return (
    /^\s*\[\s*\{/.test(text) &&
    /"(?:devD|optionalD|unsavedD|d)ependencies"\s*:\s*\{/.test(text) &&
    /"path"\s*:/.test(text)
  )
}

/**
 * Reads `pnpm ls -r --depth Infinity --json`: a tree for each project of the workspace.
 *
 * @throws DocumentError where the text is no JSON
 */
export function readPnpmJson(text: string): PackageList {
  const found = new PackageBuilder('npm')
  const open = [...listOf(parseJson(text))]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const list of LISTS) {
      for (const [key, entry] of Object.entries(tableOf(tableOf(node)[list]))) {
        const version = textOf(tableOf(entry).version)
        const local = /^(?:link|file):/.test(version ?? '')
        if (version === null) found.skip(key)
        else found.add(textOf(tableOf(entry).from) ?? key, local ? null : version, { local })
        open.push(entry)
      }
    }
  }
  return found.list()
}

const HEADING = /^(?:Legend: .*|(?:dev|optional|peer|not saved )?[dD]ependencies:|\d+ packages?\b.*)$/

/** Whether it is the tree that `pnpm ls` prints: a legend, the project, headings. */
export function looksLikePnpmTree(text: string): boolean {
  return /^Legend: /m.test(text.slice(0, 1000)) || /^(?:│ +)?(?:dev|optional)?[dD]ependencies:$/m.test(text)
}

/** Reads the tree of `pnpm ls --depth Infinity`. A project itself stands first, with its directory. */
export function readPnpmTree(text: string): PackageList {
  return readLines('npm', text, (raw) => {
    const line = raw.replace(/^[│├└─┬\s]+/, '').trim()
    if (line === '' || HEADING.test(line) || /^\S+ (?:\/|[A-Z]:)/.test(line)) return 'nothing'
    const [, name = '', reference = ''] = /^(@?[^@\s]+)[@ ](\S+)/.exec(line) ?? []
    if (name === '') return null
    if (/^(?:link|file|workspace):/.test(reference)) return packageOf(name, null, { local: true })
    const alias = /^(?:npm:)?(@?[^@]+)@(\d.*)$/.exec(reference)
    return alias === null ? packageOf(name, reference) : packageOf(alias[1] ?? name, alias[2] ?? null)
  })
}
