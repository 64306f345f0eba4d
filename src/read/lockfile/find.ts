import type { LockfileFormat } from './format.ts'
import { LOCKFILE_FORMATS } from './formats.ts'

/** The names by which a lockfile is found, in the order in which one is preferred. `capture_run.sh` has the same list. */
export const LOCKFILE_NAMES: readonly string[] = [
  ...new Set(LOCKFILE_FORMATS.flatMap(({ names }) => names)),
  'requirements.txt',
]

/** The formats that a path's last part names: several where one name stands for several, none where it is not known. */
export function formatsByName(path: string): LockfileFormat[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return LOCKFILE_FORMATS.filter(({ names, pattern }) => names.includes(name) || pattern?.test(name))
}

/** The format whose marks a text bears; null where it bears those of none. */
export function formatByContent(text: string): LockfileFormat | null {
  return LOCKFILE_FORMATS.find((format) => format.sniff(text)) ?? null
}

/**
 * The command that installs exactly what a lockfile names.
 *
 * @param path the lockfile's path in the repository
 * @returns null where the format is unknown, or where the command would have to name a path that needs quoting
 */
export function installCommandOf(format: LockfileFormat | null, path: string): string | null {
  if (format === null || !format.install.includes('{}')) return format?.install ?? null
  return /^[\w.][\w./-]*$/.test(path) ? format.install.replace('{}', path) : null
}
