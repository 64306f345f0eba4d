import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { reviewPullRequest } from '../support/pull-request.ts'
import { temporaryFolder } from '../support/temporary.ts'

const has = (tool: string) => spawnSync(tool, ['--version']).status === 0

/** The sentence of a finding; fails where the report has none. */
function message(report: { findings: readonly { id: string; message: string }[] }, id: string): string {
  const found = report.findings.find((finding) => finding.id === id)
  assert.ok(found !== undefined, `${id} of ${report.findings.map((finding) => finding.id).join()}`)
  return found.message
}

const PYTHON = {
  '.gitignore': '__pycache__/\n.pytest_cache/\n',
  '.gitattributes': 'evidence/** -text\n',
  'tests/test_a.py': 'def test_a():\n    pass\n',
}

/** A virtual environment with these packages. */
function environment(...packages: string[]): { bin: string; freeze: string } {
  const folder = join(realpathSync(temporaryFolder('venv-')), 'venv')
  execFileSync('python3', ['-m', 'venv', folder])
  const bin = join(folder, 'bin')
  execFileSync(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages])
  const freeze = execFileSync(join(bin, 'python'), ['-m', 'pip', 'freeze'], { encoding: 'utf8' })
  return { bin, freeze }
}

test('Python: what was installed outside the lockfile is named, there and in CI', {
  skip: !has('python3') && 'python3 is not installed',
}, async () => {
  const locked = environment('pytest==8.4.2')
  const more = environment('pytest==8.4.2', 'pluggy==1.5.0', 'idna==3.10')
  const project = { ...PYTHON, 'requirements.lock': locked.freeze }
  const path = ({ bin }: { bin: string }) => ({ PATH: [bin, process.env.PATH].join(delimiter) })
  const command = 'python -m pytest -q'
  const [plain, there, here] = await Promise.all([
    reviewPullRequest({ project, command, scratch: path(locked), ci: path(locked) }),
    reviewPullRequest({ project, command, scratch: path(more), ci: path(locked) }),
    reviewPullRequest({ project, command, scratch: path(locked), ci: path(more) }),
  ])

  // Honest: what is locked is what is installed, on both sides.
  assert.deepEqual(
    plain.report.findings.filter(({ id }) => /^(?:installed|lockfile)\//.test(id)),
    [],
  )
  assert.equal(plain.report.witness, 'corroborated')

  const pluggy = /pluggy==(\S+)/.exec(locked.freeze)?.[1] ?? ''
  assert.match(message(there.report, 'installed/not-locked'), /1 installed package is in no lockfile\. idna 3\.10\./)
  assert.match(message(there.report, 'installed/other-version'), new RegExp(`pluggy ${pluggy} → 1\\.5\\.0`))
  assert.match(message(there.report, 'installed/differs'), /2 installed packages differ/)
  assert.deepEqual(there.report.installed?.notLocked, [{ name: 'idna', version: '3.10' }])
  assert.equal(there.report.witness, 'different')

  // The same question to CI itself.
  assert.match(message(here.report, 'installed/ci-not-locked'), /idna 3\.10/)
  assert.match(
    message(here.report, 'installed/ci-other-version'),
    /pluggy .*resolves afresh instead of installing the lockfile/,
  )
  assert.equal(here.report.conclusion, 'success')
})

test('Node.js: what was installed outside the lockfile is named', {
  skip: !has('npm') && 'npm is not installed',
}, async () => {
  const project = {
    '.gitignore': 'node_modules/\n',
    '.gitattributes': 'evidence/** -text\n',
    'package.json': JSON.stringify({
      name: 'shop',
      scripts: { test: 'node --test' },
      dependencies: { 'is-odd': '3.0.1' },
    }),
    'a.test.js': "require('node:test')('a', () => {})\n",
    'package-lock.json': lock(),
  }
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync('npm', [...args, '--no-audit', '--no-fund', '--silent'], { cwd, stdio: 'ignore' })
  const { report } = await reviewPullRequest({
    project,
    command: 'npm test',
    prepare: (cwd, side) => {
      npm(cwd, 'ci')
      if (side === 'scratch') npm(cwd, 'install', '--no-save', '--no-package-lock', 'is-even@1.0.0', 'is-number@7.0.0')
    },
  })
  assert.match(message(report, 'installed/not-locked'), /is-even 1\.0\.0/)
  assert.match(message(report, 'installed/differs'), /is-even/)
  assert.equal(report.lockfiles[0]?.compared, 'same')
  assert.ok(report.installed?.notLocked?.some(({ name }) => name === 'is-even'))
  assert.deepEqual(report.ciInstalled?.notLocked, [])
})

/** The lockfile that npm itself makes for the project. */
function lock(): string {
  const cwd = temporaryFolder('lock-')
  if (!has('npm')) return '{}'
  execFileSync('npm', ['init', '--yes'], { cwd, stdio: 'ignore' })
  execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund', 'is-odd@3.0.1'], {
    cwd,
    stdio: 'ignore',
  })
  const text = execFileSync('cat', ['package-lock.json'], { cwd, encoding: 'utf8' })
  const document = JSON.parse(text)
  document.name = 'shop'
  document.packages[''] = { name: 'shop', dependencies: { 'is-odd': '3.0.1' } }
  return `${JSON.stringify(document, null, 2)}\n`
}
