import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gitIn } from '../support/checkout.ts'
import { type Fault, type PullRequest, startGitHub } from '../support/github.ts'
import { ids, type ReportData } from '../support/report.ts'
import { type Job, Story } from '../support/story.ts'

const SCRIPT = fileURLToPath(new URL('../../capture_run.sh', import.meta.url))
const DEPTHS = [1, 0] as const

function tell(t: TestContext, files?: Record<string, string>): Story {
  const story = new Story(files)
  t.after(() => story.end())
  return story
}

function said(report: ReportData, id: string): string {
  return report.findings.find((finding) => finding.id === id)?.message ?? ''
}

/** The files that differ, and whose doing it is. */
function changes({ source }: ReportData): string[] | null {
  return source.changes?.map(({ path, side }) => `${path} ${side}`) ?? null
}

describe('events', { concurrency: 2 }, () => {
  const committed = (story: Story) => story.write({ 'b.py': 'b\n' }).capture().commit().push()
  const changedLater = (story: Story) => committed(story).write({ 'b.py': 'c\n' }).commit('small fix').push()
  for (const depth of DEPTHS) {
    for (const event of ['merge_group', 'push', 'workflow_run'] as const) {
      const job = (story: Story): Job =>
        event === 'workflow_run'
          ? { depth, event, inputs: { command: '', junit: '', 'ci-evidence': story.record(), 'ci-result': 'success' } }
          : { depth, event }
      test(`${event}, fetch-depth: ${depth}: the source that was captured`, async (t) => {
        const story = committed(tell(t))
        const { report } = await story.review(job(story))
        assert.deepEqual([report.witness, report.source.same, changes(report)], ['corroborated', true, null])
        assert.equal(report.source.bundleBrought, true)
      })
      test(`${event}, fetch-depth: ${depth}: a commit after the evidence, and a base that moved`, async (t) => {
        const story = changedLater(tell(t))
        story.moveBase({ 'moved.py': 'm\n' })
        const { report } = await story.review(job(story))
        // What the base brought is part of what a queue or a push tests, and no part of the head that a workflow ran for.
        const moved = event === 'workflow_run' ? [] : ['moved.py base']
        assert.deepEqual([report.witness, changes(report)], ['stale', ['b.py capture', ...moved]])
        assert.equal(report.source.bundleBrought, true)
      })
    }
  }

  test('workflow_run for a branch into which the base was merged', async (t) => {
    const story = committed(tell(t))
    story.moveBase({ 'moved.py': 'm\n' })
    story.git('merge', '--quiet', 'origin/main')
    story.write({ 'b.py': 'c\n' }).commit().push()
    const inputs = { command: '', junit: '', 'ci-evidence': story.record(), 'ci-result': 'success' }
    const { report } = await story.review({ depth: 1, event: 'workflow_run', inputs })
    assert.deepEqual(changes(report), ['b.py capture', 'moved.py base'])
  })

  test('workflow_run for a fork, of which the event names no base', async (t) => {
    const story = committed(tell(t))
    const inputs = { command: '', junit: '', 'ci-evidence': story.record(), 'ci-result': 'success' }
    const { report } = await story.review({ depth: 1, event: 'workflow_run', inputs, fork: true })
    assert.deepEqual([report.witness, report.source.bundleBrought], ['corroborated', null])
  })
})

describe('a job that has checked nothing out', { concurrency: 2 }, () => {
  for (const [name, later, expected] of [
    ['the source that was captured', null, ['corroborated', null]],
    ['a commit after the evidence', { 'b.py': 'c\n' }, ['stale', ['b.py null']]],
  ] as const)
    test(`workflow_run of a fork: ${name}`, async (t) => {
      const story = tell(t).write({ 'b.py': 'b\n' }).capture().commit()
      if (later !== null) story.write(later).commit('small fix')
      story.push()
      const inputs = { command: '', junit: '', 'ci-evidence': story.record(), 'ci-result': 'success' }
      const { report, cwd } = await story.review({
        depth: 1,
        event: 'workflow_run',
        inputs,
        fork: true,
        checkout: false,
      })
      assert.deepEqual([report.witness, changes(report)], expected)
      assert.deepEqual(readdirSync(cwd), [])
    })

  describe('which pull request a run of a fork is of is asked of GitHub', () => {
    const ask = async (
      t: TestContext,
      change: (pull: PullRequest) => readonly PullRequest[],
      fault: Fault | null = null,
    ) => {
      const story = tell(t).write({ 'conftest.py': 'x = 1\n' }).capture().commit().push()
      const github = await startGitHub(({ path }) => (path.endsWith('/pulls') ? fault : null))
      t.after(() => github.close())
      const base = { sha: story.git('rev-parse', 'origin/main'), ref: 'main' }
      const head = { sha: story.git('rev-parse', 'HEAD'), ref: 'topic', label: 'somebody:topic' }
      github.pulls.push(...change({ title: 'A change', body: 'All tests pass', base, head }))
      const { report, result } = await story.review({
        depth: 1,
        event: 'workflow_run',
        inputs: { command: '', junit: '', 'ci-evidence': story.record(), 'ci-result': 'success', check: 'new' },
        env: { GITHUB_API_URL: github.url },
        fork: true,
        checkout: false,
      })
      assert.deepEqual(github.rejected, [])
      assert.equal(github.checkRuns[0]?.head_sha, head.sha)
      return { report, summary: result.summary }
    }

    test('its words and what it changes of its own judge', async (t) => {
      const { report, summary } = await ask(t, (pull) => [pull])
      assert.match(summary, /\u201cAll tests pass\u201d in the pull request/)
      assert.match(summary, /This pull request edits its own judge: 1 file.*conftest\.py/)
      assert.equal(report.witness, 'corroborated')
    })

    const other = (pull: PullRequest): PullRequest => ({ ...pull, head: { ...pull.head, sha: 'a'.repeat(40) } })
    const BAD: [string, (pull: PullRequest) => readonly PullRequest[], Fault | null, RegExp][] = [
      ['it has moved on', (pull) => [other(pull)], null, /GitHub names none at that commit/],
      ['there are two', (pull) => [pull, { ...pull, base: { ...pull.base, ref: 'next' } }], null, /names several/],
      ['it is refused', (pull) => [pull], { kind: 'status', status: 403 }, /could not be asked .*pull-requests: read/],
      ['no list comes', (pull) => [pull], { kind: 'body', body: '{}' }, /the answer of GitHub is no list/],
      ['nothing comes', (pull) => [pull], { kind: 'reset' }, /could not be asked/],
      ['nothing comes for long', (pull) => [pull], { kind: 'hang' }, /could not be asked/],
    ]
    for (const [name, change, fault, says] of BAD)
      test(name, async (t) => {
        const { report } = await ask(t, change, fault)
        const [found] = report.findings.filter(({ id }) => id === 'source/not-compared')
        assert.match(found?.message ?? '', says)
        assert.equal(report.conclusion, 'success')
        assert.equal(ids(report).includes('source/own-judge'), false)
      })
  })

  test('a bundle below a working directory', async (t) => {
    const story = tell(t).capture()
    mkdirSync(join(story.box, 'svc'))
    story.git('add', '--all')
    story.git('mv', 'evidence', 'svc/evidence')
    story.git('commit', '--quiet', '--message=moved')
    story.push()
    const inputs = {
      command: '',
      junit: '',
      'ci-evidence': story.record(),
      'ci-result': 'success',
      'working-directory': 'svc',
    }
    const { report } = await story.review({ depth: 1, event: 'workflow_run', inputs, checkout: false })
    assert.equal(report.scratch.exitCode, 0)
  })
})

test('workflow_run is refused with a command where another commit is checked out', async (t) => {
  const told = tell(t).write({ 'b.py': 'b\n' }).capture().commit().push()
  const result = await told.refused({ depth: 1, event: 'workflow_run' })
  assert.match(result.stdout, /::error::With `workflow_run`, `command` would either run code of the pull request/)
})

describe('pull_request_target', { concurrency: 2 }, () => {
  const story = (t: TestContext) => tell(t).write({ 'b.py': 'b\n' }).capture().commit().push()
  test('is refused with a command', async (t) => {
    const result = await story(t).refused({ depth: 1, event: 'pull_request', name: 'pull_request_target' })
    assert.match(
      result.stdout,
      /::error::With `pull_request_target`, `command` would either run code of the pull request/,
    )
    assert.equal(result.code, 1)
  })
  for (const [name, before] of [
    ['its merge', () => {}],
    ['a commit of it', (_cwd: string, git: ReturnType<typeof gitIn>) => git('checkout', '--quiet', 'HEAD^2')],
    [
      'what was pushed to it since',
      (_cwd: string, git: ReturnType<typeof gitIn>) => git('commit', '--quiet', '--allow-empty', '--message=x'),
    ],
  ] as const)
    test(`is refused where ${name} is checked out`, async (t) => {
      const told = story(t)
      const result = await told.refused({
        depth: 0,
        event: 'pull_request',
        name: 'pull_request_target',
        inputs: { command: '', junit: '', 'ci-evidence': told.record(), 'ci-result': 'success' },
        env: { GITHUB_SHA: told.git('rev-parse', 'origin/main') },
        before,
      })
      assert.match(result.stdout, /::error::With `pull_request_target`, what is checked out is not the base/)
    })
  test('is taken where the base is checked out', async (t) => {
    const told = story(t)
    const base = told.git('rev-parse', 'origin/main')
    const { report } = await told.review({
      depth: 0,
      event: 'pull_request',
      name: 'pull_request_target',
      inputs: { command: '', junit: '', 'ci-evidence': told.record(), 'ci-result': 'success' },
      env: { GITHUB_SHA: base },
      before: (_cwd, git) => git('checkout', '--quiet', base),
    })
    assert.equal(report.scratch.exitCode, 0)
  })
  test('is taken where nothing is checked out', async (t) => {
    const told = story(t)
    const inputs = { command: '', junit: '', 'ci-evidence': told.record(), 'ci-result': 'success' }
    const job = { depth: 1, event: 'pull_request', name: 'pull_request_target', inputs, checkout: false } as const
    assert.equal((await told.review(job)).report.witness, 'corroborated')
  })
})

describe('a fetch that is refused', () => {
  test('the head of a pull request: the merge is read, and what would help is said', async (t) => {
    const story = tell(t).write({ 'b.py': 'b\n' }).capture().commit().push()
    const { report } = await story.review({ depth: 1, offline: true })
    assert.equal(report.witness, 'unbound')
    assert.match(said(report, 'source/not-compared'), /could not be fetched: .*merge.*fetch-depth: 0/)
    assert.equal(report.source.same, null)
  })

  test('the head of a pull request, where the merge is not what was captured', async (t) => {
    const story = tell(t).write({ 'b.py': 'b\n' }).capture().write({ 'a.py': 'a = 666\n' }).commit().push()
    const { report, result } = await story.review({ depth: 1, offline: true })
    assert.equal(report.witness, 'unbound')
    assert.match(result.stdout, /whether it was of this source could not be told/)
    assert.ok(report.findings.some(({ message }) => /captured tree is not that of the merge/.test(message)))
  })

  test('the captured commit of a push: what differs is not named, and what would help is said', async (t) => {
    const story = tell(t).write({ 'b.py': 'b\n' }).capture().write({ 'b.py': 'c\n' }).commit().push()
    const { report } = await story.review({ depth: 1, event: 'push', offline: true })
    assert.deepEqual([report.witness, report.source.changed], ['stale', null])
    assert.match(said(report, 'source/other-tree'), /Which files differ cannot be told: .*is not in this repository/)
    assert.match(said(report, 'source/not-compared'), /could not be fetched.*fetch-depth: 0/)
  })

  test('nothing is said of it where nothing had to be fetched', async (t) => {
    const story = tell(t).write({ 'b.py': 'b\n' }).capture().commit().push()
    const { report } = await story.review({ depth: 0, offline: true })
    assert.deepEqual([report.witness, ids(report).includes('source/not-compared')], ['corroborated', false])
  })
})

describe('a bundle of format 1, which names no tree', { concurrency: 2 }, () => {
  const BUNDLE = { 'evidence/pytest.exit': '0\n', 'evidence/toolchain.txt': 'Python 3.11.4\nlinux-x86_64\n' }
  for (const depth of DEPTHS) {
    test(`brought by the last commit that changes anything, fetch-depth: ${depth}`, async (t) => {
      const story = tell(t)
        .write({ ...BUNDLE, 'b.py': 'b\n' })
        .commit()
        .push()
      story.moveBase({ 'moved.py': 'm\n' })
      const { report } = await story.review({ depth })
      assert.deepEqual([report.witness, report.source.afterBundle, report.source.bundleBrought], ['unbound', [], true])
      assert.match(said(report, 'source/not-recorded'), /Format 1 does not record it/)
    })
    test(`commits after it changed other files, fetch-depth: ${depth}`, async (t) => {
      const story = tell(t)
        .write({ ...BUNDLE, 'b.py': 'b\n' })
        .commit()
      story.write({ 'b.py': 'c\n', 'docs/x.md': 'x\n' }).commit().push()
      const { report, result } = await story.review({ depth })
      assert.equal(report.witness, 'stale')
      assert.match(
        said(report, 'source/later-commits'),
        /changed 2 files\. Since the capture: source b\.py; documentation docs\/x\.md \(added\)/,
      )
      assert.match(
        result.stdout,
        /The scratch PASS is older than the commit under review: later commits changed 2 files\./,
      )
    })
    test(`not touched by this pull request, fetch-depth: ${depth}`, async (t) => {
      const story = tell(t, BUNDLE).write({ 'b.py': 'b\n' }).commit().push()
      const { report } = await story.review({ depth })
      assert.deepEqual([report.witness, report.source.bundleBrought], ['stale', false])
      assert.ok(ids(report).includes('source/left-over'))
    })
    test(`changed on the base after the branch was made, fetch-depth: ${depth}`, async (t) => {
      const story = tell(t, BUNDLE).write({ 'b.py': 'b\n' }).commit().push()
      story.moveBase({ 'evidence/pytest.exit': '1\n' })
      const { report } = await story.review({ depth })
      assert.equal(report.source.bundleBrought, false)
    })
  }
})

describe('files by which the change itself is judged', { concurrency: 2 }, () => {
  const BEFORE = {
    'pyproject.toml': '[project]\nname = "x"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    'package.json': '{"name": "x", "scripts": {"test": "vitest run", "build": "tsc"}}\n',
    'setup.cfg': '[metadata]\nname = x\n\n[tool:pytest]\naddopts = -q\n',
    'poetry.lock': '# lock\n',
  }
  test('are named', async (t) => {
    const story = tell(t, BEFORE)
    story.write({
      '.github/workflows/ci.yml': 'on: push\n',
      'tests/conftest.py': '',
      'pyproject.toml': BEFORE['pyproject.toml'].replace('"-q"', '"-q --deselect tests/x"'),
      'package.json': BEFORE['package.json'].replace('vitest run', 'true'),
      'setup.cfg': BEFORE['setup.cfg'].replace('-q', '-x'),
      'vitest.config.ts': '',
      'poetry.lock': '# other\n',
      'capture_run.sh': 'exit 0\n',
      'suite.sh': 'true\n',
      'b.py': '',
    })
    story.capture().commit().push()
    const { report } = await story.review({ depth: 1 })
    assert.deepEqual(
      report.source.judgeFiles?.map(({ path, how, kind }) => `${path} ${how} ${kind}`),
      [
        '.github/workflows/ci.yml added workflow',
        'capture_run.sh added capture script',
        'package.json changed test configuration',
        'poetry.lock changed lockfile',
        'pyproject.toml changed test configuration',
        'setup.cfg changed test configuration',
        'suite.sh changed command',
        'tests/conftest.py added test configuration',
        'vitest.config.ts added test configuration',
      ],
    )
    assert.match(said(report, 'source/own-judge'), /^This pull request edits its own judge: 9 files\./)
  })

  test('are not, where another part of them changes, or the base changed them', async (t) => {
    const story = tell(t, BEFORE)
    story.write({
      'pyproject.toml': BEFORE['pyproject.toml'].replace('"x"', '"y"'),
      'package.json': BEFORE['package.json'].replace('tsc', 'tsc --strict'),
      'setup.cfg': BEFORE['setup.cfg'].replace('name = x', 'name = y'),
    })
    story.capture().commit().push()
    story.moveBase({ '.github/workflows/ci.yml': 'on: push\n', 'conftest.py': '' })
    const { report } = await story.review({ depth: 1 })
    assert.deepEqual([report.source.judgeFiles, report.witness], [[], 'corroborated'])
  })

  test('are named where there is no bundle', async (t) => {
    const story = tell(t).write({ 'conftest.py': '' }).commit().push()
    const { report } = await story.review({ depth: 1 })
    assert.equal(report.witness, 'none')
    assert.match(said(report, 'source/own-judge'), /test configuration conftest\.py \(added\)/)
  })
})

describe('what a tree does not tell', { concurrency: 2 }, () => {
  const withSubmodule = (t: TestContext) => {
    const story = tell(t)
    const other = join(story.box, '..', 'other')
    mkdirSync(other)
    const git = gitIn(other)
    git('init', '--quiet')
    writeFileSync(join(other, 'x.py'), 'x\n')
    git('add', '--all')
    git('commit', '--quiet', '--message=x')
    story.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'sub')
    return story.commit()
  }
  const checkOut = (_: string, git: ReturnType<typeof gitIn>) =>
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')

  test('a submodule as committed, there and here', async (t) => {
    const story = withSubmodule(t).capture().commit().push()
    const { report } = await story.review({ depth: 1, before: checkOut })
    assert.deepEqual([report.witness, ids(report).includes('source/submodules')], ['corroborated', false])
  })

  test('a submodule with changes inside', async (t) => {
    const story = withSubmodule(t).write({ 'sub/x.py': 'changed\n' }).capture()
    const { report } = await story.commit().push().review({ depth: 1, before: checkOut })
    assert.deepEqual([report.witness, report.source.same], ['unbound', true])
    assert.match(said(report, 'source/submodules'), /sub: with changes inside there, as committed here/)
  })

  test('a submodule that CI did not check out', async (t) => {
    const { report } = await withSubmodule(t).capture().commit().push().review({ depth: 1 })
    assert.equal(report.witness, 'unbound')
    assert.match(said(report, 'source/submodules'), /sub: as committed there, not checked out here/)
  })

  test('files of Git LFS whose content was not there', async (t) => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 8\n`
    const story = tell(t, { '.gitattributes': '*.bin filter=lfs -text\n', 'a.bin': pointer })
    story.write({ 'b.py': '' }).capture().commit().push()
    const filter = (cwd: string, git: ReturnType<typeof gitIn>) => {
      git(
        'config',
        'filter.lfs.clean',
        `cat > /dev/null; cat ${join(story.box, 'a.bin').replaceAll(/([ "'])/g, '\\$1')}`,
      )
      writeFileSync(join(cwd, 'a.bin'), 'content\n')
    }
    const { report } = await story.review({ depth: 1, before: filter })
    assert.deepEqual([report.witness, report.source.same], ['unbound', true])
    assert.match(said(report, 'source/lfs'), /1 file of Git LFS was a pointer in the scratch box, 0 in CI/)
  })

  test("files that an earlier step of CI's job left or changed", async (t) => {
    const story = tell(t).write({ 'b.py': 'b\n' }).capture().commit().push()
    const build = (cwd: string) => {
      writeFileSync(join(cwd, 'generated.py'), '')
      appendFileSync(join(cwd, 'a.py'), '# formatted\n')
    }
    const { report } = await story.review({ depth: 1, before: build })
    assert.match(said(report, 'source/ci-tree'), /found 2 files other than in the commit.* a\.py and generated\.py/)
    assert.notEqual(report.source.ciTree, report.source.headTree)
    assert.equal(report.source.same, true)
  })

  test('a script that is not the published one', async (t) => {
    const story = tell(t)
    const script = join(story.box, '..', 'capture_run.sh')
    cpSync(SCRIPT, script)
    appendFileSync(script, '\n# edited\n')
    const { report } = await story.capture(undefined, script).commit().push().review({ depth: 1 })
    assert.equal(report.source.script, 'other')
    assert.match(said(report, 'source/script'), /captured by an unrecognised script/)
  })

  test('no repository where it ran', async (t) => {
    const story = tell(t)
    const bare = join(story.box, '..', 'bare')
    mkdirSync(bare)
    cpSync(join(story.box, 'suite.sh'), join(bare, 'suite.sh'))
    spawnSync('bash', [SCRIPT, '--junit', 'out.xml', '--', 'sh', 'suite.sh'], { cwd: bare })
    cpSync(join(bare, 'evidence'), join(story.box, 'evidence'), { recursive: true })
    const { report } = await story.commit().push().review({ depth: 1 })
    assert.equal(report.witness, 'unbound')
    assert.match(said(report, 'source/not-recorded'), /there was no git repository/)
  })
})

describe('two bundles in one repository', { concurrency: 2 }, () => {
  const both = (t: TestContext) =>
    ['api', 'web'].reduce(
      (story, name) => story.capture(undefined, undefined, ['--out', `${name}/evidence`]),
      tell(t, { 'api/a.py': '', 'web/b.py': '' }).write({ 'web/b.py': 'b\n' }),
    )
  const review = (story: Story, name: string, depth: 0 | 1) =>
    story.review({ depth, inputs: { evidence: `${name}/evidence` } })

  for (const depth of DEPTHS)
    test(`the later one is no source of the earlier one, depth ${depth}`, async (t) => {
      const story = both(t).commit().push()
      const { report } = await review(story, 'api', depth)
      assert.deepEqual([report.source.same, report.witness], [true, 'corroborated'])
      assert.match(said(report, 'source/other-bundles'), /^Since the capture, 1 other bundle changed\. .*web\/evidence/)
      const { report: other } = await review(story, 'web', depth)
      assert.deepEqual([other.source.same, ids(other).includes('source/other-bundles')], [true, false])
    })

  test('a run again of the one leaves the other what it is', async (t) => {
    const story = both(t).commit().capture(undefined, undefined, ['--out', 'web/evidence']).commit().push()
    const { report } = await review(story, 'api', 1)
    assert.deepEqual([report.source.same, report.witness], [true, 'corroborated'])
  })

  test('what else lies in a directory with a bundle is source, as is what is only named like one', async (t) => {
    const story = both(t).commit()
    story.write({ 'web/evidence/conftest.py': '', 'fixtures/run.txt': 'command=x\n' }).commit().push()
    const { report } = await review(story, 'api', 1)
    assert.equal(report.witness, 'stale')
    const changed = report.source.changed ?? []
    assert.ok(changed.includes('web/evidence/conftest.py') && changed.includes('fixtures/run.txt'), changed.join())
    assert.equal(ids(report).includes('source/other-bundles'), false)
  })
})

describe('sums', { concurrency: 2 }, () => {
  test('a file that was edited after the capture is named', async (t) => {
    const story = tell(t).capture()
    appendFileSync(join(story.box, 'evidence/toolchain.txt'), 'go.version=1.22\n')
    const { report } = await story.commit().push().review({ depth: 1 })
    assert.equal(report.witness, 'inconsistent')
    assert.match(said(report, 'bundle/edited-after-capture'), /^1 file .*toolchain\.txt/)
    assert.equal(ids(report).includes('bundle/no-sums'), false)
  })

  test('sums that are not there are missed, and nothing is called edited', async (t) => {
    const story = tell(t).capture()
    rmSync(join(story.box, 'evidence/SHA256SUMS'))
    const { report } = await story.commit().push().review({ depth: 1 })
    assert.match(said(report, 'bundle/no-sums'), /^The bundle has no .*SHA256SUMS.* is not known\./)
    assert.equal(ids(report).includes('bundle/edited-after-capture'), false)
  })

  test('line endings that git converts are no edit', async (t) => {
    const story = tell(t, { '.gitattributes': '* text=auto\n' })
    story.capture(['sh', '-c', 'sh suite.sh; sed -i "s/$/\\r/" out.xml'])
    const { report } = await story.commit().push().review({ depth: 1 })
    assert.equal(ids(report).includes('bundle/edited-after-capture'), false)
    assert.match(said(report, 'bundle/line-endings'), /^1 file .*junit\.xml/)
  })
})

/** All that is in a checkout, by name, size and time, without what git fetched and what the command wrote. */
function state(cwd: string): string[] {
  const skipped = /^(?:\.git\/(?:objects|shallow)\b|out\.xml$|\.git$|\.$)/
  return readdirSync(cwd, { recursive: true, encoding: 'utf8' })
    .filter((path) => !skipped.test(path))
    .toSorted()
    .map((path) => {
      const stat = statSync(join(cwd, path))
      return `${path} ${stat.size} ${stat.mtimeMs} ${stat.isFile() ? readFileSync(join(cwd, path)).toString('base64') : ''}`
    })
}

for (const depth of DEPTHS) {
  test(`index, working tree, hooks and settings stay as they are in CI, fetch-depth: ${depth}`, async (t) => {
    const story = tell(t).write({ 'b.py': 'b\n' }).capture().write({ 'b.py': 'c\n' }).commit().push()
    let before: string[] = []
    const hooked = (cwd: string) => {
      for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction', 'post-merge'])
        writeFileSync(join(cwd, '.git/hooks', hook), `#!/bin/sh\ntouch '${cwd}/hook ran'\n`, { mode: 0o755 })
      rmSync(join(cwd, 'out.xml'), { force: true })
      before = state(cwd)
    }
    const { cwd, report } = await story.review({ depth, before: hooked })
    assert.deepEqual(state(cwd), before)
    assert.deepEqual(changes(report), ['b.py capture'])
  })
}
