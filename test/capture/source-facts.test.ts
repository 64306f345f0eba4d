import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readRun } from '../../src/read/run-file.ts'
import { facts, Workspace } from './workspace.ts'

/** What run.txt says of the source when a command runs in a repository. */
function source(space: Workspace, command: readonly string[] = ['true']): Map<string, string> {
  const run = facts(space.capture(['--', ...command]).files.get('run.txt'))
  return new Map([...run].filter(([key]) => key.startsWith('git.')).map(([key, value]) => [key.slice(4), value]))
}

/** The values of a list, in its order, without what a line of run.txt escapes. */
function list(run: ReadonlyMap<string, string>, key: string): string[] {
  return [...run]
    .filter(([name]) => new RegExp(`^${key}\\.\\d+$`).test(name))
    .map(([, value]) => value.replaceAll('\\\\', '\\'))
}

function repository(t: TestContext, files: Record<string, string> = { 'a.txt': 'a\n' }): Workspace {
  return new Workspace(t).withoutPython().write(files).commit()
}

/** The tree that git itself makes of a commit and of a list of changes to it. */
function rebuilt(space: Workspace, run: ReadonlyMap<string, string>): string {
  const env = { ...space.env, GIT_INDEX_FILE: join(space.root, 'rebuilt') }
  rmSync(env.GIT_INDEX_FILE, { force: true })
  const git = (args: string[], input?: string) =>
    spawnSync('git', args, { cwd: space.project, env, encoding: 'utf8', ...(input === undefined ? {} : { input }) })
  const base = run.get('base')
  git(['read-tree', base ?? '--empty'])
  const changes = list(run, 'change').map((line) => line.replace(/^\w (\d+ \w+) /, '$1\t'))
  git(['update-index', '--index-info'], changes.map((line) => `${line}\n`).join(''))
  return git(['write-tree', '--missing-ok']).stdout.trim()
}

test('the changes that are listed make the tree of the commit that is named', (t) => {
  const space = repository(t, { 'a.txt': 'a\n', 'gone.txt': 'x\n', 'sub/c.txt': 'c\n', 'evidence/junit.xml': '<a/>' })
  space.git('rm', '--quiet', '--cached', 'evidence/junit.xml')
  space.git('commit', '--quiet', '--message=no bundle')
  space.write({ 'a.txt': 'b\n', 'new\nname.txt': 'n\n', 'sub/ü \\ x.txt': 'u\n', 'staged.txt': 's\n' })
  space.git('add', 'staged.txt')
  rmSync(join(space.project, 'gone.txt'))
  const run = source(space)
  assert.equal(run.get('dirty'), 'yes')
  assert.deepEqual(list(run, 'untracked').toSorted(), ['"new\\nname.txt"', '"sub/\\303\\274 \\\\ x.txt"', 'staged.txt'])
  assert.equal(list(run, 'change').length, 5)
  assert.equal(rebuilt(space, run), run.get('tree'))
})

test('changes are told from the newest commit that a remote has', (t) => {
  const space = repository(t)
  const published = space.git('rev-parse', 'HEAD')
  const remote = join(space.root, 'remote.git')
  spawnSync('git', ['clone', '--quiet', '--bare', space.project, remote], { env: space.env })
  space.git('remote', 'add', 'origin', remote)
  space.git('fetch', '--quiet', 'origin')
  space.write({ 'b.txt': 'b\n' })
  space.git('add', '--all')
  space.git('commit', '--quiet', '--message=not pushed')
  space.write({ 'c.txt': 'c\n' })
  const run = source(space)
  assert.equal(run.get('base'), published)
  assert.equal(run.get('head'), space.git('rev-parse', 'HEAD'))
  assert.deepEqual(list(run, 'untracked'), ['c.txt'])
  assert.deepEqual(
    list(run, 'change').map((line) => line.split(' ')[3]),
    ['b.txt', 'c.txt'],
  )
  assert.equal(rebuilt(space, run), run.get('tree'))
})

test('200 names are kept, and how many more there are', (t) => {
  const space = repository(t)
  space.write(Object.fromEntries(Array.from({ length: 230 }, (_, index) => [`new/${index}.txt`, `${index}\n`])))
  const run = source(space)
  assert.deepEqual([list(run, 'untracked').length, run.get('untracked.more')], [200, '30'])
  assert.deepEqual([list(run, 'change').length, run.get('change.more')], [200, '30'])
})

test('names that would fill run.txt are not all kept', (t) => {
  const space = repository(t)
  const long = 'n'.repeat(240)
  space.write(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${long}/${long}/${index}.txt`, 'x'])))
  const { files } = space.capture(['--', 'true'])
  assert.ok(Buffer.byteLength(files.get('run.txt') ?? '') < 64 * 1024)
  const run = facts(files.get('run.txt'))
  assert.equal(list(run, 'git.untracked').length + Number(run.get('git.untracked.more')), 100)
})

test('what the run does to the source does not count, and is told', (t) => {
  const space = repository(t, { 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': '*.log\n' })
  const tree = space.git('rev-parse', 'HEAD^{tree}')
  const run = source(space, ['sh', '-c', 'echo x >> a.txt; rm b.txt; echo n > n.txt; echo l > l.log'])
  assert.equal(run.get('tree'), tree)
  assert.equal(run.get('dirty'), 'no')
  assert.deepEqual(
    list(run, 'after').map((line) => line.replace(/ \d+ \w+ /, ' ')),
    ['M a.txt', 'D b.txt', 'A n.txt'],
  )
  assert.match(list(run, 'after')[0] ?? '', new RegExp(` ${space.git('hash-object', 'a.txt')} `))
})

test('a run that writes the same bytes again changed nothing', (t) => {
  const space = repository(t)
  assert.deepEqual(list(source(space, ['sh', '-c', 'sleep 0.01; echo a > a.txt; touch a.txt']), 'after'), [])
})

test('submodules: clean, with changes inside, not there', (t) => {
  const space = repository(t)
  const other = join(space.root, 'other')
  mkdirSync(other)
  const git = (...args: string[]) => spawnSync('git', args, { cwd: other, env: space.env })
  git('init', '--quiet')
  writeFileSync(join(other, 'x.txt'), 'x\n')
  git('add', '--all')
  git('commit', '--quiet', '--message=x')
  for (const name of ['clean', 'dirty', 'absent', 'un\ntracked'])
    space.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      '--name',
      `n${name.length}${name[0]}`,
      other,
      name,
    )
  space.git('commit', '--quiet', '--message=submodules')
  space.git('submodule', '--quiet', 'deinit', '--force', 'absent')
  space.write({ 'dirty/x.txt': 'changed\n', 'un\ntracked/new.txt': 'new\n' })
  const run = source(space)
  assert.deepEqual(list(run, 'submodule').toSorted(), [
    'absent absent',
    'clean clean',
    'dirty "un\\ntracked"',
    'dirty dirty',
  ])
  // What is inside of a submodule is not in the tree.
  assert.equal(run.get('dirty'), 'no')
})

test('a submodule at another commit is another tree', (t) => {
  const space = repository(t)
  const other = join(space.root, 'other')
  cpSync(space.project, other, { recursive: true })
  space.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'sub')
  space.git('commit', '--quiet', '--message=submodule')
  const before = source(space).get('tree')
  assert.equal(before, space.git('rev-parse', 'HEAD^{tree}'))
  space.git('-C', 'sub', 'commit', '--quiet', '--allow-empty', '--message=newer')
  const run = source(space)
  assert.notEqual(run.get('tree'), before)
  assert.deepEqual(list(run, 'submodule'), ['clean sub'])
  assert.equal(list(run, 'change')[0], `M 160000 ${space.git('-C', 'sub', 'rev-parse', 'HEAD')} sub`)
})

test('a repository inside of the repository that is no submodule', (t) => {
  const space = repository(t)
  mkdirSync(join(space.project, 'inner'))
  space.git('init', '--quiet', 'inner')
  space.git('-C', 'inner', 'commit', '--quiet', '--allow-empty', '--message=x')
  const run = source(space)
  assert.deepEqual(list(run, 'untracked'), ['inner'])
})

test('ignored files are counted, a directory of them as one', (t) => {
  const space = repository(t, { '.gitignore': 'node_modules/\n.env\n' })
  space.write({ '.env': 'SECRET=1\n', 'node_modules/a/index.js': '', 'node_modules/b/index.js': '' })
  assert.equal(source(space).get('ignored'), '2')
})

test('hidden files are named, and those of a sparse checkout are not there', (t) => {
  const space = repository(t, { 'a/x.txt': 'x\n', 'b/y.txt': 'y\n', 'c.txt': 'c\n' })
  space.git('sparse-checkout', 'set', 'a')
  const run = source(space)
  assert.deepEqual([run.get('hidden'), run.get('hidden.0')], ['1', 'b/y.txt'])
  assert.deepEqual(list(run, 'change'), [`D 000000 ${'0'.repeat(40)} b/y.txt`])
  // With an index that holds whole directories as one.
  space.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'a')
  assert.equal(source(space).get('tree'), run.get('tree'))
})

test('pointers of Git LFS whose content was not fetched are counted', (t) => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`
  const space = repository(t, {
    'assets/.gitattributes': '*.bin filter=lfs diff=lfs -text\n',
    'assets/a.bin': pointer,
    'assets/b.bin': 'content',
    'c.bin': pointer,
  })
  assert.equal(source(space).get('lfs'), '1')
  assert.equal(source(repository(t)).has('lfs'), false)
})

test('line endings: what git would commit is the source, and the settings are told', (t) => {
  const space = repository(t, { 'a.txt': 'a\nb\n' })
  space.git('config', 'core.autocrlf', 'true')
  space.git('config', 'core.eol', 'crlf')
  space.write({ 'a.txt': 'a\r\nb\r\n' })
  const run = source(space)
  assert.equal(run.get('tree'), space.git('rev-parse', 'HEAD^{tree}'))
  assert.deepEqual([run.get('dirty'), run.get('autocrlf'), run.get('eol')], ['no', 'true', 'crlf'])
})

test('a conflict, a file that became a directory, a link, a mode', (t) => {
  const space = repository(t, { 'a.txt': 'a\n', file: 'f\n', 'run.sh': 'echo\n' })
  space.git('switch', '--quiet', '--create', 'other')
  space.write({ 'a.txt': 'other\n' })
  space.git('commit', '--quiet', '--all', '--message=other')
  space.git('switch', '--quiet', 'main')
  space.write({ 'a.txt': 'main\n' })
  space.git('commit', '--quiet', '--all', '--message=main')
  spawnSync('git', ['merge', '--quiet', 'other'], { cwd: space.project, env: space.env })
  rmSync(join(space.project, 'file'))
  space.write({ 'file/inside.txt': 'i\n' })
  spawnSync('ln', ['-s', 'a.txt', 'link'], { cwd: space.project })
  spawnSync('chmod', ['+x', 'run.sh'], { cwd: space.project })
  const before = statSync(join(space.project, '.git/index')).mtimeMs
  const run = source(space)
  assert.equal(statSync(join(space.project, '.git/index')).mtimeMs, before)
  rmSync(join(space.project, 'evidence'), { recursive: true })
  space.git('add', '--all')
  assert.equal(run.get('tree'), space.git('write-tree'))
  assert.equal(rebuilt(space, run), run.get('tree'))
})

test('a file whose size and time are as before, and whose bytes are not', (t) => {
  const space = repository(t, { 'a.txt': 'aaaa\n' })
  spawnSync('touch', ['-d', '2020-01-01', join(space.project, 'a.txt')])
  space.git('update-index', '--refresh')
  space.git('config', 'core.trustctime', 'false')
  space.git('config', 'core.checkStat', 'minimal')
  // Git compares whole seconds.
  spawnSync('sleep', ['1.1'])
  space.write({ 'a.txt': 'bbbb\n' })
  spawnSync('touch', ['-d', '2020-01-01', join(space.project, 'a.txt')])
  assert.equal(source(space).get('dirty'), 'yes')
})

test('a repository whose objects are named by SHA-256', (t) => {
  const space = new Workspace(t).withoutPython().write({ 'a.txt': 'a\n' })
  space.git('init', '--quiet', '--object-format=sha256')
  space.git('add', '--all')
  space.git('commit', '--quiet', '--message=x')
  space.write({ 'b.txt': 'b\n' })
  const run = source(space)
  assert.equal(run.get('head')?.length, 64)
  assert.equal(rebuilt(space, run), run.get('tree'))
  rmSync(join(space.project, 'evidence'), { recursive: true })
  space.git('add', '--all')
  assert.equal(run.get('tree'), space.git('write-tree'))
})

test('a filter of the project’s settings makes what git would commit', (t) => {
  const space = repository(t, { '.gitattributes': '*.txt filter=upper\n', 'a.txt': 'A\n' })
  space.git('config', 'filter.upper.clean', 'tr a-z A-Z')
  space.write({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const run = source(space)
  rmSync(join(space.project, 'evidence'), { recursive: true })
  space.git('add', '--all')
  assert.equal(run.get('tree'), space.git('write-tree'))
})

test('nothing of the repository changes, and no object is added to it', (t) => {
  const space = repository(t, { 'a.txt': 'a\n', 'sub/b.txt': 'b\n' })
  space.write({ 'sub/b.txt': 'c\n', 'new.txt': 'n\n' })
  const state = () =>
    readdirSync(space.project, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('evidence'))
      .toSorted()
      .map((path) => `${path} ${statSync(join(space.project, path)).mtimeMs}`)
      .filter((line) => !/^\.? \d/.test(line))
  const before = state()
  source(space)
  assert.deepEqual(state(), before)
})

test('nested repositories: with changes inside, with files that were hidden inside, without a commit', (t) => {
  const space = repository(t)
  for (const name of ['dirty', 'hidden', 'empty']) {
    mkdirSync(join(space.project, name))
    space.git('init', '--quiet', name)
    space.write({ [`${name}/f.txt`]: '1\n' })
    if (name === 'empty') continue
    space.git('-C', name, 'add', '--all')
    space.git('-C', name, 'commit', '--quiet', '--message=x')
    if (name === 'hidden') space.git('-C', name, 'update-index', '--assume-unchanged', 'f.txt')
    space.write({ [`${name}/f.txt`]: '2\n' })
  }
  const run = source(space)
  assert.deepEqual(list(run, 'submodule').toSorted(), ['dirty dirty', 'dirty hidden', 'empty empty'])
  assert.ok(run.get('tree'))
})

test('names are kept as they are, those that look like secrets too', (t) => {
  const space = repository(t)
  space.write({ 'data/key=abc.txt': 'x\n', '\u0001.txt': 'x\n' })
  const run = source(space)
  assert.deepEqual(list(run, 'untracked'), ['"\\001.txt"', 'data/key=abc.txt'])
  assert.equal(rebuilt(space, run), run.get('tree'))
})

test('long names in other scripts do not make run.txt too long to be read', (t) => {
  const space = repository(t)
  const name = '\u8a66'.repeat(70)
  space.write(Object.fromEntries(Array.from({ length: 210 }, (_, index) => [`${name}/${index}.txt`, 'x'])))
  const { files } = space.capture(['--', 'true'])
  assert.ok(Buffer.byteLength(files.get('run.txt') ?? '') < 64 * 1024)
  assert.equal(readRun('run.txt', Buffer.from(files.get('run.txt') ?? '')).run.source.tree?.length, 40)
})

test('a file that was staged to be removed and is still there', (t) => {
  const space = repository(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' })
  space.write({ '.gitignore': 'a.txt\n' })
  space.git('rm', '--quiet', '--cached', 'a.txt')
  const run = source(space)
  assert.deepEqual(list(run, 'removed'), ['a.txt'])
})

test('a link that was just made is not said to be changed by the run', (t) => {
  const space = repository(t)
  spawnSync('ln', ['-s', 'a.txt', 'link'], { cwd: space.project })
  space.git('add', '--all')
  space.git('commit', '--quiet', '--message=link')
  spawnSync('ln', ['-sfn', 'b.txt', 'link'], { cwd: space.project })
  assert.deepEqual(list(source(space), 'after'), [])
})

test('files that a filter of this machine changes before git sees them are counted', (t) => {
  const space = repository(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' })
  space.write({ '.git/info/attributes': 'a.txt filter=z\n' })
  space.git('config', 'filter.z.clean', 'git show HEAD:%f')
  space.write({ 'a.txt': 'other\n' })
  const run = source(space)
  assert.deepEqual([run.get('dirty'), run.get('filtered')], ['no', '1'])
  space.git('config', 'filter.lfs.clean', 'git-lfs clean -- %f')
  space.git('config', '--unset', 'filter.z.clean')
  assert.equal(source(space).get('filtered'), '0')
})

test('what is ignored by rules outside of the repository is named', (t) => {
  const space = repository(t, { '.gitignore': '*.log\n' })
  space.write({ '.git/info/exclude': 'conftest.py\n', 'conftest.py': '', 'x.log': '' })
  const run = source(space)
  assert.deepEqual([list(run, 'excluded'), run.get('ignored')], [['conftest.py'], '2'])
})
