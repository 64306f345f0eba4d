import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { joinCapture } from '../scripts/join-capture.ts'
import { FINDING_IDS } from '../src/judge/finding.ts'
import { OWN_FILES } from '../src/read/bundle-files.ts'
import { LOCKFILE_NAMES } from '../src/read/lockfile/find.ts'
import { readInputDefaults } from './support/runner.ts'

const file = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

/** The first two columns of the table under a heading of the README. */
function table(heading: string): [string, string][] {
  const section = file('README.md').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) => {
    const [, name = '', value = ''] = row.split('|').map((cell) => cell.replaceAll('`', '').trim())
    return [name, value]
  })
}

test("the README's inputs are those of action.yml, with their defaults", () => {
  const documented = table('Inputs').map(([name, value]) => [name, value === 'found by name' ? '' : value])
  assert.deepEqual(documented, [...readInputDefaults()])
})

test("the README's outputs are those of action.yml", () => {
  const outputs = file('action.yml').split('\noutputs:\n')[1]?.split('\nruns:')[0] ?? ''
  assert.deepEqual(
    table('Outputs').map(([name]) => name),
    [...outputs.matchAll(/^ {2}([\w-]+):$/gm)].map((match) => match[1]),
  )
})

test('every output of action.yml is set, and no other', () => {
  const set = [
    ...(
      file('src/publish/publish.ts').split('const outputs: Record<string, string> = {')[1]?.split('}\n')[0] ?? ''
    ).matchAll(/^ {4}'?([\w-]+)'?:/gm),
  ]
  assert.deepEqual(
    set.map((match) => match[1]).sort(),
    table('Outputs')
      .map(([name]) => name)
      .sort(),
  )
})

test('every finding has a section in docs/findings.md, and every section a finding', () => {
  const sections = [...file('docs/findings.md').matchAll(/^### (\S+)$/gm)].map((match) => match[1] ?? '')
  assert.deepEqual(sections.sort(), [...FINDING_IDS].sort())
})

test('capture_run.sh is joined of its parts', () => assert.equal(file('capture_run.sh'), joinCapture()))

test('the README shows the text for agents as the script prints it', () => {
  const asked = spawnSync('bash', ['capture_run.sh', '--questions'], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
  })
  assert.equal(asked.status, 0)
  assert.ok(file('README.md').includes(asked.stdout))
})

test('the script and the reader name the same files and lockfiles', () => {
  const script = file('capture_run.sh')
  assert.match(
    script,
    new RegExp(
      `OWN_FILES=\\(${OWN_FILES.map((name) => (name.includes('*') ? `'${name.replaceAll('*', '\\*')}'` : name)).join(' ')}\\)`,
    ),
  )
  const order = /find_lockfile ((?:\w+ )+\w+)\)/.exec(script)?.[1]?.split(' ') ?? []
  const names = order.flatMap(
    (kind) => new RegExp(`^locks_${kind}\\(\\) \\{ echo (.*); \\}$`, 'm').exec(script)?.[1]?.split(' ') ?? [kind],
  )
  assert.deepEqual([...names, 'requirements.txt'], [...LOCKFILE_NAMES])
})
