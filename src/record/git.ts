import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** An entry of `git ls-tree -l`. */
export interface TreeEntry {
  readonly mode: string
  readonly type: string
  readonly oid: string
  /** Bytes; null for what is no blob. */
  readonly size: number | null
  /** Relative to the repository. */
  readonly path: string
}

/** Where a repository can be read. */
export interface Remote {
  readonly url: string
  readonly token: string
}

/** A question to git that git answered with an error. */
export class GitError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'GitError'
  }
}

/**
 * Reads a repository, and changes nothing in it: no index, no ref, no hook, no object except fetched ones.
 * Every commit and path is passed as one argument or through standard input, and never to a shell.
 */
export class Git {
  readonly top: string
  /** What the remote is read with where the repository's own credentials do not do; null for nothing. */
  readonly #remote: Remote | null
  /** Where the repository keeps its objects; null until it was asked. */
  #objects: string | null = null
  #refused = false

  private constructor(top: string, remote: Remote | null) {
    this.top = top
    this.#remote = remote
  }

  /**
   * A repository of our own with nothing in it, for a job that has checked nothing out: objects are fetched, and no file of
   * theirs is written.
   *
   * @param directory an empty directory, which becomes it
   * @param remote the address of the repository on its server, and the token to read it with; '' for none
   * @throws GitError where git cannot make it
   */
  static empty(directory: string, remote: Remote): Git {
    const git = new Git(directory, remote)
    git.run(['init', '--quiet', '--initial-branch=none'])
    git.run(['remote', 'add', 'origin', remote.url])
    return git
  }

  /**
   * @param directory a directory inside the working tree
   * @param remote its address on its server and the token to read it with, where the checkout keeps none
   * @returns the repository, or null with the reason where there is none, or no git at all
   */
  static open(
    directory: string,
    remote: Remote | null = null,
  ): { git: Git } | { git: null; why: string; missing: boolean } {
    if (!existsSync(directory)) return { git: null, why: `there is no directory ${directory}`, missing: false }
    const asked = spawnSync('git', ['-c', 'safe.directory=*', 'rev-parse', '--show-toplevel'], {
      cwd: directory,
      encoding: 'utf8',
    })
    if (asked.error !== undefined) return { git: null, why: 'git is not installed', missing: true }
    if (asked.status !== 0) return { git: null, why: 'this is no git repository', missing: false }
    return { git: new Git(asked.stdout.replace(/\n$/, ''), remote) }
  }

  /** The full name of a commit; null where the repository does not have it. */
  commit(name: string): string | null {
    const asked = this.#ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
    return asked.status === 0 ? asked.stdout.toString().trim() : null
  }

  isShallow(): boolean {
    return this.#text(['rev-parse', '--is-shallow-repository']) === 'true'
  }

  /** The parents that the commit object names, whether the repository has them or not. */
  parents(commit: string): string[] {
    const header = this.run(['cat-file', 'commit', commit]).toString().split('\n\n', 1)[0] ?? ''
    return [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1] ?? '')
  }

  /**
   * Brings a commit that is missing, alone where the repository is shallow.
   *
   * @returns whether the repository has it now
   */
  fetch(commit: string): boolean {
    const alone = this.isShallow() || this.commit('HEAD') === null
    if (this.commit(commit) === null) this.#fetch([...(alone ? ['--depth=1'] : []), 'origin', commit])
    return this.commit(commit) !== null
  }

  /**
   * Brings the history of a commit to a shallow repository, as far back as to what the base branch has.
   *
   * @param base the name of that branch; null: the last commits
   */
  deepen(commit: string, base: string | null): void {
    if (!this.isShallow()) return
    const far = base === null ? '--depth=50' : `--shallow-exclude=${base}`
    if (!this.#fetch([far, 'origin', commit]) && base !== null) this.#fetch(['--depth=50', 'origin', commit])
  }

  /** Whether a fetch failed for another reason than that the commit is not there: then no other one is tried. */
  get refused(): boolean {
    return this.#refused
  }

  #fetch(what: readonly string[]): boolean {
    if (this.#refused) return false
    const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
    const fetched = (env: Record<string, string>) => this.#ask(['fetch', ...options, ...what], { timeout: 30_000, env })
    let asked = fetched({})
    // With its own credentials first: two headers of that kind are refused.
    if (asked.status === 128 && this.#remote?.token && !isGone(asked.stderr))
      asked = fetched(authorization(this.#remote))
    if (asked.status === 0) return true
    this.#refused = !isGone(asked.stderr)
    return false
  }

  /** What lies directly in a directory of a commit; empty where there is no such directory. */
  list(commit: string, directory: string): TreeEntry[] {
    return this.#entries(commit, directory === '.' ? [] : ['--', `${directory}/`])
  }

  /** What stands at paths of a commit; nothing for those where nothing does. */
  entries(commit: string, paths: readonly string[]): TreeEntry[] {
    return this.#entries(commit, ['--', ...paths])
  }

  #entries(commit: string, path: readonly string[]): TreeEntry[] {
    return splitNul(this.run(['ls-tree', '-z', '-l', '--full-tree', commit, ...path])).flatMap((row) => {
      const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/.exec(row)
      if (match === null) return []
      const [, mode = '', type = '', oid = '', size = '', name = ''] = match
      return [{ mode, type, oid, size: size === '-' ? null : Number(size), path: name }]
    })
  }

  /** The bytes of blobs, in the order asked for. */
  blobs(oids: readonly string[]): Uint8Array[] {
    if (oids.length === 0) return []
    const answer = this.run(['cat-file', '--batch'], { input: Buffer.from(`${oids.join('\n')}\n`) })
    let at = 0
    return oids.map((oid) => {
      // `<oid> blob <size>`, a newline, the bytes, a newline.
      const end = answer.indexOf(0x0a, at)
      const [, type, size] = answer.subarray(at, end).toString('latin1').split(' ')
      if (type !== 'blob') throw new GitError(`git has no file ${oid}`)
      const start = end + 1
      at = start + Number(size) + 1
      return answer.subarray(start, at - 1)
    })
  }

  /** Those of some paths, relative to the repository, that git ignores by its rules in the working tree. */
  ignored(paths: readonly string[]): string[] {
    const asked = this.#ask(['check-ignore', '--no-index', '-z', '--stdin'], { input: Buffer.from(paths.join('\0')) })
    // 1 where none is; an error for a path that lies outside.
    return asked.status === 0 ? splitNul(asked.stdout) : []
  }

  /** The commit from which both come; null where the repository does not have enough of their history. */
  mergeBase(one: string, other: string): string | null {
    const asked = this.#ask(['merge-base', one, other])
    return asked.status === 0 ? asked.stdout.toString().trim() : null
  }

  /**
   * The last commits up to one that changed files, as far as they are here.
   *
   * @param pathspecs of the files, relative to the repository
   * @returns at most 20, the newest first
   */
  recentChanges(commit: string, pathspecs: readonly string[]): string[] {
    const text = this.#text(['--glob-pathspecs', 'log', '--max-count=20', '--format=%H', commit, '--', ...pathspecs])
    return text === '' ? [] : text.split('\n')
  }

  /** The parents, which are not here, of the commits at which a shallow history of a commit ends. */
  cutParents(commit: string): string[] {
    const cut = new Set(readIfThere(this.#text(['rev-parse', '--path-format=absolute', '--git-path', 'shallow'])))
    const ends = this.#text(['rev-list', commit])
      .split('\n')
      .filter((one) => cut.has(one))
    return [...new Set(ends.flatMap((one) => this.parents(one)))]
  }

  /** Where the repository keeps its objects, as a variable of git's environment has it. */
  objectDirectory(): string {
    this.#objects ??= this.#text(['rev-parse', '--path-format=absolute', '--git-path', 'objects'])
    // In quotes: a colon would part two directories.
    return `"${this.#objects.replace(/[\\"]/g, '\\$&')}"`
  }

  #ask(args: readonly string[], options: { env?: Record<string, string>; input?: Uint8Array; timeout?: number } = {}) {
    return spawnSync(
      'git',
      [
        '--no-replace-objects',
        '-c',
        'safe.directory=*',
        '-c',
        'core.hooksPath=/dev/null',
        '-c',
        'core.fsmonitor=false',
        ...args,
      ],
      {
        cwd: this.top,
        env: {
          ...process.env,
          ...{ GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
          ...options.env,
        },
        maxBuffer: 1024 * 1024 * 1024,
        ...(options.input === undefined ? {} : { input: options.input }),
        ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
      },
    )
  }

  #text(args: readonly string[]): string {
    return this.run(args).toString().trim()
  }

  /**
   * What git answers.
   *
   * @param options variables beside those of this process, and what git reads from standard input
   * @throws GitError with git's last line where it answers with an error
   */
  run(args: readonly string[], options: { env?: Record<string, string>; input?: Uint8Array } = {}): Buffer {
    const done = this.#ask(args, options)
    if (done.status === 0) return done.stdout
    const said = done.stderr?.toString().trim().split('\n').at(-1) ?? ''
    throw new GitError(
      `git ${args.find((arg) => !arg.startsWith('-'))} failed: ${said || done.error?.message || 'killed'}`,
    )
  }
}

/** A glob pathspec that means this directory's path literally. */
export function literalGlob(path: string): string {
  return path.replace(/[\\*?[\]]/g, '\\$&')
}

/** Whether a server says that it has no such commit, or cannot cut a history where it was asked to. */
function isGone(said: Buffer | null): boolean {
  return /not our ref|unadvertised object|remote ref|no commits selected|deepen|shallow/i.test(said?.toString() ?? '')
}

/** Variables by which git sends a token to that server and to no other, while no program's arguments hold it. */
function authorization({ url, token }: Remote): Record<string, string> {
  const key = `http.${new URL(url).origin}/.extraheader`
  const value = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
  return { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: key, GIT_CONFIG_VALUE_0: value }
}

/** The lines of a file; none where there is no such file. */
function readIfThere(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
}

function splitNul(bytes: Uint8Array): string[] {
  return Buffer.from(bytes).toString('utf8').split('\0').filter(Boolean)
}
