/**
 * What recording the source costs in a repository of 100,000 files: `capture_run.sh` of nothing there, less the same in a
 * repository of one file, against what would make the same tree by itself (`git add --all` into an index of its own) and
 * against `git status`. Wall time, the median of five in turn. Prints a table; nothing here is a test.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/temporary.ts'

const SCRIPT = fileURLToPath(new URL('../../capture_run.sh', import.meta.url))
const ROUNDS = 5

function repository(folders: number, each: number): string {
  const cwd = temporaryFolder('bench-')
  for (let folder = 0; folder < folders; folder++) {
    const path = join(cwd, `part${folder % 40}`, `folder${folder}`)
    mkdirSync(path, { recursive: true })
    for (let file = 0; file < each; file++) writeFileSync(join(path, `file${file}.py`), `x = ${folder * file}\n`)
  }
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...who, 'commit', '--quiet', '--message=x'],
  ])
    spawnSync('git', args, { cwd })
  return cwd
}

/** Wall time in seconds. */
function seconds(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): number {
  const start = performance.now()
  const done = spawnSync(command, args, { cwd, env })
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${done.stderr}`)
  return (performance.now() - start) / 1000
}

const [large, small] = [repository(1000, 100), repository(1, 1)]
const capture = (cwd: string) => seconds('bash', [SCRIPT, '--', 'true'], cwd)
const times = {
  captured: () => capture(large) - capture(small),
  'git add': () => {
    const place = temporaryFolder('bench-objects-')
    const own = { GIT_INDEX_FILE: join(place, 'index'), GIT_OBJECT_DIRECTORY: place }
    const taken = seconds('git', ['add', '--all'], large, { ...process.env, ...own })
    rmSync(place, { recursive: true, force: true })
    return taken
  },
  'git status': () => seconds('git', ['status', '--short'], large),
}
// The first of each warms the caches.
for (const measure of Object.values(times)) measure()
const measured = Object.entries(times).map(([name]) => ({ name, taken: [] as number[] }))
for (let round = 0; round < ROUNDS; round++)
  for (const row of measured) row.taken.push(times[row.name as keyof typeof times]())
console.log('100,000 files')
for (const { name, taken } of measured) {
  const median = taken.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
  console.log(`${name.padEnd(12)} ${median.toFixed(2)} s`)
}
