import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareLockfiles } from '../../src/compare/lockfiles.ts'
import { readEvidence } from '../../src/read/bundle-files.ts'
import { lineOf } from '../../src/read/text.ts'
import { bytesOf, nameOf, REAL_FILES } from '../support/lockfiles.ts'

const real = (format: string, part: string) => {
  const found = REAL_FILES.find((one) => one.format === format && one.file.includes(part)) ?? assert.fail(part)
  return { name: nameOf(found), text: Buffer.from(bytesOf(found)).toString('utf8') }
}

/** The main formats, each by a file of a real tool; how an entry is written twice; what is no list of packages there. */
const MAIN: {
  format: string
  part: string
  family: 'JSON' | 'TOML' | 'YAML' | 'lines'
  wrong: string
  proto: string
}[] = [
  {
    format: 'poetry.lock',
    part: 'poetry-2-small',
    family: 'TOML',
    wrong: 'package = 1\n[metadata]\ncontent-hash = "x"\n',
    proto: '[[package]]\nname = "__proto__"\nversion = "1"\n',
  },
  {
    format: 'uv.lock',
    part: 'uv-small',
    family: 'TOML',
    wrong: 'version = 1\npackage = "a"\nrequires-python = ">=3"\n',
    proto: '[[package]]\nname = "__proto__"\nversion = "1"\nsource = { registry = "x" }\n',
  },
  {
    format: 'pdm.lock',
    part: 'pdm-small',
    family: 'TOML',
    wrong: 'package = {}\n[metadata]\nlock_version = "4"\n',
    proto: '[[package]]\nname = "__proto__"\nversion = "1"\n',
  },
  {
    format: 'Cargo.lock',
    part: 'v4-small',
    family: 'TOML',
    wrong: 'version = 4\npackage = 3\n',
    proto: '[[package]]\nname = "__proto__"\nversion = "1"\nsource = "registry+x"\n',
  },
  {
    format: 'Pipfile.lock',
    part: 'pipenv-small',
    family: 'JSON',
    wrong: '{"_meta": {"pipfile-spec": 6}, "default": []}',
    proto: '{"_meta": {"pipfile-spec": 6}, "default": {"__proto__": {"version": "==1"}}}',
  },
  {
    format: 'package-lock.json',
    part: 'v3-small',
    family: 'JSON',
    wrong: '{"lockfileVersion": 3, "packages": "a"}',
    proto:
      '{"lockfileVersion": 3, "packages": {"node_modules/__proto__": {"version": "1"}, "__proto__": {"version": "2"}}}',
  },
  {
    format: 'bun.lock',
    part: 'bun1.4.5-small',
    family: 'JSON',
    wrong: '{"lockfileVersion": 1, "workspaces": {"": {}}, "packages": []}',
    proto:
      '{"lockfileVersion": 1, "workspaces": {"": {}}, "packages": {"__proto__": ["__proto__@1.0.0", "", {}, "sha512-a"]}}',
  },
  {
    format: 'composer.lock',
    part: 'composer/small',
    family: 'JSON',
    wrong: '{"content-hash": "x", "packages": {}}',
    proto: '{"content-hash": "x", "packages": [{"__proto__": {}, "name": "a/b", "version": "1"}]}',
  },
  {
    format: 'pnpm-lock.yaml',
    part: 'pnpm9-small',
    family: 'YAML',
    wrong: "lockfileVersion: '9.0'\npackages: [a]\n",
    proto:
      "lockfileVersion: '9.0'\npackages:\n  __proto__@1.0.0:\n    resolution: {integrity: sha512-a}\n  __proto__:\n    x: y\n",
  },
  {
    format: 'yarn.lock (Yarn 2 and later)',
    part: 'yarn4.18.1-small',
    family: 'YAML',
    wrong: '__metadata: 8\n',
    proto:
      '__metadata:\n  version: 8\n"__proto__@npm:1":\n  version: 1.0.0\n  resolution: "__proto__@npm:1.0.0"\n  languageName: node\n  linkType: hard\n',
  },
  {
    format: 'yarn.lock (Yarn 1)',
    part: 'yarn-classic/small',
    family: 'lines',
    wrong: '# yarn lockfile v1\n\nnot an entry\n',
    proto: '# yarn lockfile v1\n\n__proto__@1:\n  version "1.0.0"\n',
  },
  {
    format: 'requirements',
    part: 'pip-compile-small-hashes',
    family: 'lines',
    wrong: '- a list\n',
    proto: '__proto__==1\na==1\n',
  },
  {
    format: 'go.sum',
    part: 'go/small',
    family: 'lines',
    wrong: 'a list\n',
    proto: 'x.example/__proto__ v1.0.0 h1:aa=\n',
  },
  {
    format: 'Gemfile.lock',
    part: 'gem/small',
    family: 'lines',
    wrong: 'nothing\n',
    proto: 'GEM\n  specs:\n    __proto__ (1.0)\n\nDEPENDENCIES\n  __proto__\n',
  },
]

const DEEP: Readonly<Record<string, string>> = {
  JSON: `{"lockfileVersion": 3, "packages": ${'{"a": '.repeat(100_000)}`,
  TOML: `a = ${'['.repeat(100_000)}`,
  YAML: `lockfileVersion: '9.0'\n__metadata: ${'['.repeat(100_000)}`,
  lines: `${'('.repeat(100_000)}\n`,
}

/** Nine anchors, each nine times the one before: a hundred million entries, if they are followed. */
const BOMB = `__metadata:\n  version: 8\nlockfileVersion: '9.0'\na0: &a0 [x]\n${Array.from(
  { length: 9 },
  (_, level) => `a${level + 1}: &a${level + 1} [${Array(9).fill(`*a${level}`).join(', ')}]\n`,
).join('')}packages: *a9\n`

function compare(name: string, copy: string | Buffer, repository: string) {
  const started = performance.now()
  const files = new Map([
    ['lock.copy', Buffer.from(copy)],
    ['run.txt', Buffer.from(`schema=2\nlockfile=${name}\n`)],
  ])
  const lockfiles = [{ path: name, bytes: Buffer.from(repository), changedHere: null }]
  const [row] = compareLockfiles(readEvidence('evidence', files, []), lockfiles)
  assert.ok(performance.now() - started < 1000, 'within a second')
  assert.ok(row !== undefined)
  assert.notEqual(row.compared, 'same')
  return row
}

for (const { format, part, family, wrong, proto } of MAIN) {
  describe(`a broken ${format}`, () => {
    const { name, text } = real(format, part)
    const other = real(
      format === 'go.sum' ? 'poetry.lock' : 'go.sum',
      format === 'go.sum' ? 'poetry-2-small' : 'go/small',
    )
    const notCompared = (copy: string | Buffer, why: RegExp, line?: number | 'some') => {
      const row = compare(name, copy, text)
      assert.equal(row.compared, 'could not compare')
      assert.match(row.why ?? '', why)
      if (line === 'some') assert.ok((row.line ?? 0) >= 1, `${row.line}`)
      else if (line !== undefined) assert.equal(row.line, line)
      assert.ok(row.diff === null || /^[-+]/.test(row.diff), 'the text is compared instead')
      return row
    }

    test('it breaks off', () => {
      for (const share of [0.2, 0.5, 0.9]) {
        const row = compare(name, text.slice(0, Math.floor(text.length * share)), text)
        if (row.compared === 'could not compare') assert.ok(row.why !== null)
        else assert.ok(row.removed.length + row.added.length + row.changed.length > 0 || row.artefacts !== null)
      }
      if (family === 'JSON') notCompared(text.slice(0, text.length / 2), /no JSON/, 'some')
    })

    test('it has merge-conflict markers', () => {
      const at = text.indexOf('\n', text.length / 2) + 1
      const conflict = `${text.slice(0, at)}<<<<<<< HEAD\n=======\n>>>>>>> main\n${text.slice(at)}`
      const row = notCompared(conflict, /^the copy has merge-conflict markers$/, lineOf(conflict, at))
      assert.match(row.diff ?? '', /<<<<<<< HEAD/)
      const base = compare(name, text, conflict)
      assert.match(base.why ?? '', /of the commit under review has merge-conflict markers/)
    })

    test('it has a key twice', () => {
      if (family === 'JSON') notCompared(text.replace('{', '{\n"twice": 1,\n"twice": 2,'), /twice/, 3)
      else if (family === 'TOML') notCompared(text.replace(/^version = .*$/m, '$&\n$&'), /no TOML/, 'some')
      else if (family === 'YAML')
        notCompared(`${text.trimEnd()}\na:\n  b: 1\n  b: 2\n`, /duplicated mapping key/, 'some')
      else if (format === 'yarn.lock (Yarn 1)')
        notCompared(text.replace(/^ {2}version .*$/m, '$&\n$&'), /twice/, 'some')
      else {
        // A line that stands twice says nothing else.
        const line = text.split('\n').find((one) => /h1:/.test(one)) ?? ''
        if (format === 'go.sum') assert.equal(compare(name, `${text}${line}\nx v1\n`, text).notRead.length, 1)
      }
    })

    test('it is of another type', () => {
      const row = compare(name, wrong, text)
      assert.ok(row.compared === 'could not compare' ? row.why !== null : row.notRead.length > 0)
    })

    test('it is another format', () => {
      notCompared(other.text, new RegExp(`is named ${name} and its content is that of ${other.name}`))
      notCompared('\u0000\u0001\u0002'.repeat(100), /./)
      notCompared('<!doctype html>\n<html></html>\n', /./)
      compare(name, Buffer.from(text.replace(/[a-z]/, '\u00e9'), 'latin1'), text)
    })

    test('it is empty', () => {
      const row = compare(name, '', text)
      assert.ok(row.compared === 'could not compare' || row.added.length > 0)
    })

    test('its names are those of properties', () => {
      const row = compare(name, proto, text)
      assert.ok(
        row.removed.some((one) => /proto|^a/.test(one.name)) || row.notRead.length > 0 || row.why !== null,
        JSON.stringify(row.removed),
      )
      assert.equal(({} as Record<string, unknown>).x, undefined)
      assert.equal(({} as Record<string, unknown>).version, undefined)
    })

    test('it nests', () => {
      const row = compare(name, DEEP[family] ?? '', text)
      assert.ok(row.why !== null || row.notRead.length > 0)
    })

    test('it has aliases that explode, or lines without end', () => {
      const row = compare(name, family === 'YAML' ? BOMB : `"${'a'.repeat(2_000_000)}`, text)
      assert.ok(row.why !== null || row.notRead.length > 0)
    })
  })
}
