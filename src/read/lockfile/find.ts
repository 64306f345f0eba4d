import { posix } from 'node:path'
import type { PackageList } from '../evidence.ts'
import { isPinned } from '../package.ts'
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

/**
 * Paths at which a bundle says that its lockfiles lay, as far as a lockfile can lie there: they are looked up among what
 * the repository has committed, and nowhere else.
 *
 * @param recorded relative to the repository; anything
 * @returns those inside it whose last part is the name of a lockfile, with slashes, each once
 */
export function lockfilePaths(recorded: readonly (string | null)[]): string[] {
  const paths = recorded.flatMap((path) => {
    const parts = (path ?? '')
      .slice(0, 500)
      .split('/')
      .filter((part) => part !== '' && part !== '.')
    const inside = path !== null && !path.startsWith('/') && !parts.includes('..') && !/[\0\\]/.test(path)
    return inside && formatsByName(path).length > 0 ? [parts.join('/')] : []
  })
  return [...new Set(paths)]
}

/** The format whose marks a text bears; null where it bears those of none. */
export function formatByContent(text: string): LockfileFormat | null {
  return LOCKFILE_FORMATS.find((format) => format.sniff(text)) ?? null
}

/**
 * The command that installs exactly what a lockfile names, as it is given at the top of the repository.
 *
 * @param reading the lockfile as it was read
 * @param path the lockfile's path in the repository
 * @returns null where the format is unknown, or where the command would have to name a path that needs quoting
 */
export function installCommandOf({ format, list }: Readable, path: string): string | null {
  // What is not pinned there is to be resolved, and a requirements.txt need not name what its packages need.
  const open = format?.id === 'requirements' && (path.endsWith('.txt') || list?.packages.some((one) => !isPinned(one)))
  const install = open ? 'python -m pip install -r {}' : (format?.install ?? null)
  if (install === null || !/^[\w.][\w./-]*$/.test(path) || path.split('/').includes('..')) return null
  if (install.includes('{}')) return install.replace('{}', path)
  const folder = posix.dirname(path)
  return folder === '.' ? install : `cd ${folder} && ${install}`
}

interface Readable {
  readonly format: LockfileFormat | null
  readonly list: PackageList | null
}
