import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { TestsComparison } from '../../src/compare/comparison.ts'
import { compareTests as compareRuns } from '../../src/compare/tests.ts'
import type { CaseStatus, TestCase, TestReport } from '../../src/read/evidence.ts'
import { readTestReport } from '../../src/read/junit.ts'
import { shownName } from '../../src/read/junit-identity.ts'

function fixture(name: string): TestReport {
  const file = `${name}.xml`
  const { report } = readTestReport([
    { file, bytes: readFileSync(new URL(`../fixtures/junit/${file}`, import.meta.url)) },
  ])
  assert.ok(report)
  return report
}

function one(id: string, status: CaseStatus, more: Partial<TestCase> = {}): TestCase {
  const [name = '', scope = ''] = id.split('\0').reverse()
  return { scope, name, suite: '', status, seconds: null, message: null, attempts: 0, ...more }
}

/** Two reports of runs that failed: of such a run every failure counts. */
function compareTests(scratch: TestReport | null, ci: TestReport | null): TestsComparison {
  return compareRuns({ report: scratch, exit: 1, folder: null }, { report: ci, exit: 1, folder: null })
}

function report(...cases: readonly TestCase[]): TestReport {
  return {
    ...{ files: ['junit.xml'], cases, hollow: [], suiteProblems: [], countMismatches: [], hosts: [], moments: [] },
    ...{ suiteSeconds: null, cachedCases: 0, digests: [] },
  }
}

/** How many cases landed where. */
function places(compared: TestsComparison) {
  const sum = (groups: TestsComparison['skippedInCi']) => groups.reduce((all, group) => all + group.pairs.length, 0)
  return {
    agreed: compared.agreed,
    passed: compared.agreedPassed,
    skipped: compared.skippedInBoth,
    flipped: compared.flipped.length,
    skippedInScratch: sum(compared.skippedInScratch),
    skippedInCi: sum(compared.skippedInCi),
    onlyScratch: compared.onlyScratch.length,
    onlyCi: compared.onlyCi.length,
  }
}

const NONE = {
  agreed: 0,
  passed: 0,
  skipped: 0,
  flipped: 0,
  skippedInScratch: 0,
  skippedInCi: 0,
  onlyScratch: 0,
  onlyCi: 0,
}

describe('where a case lands', () => {
  const PLACES: [CaseStatus | null, CaseStatus | null, Partial<typeof NONE>][] = [
    ['passed', 'passed', { agreed: 1, passed: 1 }],
    ['failed', 'failed', { agreed: 1 }],
    ['failed', 'error', { agreed: 1 }],
    ['passed', 'failed', { flipped: 1 }],
    ['error', 'passed', { flipped: 1 }],
    ['skipped', 'skipped', { skipped: 1 }],
    ['skipped', 'passed', { skippedInScratch: 1 }],
    ['skipped', 'error', { skippedInScratch: 1 }],
    ['passed', 'skipped', { skippedInCi: 1 }],
    ['passed', null, { onlyScratch: 1 }],
    ['skipped', null, { onlyScratch: 1 }],
    [null, 'failed', { onlyCi: 1 }],
  ]
  for (const [there, here, expected] of PLACES) {
    test(`${there ?? 'absent'} and ${here ?? 'absent'}`, () => {
      const scratch = report(...(there === null ? [] : [one('a', there)]))
      const ci = report(...(here === null ? [] : [one('a', here)]))
      assert.deepEqual(places(compareTests(scratch, ci)), { ...NONE, ...expected })
    })
  }

  test('without a report on one side there are the counts of the other alone', () => {
    const compared = compareTests(null, report(one('a', 'passed'), one('b', 'error')))
    assert.deepEqual(places(compared), NONE)
    assert.equal(compared.scratch, null)
    assert.deepEqual(compared.ci, { total: 2, passed: 1, failed: 0, errors: 1, skipped: 0, expected: 0 })
  })

  test('of duplicates those that ended alike are matched, whatever their order', () => {
    const there = [one('a', 'passed'), one('a', 'failed'), one('a', 'skipped')]
    const here = [one('a', 'skipped'), one('a', 'error'), one('a', 'passed')]
    assert.deepEqual(places(compareTests(report(...there), report(...here))), {
      ...NONE,
      agreed: 2,
      passed: 1,
      skipped: 1,
    })
  })

  const SEVERAL: [string, CaseStatus[], CaseStatus[], Partial<typeof NONE>, number, number][] = [
    ['the same on both sides', ['passed', 'failed'], ['failed', 'passed'], { agreed: 2, passed: 1 }, 0, 0],
    ['once more there', ['passed', 'passed', 'passed'], ['passed', 'passed'], { agreed: 2, passed: 2 }, 1, 0],
    ['once more here, skipped', ['passed'], ['skipped', 'passed'], { agreed: 1, passed: 1 }, 0, 1],
    ['one more that failed there', ['passed', 'failed'], ['passed'], { flipped: 1 }, 1, 0],
    ['one more that failed here', ['passed'], ['passed', 'error', 'passed'], { flipped: 1 }, 0, 2],
    ['one more that failed, as another did', ['failed', 'failed'], ['failed'], { agreed: 1 }, 1, 0],
    [
      'one that passed beside one that failed',
      ['passed', 'passed'],
      ['failed', 'passed'],
      { agreed: 1, passed: 1, flipped: 1 },
      0,
      0,
    ],
  ]
  for (const [what, there, here, expected, more, moreHere] of SEVERAL) {
    test(`a case that comes several times, ${what}`, () => {
      const several = (statuses: CaseStatus[]) => report(...statuses.map((status) => one('a', status)))
      const compared = compareTests(several(there), several(here))
      assert.deepEqual(places(compared), { ...NONE, ...expected })
      assert.deepEqual([compared.repeats.scratch.length, compared.repeats.ci.length], [more, moreHere])
    })
  }
})

describe('what could not be loaded or set up on one side', () => {
  const WHOLES: [string, string, CaseStatus][] = [
    ['a module that cannot be imported', 'tests.test_db', 'error'],
    ['a class whose set-up fails, of JUnit', 'tests.test_db\0', 'error'],
    ['a class whose set-up fails, of Gradle', 'tests.test_db\0classMethod', 'failed'],
    ['a package that does not build, of Go', 'tests.test_db\0[build failed]', 'error'],
  ]
  for (const [what, id, status] of WHOLES) {
    test(`${what} stands for its tests, and is none of its own`, () => {
      const compared = compareTests(
        report(one('tests.test_db\0a', 'passed'), one('tests.test_db\0b', 'passed'), one('x', 'passed')),
        report(one(id, status), one('x', 'passed')),
      )
      assert.deepEqual(places(compared), { ...NONE, agreed: 1, passed: 1, flipped: 2 })
    })
  }
  test('a failed test stands for no other', () => {
    const compared = compareTests(report(one('m\0a', 'passed')), report(one('m\0b', 'failed'), one('m', 'failed')))
    assert.deepEqual(places(compared), { ...NONE, onlyScratch: 1, onlyCi: 2 })
  })
})

describe('attempts that were run again', () => {
  const twice = report(one('a', 'failed'), one('b', 'passed'), one('a', 'passed'))
  test('of a run that exited 0 a failure beside a pass of the same test is an attempt', () => {
    const compared = compareRuns(
      { report: twice, exit: 0, folder: null },
      { report: report(one('a', 'passed'), one('b', 'passed')), exit: 0, folder: null },
    )
    assert.deepEqual(places(compared), { ...NONE, agreed: 2, passed: 2 })
    assert.deepEqual(compared.scratch, { total: 2, passed: 2, failed: 0, errors: 0, skipped: 0, expected: 0 })
    assert.deepEqual(
      compared.rerun.scratch.map(({ name, attempts }) => [name, attempts]),
      [['a', 1]],
    )
  })
  test('of a run that failed it is a failure', () => {
    const compared = compareRuns(
      { report: twice, exit: 1, folder: null },
      { report: report(one('a', 'passed'), one('b', 'passed')), exit: 0, folder: null },
    )
    assert.deepEqual(places(compared), { ...NONE, agreed: 1, passed: 1, flipped: 1 })
  })
})

describe('what belongs together', () => {
  const legs = (linux: CaseStatus, windows: CaseStatus) =>
    report(one('m\0a', linux, { suite: 'linux' }), one('m\0a', windows, { suite: 'windows' }))

  test('of one id in several suites, those of one suite', () => {
    const compared = compareTests(legs('failed', 'passed'), legs('passed', 'failed'))
    assert.deepEqual(places(compared), { ...NONE, flipped: 2 })
  })

  test('of one id in several suites, a failure in one is no attempt of another', () => {
    const [there, here] = [legs('failed', 'passed'), legs('passed', 'passed')]
    const compared = compareRuns({ report: there, exit: 0, folder: null }, { report: here, exit: 0, folder: null })
    assert.equal(compared.flipped.length, 1)
  })

  test('suites that are called otherwise there and here do not matter', () => {
    const there = report(one('m\0a', 'passed', { suite: 'x' }), one('m\0a', 'failed', { suite: 'y' }))
    const here = report(one('m\0a', 'passed', { suite: 'z' }), one('m\0a', 'failed', { suite: 'y' }))
    assert.deepEqual(places(compareTests(there, here)), { ...NONE, agreed: 2, passed: 1 })
  })

  test('names that hold the place of the checkout', () => {
    const at = (place: string, status: CaseStatus = 'passed') =>
      report(
        one(`m\0test_path[${place}/tests/test_a.py]`, status),
        one(`m\0test_path[${place}/tests/test_b.py]`, 'passed'),
        one(`m\0reads ${place}/data/x.json`, 'passed'),
      )
    assert.deepEqual(places(compareTests(at('/home/me/shop'), at('/builds/shop/shop'))), {
      ...NONE,
      agreed: 3,
      passed: 3,
    })
    assert.deepEqual(places(compareTests(at('/a/b'), at('C:\\b\\c', 'failed'))), {
      ...NONE,
      agreed: 2,
      passed: 2,
      flipped: 1,
    })
    // A fraction, a date and an address are no places.
    const other = (name: string) => report(one(`m\0${name}`, 'passed'))
    for (const [a, b] of [
      ['test[1/2/3]', 'test[2/2/3]'],
      ['get https://a.example/x/y', 'get https://b.example/x/y'],
    ] as const)
      assert.deepEqual(places(compareTests(other(a), other(b))), { ...NONE, onlyScratch: 1, onlyCi: 1 })
  })

  test('the same tests started in another folder, as far as both are recorded', () => {
    const there = report(one('tests.test_x\0a', 'passed'), one('tests/cart.test.ts\0b', 'passed'))
    const here = report(one('test_x\0a', 'passed'), one('cart.test.ts\0b', 'passed'))
    const started = (folder: string | null) =>
      places(compareRuns({ report: there, exit: 0, folder: '.' }, { report: here, exit: 0, folder }))
    assert.deepEqual(started('tests'), { ...NONE, agreed: 2, passed: 2 })
    assert.deepEqual(started('other'), { ...NONE, onlyScratch: 2, onlyCi: 2 })
    assert.deepEqual(started(null), { ...NONE, onlyScratch: 2, onlyCi: 2 })
  })
})

test('more cases that stand together, or alone, than a call takes arguments', () => {
  const many = 200_000
  const list = (cases: readonly TestCase[]): TestReport => ({ ...report(), cases })
  const same = compareTests(
    list(Array.from({ length: many }, () => one('a', 'passed'))),
    list(Array.from({ length: many + 1 }, () => one('a', 'passed'))),
  )
  assert.deepEqual([same.agreed, same.repeats.ci.length], [many, 1])
  const apart = (name: string, place: string) =>
    list([
      ...Array.from({ length: many }, (_, index) => one(`${name}${index}`, 'passed')),
      one(`x[${place}/c]`, 'passed'),
    ])
  const other = compareTests(apart('a', '/a/b'), apart('b', '/d/b'))
  assert.deepEqual([other.agreed, other.onlyScratch.length, other.onlyCi.length], [1, many, many])
})

describe('failures that were expected', () => {
  const both = (there: CaseStatus, here: CaseStatus) => compareTests(report(one('a', there)), report(one('a', here)))
  test('on both sides agree, and are no pass', () => {
    const compared = both('expected', 'expected')
    assert.deepEqual(places(compared), { ...NONE, agreed: 1 })
    assert.deepEqual([compared.agreedExpected, compared.agreedPassed], [1, 0])
  })
  for (const other of ['passed', 'failed', 'error'] as const)
    test(`on one side, ${other} on the other`, () => {
      for (const compared of [both('expected', other), both(other, 'expected')]) {
        assert.deepEqual(places(compared), NONE)
        assert.equal(compared.unexpected.length, 1)
      }
    })
  test('were executed: where the other side skipped them they are missing there', () => {
    assert.deepEqual(places(both('expected', 'skipped')), { ...NONE, skippedInCi: 1 })
    assert.deepEqual(places(both('skipped', 'expected')), { ...NONE, skippedInScratch: 1 })
  })
})

describe('real reports', () => {
  test('a module that importorskip hid: its cases are skipped in scratch, for that module', () => {
    const compared = compareTests(fixture('pytest-9'), fixture('pytest-9-with-psycopg'))
    assert.deepEqual(places(compared), { ...NONE, agreed: 17, passed: 7, skipped: 1, skippedInScratch: 2 })
    const [group] = compared.skippedInScratch
    assert.deepEqual([group?.cause, group?.detail], ['module', 'psycopg'])
    assert.deepEqual(
      group?.pairs.map((pair) => shownName(pair.ci)),
      ['tests/test_db.py::test_connect', 'tests/test_db.py::TestQuery::test_select'],
    )
  })

  test('the other way round CI proved less', () => {
    const compared = compareTests(fixture('pytest-9-with-psycopg'), fixture('pytest-9'))
    assert.deepEqual(places(compared), { ...NONE, agreed: 17, passed: 7, skipped: 1, skippedInCi: 2 })
  })

  test('Node 20 and Node 24 agree', () => {
    assert.deepEqual(places(compareTests(fixture('node-20'), fixture('node-24'))), {
      ...NONE,
      agreed: 11,
      passed: 6,
      skipped: 4,
    })
  })

  test('a suite of node:test and a parent test of Go that were skipped as a whole', () => {
    const id = (...parts: string[]) => parts.join('\0')
    const there = report(
      one('cart', 'skipped', { message: 'offline' }),
      one(id('shop', 'remote'), 'skipped', { message: 'offline' }),
      one(id('pkg', 'TestTable'), 'skipped', { message: 'offline' }),
    )
    const here = report(
      one(id('cart', 'adds'), 'passed'),
      one(id('shop › remote', 'syncs'), 'passed'),
      one(id('pkg', 'TestTable'), 'passed'),
      one(id('pkg', 'TestTable/one/deep'), 'passed'),
      one(id('pkg', 'TestTables/one'), 'passed'),
    )
    assert.deepEqual(places(compareTests(there, here)), { ...NONE, skippedInScratch: 4, onlyCi: 1 })
  })

  for (const name of ['pytest-8', 'node-20', 'jest-30', 'mocha-11', 'playwright-1', 'gotestsum', 'go-junit-report']) {
    test(`${name} agrees with itself`, () => {
      const compared = compareTests(fixture(name), fixture(name))
      const { total, skipped, passed } = compared.scratch ?? { total: 0, skipped: 0, passed: 0 }
      assert.deepEqual(places(compared), { ...NONE, agreed: total - skipped, passed, skipped })
    })
  }
})

describe('whatever the reports', () => {
  const anyCase = fc.record({
    id: fc.constantFrom('a', 'b', 'm', 'm\0a', 'm\0b', 'm.C\0a', 'm.C\0a/x'),
    status: fc.constantFrom('passed', 'failed', 'error', 'skipped'),
  })
  const cases = fc.array(anyCase, { maxLength: 12 }).map((list) =>
    list.map(({ id, status }) =>
      // A whole that could not be loaded stands for many: told apart below.
      one(id, ['m', 'm.C\0a'].includes(id) && status === 'error' ? 'failed' : status),
    ),
  )

  test('every executed case lands in exactly one place', () => {
    fc.assert(
      fc.property(cases, cases, (there, here) => {
        const compared = compareTests(report(...there), report(...here))
        const groups = [...compared.skippedInScratch, ...compared.skippedInCi].flatMap((group) => group.pairs)
        const pairs = [...compared.flipped, ...groups]
        const executed = (list: readonly TestCase[]) => list.filter((case_) => case_.status !== 'skipped')
        const sides = [
          [there, compared.onlyScratch, pairs.map((pair) => pair.scratch), compared.repeats.scratch],
          [here, compared.onlyCi, pairs.map((pair) => pair.ci), compared.repeats.ci],
        ] as const
        for (const [all, only, paired, repeats] of sides) {
          const elsewhere = [...only, ...paired, ...repeats]
          assert.equal(executed(all).length, compared.agreed + executed(elsewhere).length)
          assert.equal(new Set(executed(elsewhere)).size, executed(elsewhere).length)
        }
      }),
    )
  })

  test('the order of cases changes nothing', () => {
    const both = fc.tuple(cases, cases, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })))
    fc.assert(
      fc.property(both, ([there, here, random]) => {
        const shuffled = (list: readonly TestCase[]) =>
          list
            .map((case_) => ({ case_, at: random.next().value ?? 0 }))
            .sort((a, b) => a.at - b.at)
            .map(({ case_ }) => case_)
        assert.deepEqual(
          places(compareTests(report(...shuffled(there)), report(...shuffled(here)))),
          places(compareTests(report(...there), report(...here))),
        )
      }),
    )
  })

  test('a report agrees with itself', () => {
    fc.assert(
      fc.property(cases, (list) => {
        const compared = compareTests(report(...list), report(...list))
        const skipped = list.filter((case_) => case_.status === 'skipped').length
        assert.deepEqual([compared.agreed, compared.skippedInBoth], [list.length - skipped, skipped])
      }),
    )
  })

  test('the sides can be exchanged', () => {
    fc.assert(
      fc.property(cases, cases, (there, here) => {
        const [one, other] = [
          compareTests(report(...there), report(...here)),
          compareTests(report(...here), report(...there)),
        ]
        const back = places(other)
        assert.deepEqual(places(one), {
          ...back,
          skippedInScratch: back.skippedInCi,
          skippedInCi: back.skippedInScratch,
          onlyScratch: back.onlyCi,
          onlyCi: back.onlyScratch,
        })
      }),
    )
  })

  test('hundreds of thousands of cases that only one side has', () => {
    const many = Array.from({ length: 300_000 }, (_, index) => one(`${index}`, 'passed'))
    assert.equal(compareTests(report(...many.slice(0, 1)), { ...report(), cases: many }).onlyCi.length, 299_999)
  })
})

describe('times', () => {
  const timed = (seconds: readonly (number | null)[]) =>
    report(...seconds.map((time, index) => one(`${index}`, 'passed', { seconds: time })))
  const rising = Array.from({ length: 20 }, (_, index) => (index + 1) / 10)

  test('twenty distinct times on both sides are ranked', () => {
    assert.deepEqual(compareTests(timed(rising), timed(rising.map((time) => time * 3))).timeRanks, {
      rho: 1,
      cases: 20,
    })
    assert.deepEqual(compareTests(timed(rising), timed(rising.toReversed())).timeRanks, { rho: -1, cases: 20 })
  })

  test('nineteen are not', () => {
    const twice = [...rising.slice(1), rising[1] ?? 0]
    assert.equal(compareTests(timed(rising), timed(twice)).timeRanks, null)
    assert.equal(compareTests(timed(twice), timed(rising)).timeRanks, null)
  })

  test('zero and what is not recorded is left out', () => {
    const { timeRanks } = compareTests(timed([...rising, 0, 5, null]), timed([...rising, 5, null, 7]))
    assert.deepEqual(timeRanks, { rho: 1, cases: 20 })
  })
})
