import type { PackageList } from '../evidence.ts'
import { PackageBuilder } from '../package.ts'

/** `group:artifact:version=configuration,configuration`. */
const LINE = /^([^:=\s]+:[^:=\s]+):([^:=\s]+)=(\S*)$/

/** Reads `gradle.lockfile`: a module a line, with the configurations that it is in. Any may be of one that is not used. */
export function readGradleLock(text: string): PackageList {
  const found = new PackageBuilder('maven')
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || /^empty=/.test(line)) return
    const [, name, version] = LINE.exec(line) ?? []
    if (name === undefined || version === undefined) found.skip(line, index + 1)
    else found.add(name, version, { conditional: true })
  })
  return found.list()
}

/** Whether lines that are no comment are modules of Gradle, or the line for configurations without any. */
export function looksLikeGradleLock(text: string): boolean {
  const lines = text
    .slice(0, 200_000)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, 50)
  return lines.length > 0 && lines.every((line) => LINE.test(line) || /^empty=/.test(line))
}
