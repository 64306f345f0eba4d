import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { maskedOutcome } from '../support/masked.ts'
import { type PullRequest, reviewPullRequest } from '../support/pull-request.ts'
import { temporaryFolder } from '../support/temporary.ts'

const EXPECTED = fileURLToPath(new URL('expected/', import.meta.url))
const ATTRIBUTES = { '.gitattributes': 'evidence/** -text\n' }
const output = (command: string, ...args: string[]) =>
  spawnSync(command, args, { encoding: 'utf8' }).stdout?.trim() ?? ''
const missing = (tool: string) => (spawnSync(tool, ['--help']).error === undefined ? false : `${tool} is not installed`)

/** Environments with pytest for two Pythons: of pyenv, or as the system names them; null where there is one only. */
function twoPythons(): [string, string] | null {
  const root = process.env.PYENV_ROOT ?? join(process.env.HOME ?? '/', '.pyenv')
  const listed = output('sh', '-c', `ls -d "${root}"/versions/3.*/bin/python 2>/dev/null`).split('\n')
  const found = new Map<string, string>()
  for (const python of [...listed, 'python3.11', 'python3.12', 'python3.13', 'python3']) {
    const version = output(python, '-c', 'import sys; print("%d.%02d" % sys.version_info[:2])')
    if (version >= '3.10') found.set(version, python)
  }
  const [there, here] = [...found.keys()]
    .sort()
    .slice(-2)
    .map((version) => found.get(version) ?? '')
  if (there === undefined || here === undefined) return null
  const folder = temporaryFolder('pythons-')
  return [there, here].map((python, index) => {
    const environment = join(folder, String(index))
    spawnSync(python, ['-m', 'venv', environment])
    spawnSync(join(environment, 'bin/python'), ['-m', 'pip', 'install', '--quiet', 'pytest==8.4.2'])
    return join(environment, 'bin')
  }) as [string, string]
}

/** The directories of the system's Node.js and of the one that runs the tests. */
function twoNodes(): [string, string] | null {
  const own = dirname(process.execPath)
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const system = folders.find((folder) => output(join(folder, 'node'), '--version') !== '')
  return system === undefined || output(join(system, 'node'), '--version') === process.version ? null : [system, own]
}

const first = (folder: string) => ({ PATH: `${folder}${delimiter}${process.env.PATH}` })
const pythons = twoPythons()
const nodes = twoNodes()

interface Kind {
  readonly name: string
  readonly skip: string | false
  readonly of: PullRequest
}

/** A project for each toolchain, whose tests fail where BREAK is set. */
const KINDS: readonly Kind[] = [
  {
    name: 'python',
    skip: pythons === null && 'there are no two Pythons',
    of: {
      project: {
        ...ATTRIBUTES,
        '.gitignore': '__pycache__/\n.pytest_cache/\n',
        'tests/test_a.py':
          'import os\nimport pytest\n\n@pytest.mark.parametrize("n", [1, 2])\ndef test_many(n):\n    assert n\n\ndef test_environment():\n    broken = os.environ.get("BREAK") == "1"\n    assert not broken\n',
      },
      command: 'python -m pytest -q',
      scratch: first(pythons?.[0] ?? ''),
      ci: first(pythons?.[1] ?? ''),
    },
  },
  {
    name: 'node',
    skip: nodes === null && 'there are no two Node.js',
    of: {
      project: {
        ...ATTRIBUTES,
        'package.json': '{"name": "shop", "version": "1.0.0", "scripts": {"test": "node --test"}}\n',
        'test/a.test.js':
          "const assert = require('node:assert')\nconst { describe, it } = require('node:test')\ndescribe('price', () => {\n  it('adds', () => assert.equal(1 + 1, 2))\n  it('environment', () => assert.notEqual(process.env.BREAK, '1'))\n  it.skip('later', () => {})\n})\n",
      },
      command: 'npm test',
      scratch: first(nodes?.[0] ?? ''),
      ci: first(nodes?.[1] ?? ''),
    },
  },
  {
    name: 'go',
    skip: missing('go'),
    of: {
      project: {
        ...ATTRIBUTES,
        'go.mod': 'module example.com/shop\n\ngo 1.20\n',
        'shop.go': 'package shop\n\nfunc Add(a, b int) int { return a + b }\n',
        'shop_test.go':
          'package shop\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestAdd(t *testing.T) {\n\tt.Run("one", func(t *testing.T) { if Add(1, 1) != 2 { t.Fatal("no") } })\n}\n\nfunc TestEnvironment(t *testing.T) { if os.Getenv("BREAK") == "1" { t.Error("broken") } }\n\nfunc TestLater(t *testing.T) { t.Skip("needs the network") }\n',
      },
      command: 'go test ./...',
      scratch: { GOFLAGS: '', GOTOOLCHAIN: 'local' },
      ci: { GOFLAGS: '', GOTOOLCHAIN: 'local' },
    },
  },
  {
    name: 'rust',
    skip: missing('cargo'),
    of: {
      project: {
        ...ATTRIBUTES,
        '.gitignore': 'target/\n',
        'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
        'Cargo.lock':
          '# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\nversion = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
        'src/lib.rs':
          '#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n}\n\n#[test]\nfn environment() {\n    assert_ne!(std::env::var("BREAK").as_deref(), Ok("1"));\n}\n',
      },
      command: 'cargo test --quiet',
    },
  },
  {
    name: 'java',
    skip: missing('mvn'),
    of: {
      project: {
        ...ATTRIBUTES,
        '.gitignore': 'target/\n',
        'pom.xml':
          '<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>com.example</groupId>\n  <artifactId>shop</artifactId>\n  <version>1.0</version>\n  <properties>\n    <maven.compiler.source>11</maven.compiler.source>\n    <maven.compiler.target>11</maven.compiler.target>\n    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>\n  </properties>\n  <dependencies>\n    <dependency>\n      <groupId>junit</groupId>\n      <artifactId>junit</artifactId>\n      <version>4.13.2</version>\n      <scope>test</scope>\n    </dependency>\n  </dependencies>\n</project>\n',
        'src/test/java/com/example/ShopTest.java':
          'package com.example;\n\nimport org.junit.Assert;\nimport org.junit.Test;\n\npublic class ShopTest {\n  @Test public void adds() { Assert.assertEquals(2, 1 + 1); }\n  @Test public void environment() { Assert.assertNotEquals("1", System.getenv("BREAK")); }\n}\n',
      },
      command: 'mvn --batch-mode --quiet test',
    },
  },
]

for (const { name, skip, of } of KINDS) {
  for (const [outcome, variables] of [
    ['passing', {}],
    ['failing', { BREAK: '1' }],
  ] as const) {
    test(`${name}, ${outcome} on both sides: bundle, report and exit codes`, { skip }, async () => {
      const reviewed = await reviewPullRequest({
        ...of,
        scratch: { ...of.scratch, ...variables },
        ci: { ...of.ci, ...variables },
      })
      assert.deepEqual(reviewed.github.rejected, [])
      const actual = maskedOutcome(reviewed)
      const file = join(EXPECTED, `${name}-${outcome}.txt`)
      if (process.env.UPDATE) {
        mkdirSync(EXPECTED, { recursive: true })
        writeFileSync(file, actual)
      }
      assert.equal(actual, readFileSync(file, 'utf8'))
    })
  }
}

test("events of Go as its own tools convert them name the same cases as the script's", {
  skip: missing('go'),
}, async (t) => {
  const folder = temporaryFolder('go-tools-')
  const tools = {
    'go-junit-report': 'github.com/jstemmer/go-junit-report/v2@v2.1.0',
    gotestsum: 'gotest.tools/gotestsum@v1.13.0',
  }
  const project = KINDS.find((kind) => kind.name === 'go')?.of
  assert.ok(project)
  const cases = async (path: string) => {
    const { report } = await reviewPullRequest({
      ...project,
      scratch: { ...project.scratch, BREAK: '1' },
      ci: { ...project.ci, BREAK: '1', PATH: `${path}${delimiter}${process.env.PATH}` },
    })
    return { onlyScratch: report.tests.onlyScratch, onlyCi: report.tests.onlyCi, ci: report.tests.ci }
  }
  for (const [name, module] of Object.entries(tools)) {
    const bin = join(folder, name)
    const built = spawnSync('go', ['install', module], { env: { ...process.env, GOBIN: bin }, encoding: 'utf8' })
    if (built.status !== 0) {
      t.skip(`${name} cannot be installed: ${built.stderr}`)
      return
    }
    assert.deepEqual(await cases(bin), {
      onlyScratch: [],
      onlyCi: [],
      ci: { total: 4, passed: 2, failed: 1, errors: 0, skipped: 1, expected: 0 },
    })
  }
})
