import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Recording, readEarlierRecording, readOwnRecording } from './read/recording.ts'
import { readWorkingTree } from './read/subject.ts'
import { runCommand } from './record/command.ts'
import { reasonOf } from './record/reason.ts'
import { renderPage } from './report/html.ts'
import { renderJson } from './report/json.ts'
import { renderMarkdown } from './report/markdown.ts'
import { renderTerminal } from './report/terminal.ts'
import { type Outcome, run } from './run.ts'

const USAGE = `Compares the evidence of a scratch test run with a run here, with no GitHub.

  scratch-evidence [options] -- COMMAND [ARG …]    run the command here, and compare
  scratch-evidence [options] --ci-evidence DIR     compare two directories of evidence

  --evidence DIR    the bundle of the scratch run (default: evidence)
  --junit GLOB      JUnit XML that the command writes; may be given several times
  --lockfile PATH   the lockfile to compare with; may be given several times (default: found by name)
  --cwd DIR         the working directory (default: .)
  --format FORMAT   terminal, markdown, html or json (default: terminal)
  --output FILE     write the report there instead of to standard output, where it follows the command's own output
  --no-color        no colour, as with NO_COLOR in the environment
  --help, --version

The exit code is that of the command (128+n for signal n), 2 for wrong usage, 0 with --ci-evidence.
`

const FORMATS = ['terminal', 'markdown', 'html', 'json'] as const

/** Wrong usage: what is wrong, and nothing else has happened. */
class UsageError extends Error {}

interface Options {
  readonly evidence: string
  readonly directory: string
  readonly junit: readonly string[]
  readonly lockfiles: readonly string[]
  readonly format: (typeof FORMATS)[number]
  readonly output: string | null
  readonly colour: boolean
  readonly run: { readonly argv: readonly string[] } | { readonly ciEvidence: string }
}

/** The door for a terminal: arguments, run, print. */
async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (typeof options === 'string') {
    process.stdout.write(options)
    return 0
  }
  const { directory, evidence, lockfiles } = options
  const recording = 'ciEvidence' in options.run ? { recording: options.run.ciEvidence } : {}
  const place = { directory, evidence, lockfiles, ...recording }
  const outcome = await run(
    () => readWorkingTree(place),
    () => record(options),
    null,
  )
  const text = render(outcome, options)
  if (options.output === null) process.stdout.write(text)
  else {
    writeFileSync(options.output, text)
    process.stderr.write(`The report is in ${options.output}\n`)
  }
  if ('ciEvidence' in options.run) return 0
  // A command that itself died of a signal has no code; it was not a success.
  return outcome.judgement.legs[0].result.exitCode ?? 1
}

async function record(options: Options): Promise<[Recording]> {
  if ('ciEvidence' in options.run)
    return [await readEarlierRecording(resolve(options.directory, options.run.ciEvidence), 'CI', null)]
  const out = mkdtempSync(join(tmpdir(), 'scratch-evidence-'))
  try {
    const running = runCommand({
      script: fileURLToPath(new URL('../capture_run.sh', import.meta.url)),
      directory: options.directory,
      out,
      bundle: options.evidence,
      junit: options.junit,
      lockfiles: options.lockfiles,
      argv: options.run.argv,
      environment: Object.fromEntries(
        Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
    })
    // A terminal's Ctrl-C reaches the command by itself; this process must live on to report.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => running.signal(signal))
    const exitCode = await running.exitCode
    return [await readOwnRecording(out, { name: 'this run', exitCode, result: null })]
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

function render({ judgement, report }: Outcome, { format, colour, output }: Options): string {
  const blocks = [...report.summary, ...report.details]
  switch (format) {
    case 'terminal':
      return `\n${renderTerminal(blocks, colour && output === null, process.stdout.columns ?? 100)}`
    case 'markdown':
      return renderMarkdown(blocks)
    case 'html':
      return renderPage(blocks, { conclusion: judgement.conclusion, name: 'Scratch evidence', title: report.title })
    case 'json':
      return renderJson(judgement)
  }
}

/** The options, or the text that was asked for instead of a run. */
function readOptions(args: readonly string[]): Options | string {
  const end = args.indexOf('--')
  const own = end === -1 ? args : args.slice(0, end)
  const argv = end === -1 ? [] : args.slice(end + 1)
  const { values } = parseArgs({
    args: [...own],
    options: {
      evidence: { type: 'string', default: 'evidence' },
      junit: { type: 'string', multiple: true, default: [] },
      lockfile: { type: 'string', multiple: true, default: [] },
      cwd: { type: 'string', default: '.' },
      format: { type: 'string', default: 'terminal' },
      output: { type: 'string' },
      'ci-evidence': { type: 'string' },
      'no-color': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
    },
  })
  if (values.help) return USAGE
  if (values.version) return `${version()}\n`
  const ciEvidence = values['ci-evidence']
  if ((argv.length === 0) === (ciEvidence === undefined))
    throw new UsageError(
      ciEvidence === undefined
        ? 'No command. Give one behind `--`, or a directory with `--ci-evidence`.'
        : 'Both a command and `--ci-evidence`. Give one of them.',
    )
  const directory = resolve(values.cwd)
  for (const path of [directory, ...(ciEvidence === undefined ? [] : [resolve(directory, ciEvidence)])])
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`There is no directory ${path}.`)
  if (
    values.output !== undefined &&
    !statSync(dirname(resolve(values.output)), { throwIfNoEntry: false })?.isDirectory()
  )
    throw new UsageError(`There is no directory ${dirname(resolve(values.output))} for the report.`)
  const format = FORMATS.find((one) => one === values.format)
  if (format === undefined) throw new UsageError(`No such format: ${values.format}. There are ${FORMATS.join(', ')}.`)
  const environment = process.env
  return {
    evidence: values.evidence,
    directory,
    junit: values.junit,
    lockfiles: values.lockfile,
    format,
    output: values.output ?? null,
    colour:
      !values['no-color'] && !environment.NO_COLOR && (environment.FORCE_COLOR ? true : process.stdout.isTTY === true),
    run: ciEvidence === undefined ? { argv } : { ciEvidence },
  }
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown'
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const usage =
    error instanceof UsageError ||
    (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  process.stderr.write(`${reasonOf(error)}\n${usage ? 'See --help.\n' : ''}`)
  process.exitCode = usage ? 2 : 1
}
