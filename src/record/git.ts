import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
  /** Where the repository keeps its objects; null until it was asked. */
  #objects: string | null = null

  private constructor(top: string) {
    this.top = top
  }

  /**
   * @param directory a directory inside the working tree
   * @returns the repository, or null with the reason where there is none or no git
   */
  static open(directory: string): { git: Git } | { git: null; why: string } {
    const asked = spawnSync('git', ['-c', 'safe.directory=*', 'rev-parse', '--show-toplevel'], {
      cwd: directory,
      encoding: 'utf8',
    })
    if (asked.error !== undefined) return { git: null, why: 'git is not installed' }
    if (asked.status !== 0) return { git: null, why: 'this is no git repository' }
    return { git: new Git(asked.stdout.replace(/\n$/, '')) }
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
    const header = this.#run(['cat-file', 'commit', commit]).toString().split('\n\n', 1)[0] ?? ''
    return [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1] ?? '')
  }

  /**
   * Brings a commit that is missing, alone where the repository is shallow.
   *
   * @returns whether the repository has it now
   */
  fetch(commit: string): boolean {
    if (this.commit(commit) !== null) return true
    const depth = this.isShallow() ? ['--depth=1'] : []
    this.#ask(
      ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', ...depth, 'origin', commit],
      {
        timeout: 30_000,
      },
    )
    return this.commit(commit) !== null
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
    return splitNul(this.#run(['ls-tree', '-z', '-l', '--full-tree', commit, ...path])).flatMap((row) => {
      const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/.exec(row)
      if (match === null) return []
      const [, mode = '', type = '', oid = '', size = '', name = ''] = match
      return [{ mode, type, oid, size: size === '-' ? null : Number(size), path: name }]
    })
  }

  /** The bytes of blobs, in the order asked for. */
  blobs(oids: readonly string[]): Uint8Array[] {
    if (oids.length === 0) return []
    const answer = this.#run(['cat-file', '--batch'], { input: Buffer.from(`${oids.join('\n')}\n`) })
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

  /**
   * The tree of a commit without some files.
   *
   * @param pathspecs glob pathspecs relative to the repository, of the files that are left out
   * @returns the name of the tree
   */
  treeWithout(commit: string, pathspecs: readonly string[]): string {
    return this.#treeOf(commit, false, pathspecs)
  }

  /** The tree of the whole working tree, what is untracked and not ignored included, without some files. */
  workingTreeWithout(pathspecs: readonly string[]): string {
    return this.#treeOf(this.commit('HEAD'), true, pathspecs)
  }

  /** Through an index and an object directory of its own: the repository is only read. */
  #treeOf(commit: string | null, workingTree: boolean, pathspecs: readonly string[]): string {
    const scratch = mkdtempSync(join(tmpdir(), 'scratch-evidence-git-'))
    try {
      const env = {
        GIT_INDEX_FILE: join(scratch, 'index'),
        GIT_OBJECT_DIRECTORY: scratch,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: this.#objectDirectory(),
      }
      this.#run(['read-tree', commit ?? '--empty'], { env })
      if (workingTree)
        this.#run(['-c', 'advice.addEmbeddedRepo=false', '-c', 'core.safecrlf=false', 'add', '-A'], { env })
      // With no pathspec git would list every file.
      const left =
        pathspecs.length === 0
          ? Buffer.of()
          : this.#run(['--glob-pathspecs', 'ls-files', '-z', '--', ...pathspecs], { env })
      if (left.length > 0) this.#run(['update-index', '-z', '--force-remove', '--stdin'], { env, input: left })
      return this.#run(['write-tree'], { env }).toString().trim()
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  }

  /** Those of some paths, relative to the repository, that git ignores by its rules in the working tree. */
  ignored(paths: readonly string[]): string[] {
    const asked = this.#ask(['check-ignore', '--no-index', '-z', '--stdin'], { input: Buffer.from(paths.join('\0')) })
    // 1 where none is; an error for a path that lies outside.
    return asked.status === 0 ? splitNul(asked.stdout) : []
  }

  /** The paths that differ between two commits or trees that the repository has, relative to it. */
  changedPaths(from: string, to: string): string[] {
    return splitNul(this.#run(['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to]))
  }

  #objectDirectory(): string {
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
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C', ...options.env },
        maxBuffer: 1024 * 1024 * 1024,
        ...(options.input === undefined ? {} : { input: options.input }),
        ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
      },
    )
  }

  #text(args: readonly string[]): string {
    return this.#run(args).toString().trim()
  }

  #run(args: readonly string[], options: { env?: Record<string, string>; input?: Uint8Array } = {}): Buffer {
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

function splitNul(bytes: Uint8Array): string[] {
  return Buffer.from(bytes).toString('utf8').split('\0').filter(Boolean)
}
