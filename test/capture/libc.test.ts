import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/temporary.ts'
import { SCRIPT } from './workspace.ts'

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' })
const missing = (tool: string) => run('sh', '-c', `command -v ${tool}`).status !== 0

/** What the script says of a program: its own functions, with nothing else of it run. */
function libcOf(program: string): string {
  const functions = readFileSync(SCRIPT, 'utf8')
    .split('# --- the system ---')[1]
    ?.split('# The C library of the first tool')[0]
  const done = run('bash', '-c', `${functions}\nlibc_of "$1"`, 'bash', program)
  assert.equal(done.stderr, '')
  return done.stdout.trim()
}

const linux = process.platform !== 'linux' && 'for Linux'
const glibc = run('getconf', 'GNU_LIBC_VERSION').stdout?.trim()

test('a program of glibc, by its loader', { skip: linux || (!glibc && 'no glibc here') }, () => {
  assert.equal(libcOf(realpathSync('/bin/sh')), glibc)
  assert.equal(libcOf(realpathSync(process.execPath)), glibc)
})

test('a static program', { skip: linux || (missing('go') && 'go is not installed') }, () => {
  const root = run('go', 'env', 'GOROOT').stdout.trim()
  assert.equal(libcOf(join(root, 'bin/go')), 'static')
})

test('a program of musl', { skip: linux || (missing('musl-gcc') && 'musl-gcc is not installed') }, () => {
  const folder = temporaryFolder('musl-')
  writeFileSync(join(folder, 'a.c'), 'int main(void) { return 0; }\n')
  for (const [name, flags] of [
    ['shared', []],
    ['alone', ['-static']],
  ] as const) {
    const made = run('musl-gcc', ...flags, '-o', join(folder, name), join(folder, 'a.c'))
    assert.equal(made.status, 0, made.stderr)
  }
  assert.match(libcOf(join(folder, 'shared')), /^musl \d+\.\d+\.\d+$/)
  assert.equal(libcOf(join(folder, 'alone')), 'static')
})

test('what is no such program says nothing', { skip: linux }, () => {
  const folder = temporaryFolder('libc-')
  writeFileSync(join(folder, 'script'), '#!/bin/sh\n# /lib64/ld-linux-x86-64.so.2\n')
  writeFileSync(join(folder, 'empty'), '')
  writeFileSync(join(folder, 'cut'), readFileSync(realpathSync('/bin/sh')).subarray(0, 40))
  copyFileSync('/etc/os-release', join(folder, 'text'))
  for (const name of ['script', 'empty', 'text', 'cut', 'none']) assert.equal(libcOf(join(folder, name)), '', name)
})
