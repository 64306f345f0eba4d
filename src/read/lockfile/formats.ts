import type { LockfileFormat } from './format.ts'
import { looksLikeGoSum, readGoSum } from './gosum.ts'
import { readPackageLock } from './npm.ts'
import { readPoetryLock } from './poetry.ts'
import { looksLikeRequirements, readRequirements } from './requirements.ts'

/** The formats that are read package by package. One more is one row and one file; the most telling marks come first. */
export const LOCKFILE_FORMATS: readonly LockfileFormat[] = [
  {
    id: 'package-lock.json',
    ecosystem: 'npm',
    named: (name) => name === 'package-lock.json' || name === 'npm-shrinkwrap.json' || name === '.package-lock.json',
    sniff: (text) =>
      /^\s*\{/.test(text) && /"lockfileVersion"\s*:\s*\d/.test(text) && !/"workspaces"\s*:\s*\{\s*""/.test(text),
    read: readPackageLock,
    install: 'npm ci',
  },
  {
    id: 'poetry.lock',
    ecosystem: 'python',
    named: (name) => name === 'poetry.lock',
    sniff: (text) =>
      /^\[\[package\]\]\s*$/m.test(text) &&
      /^(?:content-hash|python-versions) = /m.test(text) &&
      /^\[metadata\]\s*$/m.test(text),
    read: readPoetryLock,
    install: 'poetry sync',
  },
  {
    id: 'go.sum',
    ecosystem: 'go',
    named: (name) => name === 'go.sum',
    sniff: looksLikeGoSum,
    read: readGoSum,
    install: 'go mod download',
    weak: 'it lists hashes of all versions considered, not those that were chosen',
  },
  {
    id: 'requirements',
    ecosystem: 'python',
    named: (name) => /^requirements(?:[-_.][\w.-]+)?\.(?:txt|lock)$/.test(name),
    sniff: looksLikeRequirements,
    read: readRequirements,
    install: 'uv pip sync {}',
  },
]

/** The names by which a lockfile is found, in the order in which one is preferred. `capture_run.sh` has the same list. */
export const LOCKFILE_NAMES = [
  'requirements.lock',
  'poetry.lock',
  'uv.lock',
  'pylock.toml',
  'pdm.lock',
  'Pipfile.lock',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'deno.lock',
  'go.sum',
  'Cargo.lock',
  'gradle.lockfile',
  'Gemfile.lock',
  'gems.locked',
  'packages.lock.json',
  'composer.lock',
  'requirements.txt',
] as const

/** The format that a path's last part names; null for one that is not read package by package. */
export function formatByName(path: string): LockfileFormat | null {
  const name = lastPart(path)
  return LOCKFILE_FORMATS.find((format) => format.named(name)) ?? null
}

/** Whether a path's last part is the name of a lockfile, of a format that is read or of another. */
export function isLockfileName(path: string): boolean {
  const name = lastPart(path)
  return LOCKFILE_NAMES.some((known) => known === name) || formatByName(name) !== null
}

/** The format whose marks a text bears; null where it bears those of none. */
export function formatByContent(text: string): LockfileFormat | null {
  return LOCKFILE_FORMATS.find((format) => format.sniff(text)) ?? null
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
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
