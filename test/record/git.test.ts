import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { OWN_FILES } from '../../src/read/bundle-files.ts'
import { Git } from '../../src/record/git.ts'
import { Trees } from '../../src/record/trees.ts'
import { gitIn, writeFiles } from '../support/checkout.ts'

function repository(files: Parameters<typeof writeFiles>[1]): { cwd: string; sh: ReturnType<typeof gitIn>; git: Git } {
  const cwd = mkdtempSync(join(tmpdir(), 're :po"-'))
  const sh = gitIn(cwd)
  sh('init', '--quiet')
  writeFiles(cwd, files)
  sh('add', '--all')
  sh('commit', '--quiet', '--allow-empty', '--message', 'x')
  const { git } = Git.open(cwd)
  assert.ok(git)
  return { cwd, sh, git }
}

const SOURCE = { 'a.txt': 'a\n', 'sub/b.txt': 'b\n', 'odd\nname.txt': 'c\n', 'evidence/conftest.py': 'import os\n' }
const BUNDLE = {
  'evidence/pytest.exit': '0\n',
  'evidence/junit.xml': '<a/>',
  'evidence/lock-2.copy': 'x',
  'evidence/run.txt': 'schema=2\n',
}
const own = OWN_FILES.map((file) => `evidence/${file}`)

test('the tree without the bundle is the tree of the same files without it', () => {
  const withBundle = repository({ ...SOURCE, ...BUNDLE })
  const without = repository(SOURCE)
  const tree = without.sh('rev-parse', 'HEAD^{tree}')
  assert.equal(new Trees(withBundle.git).without('HEAD', own), tree)
  assert.equal(new Trees(withBundle.git).workingTree(own), tree)
  // Only the bundle's own files are left out: a conftest.py among them is source.
  writeFiles(withBundle.cwd, { 'evidence/conftest.py': 'import sys\n' })
  assert.notEqual(new Trees(withBundle.git).workingTree(own), tree)
})

test('the working tree has what is not committed, hidden or not, and no ignored file', () => {
  const { cwd, sh, git } = repository({ ...SOURCE, '.gitignore': '*.log\n' })
  writeFiles(cwd, { 'a.txt': 'changed\n', 'new.txt': 'new\n', 'x.log': 'ignored\n' })
  sh('update-index', '--assume-unchanged', 'a.txt')
  const expected = repository({ ...SOURCE, '.gitignore': '*.log\n', 'a.txt': 'changed\n', 'new.txt': 'new\n' }).sh(
    'rev-parse',
    'HEAD^{tree}',
  )
  const index = join(cwd, '.git', 'index')
  const before = [readFileSync(index), statSync(index).mtimeMs, sh('count-objects')]
  assert.equal(new Trees(git).workingTree(own), expected)
  assert.deepEqual([readFileSync(index), statSync(index).mtimeMs, sh('count-objects')], before)
})

test('bytes of blobs, in order, whatever they hold', () => {
  const binary = Buffer.from([0, 10, 255, 10, 0, 13])
  const { git } = repository({ a: binary, b: '', c: 'c\n' })
  const entries = git.list('HEAD', '.')
  assert.deepEqual(
    git.blobs(entries.map((entry) => entry.oid)).map((bytes) => Buffer.from(bytes)),
    [binary, Buffer.from(''), Buffer.from('c\n')],
  )
})

test('a hook, a file-system monitor and a replacement of the repository do not take part', () => {
  const { cwd, sh, git } = repository(SOURCE)
  const tree = sh('rev-parse', 'HEAD^{tree}')
  const marker = join(cwd, '.git', 'ran')
  writeFiles(cwd, { '.git/hooks/post-index-change': `#!/bin/sh\ntouch '${marker}'\n` })
  execFileSync('chmod', ['+x', join(cwd, '.git', 'hooks', 'post-index-change')])
  sh('config', 'core.fsmonitor', `touch ${marker}`)
  const other = repository({ z: 'z\n' })
  sh('fetch', '--quiet', other.cwd, 'HEAD')
  sh('replace', sh('rev-parse', 'HEAD'), 'FETCH_HEAD')
  assert.equal(new Trees(git).without(git.commit('HEAD') ?? '', []), tree)
  assert.throws(() => statSync(marker))
})
