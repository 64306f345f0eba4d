import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { OWN_FILES } from '../../src/read/bundle-files.ts'
import { Git } from '../../src/record/git.ts'
import { Trees } from '../../src/record/trees.ts'
import { gitIn, writeFiles } from '../support/checkout.ts'
import { temporaryFolder } from '../support/temporary.ts'

function repository(files: Parameters<typeof writeFiles>[1]): { cwd: string; sh: ReturnType<typeof gitIn>; git: Git } {
  const cwd = temporaryFolder('re :po"-')
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

/** A server of git repositories that wants a token, and remembers what it was sent. */
async function startServer(
  root: string,
  token: string,
): Promise<{ url: string; sent: (string | undefined)[]; close: () => void }> {
  const sent: (string | undefined)[] = []
  const wanted = `basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
  const server = createServer((request, response) => {
    sent.push(request.headers.authorization)
    if (request.headers.authorization !== wanted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    const address = new URL(request.url ?? '/', 'http://localhost')
    const git = spawn('git', ['http-backend'], {
      env: {
        ...process.env,
        ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', PATH_INFO: address.pathname },
        ...{ REQUEST_METHOD: request.method ?? '', QUERY_STRING: address.search.slice(1) },
        ...{
          CONTENT_TYPE: request.headers['content-type'] ?? '',
          GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        },
        ...(request.headers['content-encoding'] === 'gzip' ? { HTTP_CONTENT_ENCODING: 'gzip' } : {}),
      },
    })
    request.pipe(git.stdin)
    const parts: Buffer[] = []
    git.stdout.on('data', (part) => parts.push(part))
    git.on('close', () => {
      const all = Buffer.concat(parts)
      const end = all.indexOf('\r\n\r\n')
      for (const line of all.subarray(0, end).toString().split('\r\n')) {
        const [name = '', value = ''] = line.split(': ')
        if (name !== 'Status') response.setHeader(name, value)
      }
      response.end(all.subarray(end + 4))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, close: () => server.close() }
}

test('a commit that is missing is fetched with the token, which no other server is sent', async (t) => {
  const root = temporaryFolder('server-')
  const { cwd, sh } = repository(SOURCE)
  const head = sh('rev-parse', 'HEAD')
  gitIn(root)('clone', '--quiet', '--bare', cwd, join(root, 'octo', 'shop'))
  gitIn(join(root, 'octo', 'shop'))('config', 'uploadpack.allowAnySHA1InWant', 'true')
  const [server, other] = [await startServer(root, 'the-token'), await startServer(root, 'none')]
  t.after(() => {
    server.close()
    other.close()
  })
  const remote = { url: `${server.url}/octo/shop`, token: 'the-token' }
  // Git is asked synchronously, so that the servers have to be in another process: this test starts itself again.
  const script = `
    import { Git } from '${new URL('../../src/record/git.ts', import.meta.url).href}'
    const remote = ${JSON.stringify(remote)}
    const own = Git.empty('${temporaryFolder('own-')}', remote)
    const moved = Git.empty('${temporaryFolder('moved-')}', remote)
    moved.run(['remote', 'set-url', 'origin', '${other.url}/octo/shop'])
    console.log(JSON.stringify([own.fetch('${head}'), own.refused, moved.fetch('${head}'), moved.refused]))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, GIT_ASKPASS: 'true' },
  })
  let said = ''
  child.stdout.on('data', (data) => (said += String(data)))
  await new Promise((resolve) => child.on('close', resolve))
  assert.deepEqual(JSON.parse(said), [true, false, false, true])
  assert.ok(server.sent.includes(`basic ${Buffer.from('x-access-token:the-token').toString('base64')}`))
  assert.equal(
    other.sent.some((one) => one?.includes(Buffer.from('x-access-token:the-token').toString('base64'))),
    false,
  )
})
