import { foldName } from '../ecosystem.ts'
import type { PackageList } from '../evidence.ts'
import { installed, readLines } from './lines.ts'

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
    return installed(foldName('python', name), version, start !== -1 && line.slice(start, end).trim() !== '')
  })
}
