import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryFolder } from '../support/temporary.ts'

export const SCRIPT = join(import.meta.dirname, '../../capture_run.sh')

/** Where the real `python3` is, past any shim, and what it has; null where there is none. */
export const PYTHON = lookUpPython()

function lookUpPython(): { executable: string; version: string; pytest: string | null } | null {
  const code =
    'import sys,platform\nprint(sys.executable)\nprint(platform.python_version())\nimport pytest;print(pytest.__version__)'
  const asked = spawnSync('python3', ['-c', code], { encoding: 'utf8' })
  const [executable, version, pytest] = (asked.stdout ?? '').split('\n')
  return executable && version ? { executable, version, pytest: pytest || null } : null
}

/** For `skip` of a test that needs Python, or pytest. */
export const noPython = PYTHON === null ? 'there is no python3 here' : false
export const noPytest = PYTHON?.pytest ? false : 'python3 has no pytest here'

export interface Captured extends SpawnSyncReturns<string> {
  /** The evidence directory's files. */
  readonly files: ReadonlyMap<string, string>
}

/** A directory with spaces in its path, removed after the test. */
export class Workspace {
  readonly root: string
  readonly project: string
  readonly env: NodeJS.ProcessEnv

  constructor(t: TestContext) {
    this.root = realpathSync(temporaryFolder('capture run '))
    this.project = join(this.root, 'my project')
    mkdirSync(this.project)
    t.after(() => rmSync(this.root, { recursive: true, force: true }))
    const pythonDirectory = PYTHON === null ? [] : [dirname(PYTHON.executable)]
    this.env = {
      PATH: [...pythonDirectory, process.env.PATH ?? ''].join(delimiter),
      HOME: join(this.root, 'home of nobody'),
      LANG: 'C.UTF-8',
      PYTHONDONTWRITEBYTECODE: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    }
  }

  /** Writes files of the project, by path relative to it. */
  write(files: Readonly<Record<string, string>>): this {
    for (const [path, content] of Object.entries(files)) {
      const target = join(this.project, path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, content)
    }
    return this
  }

  /** For a test that has nothing to do with Python: the one that is found does not answer, which saves its time. */
  withoutPython(): this {
    const environment = join(this.root, 'no python')
    mkdirSync(join(environment, 'bin'), { recursive: true })
    writeFileSync(join(environment, 'bin/python'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    this.env.VIRTUAL_ENV = environment
    return this
  }

  git(...args: string[]): string {
    const done = spawnSync('git', args, { cwd: this.project, env: this.env, encoding: 'utf8' })
    if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`)
    return done.stdout.trim()
  }

  /** Makes the project a repository with everything in it committed. */
  commit(): this {
    this.git('init', '--quiet', '--initial-branch=main')
    this.git('add', '--all')
    this.git('commit', '--quiet', '--message=start')
    return this
  }

  /** Runs the script in the project, or in a directory of it. */
  capture(
    args: readonly string[],
    { env = {}, cwd = '.', out = 'evidence', bash = 'bash' }: Partial<CaptureOptions> = {},
  ): Captured {
    const done = spawnSync(bash, [SCRIPT, ...args], {
      cwd: join(this.project, cwd),
      env: { ...this.env, ...env },
      encoding: 'utf8',
    })
    return { ...done, files: this.bundle(join(cwd, out)) }
  }

  /** The files of a directory of the project; none where there is no such directory. */
  bundle(directory = 'evidence'): Map<string, string> {
    const path = join(this.project, directory)
    try {
      return new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]))
    } catch {
      return new Map()
    }
  }
}

interface CaptureOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly out: string
  readonly bash: string
}

/** The lines `key=value` of a file. */
export function facts(text: string | undefined): Map<string, string> {
  const lines = (text ?? '').split('\n').filter((line) => line.includes('='))
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
