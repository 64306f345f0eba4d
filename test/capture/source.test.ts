import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { facts, Workspace } from './workspace.ts'

/** The tree that a fresh repository gives the same files, without the evidence: an independent answer. */
function treeOfCopy(space: Workspace, without: readonly string[] = ['evidence']): string {
  const copy = join(space.root, `copy ${readdirSync(space.root).length}`)
  cpSync(space.project, copy, { recursive: true })
  for (const path of ['.git', ...without]) rmSync(join(copy, path), { recursive: true, force: true })
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: copy, env: space.env, encoding: 'utf8' }).stdout.trim()
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message=copy')
  return git('rev-parse', 'HEAD^{tree}')
}

/** Every file of `.git`, by name and bytes, and the index's time: what a reader must not change. */
function stateOfGit(space: Workspace): string[] {
  const git = join(space.project, '.git')
  const files = readdirSync(git, { recursive: true, encoding: 'utf8' }).toSorted()
  const bytes = (file: string) => (statSync(join(git, file)).isFile() ? readFileSync(join(git, file)) : '')
  const digests = files.map((file) => `${file} ${createHash('sha256').update(bytes(file)).digest('hex')}`)
  return [...digests, String(statSync(join(git, 'index')).mtimeMs)]
}

test('a clean tree is that of HEAD', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'a.txt': 'a\n', 'dir/b.txt': 'b\n' }).commit()
  const run = facts(space.capture(['--', 'true']).files.get('run.txt'))
  assert.equal(run.get('git.head'), space.git('rev-parse', 'HEAD'))
  assert.equal(run.get('git.tree'), space.git('rev-parse', 'HEAD^{tree}'))
  assert.equal(run.get('git.dirty'), 'no')
  assert.equal(run.get('git.hidden'), '0')
})

test('dirty, untracked, deleted and hidden files are all in the tree, and the repository stays as it is', (t) => {
  const space = new Workspace(t).withoutPython().write({
    'a.txt': 'a\n',
    'gone.txt': 'x\n',
    'assumed.txt': 'old\n',
    'skipped.txt': 'old\n',
    'staged.txt': 'old\n',
    '.gitignore': 'ignored.txt\n',
    'evidence/command.exit': '0\n',
    'evidence/README.md': 'not the bundle\n',
  })
  space.commit()
  space.git('update-index', '--assume-unchanged', 'assumed.txt')
  space.git('update-index', '--skip-worktree', 'skipped.txt')
  space.write({
    'a.txt': 'changed\n',
    'assumed.txt': 'new\n',
    'skipped.txt': 'new\n',
    'staged.txt': 'new\n',
    'sub dir/ü [1]*.txt': 'untracked\n',
    'ignored.txt': 'x',
  })
  rmSync(join(space.project, 'gone.txt'))
  space.git('add', 'staged.txt')
  const before = stateOfGit(space)
  const run = facts(space.capture(['--', 'true']).files.get('run.txt'))
  assert.deepEqual(stateOfGit(space), before)
  assert.equal(run.get('git.dirty'), 'yes')
  assert.equal(run.get('git.hidden'), '2')

  for (const name of readdirSync(join(space.project, 'evidence'))) {
    if (name !== 'README.md') rmSync(join(space.project, 'evidence', name))
  }
  assert.equal(run.get('git.tree'), treeOfCopy(space, []))
})

test('a file that was added by force although .gitignore names it is part of the source', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'a.txt': 'a\n', '.gitignore': 'forced.txt\n' }).commit()
  space.write({ 'forced.txt': 'x\n' })
  space.git('add', '--force', 'forced.txt')
  const run = facts(space.capture(['--', 'true']).files.get('run.txt'))
  space.git('commit', '--quiet', '--message=forced')
  assert.equal(run.get('git.tree'), space.git('rev-parse', 'HEAD^{tree}'))
})

test('the committed bundle is left out where CI records elsewhere, also with glob characters in its path', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'a.txt': 'a\n', 'svc/b.txt': 'b\n' }).commit()
  const tree = space.git('rev-parse', 'HEAD^{tree}')
  space.write({ 'svc/ev [x]*/pytest.exit': '0\n', 'svc/ev [x]*/junit-1.xml': '<testsuites/>' })
  space.git('add', '--all')
  space.git('commit', '--quiet', '--message=bundle')
  const done = space.capture(['--out', '../../ci', '--bundle', 'ev [x]*', '--', 'true'], {
    cwd: 'svc',
    out: '../../ci',
  })
  const run = facts(done.files.get('run.txt'))
  assert.equal(run.get('git.tree'), tree)
  assert.equal(run.get('git.dirty'), 'no')
  assert.equal(run.get('cwd'), 'svc')
})

test('a repository without a commit', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'a.txt': 'a\n' })
  space.git('init', '--quiet')
  const run = facts(space.capture(['--', 'true']).files.get('run.txt'))
  assert.equal(run.has('git.head'), false)
  assert.equal(run.get('git.tree'), treeOfCopy(space))
  assert.equal(run.get('git.dirty'), 'yes')
})

test('no repository: nothing of git is recorded', (t) => {
  const done = new Workspace(t).withoutPython().write({ 'a.txt': 'a\n' }).capture(['--', 'true'])
  const run = facts(done.files.get('run.txt'))
  assert.deepEqual(
    [...run.keys()].filter((key) => key.startsWith('git')),
    [],
  )
  assert.equal(run.get('cwd'), '.')
})

test('a linked worktree, and the variables that git sets for a hook', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'a.txt': 'a\n' }).commit()
  space.git('worktree', 'add', '--quiet', join(space.project, 'wt'))
  const done = space.capture(['--', 'true'], {
    cwd: 'wt',
    env: { GIT_DIR: join(space.project, '.git'), GIT_INDEX_FILE: '/nowhere' },
  })
  assert.equal(facts(done.files.get('run.txt')).get('git.tree'), space.git('rev-parse', 'HEAD^{tree}'))
})
