import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { compare } from '../../src/compare/compare.ts'
import type { Finding } from '../../src/judge/finding.ts'
import { judge } from '../../src/judge/judge.ts'
import { readEvidence } from '../../src/read/bundle-files.ts'
import { plain } from '../../src/report/document.ts'
import { message } from '../../src/report/wording/findings.ts'
import { transferSentence } from '../../src/report/wording/tests.ts'

const NO_REVIEW = {
  ...{
    under: 'commit' as const,
    headSha: null,
    headTree: null,
    checkoutTree: null,
    base: null,
    merged: null,
    change: null,
    lockfiles: [],
  },
  ...{ ignoredLockfiles: [], sinceCapture: null, otherBundles: [], afterBundle: null, claim: null, limits: [] },
}

type Files = Readonly<Record<string, string>>

function evidence(name: string, files: Files) {
  return readEvidence(name, new Map(Object.entries(files).map(([file, text]) => [file, Buffer.from(text)])), [])
}

/** The judgement of two runs, of which the second exited as its `command.exit` says. */
function judged(there: Files, here: Files) {
  const ci = evidence('CI', here)
  const exitCode = Number(here['command.exit'] ?? '0')
  const recording = {
    evidence: ci,
    result: { name: 'CI', exitCode, signal: null, result: null, shared: false },
    notes: [],
  }
  const bundle = { name: 'evidence', evidence: evidence('evidence', there), absent: null, problems: [] }
  const result = judge([recording.result], [compare(bundle, recording, NO_REVIEW)])
  assert.equal(result.conclusion, exitCode === 0 ? 'success' : 'failure')
  return result
}

function about(findings: readonly Finding[], id: string): [side: string, message: string][] {
  return findings.flatMap((one) => (one.id === id ? [['side' in one ? one.side : '', message(one)]] : []))
}

const suite = (cases: string, attributes = '') => `<testsuite name="s" ${attributes}>${cases}</testsuite>`
const times = (...seconds: number[]) =>
  seconds.map((time, at) => `<testcase classname="c" name="t${at}" time="${time}"/>`).join('')
const VARIED = [0.11, 0.02, 0.35, 0.004, 0.071, 0.2]
const PASSED = { 'command.exit': '0\n' }
const run = (more = '') =>
  `schema=2\nrunner=command\ncommand=x\nstarted=2026-12-01T10:00:00Z\nfinished=2026-12-01T10:05:00Z\n${more}`
const host = (name: string) =>
  `schema=2\nos=Linux\nhost=${createHash('sha256').update(name).digest('hex').slice(0, 16)}\n`

/** What a report or a run says, the finding, what its sentence says; null where there must be none. */
const CASES: [string, string, Files, RegExp | null][] = [
  [
    'one time for all',
    'tests/same-time',
    { 'junit.xml': suite(times(...Array<number>(10).fill(0.01))) },
    /All 10 tests .* 0\.01 s/,
  ],
  ['one time for nine', 'tests/same-time', { 'junit.xml': suite(times(...Array<number>(9).fill(0.1))) }, null],
  ['one time for all but one', 'tests/same-time', { 'junit.xml': suite(times(...VARIED, 0.2)) }, null],
  ['no time for any, as honest runs have', 'tests/same-time', { 'junit.xml': suite(times(0, 0, 0, 0, 0)) }, null],
  [
    'no time, nor of the suite',
    'tests/no-time',
    { 'junit.xml': suite(times(0, 0, 0, 0, 0), 'time="0.000"') },
    /^5 tests/,
  ],
  [
    'no time, and the suite has some',
    'tests/no-time',
    { 'junit.xml': suite(times(0, 0, 0, 0, 0), 'time="0.012"') },
    null,
  ],
  ['no time, and the suite says nothing', 'tests/no-time', { 'junit.xml': suite(times(0, 0, 0, 0, 0)) }, null],
  [
    'no time, since Go had it in its cache',
    'tests/no-time',
    { 'junit.xml': suite(times(0, 0, 0, 0, 0), 'time="0.000"'), 'run.txt': run('cached=1\n') },
    null,
  ],
  [
    'packages that Go had in its cache',
    'tests/cached',
    { 'junit.xml': suite(times(0, 0)), 'run.txt': run('cached=2\n') },
    /Go answered 2 packages from its cache .*go test -count=1/,
  ],
  ['no package that Go had', 'tests/cached', { 'junit.xml': suite(times(0, 0)), 'run.txt': run('cached=0\n') }, null],
  [
    "a package without time in gotestsum's report",
    'tests/cached',
    {
      'junit.xml': suite(
        `<properties><property name="go.version" value="go1"/></properties>${times(0, 0)}`,
        'time="0.000000"',
      ),
    },
    /the packages of 2 tests/,
  ],
  ...(
    [
      ['of the day before', '2026-11-30T10:01:00Z', true],
      ['after the end', '2026-12-01T10:07:00+00:00', true],
      ['in another zone, within', '2026-12-01T12:01:00+02:00', false],
      ['in another zone, outside', '2026-12-01T10:01:00+02:00', true],
      ['within a minute of the start', '2026-12-01T09:59:30Z', false],
      ['without a zone, which may be ours', '2026-12-01T20:00:00', false],
      ['without a zone, in none', '2026-12-03T10:00:00', true],
      ['with a space', '2026-12-01 10:01:00', false],
      ['of a clock that was not set', '1970-01-01T00:00:00', false],
      ['that is none', 'Thu, 03 Dec 2026 07:55:16 GMT', false],
    ] as const
  ).map(([what, stamp, fires]): [string, string, Files, RegExp | null] => [
    `a timestamp ${what}`,
    'tests/timestamp',
    { 'junit.xml': suite(times(...VARIED), `timestamp="${stamp}"`), 'run.txt': run() },
    fires
      ? /dated .*, and the run was 2026-12-01 10:00 UTC to 2026-12-01 10:05 UTC|dated .*from 2026-12-01 10:00 UTC/
      : null,
  ]),
  [
    'a timestamp, and no run',
    'tests/timestamp',
    { 'junit.xml': suite(times(1), 'timestamp="2020-01-01T00:00:00Z"') },
    null,
  ],
  [
    'a timestamp within the second of two runs',
    'tests/timestamp',
    {
      'junit.xml': suite(times(1), 'timestamp="2026-12-01T10:30:00Z"'),
      'run.txt': run('runner.2=x\ncommand.2=y\nstarted.2=2026-12-01T10:20:00Z\nfinished.2=2026-12-01T10:40:00Z\n'),
    },
    null,
  ],
  [
    'another machine',
    'tests/hostname',
    { 'junit.xml': suite(times(1), 'hostname="3f2a9c"'), 'toolchain.txt': host('box') },
    /another machine .*3f2a9c/,
  ],
  [
    'the same machine, with its domain and in capitals',
    'tests/hostname',
    { 'junit.xml': suite(times(1), 'hostname="BOX.example.org"'), 'toolchain.txt': host('box') },
    null,
  ],
  ['a machine, and none recorded', 'tests/hostname', { 'junit.xml': suite(times(1), 'hostname="box"') }, null],
  [
    "a machine of format 1's uname",
    'tests/hostname',
    {
      'junit.xml': suite(times(1), 'hostname="box"'),
      'toolchain.txt': 'Linux sandbox 6.1.0 #1 SMP x86_64 GNU/Linux\n',
    },
    /another machine/,
  ],
  [
    "a project of Playwright's where others have the machine",
    'tests/hostname',
    {
      'junit.xml': `<testsuites id="">${suite(times(1), 'hostname="webkit"')}</testsuites>`,
      'toolchain.txt': host('box'),
    },
    null,
  ],
  [
    'a file of node:test that ran no test',
    'tests/hollow',
    { 'junit.xml': '<testsuites><testcase name="/w/test/a.test.js" classname="test" time="0.1"/></testsuites>' },
    /1 file counted as a passed test .*a\.test\.js/,
  ],
  [
    'a file of node:test that failed to load',
    'tests/hollow',
    {
      'junit.xml': '<testsuites><testcase name="/w/test/a.test.js" classname="test"><failure/></testcase></testsuites>',
    },
    null,
  ],
  [
    'a test of node:test',
    'tests/hollow',
    { 'junit.xml': '<testsuites><testcase name="reads a.test.js" classname="test" time="0.1"/></testsuites>' },
    null,
  ],
  [
    'a report that was asked for and is not there',
    'tests/not-written',
    { 'run.txt': run('junit.missing=pytest: --junitxml\n') },
    /exited 0 and left no JUnit XML.*pytest: --junitxml/,
  ],
  ['a report that nobody asked for', 'tests/not-written', { 'run.txt': run() }, null],
  [
    'a report that was asked for of one of two',
    'tests/not-written',
    { 'junit.xml': suite(times(1)), 'run.txt': run('junit.missing.2=x\n') },
    null,
  ],
  [
    'failures, and exit 0',
    'exit/against-report',
    { 'junit.xml': suite('<testcase name="a"><failure/></testcase>') },
    /exited 0, and its own XML has 1 failure/,
  ],
  [
    'failures, and exit 1',
    'exit/against-report',
    { 'junit.xml': suite('<testcase name="a"><failure/></testcase>'), 'command.exit': '1\n' },
    null,
  ],
  [
    'a failure that passed when it was run again, and exit 0',
    'exit/against-report',
    { 'junit.xml': suite('<testcase name="a"><failure/></testcase><testcase name="a"/>') },
    null,
  ],
  [
    'a failure that passed when it was run again',
    'tests/rerun',
    { 'junit.xml': suite('<testcase name="a"><failure/></testcase><testcase name="a"/>') },
    /1 test was run again .*, once; it passed in the end/,
  ],
  [
    'attempts of a test that failed for good',
    'tests/rerun',
    {
      'junit.xml': suite('<testcase name="a"><failure/><rerunFailure/><rerunError/></testcase>'),
      'command.exit': '1\n',
    },
    /1 test was run again .*, 2 times in all; it did not pass in the end/,
  ],
  ['two tests of one name', 'tests/rerun', { 'junit.xml': suite('<testcase name="a"/><testcase name="a"/>') }, null],
  [
    'all passed, and exit 1',
    'tests/green-report',
    { 'junit.xml': suite(times(1)), 'command.exit': '1\n' },
    /exit code was 1/,
  ],
  ['all passed, and exit 0', 'tests/green-report', { 'junit.xml': suite(times(1)) }, null],
  [
    'nothing but skips',
    'tests/none-ran',
    { 'junit.xml': suite('<testcase name="a"><skipped/></testcase>') },
    /No test ran .*1 case, all skipped/,
  ],
  [
    'a skip and a pass',
    'tests/none-ran',
    { 'junit.xml': suite('<testcase name="a"><skipped/></testcase><testcase name="b"/>') },
    null,
  ],
  [
    'an error of a suite',
    'tests/suite-problem',
    { 'junit.xml': suite('<error message="no set-up"/><testcase name="b"/>'), 'command.exit': '1\n' },
    /no set-up/,
  ],
]

const HONEST: Files = { ...PASSED, 'junit.xml': suite(times(0.12, 0.3)) }

describe('what a report says of its run, on either side', () => {
  for (const [what, id, files, expected] of CASES) {
    test(`${what}: ${expected === null ? `no ${id}` : id}`, () => {
      const [there, here] = [{ ...PASSED, ...files }, HONEST]
      const sides: [string, ReturnType<typeof judged>][] = [
        ['scratch', judged(there, here)],
        ['ci', judged(here, there)],
      ]
      for (const [side, { findings }] of sides) {
        const said = about(findings, id)
        assert.deepEqual(
          said.map(([of]) => of),
          expected === null ? [] : [side],
        )
        if (expected !== null) assert.match(said[0]?.[1] ?? '', expected)
      }
    })
  }
})

describe('a report that is on both sides', () => {
  const dated = suite(times(1), 'timestamp="2026-12-01T10:01:00Z"')
  const many = Array.from({ length: 25 }, (_, at) => ((at * 7919) % 997) / 1000 + 0.001)
  const COPIES: [string, string, string, RegExp | null][] = [
    ['the same bytes, with a date', dated, dated, /junit\.xml is byte for byte what CI wrote/],
    ['the same bytes, with eight times', suite(times(...many)), suite(times(...many)), /byte for byte/],
    ['the same bytes, which any run would write', suite(times(0.01, 0)), suite(times(0.01, 0)), null],
    ['no case', '<testsuite tests="0"/>', '<testsuite tests="0"/>', null],
    [
      'the same times in other bytes',
      suite(times(...many)),
      suite(times(...many), 'hostname="x"'),
      /the same time for each of 25 tests/,
    ],
    [
      'the same moment to the fraction, and times that were edited',
      suite(times(2), 'timestamp="2026-12-01T10:00:30.123456"'),
      suite(times(3), 'timestamp="2026-12-01T10:00:30.123456"'),
      /dated to the same fraction of a second, 2026-12-01T10:00:30\.123456/,
    ],
    ['all times but one', suite(times(...many)), suite(times(...many.slice(1), 0.5)), null],
    ['one date, other times', dated, suite(times(2), 'timestamp="2026-12-01T10:01:00Z"'), null],
  ]
  for (const [what, there, here, expected] of COPIES) {
    test(`${what}: ${expected === null ? 'no copy' : 'a copy'}`, () => {
      const { findings, witness } = judged({ ...PASSED, 'junit.xml': there }, { ...PASSED, 'junit.xml': here })
      const said = about(findings, 'tests/copied')
      assert.equal(said.length, expected === null ? 0 : 1)
      if (expected !== null) assert.match(said[0]?.[1] ?? '', expected)
      assert.notEqual(witness, 'corroborated')
    })
  }
})

describe('failures that were taken out of a report', () => {
  const whole = { ...PASSED, 'junit.xml': suite(times(1, 2), 'tests="2" failures="0"') }
  test('are still in its totals', () => {
    const { findings, witness } = judged(
      { ...PASSED, 'junit.xml': suite(times(1, 2), 'tests="2" failures="1"') },
      whole,
    )
    const said = about(findings, 'tests/count-mismatch')
    assert.match(said[0]?.[1] ?? '', /A suite in junit\.xml counts 1 failure, and none of its cases has one/)
    assert.notEqual(witness, 'corroborated')
  })
  test('are none where the totals have none', () => {
    assert.deepEqual(about(judged(whole, whole).findings, 'tests/count-mismatch'), [])
  })
})

describe('tests that are expected to fail', () => {
  const XFAIL = '<testcase name="a" time="0.1"><skipped type="pytest.xfail" message="bug 12"/></testcase>'
  const bundle = (inside: string) => ({ ...PASSED, 'junit.xml': suite(inside) })
  test('ran: a run of them alone is no empty one', () => {
    const { findings } = judged(bundle(XFAIL), bundle(XFAIL))
    assert.deepEqual(about(findings, 'tests/none-ran'), [])
  })
  test('and pass on the other side', () => {
    const { findings, witness } = judged(bundle(XFAIL), bundle('<testcase name="a" time="0.1"/>'))
    assert.match(about(findings, 'tests/expected')[0]?.[1] ?? '', /a: failed as expected there, passed here/)
    assert.equal(witness, 'different')
  })
})

describe('tests that failed on one side and were skipped on the other', () => {
  const FAILED = '<testcase name="a" time="0.1"><failure/></testcase><testcase name="b" time="0.1"/>'
  const SKIPPED = '<testcase name="a"><skipped message="later"/></testcase><testcase name="b" time="0.1"/>'
  test('are named', () => {
    const there = judged(
      { 'pytest.exit': '1\n', 'junit.xml': suite(FAILED) },
      { ...PASSED, 'junit.xml': suite(SKIPPED) },
    )
    assert.match(
      about(there.findings, 'tests/skipped-in-ci')[0]?.[1] ?? '',
      /1 test ran in the scratch box, where 1 failed, and was skipped in CI.*Failed there: s \u203a a\./,
    )
    const here = judged(
      { ...PASSED, 'junit.xml': suite(SKIPPED) },
      { 'pytest.exit': '1\n', 'junit.xml': suite(FAILED) },
    )
    assert.match(
      about(here.findings, 'tests/skipped-in-scratch')[0]?.[1] ?? '',
      /ran in CI, where 1 failed\..*Failed here: s \u203a a\./,
    )
  })
})

describe('what CI made of what is claimed, in one sentence', () => {
  const one = (name: string, result = '') => `<testcase classname="m" name="${name}" time="0.1">${result}</testcase>`
  const SKIP = '<skipped message="needs the network"/>'
  const SENTENCES: [string, string, RegExp][] = [
    [one('a') + one('b'), one('a') + one('b'), /^2 claimed; 2 confirmed by CI\.$/],
    [
      one('a') + one('b', SKIP) + one('c'),
      one('a') + one('b') + one('d'),
      /^3 claimed; 1 confirmed by CI; 1 never ran there \(1 no network\); 1 CI never ran\. 1 more is only in CI\.$/,
    ],
    [one('a'), one('a', SKIP), /^1 claimed; 0 confirmed by CI; 1 CI never ran\.$/],
    [one('a') + one('b', SKIP), one('a'), /^2 claimed; 1 confirmed by CI; 1 never ran there\.$/],
    [
      one('a') + one('a'),
      one('a'),
      /^2 claimed; 1 confirmed by CI; 1 is another entry of a test that is counted already\.$/,
    ],
    [
      one('a', '<skipped type="pytest.xfail" message="bug"/>') + one('b'),
      one('a', '<skipped type="pytest.xfail" message="bug"/>') + one('b'),
      /^2 claimed; 1 confirmed by CI; 1 failed as expected on both sides\.$/,
    ],
    [one('a', '<failure/>'), one('a', '<error/>'), /^1 claimed; 0 confirmed by CI; 1 passed on neither side\.$/],
    [one('a'), one('a', '<failure/>'), /^1 claimed; 0 confirmed by CI; 1 ended differently\.$/],
    [
      `${one('a')}<testcase classname="" name="m2"><skipped message="no module named x"/></testcase>`,
      one('a') + ['b', 'c', 'd'].map((name) => `<testcase classname="m2" name="${name}"/>`).join(''),
      /^4 claimed \(1 skip stands for 3\); 1 confirmed by CI; 3 never ran there \(3 x missing\)\.$/,
    ],
  ]
  for (const [there, here, expected] of SENTENCES) {
    test(String(expected), () => {
      const files = (cases: string) => ({ 'command.exit': '1\n', 'junit.xml': `<testsuites>${cases}</testsuites>` })
      const { tests } = judged(files(there), files(here)).legs[0].comparison
      assert.match(plain(transferSentence(tests) ?? []), expected)
    })
  }
})

test("CI's own XML that breaks off is told as that, and not as none", () => {
  const { findings } = judged(HONEST, { ...PASSED, 'junit.xml': '<testsuite>\n<testcase name="a"' })
  const [said, ...more] = findings.filter(({ id }) => id === 'ci/unreadable')
  assert.match(said ? message(said) : '', /CI's junit\.xml could not be read, line 2\. It breaks off/)
  assert.deepEqual(more, [])
  assert.deepEqual(about(findings, 'tests/no-report'), [])
})

test('cargo test writes no report, and what does is named', () => {
  const without = (command: string) => {
    const files = { ...PASSED, 'run.txt': run().replace('command=x', `command=${command}`) }
    return Object.fromEntries(about(judged(files, files).findings, 'tests/no-report'))
  }
  const { scratch = '', ci = '' } = without('cargo +nightly test --quiet')
  assert.match(scratch, /cargo test writes none\. To record it: \.\/capture_run\.sh -- cargo nextest run\.$/)
  assert.match(ci, /cargo test writes none\. To record it: let the command be cargo nextest run\.$/)
  const other = without('cargo run --example tests')
  assert.deepEqual(Object.keys(other), ['scratch', 'ci'])
  assert.doesNotMatch(Object.values(other).join(), /cargo/)
})
