import type { PackageList } from '../evidence.ts'
import { PackageBuilder, packageOf } from '../package.ts'
import { readLines } from './lines.ts'

/** `module version`, with `=> module version` where it is replaced. */
const LINE = /^([\w.~-]+(?:\/[\w.~-]+)*)(?: (v\d\S*))?(?: => (\S+)(?: (v\d\S*))?)?$/

/** The line that `capture_run.sh` puts before its list: the modules of what was built, and no others. */
const BUILT = '# go list -deps -test'

/** Whether it is the script's own list of what was built. */
export function looksLikeGoDeps(text: string): boolean {
  return text.startsWith(BUILT)
}

/** Reads what `go list -m all` prints. The main module has no version; a replaced one is what replaces it. */
export function readGoList(text: string): PackageList {
  return readLines('go', text, (line) => {
    if (line.startsWith(BUILT)) return 'nothing'
    const match = LINE.exec(line.trim())
    if (match === null) return null
    const [, name = '', version, replacement, replaced] = match
    if (replacement !== undefined && replaced !== undefined) return packageOf(replacement, replaced)
    return packageOf(name, version ?? null, { local: version === undefined || replacement !== undefined })
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

/** Whether it is what `go version -m` prints of a program. */
export function looksLikeGoBinary(text: string): boolean {
  return /^\tmod\t\S+\t/m.test(text.slice(0, 20_000))
}

/** Reads `go version -m`: the modules that a program was built from. `=>` on the next line is what replaced one. */
export function readGoBinary(text: string): PackageList {
  const found = new PackageBuilder('go')
  const lines = text.split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    const [, kind, name = '', version = ''] = /^\t(\w+|=>)\t(\S+)(?:\t(\S+))?/.exec(line) ?? []
    if (kind === 'mod') found.add(name, null, { local: true })
    else if (kind === '=>') found.add(name, version || null, { local: !/^v\d/.test(version) })
    else if (kind === 'dep' && !lines[index + 1]?.startsWith('\t=>\t')) found.add(name, version)
    else if (kind === undefined && line.trim() !== '' && !/: go\d/.test(line)) found.skip(line, index + 1)
  }
  return found.list()
}
