import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { facts, Workspace } from './workspace.ts'

/** A machine whose own tools answer as those of macOS do: `uname -srm`, `sw_vers`, `sysctl -n NAME`. */
function mac(t: TestContext, { arch = 'arm64', translated = '0', silicon = '1', nodeArch = 'arm64' }) {
  const space = new Workspace(t).withoutPython().write({ 'package.json': '{}' })
  const folder = join(space.root, 'mac')
  mkdirSync(folder)
  const tools = {
    uname: `echo Darwin 23.6.0 ${arch}`,
    sw_vers: 'echo 14.6.1',
    sysctl: `case $2 in sysctl.proc_translated) echo ${translated} ;; hw.optional.arm64) echo ${silicon} ;; hw.ncpu) echo 8 ;; *) exit 1 ;; esac`,
    node: `case $* in *process.*) printf 'node.version=20.11.1\\nnode.arch=${nodeArch}\\n' ;; *) echo v20.11.1 ;; esac`,
    npm: 'echo 10.2.4',
  }
  for (const [name, body] of Object.entries(tools)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  }
  space.env.PATH = [folder, space.env.PATH].join(delimiter)
  const done = space.capture(['--', 'true'])
  assert.equal(done.status, 0, done.stderr)
  return facts(done.files.get('toolchain.txt'))
}

test('macOS: its version, and a native system is said to be one', (t) => {
  const found = mac(t, {})
  assert.deepEqual(
    [found.get('os'), found.get('arch'), found.get('distro'), found.get('emulated')],
    ['Darwin', 'arm64', 'macos 14.6.1', 'no'],
  )
  assert.equal(found.has('container'), false)
})

test('macOS: a shell under Rosetta', (t) => {
  const found = mac(t, { arch: 'x86_64', translated: '1', nodeArch: 'x64' })
  assert.deepEqual([found.get('arch'), found.get('emulated')], ['x86_64', 'rosetta'])
})

test('macOS: a native shell whose Node is under Rosetta', (t) => {
  assert.equal(mac(t, { nodeArch: 'x64' }).get('emulated'), 'rosetta')
})

test('macOS: an Intel machine', (t) => {
  assert.equal(mac(t, { arch: 'x86_64', silicon: '0', nodeArch: 'x64' }).get('emulated'), 'no')
})
