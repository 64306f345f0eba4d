import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

// Half a million characters: what is not linear in them takes hours.
const N = 500_000
const TEXTS: Record<string, string> = {
  'spaces in a requirement': `'a' + ' '.repeat(N) + 'x'`,
  'spaces and a line separator': `'a' + ' '.repeat(N) + 'x\\u2028y'`,
  'comments on one line': `'a==1' + ' #'.repeat(N / 2) + '\\u2028y'`,
  'brackets of a comment': `'# Editable install with no version control ' + '('.repeat(N)`,
  'brackets of an extra': `'-e ./a' + '['.repeat(N)`,
  'hyphens in a name': `'a' + '-'.repeat(N)`,
  options: `'a' + ' --a'.repeat(N / 4)`,
  'colons of addresses': `'a @ ' + '://'.repeat(N / 3)`,
  'dots of a module': `'a' + '.'.repeat(N) + '\\n' + '.a'.repeat(N / 2)`,
  'slashes of a module': `'a/'.repeat(N / 2) + '! v1'`,
  'branches of a tree': `'├── ' + '│ '.repeat(N / 2) + '\\n├── a@1'`,
  'signs of an address in a tree': `'├── ' + 'a@'.repeat(N / 2)`,
  'a long first line': `'/'.repeat(N) + '\\n└── (empty)'`,
  'spaces after a key': `'{"lockfileVersion"' + ' '.repeat(N)`,
  'brackets of JSON': `'{"dependencies":' + '{"a":'.repeat(N / 5)`,
  'a deep tree of npm': `'{"lockfileVersion":1,"dependencies":' + '{"a":{"dependencies":'.repeat(N / 20) + '{}' + '}}'.repeat(N / 20) + '}'`,
  'brackets of TOML': `'a = ' + '['.repeat(N)`,
  'blank lines of TOML': `'[[package]]' + '\\n'.repeat(N) + '[metadata]' + ' '.repeat(N) + 'x'`,
  'lines of go.sum': `'a v1.0.0 h1:'.repeat(N / 12)`,
  'a version of PEP 440': `'a==1' + '.0'.repeat(N / 2)`,
  'columns of pip': `'Package Version' + ' '.repeat(N) + '\\n' + '-'.repeat(N) + '\\na ' + ' '.repeat(N)`,
}

test('reading takes time in proportion to the text, and ends in a list or an error of its own', () => {
  const root = new URL('../../../src/', import.meta.url)
  const script = `
    import { readFreeze } from '${root}read/freeze.ts'
    import { DocumentError } from '${root}read/document.ts'
    import { formatByContent, formatsByName } from '${root}read/lockfile/find.ts'
    import { LOCKFILE_FORMATS } from '${root}read/lockfile/formats.ts'
    const N = ${N}
    for (const [name, text] of Object.entries({ ${Object.entries(TEXTS)
      .map(([name, text]) => `'${name}': ${text}`)
      .join(', ')} })) {
      console.log(name)
      readFreeze('freeze.txt', Buffer.from(text))
      formatByContent(text)
      for (const { read } of LOCKFILE_FORMATS)
        try { read(text) } catch (error) { if (!(error instanceof DocumentError)) throw error }
    }
    console.log('names')
    formatsByName('requirements' + '-'.repeat(N) + '!')
    formatsByName('requirements' + '-a'.repeat(N / 2) + '.tx')
    console.log('done')`
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  assert.equal(child.stdout.trim().split('\n').at(-1), 'done', child.stderr)
})
