import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setSecret } from '@actions/core'
import { context } from '@actions/github'
import { type Inputs, readInputs } from './inputs.ts'
import * as log from './publish/log.ts'
import { publish } from './publish/publish.ts'
import {
  type CiNote,
  type Recording,
  readEarlierRecording,
  readOwnRecording,
  withoutRecording,
} from './read/recording.ts'
import { readCommit } from './read/subject.ts'
import { runCommand } from './record/command.ts'
import { findRecordedDirectories } from './record/earlier.ts'
import { type ReviewEvent, readEvent } from './record/event.ts'
import { Git, type Remote } from './record/git.ts'
import { withPullRequest } from './record/pull-request.ts'
import { reasonOf } from './record/reason.ts'
import { run } from './run.ts'

/** The door for GitHub: inputs, run, publish. */
async function main(): Promise<void> {
  const inputs = readInputs()
  if (inputs.token !== '') setSecret(inputs.token)
  const environment = process.env
  const files = mkdtempSync(join(environment.RUNNER_TEMP || tmpdir(), 'scratch-evidence-'))
  const ciEvidence = join(files, 'ci-evidence')
  mkdirSync(ciEvidence)
  const directory = resolve(environment.GITHUB_WORKSPACE || '.', inputs.workingDirectory)
  const event = await withPullRequest(readEvent(context.payload, environment.GITHUB_SHA || null), context.payload, {
    url: environment.GITHUB_API_URL || 'https://api.github.com',
    token: inputs.token,
    ...repositoryOf(environment),
  })
  const { workingDirectory: within, evidence, lockfiles } = inputs
  const place = { directory, within, evidence, lockfiles }
  const startedAt = new Date()
  refusePrivileged(inputs, directory, event)

  const outcome = await run(
    () => readCommit(place, event, remoteOf(environment, inputs.token)),
    () =>
      inputs.mode.kind === 'run'
        ? runHere(inputs, inputs.mode.command, directory, ciEvidence)
        : readEarlier(inputs.mode),
    helpAddress(environment),
  )
  await publish(outcome, {
    files,
    ciEvidence: inputs.mode.kind === 'run' ? ciEvidence : null,
    bundle: outcome.judgement.legs[0].comparison.bundle.name,
    check: inputs.check,
    checkName: inputs.checkName,
    checkRunId: inputs.checkRunId || null,
    annotations: inputs.annotations,
    token: inputs.token,
    headSha: event.headSha,
    startedAt,
    environment,
  })
}

/**
 * On `pull_request_target` and `workflow_run` the token may write and the secrets are there, and what is checked out is the
 * base or the default branch.
 *
 * @throws where the command would run code of the pull request there, or would test something else than it
 */
function refusePrivileged({ mode }: Inputs, directory: string, { headSha, baseSha, base }: ReviewEvent): void {
  const { GITHUB_EVENT_NAME: event, GITHUB_SHA } = process.env
  if (event !== 'pull_request_target' && event !== 'workflow_run') return
  const { git } = Git.open(directory)
  const checkedOut = git?.commit('HEAD') ?? null
  const isHead = checkedOut !== null && (checkedOut === headSha || git?.parents(checkedOut).includes(headSha ?? ''))
  if (mode.kind === 'run' && (event === 'pull_request_target' || !isHead))
    throw new Error(
      `With \`${event}\`, \`command\` would either run code of the pull request beside a token that may write, or test another commit and not the pull request. ` +
        'Run it on `pull_request`, and compare on `workflow_run`: the README has both workflows.',
    )
  if (event !== 'pull_request_target' || git === null || checkedOut === null) return
  const known = [GITHUB_SHA, baseSha, base === null ? null : git.commit(`refs/remotes/origin/${base}`)]
  if (!known.includes(checkedOut))
    throw new Error(
      'With `pull_request_target`, what is checked out is not the base: the code of the pull request would lie beside a token that may write, and a step that runs any of it would hand that over. ' +
        'Leave the checkout out: the bundle is fetched as data.',
    )
}

function repositoryOf({ GITHUB_REPOSITORY = '' }: NodeJS.ProcessEnv): { owner: string; repo: string } {
  const [owner = '', repo = ''] = GITHUB_REPOSITORY.split('/')
  return { owner, repo }
}

/** Where this repository can be read, in a job that has checked nothing out. */
function remoteOf({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv, token: string): Remote | null {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) return null
  return { url: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`, token }
}

/** Runs the command in this step. A signal that the runner sends for a cancellation is passed on to it. */
async function runHere(inputs: Inputs, command: string, directory: string, out: string): Promise<[Recording]> {
  const running = runCommand({
    script: fileURLToPath(new URL('../capture_run.sh', import.meta.url)),
    directory,
    out,
    bundle: inputs.evidence,
    junit: inputs.junit,
    lockfiles: inputs.lockfiles,
    argv: ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', command],
    environment: childEnvironment(process.env),
  })
  let cancelled = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      cancelled = true
      running.signal(signal)
    })
  }
  const exitCode = await running.exitCode
  return [
    await readOwnRecording(out, {
      name: 'CI',
      exitCode,
      result: cancelled ? 'cancelled' : null,
    }),
  ]
}

async function readEarlier(mode: Extract<Inputs['mode'], { kind: 'compare' }>): Promise<[Recording, ...Recording[]]> {
  const { legs, more } = await findRecordedDirectories(mode.evidence)
  const [first, ...others] = legs
  if (first === undefined) {
    log.warning(
      `No CI evidence was found for ${mode.evidence.join(', ')}. The check is made from \`ci-result\` alone. ` +
        'To compare: upload the output `ci-evidence` of the job that runs the tests, and download it before this step.',
    )
    return [withoutRecording({ name: 'CI', exitCode: null, signal: null, result: mode.result, shared: false })]
  }
  const shared = mode.several || others.length > 0
  const read = ({ path, name }: typeof first) => readEarlierRecording(path, name, mode.result, shared)
  const nearby = await read(first)
  return [
    more === 0 ? nearby : { ...nearby, notes: [...nearby.notes, tooManyLegs(legs.length, more)] },
    ...(await Promise.all(others.map(read))),
  ]
}

function tooManyLegs(read: number, more: number): CiNote {
  return {
    kind: 'not-recorded',
    what: `${more} more directories of CI's evidence were not read`,
    remedy: `at most ${read} are, as many as a matrix has jobs: name fewer in \`ci-evidence\``,
  }
}

/** The command's environment: the step's, without this action's inputs and the tokens that are not meant for tests. */
function childEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    const ours = /^(?:INPUT_|STATE_|ACTIONS_RUNTIME_|ACTIONS_ID_TOKEN_|ACTIONS_RESULTS_|ACTIONS_CACHE_)/.test(name)
    if (!ours && name !== 'GITHUB_OUTPUT' && name !== 'GITHUB_STATE' && value !== undefined) kept[name] = value
  }
  return kept
}

/** Where the lines of the report are explained: in the action's own repository, at the version that runs. */
function helpAddress({
  GITHUB_SERVER_URL,
  GITHUB_ACTION_REPOSITORY,
  GITHUB_ACTION_REF,
}: NodeJS.ProcessEnv): string | null {
  if (!GITHUB_SERVER_URL || !GITHUB_ACTION_REPOSITORY || !GITHUB_ACTION_REF) return null
  return `${GITHUB_SERVER_URL}/${GITHUB_ACTION_REPOSITORY}/blob/${GITHUB_ACTION_REF}/docs/findings.md`
}

try {
  await main()
} catch (error) {
  log.fail(reasonOf(error))
}
