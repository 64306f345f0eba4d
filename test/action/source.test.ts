import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ids } from '../support/report.ts'
import { Story } from '../support/story.ts'

/** A file that differs: how, whose doing, and what the scratch box tells of it. */
type Expected = readonly [path: string, how: string, side: string | null, cause?: string]

interface Scenario {
  readonly name: string
  readonly tell: (story: Story) => void
  readonly files?: Readonly<Record<string, string>>
  readonly format?: 'sha256'
  readonly witness: string
  /** Null where the captured tree cannot be had, or need not. */
  readonly changed: readonly Expected[] | null
  readonly finds?: readonly string[]
  readonly says?: RegExp
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'captured on a dirty tree, then committed with the evidence',
    tell: (story) => story.write({ 'a.py': 'a = 2\n', 'new.py': 'n\n' }).capture().commit().push(),
    witness: 'corroborated',
    changed: null,
  },
  {
    name: 'commits of evidence alone after it',
    tell: (story) => {
      story.write({ 'a.py': 'a = 2\n' }).commit().capture().commit('evidence').capture().commit('evidence again').push()
    },
    witness: 'corroborated',
    changed: null,
  },
  {
    name: 'amended with the evidence',
    tell: (story) => {
      story.write({ 'a.py': 'a = 2\n' }).commit().capture()
      story.git('add', '--all')
      story.git('commit', '--quiet', '--amend', '--no-edit')
      story.push()
    },
    witness: 'corroborated',
    changed: null,
  },
  {
    name: 'amended with something else too, the captured commit never pushed',
    tell: (story) => {
      story.write({ 'a.py': 'a = 2\n' }).commit().capture().write({ 'a.py': 'a = 3\n' })
      story.git('add', '--all')
      story.git('commit', '--quiet', '--amend', '--no-edit')
      story.push()
    },
    witness: 'stale',
    changed: [['a.py', 'changed', 'capture']],
  },
  {
    name: 'squashed',
    tell: (story) => {
      story.write({ 'a.py': 'a = 2\n' }).commit().write({ 'b.py': 'b\n' }).commit().capture().commit('evidence')
      story.git('reset', '--quiet', '--soft', 'main')
      story.commit('all in one').push()
    },
    witness: 'corroborated',
    changed: null,
  },
  {
    name: 'rebased onto a base that moved',
    tell: (story) => {
      story.write({ 'b.py': 'b\n' }).capture().commit()
      story.moveBase({ 'moved.py': 'm\n', 'README.md': 'r\n' })
      story.git('rebase', '--quiet', 'origin/main')
      story.push()
    },
    witness: 'stale',
    changed: [
      ['README.md', 'added', 'base'],
      ['moved.py', 'added', 'base'],
    ],
    says: /2 files differ, all from the base/,
  },
  {
    name: 'the base merged into the branch, and an edit after it',
    tell: (story) => {
      story.write({ 'b.py': 'b\n' }).capture().commit()
      story.moveBase({ 'moved.py': 'm\n' })
      story.git('merge', '--quiet', 'origin/main')
      story.write({ 'b.py': 'c\n' }).commit().push()
    },
    witness: 'stale',
    changed: [
      ['b.py', 'changed', 'capture'],
      ['moved.py', 'added', 'base'],
    ],
    says: /1 file differs, and 1 more from the base/,
  },
  {
    name: 'the base moved, and nobody merged it: CI tests the merge',
    tell: (story) => {
      story.write({ 'b.py': 'b\n' }).capture().commit().push()
      story.moveBase({ 'moved.py': 'm\n' })
    },
    witness: 'corroborated',
    changed: null,
    finds: ['source/merged'],
  },
  {
    name: 'another commit after the evidence',
    tell: (story) => {
      story.write({ 'a.py': 'a = 2\n' }).capture().commit()
      story.write({ 'a.py': 'a = 666\n', 'tests/test_a.py': 'pass\n' }).commit('small fix').push()
    },
    witness: 'stale',
    changed: [
      ['a.py', 'changed', 'capture'],
      ['tests/test_a.py', 'added', 'capture'],
    ],
    says: /Since the capture: source a\.py; tests tests\/test_a\.py \(added\)\./,
  },
  {
    name: 'another change in the commit of the evidence',
    tell: (story) => story.write({ 'a.py': 'a = 2\n' }).capture().write({ 'a.py': 'a = 666\n' }).commit().push(),
    witness: 'stale',
    changed: [['a.py', 'changed', 'capture']],
  },
  {
    name: 'a file of code among the evidence',
    tell: (story) => story.capture().write({ 'evidence/conftest.py': 'import os\n' }).commit().push(),
    witness: 'stale',
    changed: [['evidence/conftest.py', 'added', 'capture']],
    finds: ['source/own-judge', 'bundle/unexpected-file'],
    says: /test configuration evidence\/conftest\.py \(added\)/,
  },
  {
    name: 'a file that was there at capture and never committed',
    tell: (story) => {
      story.write({ 'local.json': '{}\n', 'b.py': 'b\n' }).capture()
      rmSync(join(story.box, 'local.json'))
      story.commit().push()
    },
    witness: 'stale',
    changed: [['local.json', 'removed', 'capture', 'never committed']],
    says: /local\.json was there at capture and never committed/,
  },
  {
    name: 'edits that git was told to overlook',
    files: { 'hidden.py': 'h\n', 'skipped.py': 's\n' },
    tell: (story) => {
      story.git('update-index', '--assume-unchanged', 'hidden.py')
      story.git('update-index', '--skip-worktree', 'skipped.py')
      story.write({ 'hidden.py': 'edited\n', 'skipped.py': 'edited\n', 'b.py': 'b\n' }).capture().commit().push()
    },
    witness: 'stale',
    changed: [
      ['hidden.py', 'changed', 'capture', 'hidden'],
      ['skipped.py', 'changed', 'capture', 'hidden'],
    ],
    finds: ['source/hidden'],
    says: /told git to overlook changes of 2 tracked files/,
  },
  {
    name: 'a bundle left over from an earlier pull request',
    files: {},
    tell: (story) => {
      story.git('switch', '--quiet', 'main')
      story
        .write({ 'old.py': 'o\n' })
        .capture()
        .commit('an earlier pull request')
        .git('push', '--quiet', 'origin', 'main')
      story.git('switch', '--quiet', '--force-create', 'topic')
      story.write({ 'b.py': 'b\n' }).commit().push()
    },
    witness: 'stale',
    changed: [['b.py', 'added', 'capture']],
    finds: ['source/left-over'],
  },
  {
    name: 'a bundle of another branch, copied in',
    tell: (story) => {
      story.git('switch', '--quiet', '--create', 'other')
      story.write({ 'other.py': 'o\n' }).capture().commit()
      story.git('switch', '--quiet', 'topic')
      story.write({ 'b.py': 'b\n' }).commit()
      story.git('checkout', '--quiet', 'other', '--', 'evidence')
      story.commit('evidence').push()
    },
    witness: 'stale',
    changed: [
      ['b.py', 'added', 'capture'],
      ['other.py', 'removed', 'capture', 'never committed'],
    ],
  },
  {
    name: 'line endings that git converts',
    tell: (story) => {
      story.git('config', 'core.autocrlf', 'true')
      story.write({ 'b.py': 'one\r\ntwo\r\n' }).capture().commit().push()
    },
    witness: 'corroborated',
    changed: null,
    finds: ['source/line-endings'],
  },
  {
    name: 'names with a line end, a quote and letters of other scripts',
    tell: (story) => {
      story
        .write({ 'new\nline "q" ü.py': 'n\n' })
        .capture()
        .write({ 'new\nline "q" ü.py': 'changed\n', 'tab\t.py': 't\n' })
        .commit()
        .push()
    },
    witness: 'stale',
    changed: [
      ['new\nline "q" ü.py', 'changed', 'capture'],
      ['tab\t.py', 'added', 'capture'],
    ],
  },
  {
    name: 'a repository whose objects are named by SHA-256',
    format: 'sha256',
    tell: (story) => story.write({ 'b.py': 'b\n' }).capture().write({ 'a.py': 'a = 3\n' }).commit().push(),
    witness: 'stale',
    changed: [['a.py', 'changed', 'capture']],
  },
  {
    name: 'a run that wrote what was then committed',
    files: { 'snap.txt': 'old\n' },
    tell: (story) =>
      story.capture(['sh', '-c', 'echo new > snap.txt; echo s > more.snap; sh suite.sh']).commit().push(),
    witness: 'stale',
    changed: [
      ['more.snap', 'added', 'capture', 'written by the run'],
      ['snap.txt', 'changed', 'capture', 'written by the run'],
    ],
    finds: ['source/changed-by-run'],
    says: /snap\.txt are as the scratch run itself left them/,
  },
  {
    name: 'a run that changed a file, which a later commit changed to something else',
    tell: (story) => {
      story.capture(['sh', '-c', "sh suite.sh; echo '# formatted' >> a.py"]).commit()
      story.write({ 'a.py': 'import os\n' }).commit('small fix').push()
    },
    witness: 'stale',
    changed: [['a.py', 'changed', 'capture']],
    says: /Since the capture: source a\.py\. To bind/,
  },
  {
    name: 'a sparse checkout: what was not on disk is no change since the capture',
    files: { 'd1/f': 'f\n', 'd2/g': 'g\n' },
    tell: (story) => {
      story.git('sparse-checkout', 'set', 'd1')
      story.write({ 'a.py': 'a = 2\n' }).capture()
      story.git('add', '--sparse', '--', 'a.py', 'evidence')
      story.git('commit', '--quiet', '--message=change')
      story.push()
    },
    witness: 'stale',
    changed: [['d2/g', 'added', 'capture', 'not on disk']],
    says: /1 file was not on disk there.*Not on disk there, as in a sparse checkout: d2\/g\./s,
  },
  {
    name: 'a file that was staged to be removed before the capture',
    tell: (story) => {
      story.write({ '.gitignore': 'out.xml\na.py\n' })
      story.git('rm', '--quiet', '--cached', 'a.py')
      story.capture().commit().push()
    },
    witness: 'stale',
    changed: [['a.py', 'removed', 'capture', 'removal was staged']],
    says: /a\.py was there at capture, and staged to be removed/,
  },
  {
    name: 'a name that looks like a secret does not hide what changed',
    tell: (story) => {
      story.write({ 'data/key=abc.txt': 'x\n' }).capture().write({ 'a.py': 'a = 666\n' }).commit().push()
    },
    witness: 'stale',
    changed: [['a.py', 'changed', 'capture']],
  },
  {
    name: 'a repository inside of it, with changes that no commit has',
    tell: (story) => {
      story.git('init', '--quiet', 'nest')
      story.write({ 'nest/f.py': 'f\n' })
      story.git('-C', 'nest', 'add', '--all')
      story.git('-C', 'nest', 'commit', '--quiet', '--message=x')
      story.write({ 'nest/f.py': 'other\n' }).capture().commit().push()
    },
    witness: 'unbound',
    changed: null,
    finds: ['source/submodules'],
  },
  {
    name: 'a repository inside of it, without a commit',
    tell: (story) => {
      story.git('init', '--quiet', 'nest')
      story.write({ 'nest/f.py': 'f\n', 'b.py': 'b\n' }).capture()
      rmSync(join(story.box, 'nest'), { recursive: true })
      story.commit().push()
    },
    witness: 'unbound',
    changed: null,
    finds: ['source/submodules'],
    says: /nest: a repository without a commit there/,
  },
  {
    name: 'a filter that shows git another file than is on disk',
    tell: (story) => {
      story.write({ '.git/info/attributes': 'a.py filter=z\n' })
      story.git('config', 'filter.z.clean', 'git show HEAD:%f')
      story.write({ 'a.py': 'doctored\n', 'b.py': 'b\n' }).capture().commit().push()
    },
    witness: 'unbound',
    changed: null,
    finds: ['source/filtered'],
  },
  {
    name: 'a test configuration that only the scratch box ignores',
    tell: (story) => {
      story.write({ '.git/info/exclude': 'conftest.py\n', 'conftest.py': '' }).capture().commit().push()
    },
    witness: 'unbound',
    changed: null,
    finds: ['source/excluded'],
    says: /conftest\.py\. The tree does not tell of it/,
  },
  {
    name: 'more files than are listed, in a commit that was pushed',
    tell: (story) => {
      story.write(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`many/${index}.py`, `${index}\n`])))
      story.capture().commit().write({ 'a.py': 'a = 3\n' }).commit().push()
    },
    witness: 'stale',
    changed: [['a.py', 'changed', 'capture']],
  },
  {
    name: 'a captured commit that nobody has, with more files than are listed',
    tell: (story) => {
      story.write(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`many/${index}.py`, `${index}\n`])))
      story.commit().capture().write({ 'a.py': 'a = 3\n' })
      story.git('add', '--all')
      story.git('commit', '--quiet', '--amend', '--no-edit')
      story.push()
    },
    witness: 'stale',
    changed: null,
    finds: ['source/other-tree'],
    says: /Which files differ cannot be told/,
  },
]

for (const depth of [1, 0] as const) {
  describe(`checked out with fetch-depth: ${depth}`, { concurrency: 2 }, () => {
    // The whole history is there in few workflows, and what needs none of it is the same: every third tells.
    for (const scenario of SCENARIOS.filter((_, index) => depth === 1 || index % 3 === 0)) {
      test(scenario.name, async (t) => {
        const story = new Story(scenario.files, scenario.format)
        t.after(() => story.end())
        scenario.tell(story)
        const { report, result } = await story.review({ depth })
        const { changes } = report.source
        assert.deepEqual(
          changes?.map(({ path, how, side, cause }) => [path, how, side, ...(cause === null ? [] : [cause])]) ?? null,
          scenario.changed,
        )
        assert.equal(report.witness, scenario.witness, result.stdout)
        assert.equal(report.conclusion, 'success')
        const found = ids(report)
        for (const id of scenario.finds ?? []) assert.ok(found.includes(id), `${id} of ${found}`)
        const bound = scenario.witness !== 'stale'
        assert.equal(found.includes('source/other-tree'), !bound)
        if (scenario.says !== undefined)
          assert.match(`${result.stdout}${report.findings.map(({ message }) => message)}`, scenario.says)
      })
    }
  })
}
