import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeCheckout, writeFiles } from './checkout.ts'
import { type GitHub, startGitHub } from './github.ts'
import { checkedReport, type ReportData } from './report.ts'
import { runAction, type StepResult } from './runner.ts'

const SCRIPT = fileURLToPath(new URL('../../capture_run.sh', import.meta.url))

/** A project, the command that tests it, and the environment on each side. */
export interface PullRequest {
  readonly project: Readonly<Record<string, string>>
  /** As one types it. */
  readonly command: string
  readonly scratch?: Readonly<Record<string, string>>
  readonly ci?: Readonly<Record<string, string>>
  readonly inputs?: Readonly<Record<string, string>>
  /** The JUnit XML that the command writes, where the script does not ask for it. */
  readonly junit?: string
  /** Files that are changed after the capture, and committed with the bundle. */
  readonly later?: Readonly<Record<string, string>>
  /** Installs what a side runs with, before it runs. */
  readonly prepare?: (cwd: string, side: 'scratch' | 'ci') => void
}

export interface Reviewed {
  /** The run in the scratch box. */
  readonly capture: SpawnSyncReturns<string>
  /** The directory of the committed bundle. */
  readonly bundle: string
  readonly result: StepResult
  readonly report: ReportData
  readonly github: GitHub
}

/** A pull request whose bundle the script really captured, on which the built action then really ran. */
export async function reviewPullRequest({
  project,
  command,
  scratch,
  ci,
  inputs,
  junit,
  later,
  prepare,
}: PullRequest): Promise<Reviewed> {
  const checkout = makeCheckout({ project, change: { 'change.txt': 'x = 1\n' } })
  checkout.git('switch', '--quiet', 'topic')
  prepare?.(checkout.cwd, 'scratch')
  const capture = spawnSync(
    'bash',
    [SCRIPT, ...(junit === undefined ? [] : ['--junit', junit]), '--', ...command.split(' ')],
    {
      cwd: checkout.cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...scratch },
      encoding: 'utf8',
    },
  )
  writeFiles(checkout.cwd, later ?? {})
  checkout.git('add', '--all')
  checkout.git('commit', '--quiet', '--message', 'evidence')
  const head = checkout.git('rev-parse', 'HEAD')
  checkout.git('switch', '--quiet', '--detach', 'main')
  checkout.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'topic')
  const event = {
    pull_request: {
      number: 1,
      title: 'New',
      body: 'All tests pass',
      head: { sha: head },
      base: { sha: checkout.base, ref: 'main' },
    },
  }
  prepare?.(checkout.cwd, 'ci')
  const github = await startGitHub()
  const result = await runAction({
    cwd: checkout.cwd,
    event,
    github,
    inputs: { command, ...(junit === undefined ? {} : { junit }), ...inputs },
    env: ci ?? {},
  })
  await github.close()
  return {
    capture,
    bundle: join(checkout.cwd, 'evidence'),
    result,
    report: checkedReport(readFileSync(result.outputs.report ?? '', 'utf8')),
    github,
  }
}
