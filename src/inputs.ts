import { getBooleanInput, getInput, getMultilineInput } from '@actions/core'

/** What the workflow gave this step, checked. */
export interface Inputs {
  readonly mode:
    | { readonly kind: 'run'; readonly command: string }
    | {
        readonly kind: 'compare'
        readonly evidence: readonly string[]
        readonly result: string
        readonly several: boolean
      }
  readonly evidence: string
  readonly workingDirectory: string
  readonly junit: readonly string[]
  readonly lockfiles: readonly string[]
  readonly check: 'new' | 'job' | 'none'
  readonly checkName: string
  readonly annotations: boolean
  readonly token: string
  readonly checkRunId: string
}

/** GitHub's words for how a job or a workflow run ended, the worst first. */
const RESULTS = [
  ...['failure', 'timed_out', 'startup_failure', 'action_required', 'stale', 'neutral'],
  ...['skipped', 'cancelled', 'success'],
]

/**
 * Reads and checks the action's inputs.
 *
 * @throws with what is wrong and what to write instead
 */
export function readInputs(): Inputs {
  return {
    mode: readMode(),
    evidence: getInput('evidence') || 'evidence',
    workingDirectory: getInput('working-directory') || '.',
    junit: getMultilineInput('junit'),
    lockfiles: getMultilineInput('lockfile'),
    check: oneOf('check', ['new', 'job', 'none']),
    checkName: getInput('check-name') || 'Scratch evidence',
    annotations: getBooleanInput('annotations'),
    token: getInput('token'),
    checkRunId: getInput('check-run-id'),
  }
}

function readMode(): Inputs['mode'] {
  const command = getInput('command')
  const evidence = getMultilineInput('ci-evidence')
  const results = getMultilineInput('ci-result')
  if ((command === '') === (evidence.length === 0)) {
    const both = command !== ''
    throw new Error(
      `${both ? 'Both inputs `command` and `ci-evidence` are given' : 'Neither of the inputs `command` and `ci-evidence` is given'}. ` +
        'Give `command` to run the tests in this step, or `ci-evidence` (with `ci-result`) to compare what earlier jobs recorded.',
    )
  }
  if (command !== '') {
    if (results.length > 0)
      throw new Error('The input `ci-result` goes with `ci-evidence`. With `command`, its own exit code decides.')
    return { kind: 'run', command }
  }
  if (results.length === 0)
    throw new Error(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a workflow's own syntax.
      'The input `ci-result` is missing. With `ci-evidence`, give what GitHub says of those jobs: `ci-result: ${{ needs.JOB.result }}`.',
    )
  const unknown = results.find((result) => !RESULTS.includes(result))
  if (unknown !== undefined)
    throw new Error(
      `The input \`ci-result\` is \`${unknown}\`. It takes ${RESULTS.map((word) => `\`${word}\``).join(', ')}, one a line.`,
    )
  // The result that counts for all of them is the worst: `success` only where each is.
  const worst = RESULTS.find((result) => results.includes(result)) ?? 'failure'
  return { kind: 'compare', evidence, result: worst, several: results.length > 1 }
}

function oneOf<T extends string>(name: string, words: readonly [T, ...T[]]): T {
  const given = getInput(name) || words[0]
  const word = words.find((one) => one === given)
  if (word === undefined)
    throw new Error(`The input \`${name}\` is \`${given}\`. It takes ${words.map((one) => `\`${one}\``).join(', ')}.`)
  return word
}
