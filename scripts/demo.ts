/**
 * Shows the action at work: a small real project in a temporary git repository, a bundle captured with another Python, and
 * the built action run on the pull request as a runner does, against a local stand-in for GitHub's API.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startGitHub } from '../test/support/github.ts'
import { runAction } from '../test/support/runner.ts'
import { Project } from './demo/project.ts'
import { findPythons, makeEnvironment } from './demo/python.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'scratch-evidence-demo-'))
const say = (text: string) => process.stdout.write(`${text}\n`)

/** What runs the tests on either side: the directory that is put first on PATH, if any, and the command. */
interface Setup {
  readonly language: 'python' | 'node'
  readonly scratch: string | null
  readonly ci: string | null
  readonly command: readonly string[]
  readonly junit: string
}

/** Two Pythons where there are two, one where there is one, and Node's own test runner where there is none. */
function setUp(): Setup {
  const pythons = findPythons()
  const here = pythons[pythons.length > 1 ? 1 : 0]
  const there = pythons[0]
  if (here !== undefined && there !== undefined) {
    say(`Two virtual environments: Python ${there.version} for the scratch box, Python ${here.version} for CI.`)
    const lock = join(work, 'project', 'requirements.lock')
    const ci = makeEnvironment(here, join(work, 'venv-ci'), ['--requirement', lock])
    const scratch = makeEnvironment(there, join(work, 'venv-scratch'), ['pytest==8.3.4', 'rich==14.0.0'])
    if (ci !== null && scratch !== null)
      return { language: 'python', scratch: scratch.bin, ci: ci.bin, command: ['pytest', '-q'], junit: '' }
    say('pytest could not be installed (no network, or no pip).')
  } else say('No Python 3.9 or later with venv was found.')
  say("The demo goes on with Node's own test runner.")
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=junit',
    '--test-reporter-destination=results.xml',
  ]
  return {
    language: 'node',
    scratch: null,
    ci: dirname(process.execPath),
    command: ['node', '--test', ...reporters],
    junit: 'results.xml',
  }
}

const pythonProject = new Project(join(work, 'project'), 'python')
const setup = setUp()
const project = setup.language === 'python' ? pythonProject : new Project(join(work, 'project-node'), 'node')

say('\n1. The scratch box: the agent makes its change, runs capture_run.sh and commits what it wrote.\n')
project.git('switch', '--quiet', '--create', 'bulk-discount')
project.write('CHANGES.md', '- Orders of ten or more have a discount.\n')
const path = (first: string | null) => [...(first === null ? [] : [first]), process.env.PATH].join(delimiter)
spawnSync(
  'bash',
  [join(ROOT, 'capture_run.sh'), ...(setup.junit === '' ? [] : ['--junit', setup.junit]), '--', ...setup.command],
  {
    cwd: project.directory,
    env: { ...process.env, PATH: path(setup.scratch) },
    stdio: 'inherit',
  },
)
const head = project.commit('Give a discount for large orders')

say('\n2. Meanwhile main moves on, and GitHub makes the merge that CI tests.\n')
project.git('switch', '--quiet', 'main')
project.write('README.md', '# Shop\n')
const base = project.commit('Say what this is')
project.git('switch', '--quiet', '--detach')
project.git('merge', '--quiet', '--no-ff', '--message', `Merge ${head} into ${base}`, 'bulk-discount')

say('3. CI: the action runs the tests, compares and posts the check.\n')
const rates = createServer((_, answer) => answer.end('1.08')).listen(0, '127.0.0.1')
await new Promise((resolve) => rates.once('listening', resolve))
const github = await startGitHub()
const result = await runAction({
  cwd: project.directory,
  github,
  inputs: { command: setup.command.join(' '), ...(setup.junit === '' ? {} : { junit: setup.junit }) },
  eventName: 'pull_request',
  event: {
    pull_request: {
      number: 1,
      title: 'Give a discount for large orders',
      body: 'Adds the discount and its tests. All tests pass ✅',
      head: { sha: head, ref: 'bulk-discount' },
      base: { sha: base, ref: 'main' },
    },
  },
  env: { PATH: path(setup.ci), RATES_URL: `http://127.0.0.1:${(rates.address() as AddressInfo).port}/` },
})
rates.close()
await github.close()
// The log of the step, without the marks that are for the runner: what it masks, and what it folds.
say(result.stdout.replace(/^::(?:add-mask::.*|endgroup::)\n/gm, '').replace(/^::group::/gm, '\n'))
process.stderr.write(result.stderr)

const report = join(work, 'report')
mkdirSync(report)
cpSync(dirname(result.outputs.report ?? ''), report, { recursive: true })
const check = github.checkRuns[0]
writeFileSync(join(report, 'check-run.json'), `${JSON.stringify(check, null, 2)}\n`)
say(`
The check that was posted:  ${check?.name}: ${check?.conclusion}. ${check?.output?.title ?? ''}
As a page:                  ${join(report, 'report.html')}
As data:                    ${join(report, 'report.json')}
The project:                ${project.directory}
The step's exit code was ${result.code}, from CI alone.`)
process.exitCode = check === undefined || github.rejected.length > 0 ? 1 : (result.code ?? 1)
