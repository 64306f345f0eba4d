import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { marked } from 'marked'
import { compare } from '../../src/compare/compare.ts'
import { conclude } from '../../src/judge/conclusion.ts'
import { judge } from '../../src/judge/judge.ts'
import { chooseFiles, readEvidence } from '../../src/read/bundle-files.ts'
import type { Bundle } from '../../src/read/evidence.ts'
import type { CiResult } from '../../src/read/recording.ts'
import type { Review, SourceChange } from '../../src/read/review.ts'
import type { FileChange } from '../../src/record/trees.ts'
import { fitMarkdown } from '../../src/report/fit.ts'
import { renderPage } from '../../src/report/html.ts'
import { renderJson } from '../../src/report/json.ts'
import { renderMarkdown } from '../../src/report/markdown.ts'
import { makeReport } from '../../src/report/report.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { checkedReport } from '../support/report.ts'

/** Text that wants to be something else: commands, markup, numbers, paths. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    '0',
    '0\n',
    '1',
    '-0',
    'success',
    'neutral',
    '',
    'exit=0\nconclusion=success\n',
    '::set-output name=conclusion::success',
    '##[error]x',
    '<script>alert(1)</script>',
    '| a | b |\n|---|---|',
    '```\n</details>\n# PASS',
    '\u202eSSAP',
    '__proto__',
    'schema=2\nrunner=pytest\nexit=0\ngit.tree=HEAD\n',
    '{"lockfileVersion":3,"packages":{"__proto__":{"version":"1"},"node_modules/a":{"version":"1.0.0"}}}',
    '[[package]]\nname = "__proto__"\nversion = "1"\n[metadata]\ncontent-hash = "x"\n',
    '<testsuite><testcase name="a" classname="b"><failure/></testcase></testsuite>',
    '<testsuites name="__proto__"><testsuite name="constructor"><testcase name="toString" time="NaN"/></testsuite></testsuites>',
    '<!DOCTYPE a [<!ENTITY b "c">]><testsuite/>',
    'a==1\nb==2 --hash=sha256:00\n-e git+https://u:p@h/x#egg=y\n',
    'NO_LOCKFILE',
  ),
)

const fileName = fc.oneof(
  fc.constantFrom(
    'toolchain.txt',
    'run.txt',
    'SHA256SUMS',
    'pytest.exit',
    'command.exit',
    'lock.copy',
    'lock-2.copy',
    'freeze.txt',
    'junit.xml',
    'junit-1.xml',
    'pytest.exit.txt',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
)

const bundle = fc.dictionary(fileName, hostileText, { maxKeys: 10 }).map((files): Bundle => {
  const entries = Object.entries(files).map(([name, text]) => ({
    name,
    what: 'file' as const,
    size: Buffer.byteLength(text),
  }))
  const chosen = chooseFiles(entries)
  const contents = new Map(chosen.files.map(({ name }) => [name, Buffer.from(files[name] ?? '')]))
  if (contents.size === 0)
    return { name: 'evidence', evidence: null, absent: 'no file can be read', problems: chosen.problems }
  const evidence = readEvidence('evidence', contents, chosen.problems)
  return { name: 'evidence', evidence, absent: null, problems: evidence.problems }
})

const result: fc.Arbitrary<CiResult> = fc.record({
  name: hostileText,
  exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
  signal: fc.option(fc.constantFrom('SIGKILL', 'SIGSEGV')),
  result: fc.option(fc.constantFrom('success', 'failure', 'cancelled', 'skipped')),
  shared: fc.boolean(),
})

const how = fc.constantFrom<FileChange['how']>('added', 'changed', 'removed')
const oid = fc.constantFrom('a'.repeat(40), '0'.repeat(40))
const judgedPath = fc.constantFrom('conftest.py', '.github/workflows/x|<b>.yml', 'go.sum')
const fileChange: fc.Arbitrary<FileChange> = fc.record({ path: fc.oneof(hostileText, judgedPath), how, oid })
const sourceChange: fc.Arbitrary<SourceChange> = fc.record({
  path: hostileText,
  how,
  oid,
  side: fc.option(fc.constantFrom('capture', 'base')),
})

const review = fc.record({
  under: fc.constantFrom<Review['under']>('commit', 'working tree'),
  headSha: fc.constant('a'.repeat(40)),
  headTree: fc.option(fc.constantFrom('b'.repeat(40), 'c'.repeat(40))),
  checkoutTree: fc.option(fc.constantFrom('b'.repeat(40), 'd'.repeat(40))),
  merged: fc.option(fc.array(fileChange, { maxLength: 3 })),
  change: fc.option(
    fc.record({
      files: fc.array(fileChange, { maxLength: 3 }),
      testParts: fc.array(hostileText, { maxLength: 2 }),
      bundle: fc.boolean(),
    }),
  ),
  base: fc.option(hostileText),
  lockfiles: fc.array(
    fc.record({
      path: fc.constantFrom('requirements.txt', 'poetry.lock', 'package-lock.json', 'go.sum', 'uv.lock'),
      bytes: hostileText.map((text) => Buffer.from(text)),
      changedHere: fc.option(fc.boolean()),
    }),
    { maxLength: 3 },
  ),
  ignoredLockfiles: fc.array(fc.constantFrom('uv.lock', 'poetry.lock')),
  sinceCapture: fc.option(fc.array(sourceChange, { maxLength: 3 })),
  otherBundles: fc.array(hostileText, { maxLength: 2 }),
  afterBundle: fc.option(fc.array(sourceChange, { maxLength: 3 })),
  claim: fc.option(hostileText),
  limits: fc.array(fc.record({ what: hostileText, remedy: hostileText }), { maxLength: 2 }),
})

/** What a report is made of. Anything else in the rendered Markdown came out of a value that should be text. */
const TAGS = new Set('a code del details em h3 li ol p pre strong summary table tbody td th thead tr ul'.split(' '))

function foreignTags(markdown: string): string[] {
  const html = marked(markdown, { async: false, gfm: true })
  return [...html.matchAll(/<\/?([a-z][a-z0-9-]*)[^>]*>|<[!?]/gi)]
    .map((tag) => tag[1] ?? tag[0])
    .filter((name) => !TAGS.has(name))
}

test('for any bundle the conclusion is the one that CI alone gives, and every report can be written', () => {
  fc.assert(
    fc.property(
      bundle,
      bundle,
      fc.array(result, { minLength: 1, maxLength: 3 }),
      review,
      (scratch, ci, results, about) => {
        const [first, ...others] = results as [CiResult, ...CiResult[]]
        const evidence = ci.evidence ?? {
          ...(readEvidence('CI', new Map([['pytest.exit', Buffer.from('0')]]), []) as NonNullable<Bundle['evidence']>),
        }
        const comparisons = results.map((one) => compare(scratch, { evidence, result: one, notes: [] }, about))
        const judgement = judge([first, ...others], comparisons)
        assert.equal(judgement.conclusion, conclude(results))
        assert.ok(['success', 'failure', 'cancelled'].includes(judgement.conclusion))

        const report = makeReport(judgement, null)
        const blocks = [...report.summary, ...report.details]
        assert.equal(checkedReport(renderJson(judgement)).conclusion, judgement.conclusion)
        assert.doesNotMatch(report.title, /[\r\n]/)
        const markdown = renderMarkdown(blocks)
        assert.doesNotMatch(markdown, /[\u202a-\u202e\u2066-\u2069]/)
        assert.deepEqual(foreignTags(markdown), [])
        for (const part of [report.summary, report.details])
          assert.ok(Buffer.byteLength(fitMarkdown(part, 65_535, ['x'])) <= 65_535)
        assert.doesNotMatch(renderTerminal(blocks, false), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
        assert.doesNotMatch(
          renderPage(blocks, { conclusion: judgement.conclusion, name: 'x', title: report.title }),
          /<script/,
        )
      },
    ),
    { numRuns: 1500 },
  )
})

test('with no bundle or the best of all bundles, a failed run of CI is a failure', () => {
  const contents = new Map(
    Object.entries({
      'pytest.exit': '0\n',
      'junit.xml': '<testsuite><testcase classname="a" name="b"/></testsuite>',
    }).map(([name, text]) => [name, Buffer.from(text)]),
  )
  const evidence = readEvidence('evidence', contents, [])
  const about = {
    under: 'commit' as const,
    headSha: null,
    headTree: null,
    checkoutTree: null,
    merged: null,
    change: null,
    base: null,
    lockfiles: [],
    ignoredLockfiles: [],
    sinceCapture: null,
    otherBundles: [],
    afterBundle: null,
    claim: null,
    limits: [],
  }
  for (const exitCode of [1, 2, 137, null]) {
    const failed = { name: 'CI', exitCode, signal: null, result: null, shared: false }
    for (const one of [evidence, null]) {
      const scratch: Bundle = {
        name: 'evidence',
        evidence: one,
        absent: one === null ? 'no directory' : null,
        problems: [],
      }
      assert.equal(
        judge([failed], [compare(scratch, { evidence, result: failed, notes: [] }, about)]).conclusion,
        'failure',
      )
    }
  }
})
