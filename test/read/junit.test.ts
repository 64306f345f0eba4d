import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { XMLValidator } from 'fast-xml-parser'
import type { Problem, TestCase, TestReport } from '../../src/read/evidence.ts'
import { readTestReport } from '../../src/read/junit.ts'
import { caseId, shownName } from '../../src/read/junit-identity.ts'
import { temporaryFolder } from '../support/temporary.ts'

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/junit/${name}.xml`, import.meta.url))
}

function read(bytes: Uint8Array | string): { report: TestReport | null; problems: Problem[] } {
  return readTestReport([{ file: 'junit.xml', bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes }])
}

/** The report of bytes that must be readable without any problem. */
function report(bytes: Uint8Array | string): TestReport {
  const { report, problems } = read(bytes)
  assert.deepEqual(problems, [])
  assert.ok(report)
  return report
}

function cases(bytes: Uint8Array | string): readonly TestCase[] {
  return report(bytes).cases
}

function only(bytes: Uint8Array | string): TestCase {
  const [one, ...others] = cases(bytes)
  assert.ok(one)
  assert.equal(others.length, 0)
  return one
}

function statuses(list: readonly TestCase[]) {
  const of = (status: string) => list.filter((one) => one.status === status).length
  return [of('passed'), of('failed'), of('error'), of('skipped'), of('expected')]
}

function ids(name: string): string[] {
  return (read(fixture(name)).report?.cases ?? []).map(caseId).sort()
}

describe('what the tools write', () => {
  // passed, failed, error, skipped, failed as expected: from each tool's console, see the fixtures' README.
  const COUNTS: [string, number[]][] = [
    ['pytest-8', [7, 5, 4, 2, 1]],
    ['pytest-9', [7, 5, 4, 2, 1]],
    ['pytest-9-xunit1', [7, 5, 4, 2, 1]],
    ['pytest-9-with-psycopg', [9, 5, 4, 1, 1]],
    ['node-20', [6, 4, 0, 4, 1]],
    ['node-24', [6, 4, 0, 4, 1]],
    ['vitest-4', [4, 2, 0, 4, 0]],
    ['jest-30', [4, 2, 0, 1, 0]],
    ['mocha-11', [2, 2, 0, 2, 0]],
    ['playwright-1', [5, 1, 0, 4, 0]],
    ['gotestsum', [5, 3, 0, 2, 0]],
    ['go-junit-report', [5, 1, 2, 2, 0]],
  ]
  for (const [name, expected] of COUNTS) {
    test(`${name}: cases counted by their elements`, () => {
      assert.deepEqual(statuses(read(fixture(name)).report?.cases ?? []), expected)
    })
  }

  test('attributes that contradict the elements are shown and not used', () => {
    const file = 'junit.xml'
    assert.deepEqual(report(fixture('pytest-9')).countMismatches, [{ file, attribute: 22, elements: 19, of: 'cases' }])
    assert.deepEqual(report(fixture('jest-30')).countMismatches, [{ file, attribute: 5, elements: 6, of: 'cases' }])
    assert.deepEqual(report(fixture('vitest-4')).countMismatches, [])
  })

  test('one project has the same ids in pytest 8 and 9, xunit1 and xunit2', () => {
    assert.deepEqual(ids('pytest-9-xunit1'), ids('pytest-9'))
    assert.deepEqual(ids('pytest-8'), ids('pytest-9'))
  })

  test('one project has the same ids in Node 20 and 24, which name suites and files in two ways', () => {
    assert.deepEqual(ids('node-24'), ids('node-20'))
    assert.equal(new Set(ids('node-20')).size, 15)
  })

  test('one module has the same ids from gotestsum and go-junit-report, apart from what is no test', () => {
    const tests = (name: string) => ids(name).filter((id) => /\0Test(?!Main)/.test(id))
    assert.deepEqual(tests('gotestsum'), tests('go-junit-report'))
    assert.equal(tests('gotestsum').length, 8)
  })

  test('Playwright runs a case once a project, and each is its own', () => {
    assert.equal(new Set(ids('playwright-1')).size, 10)
    const failed = report(fixture('playwright-1')).cases.filter((one) => one.status === 'failed')
    assert.deepEqual(failed.map(shownName), ['[webkit] shop.spec.js › pays'])
  })

  test('names are those that a person would write', () => {
    const names = (name: string) => (read(fixture(name)).report?.cases ?? []).map(shownName)
    assert.ok(names('pytest-9').includes('tests/test_price.py::TestBasket::TestNested::test_remove'))
    assert.ok(names('pytest-9').includes('tests/test_db.py'))
    assert.ok(names('node-24').includes('cart › when empty › has a total of 0'))
    assert.ok(names('node-20').includes('fails with "quotes" & <angles>'))
    assert.ok(names('vitest-4').includes('sum.test.mjs › cart > when empty > has a total of 0'))
    assert.ok(names('jest-30').includes('cart when empty has a total of 0'))
    assert.ok(names('mocha-11').includes('cart when empty has a total of 0'))
    assert.ok(names('gotestsum').includes('example.test/shop › TestTable/two_words'))
  })

  test('messages are the line that says why', () => {
    const message = (name: string, id: string) =>
      read(fixture(name)).report?.cases.find((one) => caseId(one) === id)?.message ?? null
    assert.equal(message('pytest-9', 'tests.test_db'), "could not import 'psycopg': No module named 'psycopg'")
    assert.equal(message('pytest-9', 'tests.test_broken'), "ModuleNotFoundError: No module named 'not_there_at_all'")
    assert.equal(message('pytest-9', 'tests.test_price\0test_rates'), 'needs network access')
    assert.equal(message('gotestsum', 'example.test/shop\0TestRates'), 'shop_test.go:7: needs network access')
    assert.equal(message('go-junit-report', 'example.test/shop\0TestRates'), 'shop_test.go:7: needs network access')
    assert.equal(message('jest-30', 'hooks never runs'), 'Error: no hook')
    assert.equal(message('node-24', 'is skipped without a reason'), null)
    assert.equal(message('vitest-4', 'sum.test.mjs\0is skipped'), null)
  })

  test('a test that is still to be done, and fails, fails as expected', () => {
    const todo = read(fixture('node-24')).report?.cases.find((one) => caseId(one) === 'is to be done')
    assert.deepEqual([todo?.status, todo?.message], ['expected', 'Expected values to be strictly equal:'])
  })

  test('an expected failure is one that ran', () => {
    const skipped = (attributes: string) =>
      read(`<testsuite><testcase name="a"><skipped ${attributes}/></testcase></testsuite>`)
    assert.equal(skipped('type="pytest.xfail" message="bug 12"').report?.cases[0]?.status, 'expected')
    assert.equal(skipped('type="pytest.xfail" message="[NOTRUN] bug 12"').report?.cases[0]?.status, 'skipped')
    assert.equal(skipped('type="pytest.skip" message="bug 12"').report?.cases[0]?.status, 'skipped')
  })

  test('failures that a suite counts and no case has', () => {
    const of = (attributes: string, inside: string) =>
      report(`<testsuites><testsuite name="s" ${attributes}>${inside}</testsuite></testsuites>`).countMismatches
    const a = '<testcase name="a"/>'
    assert.deepEqual(of('tests="1" failures="1" errors="1"', a), [
      { file: 'junit.xml', attribute: 2, elements: 0, of: 'failures' },
    ])
    for (const honest of [
      of('tests="1" failures="0" errors="0"', a),
      of('tests="1" failures="1"', '<testcase name="a"><failure/></testcase>'),
      of('tests="1" failures="1"', '<testcase name="a"><flakyFailure/></testcase>'),
      of('tests="1" errors="1"', `${a}<error/>`),
      of('tests="1" failures="3"', '<testcase name="a"><failure/></testcase>'),
    ])
      assert.deepEqual(honest, [])
  })

  test('the encoding that the XML declaration names', () => {
    const named = (encoding: string) =>
      readTestReport([
        {
          file: 'junit.xml',
          bytes: Buffer.from(
            `<?xml version="1.0" encoding="${encoding}"?><testsuite><testcase name="\xe9"/></testsuite>`,
            'latin1',
          ),
        },
      ])
    for (const encoding of ['iso-8859-1', 'ISO-8859-15', 'windows-1252', 'latin1'])
      assert.equal(named(encoding).report?.cases[0]?.name, '\u00e9')
    const { report: none, problems } = named('ebcdic-x')
    assert.equal(none, null)
    assert.match(JSON.stringify(problems), /its encoding, ebcdic-x, is not known/)
    assert.deepEqual(
      named('utf-8').problems.map(({ kind }) => kind),
      ['not-utf8'],
    )
  })

  test('the reporter of the running Node is read', (t) => {
    const directory = temporaryFolder('junit-')
    t.after(() => rmSync(directory, { recursive: true }))
    writeFileSync(
      join(directory, 'a.test.mjs'),
      "import { test } from 'node:test'\ntest('one', () => {})\ntest('two', () => { throw new Error('no') })\ntest('three', { skip: 'offline' }, () => {})\n",
    )
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const run = spawnSync(process.execPath, ['--test', '--test-reporter=junit', 'a.test.mjs'], { cwd: directory, env })
    assert.equal(run.status, 1)
    assert.deepEqual(
      cases(run.stdout).map((one) => [shownName(one), one.status, one.message]),
      [
        ['one', 'passed', null],
        ['two', 'failed', 'no'],
        ['three', 'skipped', 'offline'],
      ],
    )
  })
})

describe('the shape of a report', () => {
  test('a root that is one suite, as Surefire and Gradle write it', () => {
    const xml = `<testsuite name="shop.CartTest" time="1,234.5" tests="3" hostname="box">
      <properties><property name="user.name" value="secret"/></properties>
      <testcase name="adds" classname="shop.CartTest" time="1,234.5"><system-out>secret</system-out></testcase>
      <testcase name="retries" classname="shop.CartTest" time="0.1">
        <flakyFailure message="first try"><stackTrace>at</stackTrace></flakyFailure>
      </testcase>
      <testcase name="fails" classname="shop.CartTest">
        <failure message="expected 1"/><rerunFailure message="again"/><system-err><![CDATA[secret]]></system-err>
      </testcase></testsuite>`
    assert.deepEqual(
      cases(xml).map((one) => [shownName(one), one.status, one.seconds, one.message]),
      [
        ['shop.CartTest › adds', 'passed', 1234.5, null],
        ['shop.CartTest › retries', 'passed', 0.1, null],
        ['shop.CartTest › fails', 'failed', null, 'expected 1'],
      ],
    )
    assert.ok(!JSON.stringify(report(xml)).includes('secret'))
  })

  test('suites in suites: totals that parents repeat are not added up', () => {
    const xml = `<testsuites><testsuite name="all" tests="2"><testsuite name="CartTest" tests="2">
      <testcase name="a" classname="CartTest"/><testsuite name="CartTest::b" tests="1">
      <testcase name="b with data set &quot;x&quot;" classname="CartTest"/></testsuite></testsuite></testsuite></testsuites>`
    assert.equal(cases(xml).length, 2)
    assert.deepEqual(report(xml).countMismatches, [])
  })

  test('an error or failure of a suite is a problem of its own and no case', () => {
    const { cases: list, suiteProblems } = report(
      '<testsuites><testsuite name="a"><error message="no set-up"/><testcase name="x"/><failure>late\nmore</failure></testsuite></testsuites>',
    )
    assert.deepEqual(statuses(list), [1, 0, 0, 0, 0])
    assert.deepEqual(suiteProblems, [
      { file: 'junit.xml', message: 'no set-up' },
      { file: 'junit.xml', message: 'late' },
    ])
  })

  const RESULTS: [string, string, string][] = [
    ['nothing', '<testcase name="x"/>', 'passed'],
    ['a failure and an error', '<testcase name="x"><failure/><error/></testcase>', 'error'],
    ['a skip and a failure', '<testcase name="x"><skipped/><failure/></testcase>', 'failed'],
    ['status disabled', '<testcase name="x" status="disabled"/>', 'skipped'],
    ['status notrun', '<testcase name="x" status="notrun" result="suppressed"/>', 'skipped'],
    ['status run', '<testcase name="x" status="run" result="completed"/>', 'passed'],
    ['status notrun and a failure', '<testcase name="x" status="notrun"><failure/></testcase>', 'failed'],
    ['status failed alone', '<testcase name="x" status="failed"/>', 'failed'],
    ['a failure in something else', '<testcase name="x"><rerun><failure/></rerun></testcase>', 'passed'],
    ['a failure in its output', '<testcase name="x"><system-out><failure/></system-out></testcase>', 'passed'],
    ['a case in something unknown', '<group><testcase name="x"/></group>', 'passed'],
  ]
  for (const [what, xml, status] of RESULTS) {
    test(`${what}: ${status}`, () => {
      assert.equal(only(`<testsuites><testsuite name="s">${xml}</testsuite></testsuites>`).status, status)
    })
  }

  const TIMES: [string, number | null][] = [
    ['0.000', 0],
    ['1.5', 1.5],
    ['1,234.5', 1234.5],
    ['1,234', 1234],
    ['0,25', 0.25],
    ['12,5', 12.5],
    ['80.5us', 80.5e-6],
    ['3ms', 0.003],
    ['0:00:00.69', 0.69],
    ['1:02.5', 62.5],
    ['1.5e-05', 1.5e-5],
    ['2500000000', 2.5],
    ['', null],
    ['-1', null],
    ['NaN', null],
    ['1s2', null],
    ['1.2.3', null],
  ]
  for (const [time, seconds] of TIMES) {
    test(`time "${time}" is ${seconds} seconds`, () => {
      const read = only(`<testsuite><testcase name="x" time="${time}"/></testsuite>`).seconds
      if (seconds === null || read === null) assert.equal(read, seconds)
      else assert.ok(Math.abs(read - seconds) < 1e-12, `${read}`)
    })
  }
  test('a time that is not there is not zero', () => {
    assert.equal(only('<testsuite><testcase name="x"/></testsuite>').seconds, null)
  })

  const ALIKE: [string, string, string][] = [
    ['machines', 'name="/home/a/shop/test/cart.test.js"', 'name="C:\\work\\shop\\test\\cart.test.js"'],
    [
      'separators',
      'classname="test/unit/cart.test.ts" name="adds"',
      'classname="test\\unit\\cart.test.ts" name="adds"',
    ],
    ['file attributes', 'classname="a.b" name="c"', 'classname="a.b" name="c" file="/x/a/b.py" line="3"'],
    ['escapes of pytest', 'classname="a" name="t[\\U0001f600]"', 'classname="a" name="t[&#x1F600;]"'],
    ['what pytest 9.0 makes of it', 'classname="a" name="t[#x1F600]"', 'classname="a" name="t[&#128512;]"'],
    ['class and name swapped', 'classname="adds" name="cart adds"', 'classname="cart adds" name="adds"'],
  ]
  for (const [what, one, other] of ALIKE) {
    test(`the same id in spite of other ${what}`, () => {
      const id = (attributes: string) => caseId(only(`<testsuites><testcase ${attributes}/></testsuites>`))
      assert.equal(id(one), id(other))
    })
  }

  test('a name that is a route keeps all of it', () => {
    const [one, other] = cases(
      '<testsuite><testcase classname="a" name="/v1/users returns 200"/><testcase classname="a" name="/v2/users returns 200"/></testsuite>',
    )
    assert.notEqual(one && caseId(one), other && caseId(other))
  })

  test('the host and the name of the whole are no part of the id, but of Playwright', () => {
    const id = (root: string, host: string) =>
      caseId(
        only(
          `<testsuites ${root}><testsuite name="a.js" hostname="${host}"><testcase classname="a.js" name="x"/></testsuite></testsuites>`,
        ),
      )
    assert.equal(id('name="vitest tests"', 'one'), id('name="nightly"', 'two'))
    assert.notEqual(id('id=""', 'chromium'), id('id=""', 'webkit'))
  })

  test('all files of a bundle are one report, and one that cannot be read is none of it', () => {
    const files = [
      { file: 'junit-a.xml', bytes: Buffer.from('<testsuite><testcase name="a"/></testsuite>') },
      { file: 'junit-b.xml', bytes: Buffer.from('<testsuite><testcase name="b"/><testcase') },
      { file: 'junit-c.xml', bytes: Buffer.from('<testsuite tests="0"/>') },
    ]
    const { report, problems } = readTestReport(files)
    assert.deepEqual(report?.files, ['junit-a.xml', 'junit-c.xml'])
    assert.deepEqual(report?.cases.map(caseId), ['a'])
    assert.deepEqual(
      problems.map((problem) => [problem.kind, 'file' in problem && problem.file]),
      [['unreadable', 'junit-b.xml']],
    )
  })
})

describe('odd and hostile files', () => {
  const ONE = '<testsuite><testcase name="x"/></testsuite>'
  const UNREADABLE: [string, string | Uint8Array, number | null, RegExp][] = [
    ['an empty file', '', null, /empty/],
    ['nothing but space', '\ufeff \n', null, /empty/],
    ['no XML', 'collected 3 items\n', 1, /no XML/],
    ['an HTML page', '<!DOCTYPE html>\n<html><body>404</body></html>', 1, /DOCTYPE/],
    ['another root', '\n<html><body>404</body></html>', 2, /root/],
    ['a comment alone', '<!-- x -->', 1, /no element/],
    ['an entity of its own', '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "c">]>\n<testsuite/>', 2, /DOCTYPE/],
    ['two documents', `${ONE}\n<?xml version="1.0"?>\n${ONE}`, 3, /second document/],
    ['text after the document', `${ONE}\n\nOK`, 3, /text follows/],
    ['CDATA after the document', `${ONE}\n<![CDATA[OK]]>`, 2, /text follows/],
    ['a file that breaks off between cases', '<testsuite>\n<testcase name="x"/>\n', 3, /breaks off/],
    ['a file that breaks off in a tag', '<testsuite>\n<testcase name', 2, /breaks off/],
    ['a file that breaks off in a value', '<testsuite>\n<testcase name="x', 2, /breaks off/],
    ['a file that breaks off in a comment', `<testsuite>\n<!-- ${ONE}`, 2, /breaks off/],
    ['a file that breaks off in CDATA', `<testsuite><testcase><failure>\n<![CDATA[ ${ONE}`, 2, /breaks off/],
    ['a file that breaks off after a <', '<testsuite>\n<', 2, /breaks off/],
    ['a file that breaks off in a closing tag', '<testsuite>\n</testsuite', 2, /breaks off/],
    ['tags that cross', '<testsuite>\n<testcase name="x">\n</testsuite></testcase>', 3, /closing tag/],
    ['a closing tag too many', `${ONE}\n</testsuite>`, 2, /closing tag/],
    ['an attribute without quotes', '<testsuite>\n<testcase name=x /></testsuite>', 2, /no attribute/],
    ['an attribute twice', '<testsuite><testcase name="a" name="b"/></testsuite>', 1, /twice/],
    ['a bare < in text', '<testsuite>\n1 < 2</testsuite>', 2, /begins no tag/],
    ['257 levels', `${'<testsuite>'.repeat(257)}${'</testsuite>'.repeat(257)}`, 1, /256/],
    ['20,000 levels', `${'<testsuite>\n'.repeat(20_000)}${'</testsuite>'.repeat(20_000)}`, 257, /256/],
    ['many attributes', `<testsuite ${Array.from({ length: 300 }, (_, i) => `a${i}=""`).join(' ')}/>`, 1, /256/],
    [
      'more cases than are kept',
      `<testsuite>${'<testcase name="a"/>'.repeat(1_000_001)}</testsuite>`,
      null,
      /1,000,000/,
    ],
  ]
  for (const [what, bytes, line, why] of UNREADABLE) {
    test(`${what} cannot be read`, () => {
      const { report, problems } = read(bytes)
      assert.equal(report, null)
      const [problem, ...others] = problems
      assert.deepEqual(others, [])
      assert.ok(problem?.kind === 'unreadable')
      assert.match(problem.why, why)
      assert.equal(problem.line, line)
    })
  }

  test('the output of a test is passed over, 100 MB of it too, and keeps nothing', () => {
    const output = Buffer.alloc(100 * 1024 * 1024, 'secret <not>a tag</not> ')
    const bytes = Buffer.concat([
      Buffer.from('<testsuite><testcase name="x"><system-out><![CDATA['),
      output,
      Buffer.from(']]></system-out></testcase></testsuite>'),
    ])
    const { report, problems } = read(bytes)
    assert.deepEqual(problems, [])
    assert.deepEqual(report?.cases.map(caseId), ['x'])
    assert.ok(!JSON.stringify(report).includes('secret'))
  })

  test('256 levels are read', () => {
    assert.equal(only(`${'<testsuite>'.repeat(255)}<testcase name="x"/>${'</testsuite>'.repeat(255)}`).name, 'x')
  })

  const READ: [string, string | Uint8Array, string][] = [
    ['a byte order mark', `\ufeff<?xml version="1.0" encoding="UTF-8"?>\n${ONE}`, 'x'],
    ['UTF-16, little end first', Buffer.from('\ufeff<testsuite><testcase name="é"/></testsuite>', 'utf16le'), 'é'],
    [
      'UTF-16, big end first',
      Buffer.from('\ufeff<testsuite><testcase name="é"/></testsuite>', 'utf16le').swap16(),
      'é',
    ],
    ['a default namespace', '<testsuite xmlns="urn:x"><testcase name="x"/></testsuite>', 'x'],
    ['a prefix', '<j:testsuite xmlns:j="urn:x"><j:testcase name="x"/></j:testsuite>', 'x'],
    ['numbered references', '<testsuite><testcase name="&#65;&#x42;&#x1F600;"/></testsuite>', 'AB😀'],
    ['named references', '<testsuite><testcase name="&lt;&gt;&amp;&quot;&apos;&amp;lt;"/></testsuite>', '<>&"\'&lt;'],
    ['an entity that only HTML knows', '<testsuite><testcase name="a&nbsp;b"/></testsuite>', 'a\u00a0b'],
    ['a bare & and < in an attribute', '<testsuite><testcase name="a & b < c"/></testsuite>', 'a & b < c'],
    ['a number that stays text', '<testsuite><testcase name="007"/></testsuite>', '007'],
    ['a > in an attribute', '<testsuite a="/>" b=\'"\'><testcase name="x"/></testsuite>', 'x'],
    ['a comment that holds a case', `<testsuite><!-- ${ONE} --><testcase name="x"/></testsuite>`, 'x'],
    [
      'CDATA that holds a case',
      `<testsuite><testcase name="x"><failure><![CDATA[${ONE}]]></failure></testcase></testsuite>`,
      'x',
    ],
    ['names that objects have', '<testsuite><testcase name="__proto__"/></testsuite>', '__proto__'],
    ['an element with such a name', `<testsuite><toString/><testcase name="x"/></testsuite>`, 'x'],
    ['a PI and a comment around', `<?xml version="1.0"?><!--a--><?b c?>${ONE}<!--d--><?e?>\n`, 'x'],
  ]
  for (const [what, bytes, name] of READ) {
    test(`${what} is read`, () => assert.equal(only(bytes).name, name))
  }

  test('control characters are replaced and reported, raw or as a reference', () => {
    for (const control of ['\u0000', '\u001b', '&#27;', '&#x1B;', '&#0;', '&#0011;']) {
      const { report, problems } = read(`<testsuite>\n<testcase name="a${control}b"/></testsuite>`)
      assert.equal(report?.cases[0]?.name, 'a\ufffdb')
      assert.deepEqual(problems, [{ kind: 'control-characters', file: 'junit.xml', line: 2 }])
    }
    assert.equal(only('<testsuite><testcase name="a&#9;b&#10;c&#13;d"/></testsuite>').name, 'a\tb\nc\nd')
  })

  test('the colours of a terminal are taken out of a message', () => {
    const { report } = read(
      '<testsuite><testcase name="a"><failure message="&#27;[31;1mred&#27;[0m"/></testcase></testsuite>',
    )
    assert.equal(report?.cases[0]?.message, 'red')
  })

  test('invalid UTF-8 is replaced and reported', () => {
    const bytes = Buffer.concat([
      Buffer.from('<testsuite>\n<testcase name="a'),
      Buffer.of(0xe9),
      Buffer.from('"/></testsuite>'),
    ])
    const { report, problems } = read(bytes)
    assert.equal(report?.cases[0]?.name, 'a\ufffd')
    assert.deepEqual(problems, [{ kind: 'not-utf8', file: 'junit.xml', line: 2 }])
  })

  test('a message is cut, and a name for showing is, and cases are still told apart', () => {
    const long = 'n'.repeat(5000)
    const [one, other] = cases(
      `<testsuite><testcase name="${long}1"><failure message="${long}"/></testcase><testcase name="${long}2"/></testsuite>`,
    )
    assert.equal(one?.message, `${'n'.repeat(300)}…`)
    assert.equal(one && shownName(one), other && shownName(other))
    assert.notEqual(one && caseId(one), other && caseId(other))
  })

  test('a long path of suites is not repeated by each case, and still tells cases apart', () => {
    const xml = (last: string) =>
      `<testsuite name="${'s'.repeat(100_000)}${last}">${'<testcase name="x"/>'.repeat(100)}</testsuite>`
    const [one, other] = ['1', '2'].map((last) => cases(xml(last)).map(caseId)[0] ?? '') as [string, string]
    assert.ok(one.length < 1000)
    assert.notEqual(one, other)
  })

  test('a document cut off anywhere is unreadable, never a shorter report', () => {
    for (const name of ['pytest-9', 'node-24', 'playwright-1']) {
      const whole = fixture(name).toString('latin1').trimEnd()
      fc.assert(
        fc.property(fc.integer({ min: 0, max: whole.length - 1 }), (length) => {
          assert.equal(read(Buffer.from(whole.slice(0, length), 'latin1')).report, null)
        }),
      )
    }
  })

  test('nothing is read that another parser refuses', () => {
    const token = fc.constantFrom(
      '<testsuite>',
      '</testsuite>',
      '<testcase name="x">',
      '</testcase>',
      "<testcase name='y'/>",
      '<failure a="b" c="d">',
      '</failure >',
      '<![CDATA[ <a> ]]>',
      '<!-- c -->',
      'a &lt; b',
      ' \n',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        const xml = `<testsuite>${tokens.join('')}`
        if (read(xml).report !== null) assert.equal(XMLValidator.validate(xml), true)
      }),
      { numRuns: 2000 },
    )
  })

  test('every case of a well-formed report is read, however its suites are nested', () => {
    type Node = { name: string; children: Node[] | null }
    const { suite } = fc.letrec<{ node: Node; suite: Node }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.record({ name: fc.string(), children: fc.constant(null) }),
        tie('suite'),
      ),
      suite: fc.record({ name: fc.string(), children: fc.array(tie('node'), { maxLength: 4 }) }),
    }))
    const escaped = (text: string) => text.replace(/[&<"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
    const xml = ({ name, children }: Node): string =>
      children === null
        ? `<testcase classname="c" name="-${escaped(name)}-"/>`
        : `<testsuite name="${escaped(name)}">${children.map(xml).join('\n')}</testsuite>`
    const names = ({ name, children }: Node): string[] =>
      children === null ? [`c\0-${name}-`] : children.flatMap(names)
    fc.assert(
      fc.property(suite, (tree) => {
        assert.deepEqual(cases(xml(tree)).map(caseId), names(tree))
      }),
    )
  })

  test('any text at all is read or refused, and never thrown at', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '/',
      '"',
      "'",
      '=',
      '&',
      ';',
      '#',
      '!',
      '[',
      ']',
      '-',
      '?',
      ' ',
      'a',
      ':',
      '\0',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (some) => {
        const { report, problems } = read(`<testsuite>${some.join('')}`)
        assert.ok(report !== null || problems.some((problem) => problem.kind === 'unreadable'))
      }),
      { numRuns: 2000 },
    )
  })
})
