/**
 * Comparing two lockfiles, against what people would take instead: `diff -u`, and jsdiff on the text. CPU time of a process
 * of its own for each cell, the median of three, and the ratio to `diff -u` of the same two files. Prints a table; nothing
 * here is a test.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/temporary.ts'

const SIZES = [1_000, 5_000, 20_000, 60_000]
const FORMATS = {
  'package-lock.json': (packages: readonly Entry[]) =>
    JSON.stringify(
      {
        name: 'app',
        lockfileVersion: 3,
        packages: Object.fromEntries(
          packages.map(({ name, version }) => [
            `node_modules/${name}`,
            {
              version,
              resolved: `https://registry.example/${name}/-/${name}-${version}.tgz`,
              integrity: `sha512-${digest(name + version, 86)}==`,
              license: 'MIT',
              dependencies: { 'package-1': '^1.0.0', 'package-2': '^2.0.0' },
              engines: { node: '>=18' },
            },
          ]),
        ),
      },
      null,
      2,
    ),
  'poetry.lock': (packages: readonly Entry[]) =>
    `${packages
      .map(
        ({ name, version }) =>
          `[[package]]\nname = "${name}"\nversion = "${version}"\ngroups = ["main"]\nfiles = [\n${[1, 2]
            .map(
              (n) => `    {file = "${name}-${version}-${n}.whl", hash = "sha256:${digest(name + version + n, 64)}"},\n`,
            )
            .join('')}]\n`,
      )
      .join('\n')}\n[metadata]\nlock-version = "2.1"\npython-versions = ">=3.9"\ncontent-hash = "00"\n`,
  'pnpm-lock.yaml': (packages: readonly Entry[]) =>
    `lockfileVersion: '9.0'\n\npackages:\n\n${packages
      .map(
        ({ name, version }) =>
          `  ${name}@${version}:\n    resolution: {integrity: sha512-${digest(name + version, 86)}==}\n    engines: {node: '>=18'}\n`,
      )
      .join('\n')}`,
}

interface Entry {
  readonly name: string
  readonly version: string
}

/** Letters and digits that depend on a text, as a hash does. */
function digest(text: string, length: number): string {
  let state = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)
  let made = ''
  while (made.length < length) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    made += state.toString(16).padStart(8, '0')
  }
  return made.slice(0, length)
}

const OURS = `
import { compareLockfiles } from '${new URL('../../src/compare/lockfiles.ts', import.meta.url)}'
import { readEvidence } from '${new URL('../../src/read/bundle-files.ts', import.meta.url)}'
import { readFileSync } from 'node:fs'
const [name, there, here] = process.argv.slice(1)
const files = new Map([['lock.copy', readFileSync(there)], ['run.txt', Buffer.from('schema=2\\nlockfile=' + name)]])
const scratch = readEvidence('evidence', files, [])
const bytes = readFileSync(here)
const before = process.cpuUsage()
const [row] = compareLockfiles(scratch, [{ path: name, bytes, changedHere: null }])
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1e6, row.compared)`

// Without a limit it takes minutes where much differs.
const JSDIFF = `
import { createTwoFilesPatch } from '${new URL('../../node_modules/diff/libesm/index.js', import.meta.url)}'
import { readFileSync } from 'node:fs'
const [, there, here] = process.argv.slice(1)
const [a, b] = [there, here].map((path) => readFileSync(path, 'utf8'))
const before = process.cpuUsage()
const patch = createTwoFilesPatch('a', 'b', a, b, '', '', { timeout: 20_000 })
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1e6, patch === undefined ? 'gave up' : 'done')`

function node(script: string, ...args: string[]): { seconds: number; end: string } {
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', script, '--', ...args], { encoding: 'utf8' })
  const [seconds = 'NaN', ...end] = done.stdout.trim().split(' ')
  if (done.status !== 0) throw new Error(done.stderr)
  return { seconds: Number(seconds), end: end.join(' ') }
}

/** User and system time of `diff -u`, as the shell's own `times` gives them. */
function diff(there: string, here: string): number {
  const done = spawnSync('bash', ['-c', 'diff -u "$1" "$2" >/dev/null; times', 'bash', there, here], {
    encoding: 'utf8',
  })
  const spent = (done.stdout.trim().split('\n')[1] ?? '').match(/(\d+)m([\d.]+)s/g) ?? []
  return spent.reduce((sum, one) => sum + Number(/m([\d.]+)/.exec(one)?.[1]) + 60 * Number.parseInt(one, 10), 0)
}

function median<T>(values: readonly T[], of: (value: T) => number): T {
  return [...values].sort((a, b) => of(a) - of(b))[values.length >> 1] as T
}

const folder = temporaryFolder('bench-')
const [quick] = process.argv.slice(2)
console.log('format             packages  differ      ours s   diff -u s  ratio   jsdiff s')
for (const [format, write] of Object.entries(FORMATS)) {
  for (const size of SIZES) {
    const entries = Array.from({ length: size }, (_, index) => ({
      name: `package-${index}`,
      version: `1.${index % 40}.${index}`,
    }))
    const kinds = {
      none: entries,
      ten: entries.map((entry, index) => (index % (size / 10) === 0 ? { ...entry, version: `2.0.${index}` } : entry)),
      all: entries.map((entry, index) => ({ ...entry, version: `2.0.${index}` })),
    }
    for (const [kind, other] of Object.entries(kinds)) {
      const [there, here] = [join(folder, 'there'), join(folder, 'here')]
      writeFileSync(there, write(entries))
      writeFileSync(here, write(other))
      const ours = median(
        [1, 2, 3].map(() => node(OURS, format, there, here)),
        (one) => one.seconds,
      )
      const plain = median(
        [1, 2, 3].map(() => diff(there, here)),
        (one) => one,
      )
      const theirs = quick === '--no-jsdiff' ? null : node(JSDIFF, format, there, here)
      console.log(
        [
          format.padEnd(18),
          String(size).padStart(8),
          kind.padEnd(8).padStart(9),
          ours.seconds.toFixed(3).padStart(9),
          plain.toFixed(3).padStart(10),
          (ours.seconds / Math.max(plain, 0.001)).toFixed(1).padStart(6),
          theirs === null ? '' : `${theirs.seconds.toFixed(3)} ${theirs.end}`.padStart(18),
        ].join(' '),
      )
    }
  }
}
