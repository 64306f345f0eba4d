import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readTestReport } from '../../src/read/junit.ts'
import { shownName } from '../../src/read/junit-identity.ts'
import { temporaryFolder } from '../support/temporary.ts'

const SCRIPT = fileURLToPath(new URL('../../capture_run.sh', import.meta.url))
const PACKAGES = ['mocha@11.7.1', 'vitest@3.2.4', 'jest@30.0.4', 'jest-junit@16.0.0', 'pnpm@9.15.9', 'yarn@1.22.22']

/** A directory with the runners, installed as a project would. */
const installed = temporaryFolder('runners-')
writeFileSync(join(installed, 'package.json'), '{"private": true}')
const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], {
  cwd: installed,
  encoding: 'utf8',
})
const skip = npm.status !== 0 && `the runners cannot be installed: ${npm.stderr}`

const MOCHA = {
  'a.js': "it('passes', () => {}); it('fails', () => { throw new Error('no') }); it.skip('later', () => {})\n",
}
const JEST = {
  'a.test.js':
    "test('passes', () => {}); test('fails', () => { throw new Error('no') }); test.skip('later', () => {})\n",
}
const VITEST = { 'a.test.js': `import { test } from 'vitest'\n${JEST['a.test.js']}` }
const NODE = { 'a.test.js': `const { test } = require('node:test')\n${JEST['a.test.js']}` }

/** The script of package.json, the command, the files, the name of the exit file. */
const CASES: readonly [string, string, Record<string, string>, string][] = [
  ['mocha a.js', 'npm test', MOCHA, 'npm-test'],
  ['mocha a.js', 'pnpm test', MOCHA, 'pnpm-test'],
  ['mocha a.js', 'yarn test', MOCHA, 'yarn-test'],
  ['', 'npx mocha a.js', MOCHA, 'mocha'],
  ['vitest run', 'npm test', VITEST, 'npm-test'],
  ['', 'npx vitest run', VITEST, 'vitest'],
  ['jest', 'npm run test', JEST, 'npm-test'],
  ['node --test', 'npm test', NODE, 'npm-test'],
  ['npm run test:unit', 'npm test', NODE, 'npm-test'],
]
for (const [script, command, files, runner] of CASES) {
  for (const words of [
    command.split(' '),
    ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', `${command}\n`],
  ]) {
    test(`${words.slice(0, 1)}: ${command}, which is ${script || 'itself'}`, { skip }, () => {
      const project = temporaryFolder('project ')
      mkdirSync(project, { recursive: true })
      const scripts = { test: script, 'test:unit': 'node --test' }
      writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'shop', version: '1.0.0', scripts }))
      for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
      symlinkSync(join(installed, 'node_modules'), join(project, 'node_modules'))
      const done = spawnSync('bash', [SCRIPT, '--', ...words], {
        cwd: project,
        env: { PATH: `${join(installed, 'node_modules/.bin')}${delimiter}${process.env.PATH}`, HOME: process.env.HOME },
        encoding: 'utf8',
      })
      const evidence = join(project, 'evidence')
      assert.equal(readFileSync(join(evidence, `${runner}.exit`), 'utf8'), '1\n', done.stdout + done.stderr)
      assert.equal(done.status, 1)
      assert.match(done.stdout + done.stderr, /passes/, 'its own output is shown')
      const junit = readdirSync(evidence).filter((name) => name.startsWith('junit'))
      assert.deepEqual(junit, ['junit.xml'], done.stderr)
      const { report } = readTestReport([{ file: 'junit.xml', bytes: readFileSync(join(evidence, 'junit.xml')) }])
      assert.deepEqual(
        report?.cases
          .map((one) => [
            shownName(one)
              .split(/::| › /)
              .at(-1)
              ?.trim()
              .split(' ')
              .at(-1),
            one.status,
          ])
          .sort(),
        [
          ['fails', 'failed'],
          ['later', 'skipped'],
          ['passes', 'passed'],
        ],
      )
      rmSync(project, { recursive: true })
    })
  }
}
