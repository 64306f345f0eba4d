import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './temporary.ts'

/** What a file is: its bytes, or where a symbolic link points. */
export type Content = string | Uint8Array | { readonly link: string }

export interface Checkout {
  readonly cwd: string
  /** The head of the pull request, and the commit that its base branch is at. */
  readonly head: string
  readonly base: string
  /** The payload of the `pull_request` event. */
  readonly event: unknown
  git(...args: readonly string[]): string
}

export interface CheckoutOptions {
  /** Files of the project on `main`. */
  readonly project?: Readonly<Record<string, Content>>
  /** Files that the pull request adds. */
  readonly change?: Readonly<Record<string, Content>>
  readonly title?: string
  readonly body?: string | null
}

/**
 * A real repository with a pull request in it, checked out as `actions/checkout` does on `pull_request`: at the merge of
 * the head with the base, detached.
 */
export function makeCheckout({
  project = { 'README.md': '# Project\n' },
  change = {},
  title = 'A change',
  body = null,
}: CheckoutOptions = {}): Checkout {
  const cwd = temporaryFolder('check out ')
  const git = gitIn(cwd)
  git('init', '--quiet', '--initial-branch=main')
  writeFiles(cwd, project)
  git('add', '--all', '--force')
  git('commit', '--quiet', '--allow-empty', '--message', 'base')
  git('switch', '--quiet', '--create', 'topic')
  writeFiles(cwd, change)
  git('add', '--all', '--force')
  git('commit', '--quiet', '--allow-empty', '--message', 'change')
  const head = git('rev-parse', 'HEAD')
  git('switch', '--quiet', 'main')
  writeFiles(cwd, { 'elsewhere.txt': 'main moved on\n' })
  git('add', '--all')
  git('commit', '--quiet', '--message', 'main moves on')
  const base = git('rev-parse', 'HEAD')
  git('switch', '--quiet', '--detach')
  git('merge', '--quiet', '--no-ff', '--message', `Merge ${head} into ${base}`, 'topic')
  const event = {
    pull_request: { number: 1, title, body, head: { sha: head, ref: 'topic' }, base: { sha: base, ref: 'main' } },
  }
  return { cwd, head, base, event, git }
}

/** Runs git in a directory, as somebody, with no configuration of this machine. */
export function gitIn(cwd: string): (...args: readonly string[]) => string {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  }
  return (...args) =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

/** Writes files below a directory. */
export function writeFiles(directory: string, files: Readonly<Record<string, Content>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(path, content)
    else symlinkSync(content.link, path)
    if (name.endsWith('.sh')) chmodSync(path, 0o755)
  }
}
