import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './temporary.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Step {
  /** The workspace: a checkout. */
  readonly cwd: string
  readonly inputs: Readonly<Record<string, string>>
  readonly eventName?: string
  /** The event's payload; a string is written as it is. */
  readonly event?: unknown
  /** The stand-in; without one, no API can be reached. */
  readonly github?: { readonly url: string }
  readonly token?: string
  readonly env?: Readonly<Record<string, string>>
  /** The Node.js that runs the action. */
  readonly node?: string
  /** Where the built action is; this repository by default. */
  readonly root?: string
  /** Called with the running process, to send it signals, say. */
  readonly onStart?: (process: ReturnType<typeof spawn>) => void
}

export interface StepResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  /** `RUNNER_TEMP`. */
  readonly temp: string
}

/** Runs the built action as GitHub's runner runs a JavaScript action. */
export async function runAction(step: Step): Promise<StepResult> {
  const temp = temporaryFolder('runner-temp-')
  const file = (name: string, text = '') => {
    const path = join(temp, '_runner_file_commands', name)
    mkdirSync(join(temp, '_runner_file_commands'), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  const files = { output: file('set_output'), summary: file('step_summary') }
  const event = typeof step.event === 'string' ? step.event : JSON.stringify(step.event ?? {})
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? temp,
    LANG: 'C.UTF-8',
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: step.github?.url ?? 'http://127.0.0.1:9',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'octo/shop',
    GITHUB_RUN_ID: '4711',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_JOB: 'test',
    GITHUB_WORKFLOW_REF: 'octo/shop/.github/workflows/test.yml@refs/pull/1/merge',
    GITHUB_ACTION_REPOSITORY: 'octo/scratch-evidence',
    GITHUB_ACTION_REF: 'v1',
    GITHUB_EVENT_NAME: step.eventName ?? 'pull_request',
    GITHUB_EVENT_PATH: file('event.json', event),
    GITHUB_SHA: 'f'.repeat(40),
    GITHUB_WORKSPACE: step.cwd,
    GITHUB_OUTPUT: files.output,
    GITHUB_STATE: file('save_state'),
    GITHUB_ENV: file('set_env'),
    GITHUB_PATH: file('add_path'),
    GITHUB_STEP_SUMMARY: files.summary,
    RUNNER_TEMP: temp,
    RUNNER_OS: 'Linux',
    RUNNER_ARCH: 'X64',
    ImageOS: 'ubuntu24',
    ImageVersion: '20260818.1',
    ACTIONS_RUNTIME_TOKEN: 'runtime-token',
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'id-token',
    ...inputVariables(step),
    ...step.env,
  }
  const child = spawn(step.node ?? process.execPath, [join(step.root ?? ROOT, 'dist', 'index.js')], {
    cwd: step.cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  step.onStart?.(child)
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.on('close', (...end) => resolve(end)),
  )
  return {
    code,
    signal,
    stdout: await stdout,
    stderr: await stderr,
    outputs: readFileCommands(readFileSync(files.output, 'utf8')),
    summary: readFileSync(files.summary, 'utf8'),
    temp,
  }
}

/** `INPUT_*` for every input of `action.yml`: as given, else its default, else empty. */
function inputVariables(step: Step): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const [name, preset] of readInputDefaults()) {
    const value = preset
      .replace(/^\$\{\{ github\.token \}\}$/, step.token ?? 'a-token')
      .replace(/^\$\{\{ job\.check_run_id \}\}$/, '99')
    variables[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`] = step.inputs[name] ?? value
  }
  const unknown = Object.keys(step.inputs).filter((name) => !(`INPUT_${name.toUpperCase()}` in variables))
  if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown.join(', ')}`)
  return variables
}

/** The inputs of `action.yml` with their defaults, as far as this file's own plain YAML goes. */
export function readInputDefaults(): Map<string, string> {
  const inputs = new Map<string, string>()
  let section = ''
  let name = ''
  for (const line of readFileSync(join(ROOT, 'action.yml'), 'utf8').split('\n')) {
    if (/^\w/.test(line)) section = line.replace(/:.*/, '')
    else if (section === 'inputs' && /^ {2}[\w-]+:$/.test(line)) {
      name = line.trim().slice(0, -1)
      inputs.set(name, '')
    } else if (section === 'inputs' && line.startsWith('    default: '))
      inputs.set(name, line.slice('    default: '.length).replace(/^(['"])(.*)\1$/, '$2'))
  }
  return inputs
}

/** `name<<delimiter` … `delimiter`, as the runner reads it; the last of a name counts. */
function readFileCommands(file: string): Record<string, string> {
  const values: Record<string, string> = {}
  const lines = file.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const match = /^([\w-]+)<<(.+)$/.exec(lines[at] ?? '')
    if (match === null) continue
    const end = lines.indexOf(match[2] ?? '', at + 1)
    values[match[1] ?? ''] = lines.slice(at + 1, end).join('\n')
    at = end
  }
  return values
}

/** The workflow commands that the runner would see in what a step printed, on either stream. */
export function commandsIn(output: string): string[] {
  return output.split(/\r\n|\r|\n/).filter((line) => /^\s*::[\w-]+.*::/.test(line) || /##\[[\w-]+.*\]/.test(line))
}

async function text(stream: NodeJS.ReadableStream | null): Promise<string> {
  const chunks: Buffer[] = []
  if (stream !== null) for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
