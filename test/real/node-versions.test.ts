import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeCheckout } from '../support/checkout.ts'
import { startGitHub } from '../support/github.ts'
import { runAction } from '../support/runner.ts'
import { temporaryFolder } from '../support/temporary.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The Node.js that runs the tests, and one of the machine's own. */
function nodes(): string[] {
  const own = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !directory.includes('node_modules'))
    .map((directory) => join(directory, 'node'))
  return [process.execPath, ...own.filter((path) => spawnSync(path, ['--version']).status === 0).slice(0, 1)]
}

for (const node of nodes()) {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  test(`dist/ runs alone, with no node_modules, on Node.js ${version}`, async () => {
    const alone = temporaryFolder('alone-')
    for (const path of ['dist', 'capture_run.sh', 'package.json'])
      cpSync(join(ROOT, path), join(alone, path), { recursive: true })
    const { cwd, event } = makeCheckout({ change: { 'evidence/pytest.exit': '0\n' } })
    const cli = spawnSync(node, [join(alone, 'dist', 'cli.js'), '--', 'sh', '-c', 'exit 3'], { cwd, encoding: 'utf8' })
    assert.equal(cli.status, 3, cli.stderr)
    const github = await startGitHub()
    const result = await runAction({ cwd, event, github, node, root: alone, inputs: { command: 'true' } })
    await github.close()
    assert.equal(result.code, 0, result.stdout + result.stderr)
    assert.equal(github.checkRuns[0]?.conclusion, 'success')
    assert.deepEqual(github.rejected, [])
  })
}
