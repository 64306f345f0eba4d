import { isTable, listOf, parseJson, tableOf, textOf } from '../document.ts'
import type { PackageList } from '../evidence.ts'
import { PackageBuilder, packageOf, placeOf } from '../package.ts'
import { readLines } from './lines.ts'

const EDITABLE = 'Editable project location'

/** Whether the first line is the head of the columns of `pip list`. */
export function looksLikePipList(text: string): boolean {
  return /^Package +Version/.test(text)
}

/** Reads the columns of `pip list` and `uv pip list`; what has a place under `Editable project location` is local. */
export function readPipList(text: string): PackageList {
  const head = text.split(/\r?\n/, 1)[0] ?? ''
  const start = head.indexOf(EDITABLE)
  // `pip list -v` has further columns behind it.
  const end = start === -1 || head.length === start + EDITABLE.length ? undefined : head.indexOf(' L', start)
  return readLines('python', text, (line, index) => {
    if (index === 0 || /^[-\s]+$/.test(line)) return 'nothing'
    const [name = '', version = ''] = line.trim().split(/\s+/, 2)
    if (!/^[A-Za-z0-9][\w.-]*$/.test(name) || !/\d/.test(version)) return null
    return packageOf(name, version, { local: start !== -1 && line.slice(start, end).trim() !== '' })
  })
}

/** Whether it is the list that `pip list --format=json` prints. */
export function looksLikePipJson(text: string): boolean {
  return /^\s*\[\s*\{\s*"name"\s*:\s*"[^"]*"\s*,\s*"version"\s*:/.test(text)
}

/**
 * Reads `pip list --format=json` and `uv pip list --format=json`.
 *
 * @throws DocumentError where the text is no JSON
 */
export function readPipJson(text: string): PackageList {
  const found = new PackageBuilder('python')
  for (const entry of listOf(parseJson(text))) {
    const { name, version, editable_project_location } = tableOf(entry)
    if (typeof name !== 'string' || typeof version !== 'string') found.skip('an entry without name or version')
    else found.add(name, version, { local: editable_project_location !== undefined })
  }
  return found.list()
}

/** Whether it is the object that `pip inspect` prints. */
export function looksLikePipInspect(text: string): boolean {
  return /^\s*\{/.test(text) && /"pip_version"\s*:/.test(text) && /"installed"\s*:\s*\[/.test(text)
}

/**
 * Reads `pip inspect`: what is installed, with the place of what came from no index.
 *
 * @throws DocumentError where the text is no JSON
 */
export function readPipInspect(text: string): PackageList {
  const found = new PackageBuilder('python')
  for (const entry of listOf(tableOf(parseJson(text)).installed).map(tableOf)) {
    const { name, version } = tableOf(entry.metadata)
    const direct = tableOf(entry.direct_url)
    const url = textOf(direct.url)
    const local = isTable(direct.dir_info) || (url?.startsWith('file:') ?? false)
    if (typeof name !== 'string' || typeof version !== 'string') found.skip('an entry without name or version')
    else
      found.add(name, version, {
        local,
        source: url === null || local ? null : placeOf(url, textOf(tableOf(direct.vcs_info).commit_id)),
      })
  }
  return found.list()
}
