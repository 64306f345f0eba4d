import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { type Content, gitIn, writeFiles } from './checkout.ts'
import { checkedReport, type ReportData } from './report.ts'
import { runAction, type StepResult } from './runner.ts'
import { temporaryFolder } from './temporary.ts'

const SCRIPT = fileURLToPath(new URL('../../capture_run.sh', import.meta.url))

/** The project's tests: two that pass. */
const SUITE = ['sh', 'suite.sh']
const PROJECT = {
  'a.py': 'a = 1\n',
  'suite.sh': `echo '<testsuite><testcase name="a" time="0.1"/><testcase name="b" time="0.2"/></testsuite>' > out.xml\n`,
  '.gitignore': 'out.xml\n',
}

type Git = ReturnType<typeof gitIn>
type Events = 'pull_request' | 'merge_group' | 'workflow_run' | 'push'

/** What a job checks out, as `actions/checkout` does it. */
export interface Job {
  /** 0 for the whole history. */
  readonly depth: 0 | 1
  readonly event?: Events
  /** What the runner calls the event, where that is another word. */
  readonly name?: string
  readonly inputs?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** The remote cannot be reached any more. */
  readonly offline?: boolean
  /** The pull request is one of a fork. */
  readonly fork?: boolean
  /** Whether the job checks anything out: it does by default. */
  readonly checkout?: boolean
  /** A step before the action. */
  readonly before?: (cwd: string, git: Git) => void
}

/** What the action made of it. */
export interface Told {
  readonly report: ReportData
  readonly result: StepResult
  readonly cwd: string
}

/**
 * A repository on a server, the scratch box that works on a branch `topic` of it, and the jobs of CI. Real git throughout: the
 * server is a bare repository, and what is not pushed to it nobody else has.
 */
export class Story {
  readonly #root = temporaryFolder('story of :a "box"-')
  readonly #remote: string
  readonly box: string
  readonly git: Git
  #jobs = 0

  constructor(files: Readonly<Record<string, Content>> = {}, format: 'sha1' | 'sha256' = 'sha1') {
    this.#remote = join(this.#root, 'octo', 'shop')
    this.box = join(this.#root, 'box')
    const root = gitIn(this.#root)
    root('init', '--quiet', '--bare', '--initial-branch=main', `--object-format=${format}`, this.#remote)
    gitIn(this.#remote)('config', 'uploadpack.allowAnySHA1InWant', 'true')
    root('init', '--quiet', '--initial-branch=main', `--object-format=${format}`, this.box)
    this.git = gitIn(this.box)
    this.git('remote', 'add', 'origin', this.#address)
    writeFiles(this.box, { ...PROJECT, ...files })
    this.commit('start').git('push', '--quiet', 'origin', 'main')
    this.git('switch', '--quiet', '--create', 'topic')
  }

  get #server(): string {
    return `file://${this.#root.replaceAll(' ', '%20')}`
  }

  get #address(): string {
    return `${this.#server}/octo/shop`
  }

  end(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }

  write(files: Readonly<Record<string, Content>>): this {
    writeFiles(this.box, files)
    return this
  }

  commit(message = 'change'): this {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--allow-empty', `--message=${message}`)
    return this
  }

  /** Runs the script in the scratch box. */
  capture(command: readonly string[] = SUITE, script = SCRIPT, options: readonly string[] = []): this {
    spawnScript(script, this.box, this.#root, [...options, '--', ...command])
    return this
  }

  /** A directory with CI's evidence, as a job of its own records it of what `topic` is at on the server. */
  record(): string {
    const { cwd, git } = this.#clone('main')
    git('fetch', '--quiet', 'origin', 'topic')
    git('checkout', '--quiet', '--detach', 'FETCH_HEAD')
    const out = join(this.#root, 'ci evidence')
    spawnScript(SCRIPT, cwd, this.#root, ['--out', out, '--bundle', 'evidence', '--', ...SUITE])
    return out
  }

  push(): this {
    this.git('push', '--quiet', '--force', 'origin', 'topic')
    return this
  }

  /** Somebody else commits to `main`. */
  moveBase(files: Readonly<Record<string, Content>>): this {
    const other = this.#clone('main')
    writeFiles(other.cwd, files)
    other.git('add', '--all')
    other.git('commit', '--quiet', '--message=main moves on')
    other.git('push', '--quiet', 'origin', 'main')
    this.git('fetch', '--quiet', 'origin')
    return this
  }

  /** What the built action reports in a job for what `topic` is at on the server. */
  async review(job: Job): Promise<Told> {
    const { result, cwd } = await this.#runJob(job)
    return { report: checkedReport(readFileSync(result.outputs.report ?? '', 'utf8')), result, cwd }
  }

  /** The end of a job that makes no report. */
  async refused(job: Job): Promise<StepResult> {
    const { result } = await this.#runJob(job)
    if (result.outputs.report !== undefined) throw new Error('There is a report.')
    return result
  }

  async #runJob({
    depth,
    event = 'pull_request',
    name = event,
    inputs = {},
    env = {},
    offline = false,
    fork = false,
    checkout = true,
    before = () => {},
  }: Job): Promise<Omit<Told, 'report'>> {
    const server = this.#clone('main')
    server.git('fetch', '--quiet', 'origin', 'topic')
    const base = server.git('rev-parse', 'origin/main')
    const head = server.git('rev-parse', 'FETCH_HEAD')
    server.git('switch', '--quiet', '--detach', base)
    const [ref, payload] = this.#happens(event, server.git, base, head, fork)
    server.git('push', '--quiet', '--force', 'origin', `HEAD:${ref}`)

    const place = join(this.#root, `ci ${depth} ${event} ${this.#jobs}`)
    const cwd = checkout ? this.#checkOut(place, ref, depth, { offline, before }) : place
    if (!checkout) mkdirSync(place)
    const sha = server.git('rev-parse', 'HEAD')
    const result = await runAction({
      cwd,
      eventName: name,
      event: payload,
      inputs: { command: SUITE.join(' '), junit: 'out.xml', check: 'none', ...inputs },
      env: { GITHUB_SHA: sha, ...(checkout ? {} : { GITHUB_SERVER_URL: this.#server }), ...env },
    })
    return { result, cwd }
  }

  /** Checks out as `actions/checkout` does. */
  #checkOut(
    cwd: string,
    ref: string,
    depth: 0 | 1,
    { offline, before }: Required<Pick<Job, 'before' | 'offline'>>,
  ): string {
    const git = this.#init(cwd)
    const branches = depth === 0 ? ['+refs/heads/*:refs/remotes/origin/*'] : []
    const local = ref.replace(/^refs\/(?:heads\/)?/, 'refs/remotes/origin/').replace('origin/pull', 'pull')
    const shallow = depth === 0 ? [] : ['--depth=1']
    git('fetch', '--quiet', '--no-tags', ...shallow, 'origin', ...branches, `+${ref}:${local}`)
    git('checkout', '--quiet', '--force', local)
    if (offline) git('remote', 'set-url', 'origin', 'https://127.0.0.1:9/x.git')
    before(cwd, git)
    return cwd
  }

  /** Where a job of the event finds the commit that it tests, and the event's payload, as GitHub documents both. */
  #happens(event: Events, git: Git, base: string, head: string, fork: boolean): [string, unknown] {
    const merge = (strategy: string) => git('merge', '--quiet', strategy, '--message=merge', head)
    switch (event) {
      case 'pull_request': {
        merge('--no-ff')
        const payload = example(event, 'synchronize')
        const { pull_request: pull } = payload as { pull_request: Record<string, unknown> }
        Object.assign(pull.head as object, { sha: head, ref: 'topic' })
        Object.assign(pull.base as object, { sha: base, ref: 'main' })
        return ['refs/pull/1/merge', payload]
      }
      case 'merge_group': {
        merge('--no-ff')
        const sha = git('rev-parse', 'HEAD')
        const group = { head_sha: sha, base_sha: base, base_ref: 'refs/heads/main' }
        const payload = example(event, 'checks_requested')
        Object.assign(payload.merge_group as object, group)
        return ['refs/heads/gh-readonly-queue/main/pr-1', payload]
      }
      case 'push': {
        merge('--squash')
        git('commit', '--quiet', '--message=squashed')
        const payload = example(event)
        Object.assign(payload, { before: base, after: git('rev-parse', 'HEAD'), ref: 'refs/heads/main' })
        return ['refs/heads/main', payload]
      }
      case 'workflow_run': {
        const payload = example(event, 'completed')
        // GitHub names no pull request of a fork.
        const pulls = fork ? [] : [{ number: 1, head: { sha: head, ref: 'topic' }, base: { sha: base, ref: 'main' } }]
        Object.assign(payload.workflow_run as object, {
          ...{ event: 'pull_request', head_sha: head, head_branch: 'topic', pull_requests: pulls },
          head_repository: { owner: { login: fork ? 'somebody' : 'octo' } },
        })
        return ['refs/heads/main', payload]
      }
    }
  }

  #clone(branch: string): { cwd: string; git: Git } {
    const cwd = join(this.#root, `other ${this.#jobs}`)
    const git = this.#init(cwd)
    git('fetch', '--quiet', 'origin', branch)
    git('switch', '--quiet', '--create', branch, `origin/${branch}`)
    return { cwd, git }
  }

  #init(cwd: string): Git {
    this.#jobs += 1
    const format = this.git('rev-parse', '--show-object-format')
    gitIn(this.#root)('init', '--quiet', '--initial-branch=none', `--object-format=${format}`, cwd)
    const git = gitIn(cwd)
    git('remote', 'add', 'origin', this.#address)
    return git
  }
}

function spawnScript(script: string, cwd: string, home: string, args: readonly string[]): void {
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' }
  const done = spawnSync('bash', [script, '--junit', 'out.xml', ...args], { cwd, env, encoding: 'utf8' })
  if (done.error) throw done.error
}

/** A copy of a payload that GitHub publishes. */
function example(event: Events, action?: string): Record<string, unknown> {
  const all = examples as unknown as readonly { name: string; examples: Record<string, unknown>[] }[]
  const ofEvent = all.find(({ name }) => name === event)?.examples
  const found = ofEvent?.find((one) => action === undefined || one.action === action)
  if (found === undefined) throw new Error(`There is no example of ${event} ${action}.`)
  return structuredClone(found)
}
