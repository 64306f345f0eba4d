/**
 * What `capture_run.sh` adds to a command, in a project that uses every tool of this machine: the bare command and the
 * captured one in turn, and the difference pair by pair. Prints a table; nothing here is a test.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/temporary.ts'

const SCRIPT = fileURLToPath(new URL('../../capture_run.sh', import.meta.url))
const PAIRS = 7
const PROJECT = {
  'test_a.py': 'def test_a(): pass\n',
  'package.json': '{"scripts": {"test": "node --test"}}',
  'go.mod': 'module example.com/m\n\ngo 1.20\n',
  'm.go': 'package m\n',
  'Cargo.toml': '[package]\nname = "m"\nversion = "0.1.0"\n',
  'src/lib.rs': '',
  'pom.xml': '<project/>',
  Gemfile: '',
  'm.csproj': '<Project/>',
  'composer.json': '{}',
  'deno.json': '{}',
  'bunfig.toml': '',
}

const project = temporaryFolder('bench-')
for (const [name, text] of Object.entries(PROJECT)) {
  mkdirSync(dirname(join(project, name)), { recursive: true })
  writeFileSync(join(project, name), text)
}
for (let index = 0; index < 200; index++) {
  const folder = join(project, 'node_modules', `package-${index}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), `{"name": "package-${index}", "version": "1.0.${index}"}`)
}
for (const args of [
  ['init', '--quiet'],
  ['add', '--all'],
])
  spawnSync('git', args, { cwd: project })

/** Wall time in seconds. */
function seconds(args: readonly string[]): number {
  const start = performance.now()
  const done = spawnSync('bash', args, { cwd: project })
  if (done.status !== 0) throw new Error(`${args.join(' ')}: ${done.stderr}`)
  return (performance.now() - start) / 1000
}

const COMMAND = ['-c', 'sleep 0.2']
const added: number[] = []
console.log('bare     captured  added (seconds)')
for (let pair = 0; pair <= PAIRS; pair++) {
  const bare = seconds(COMMAND)
  const captured = seconds([SCRIPT, '--', 'bash', ...COMMAND])
  if (pair === 0) continue // The first pair warms the caches.
  added.push(captured - bare)
  console.log(`${bare.toFixed(3)}    ${captured.toFixed(3)}     ${(captured - bare).toFixed(3)}`)
}
added.sort((a, b) => a - b)
console.log(`median added: ${added[Math.floor(added.length / 2)]?.toFixed(3)}`)
