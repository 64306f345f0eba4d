import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** A Python that can run pytest: the directory to put first on PATH, and its version. */
export interface PythonEnvironment {
  readonly bin: string
  readonly version: string
}

/** The Pythons of this machine, one of each minor version from 3.9 on, the newest first. */
export function findPythons(): { readonly path: string; readonly version: string }[] {
  const directories = (process.env.PATH ?? '').split(delimiter)
  const pyenv = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions')
  if (existsSync(pyenv)) directories.push(...readdirSync(pyenv).map((name) => join(pyenv, name, 'bin')))
  const found = new Map<string, { path: string; version: string }>()
  for (const directory of directories.filter((one) => one !== '' && existsSync(one))) {
    for (const name of readdirSync(directory).filter((file) => /^python3(?:\.\d+)?$/.test(file))) {
      const path = join(directory, name)
      const asked = spawnSync(path, ['-c', 'import sys, venv, ensurepip; print("%d.%d.%d" % sys.version_info[:3])'], {
        encoding: 'utf8',
        timeout: 10_000,
      })
      const version = asked.status === 0 ? asked.stdout.trim() : ''
      const minor = /^3\.(?:9|[1-9]\d)(?=\.)/.exec(version)?.[0]
      if (minor !== undefined && !found.has(minor)) found.set(minor, { path, version })
    }
  }
  return [...found.values()].sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }))
}

/**
 * Makes a virtual environment and installs packages into it.
 *
 * @returns null where that cannot be done, for want of a network, say
 */
export function makeEnvironment(
  python: { readonly path: string; readonly version: string },
  directory: string,
  install: readonly string[],
): PythonEnvironment | null {
  const bin = join(directory, 'bin')
  const steps: [string, string[]][] = [
    [python.path, ['-m', 'venv', directory]],
    [join(bin, 'python'), ['-m', 'pip', '--quiet', '--disable-pip-version-check', 'install', ...install]],
  ]
  const done = steps.every(
    ([command, args]) => spawnSync(command, args, { stdio: 'ignore', timeout: 180_000 }).status === 0,
  )
  return done ? { bin, version: python.version } : null
}
