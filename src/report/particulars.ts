import type { ChangedFile, Comparison, LockfileComparison, ToolchainRow } from '../compare/comparison.ts'
import { differing } from '../compare/packages.ts'
import { loudestFirst } from '../compare/step.ts'
import { type Block, code, count, type Inlines, strong, t } from './document.ts'
import { gradeOf, label, value } from './wording/facts.ts'
import { changedPhrase, sideOf } from './wording/source.ts'
import { casesIn, skipLabel, timesSentence } from './wording/tests.ts'

/** The particulars of a comparison, folded: its toolchain, its lockfiles, its tests. */
export function particulars(comparison: Comparison): Block[] {
  return [
    ...(comparison.scratch === null ? [] : toolchainDetails(comparison.toolchain)),
    ...sourceDetails(comparison.source.changed ?? comparison.source.afterBundle ?? []),
    ...comparison.lockfiles.flatMap(lockfileDetails),
    ...testsDetails(comparison),
  ]
}

function toolchainDetails(rows: readonly ToolchainRow[]): Block[] {
  if (rows.length === 0) return []
  const same = rows.filter((row) => row.grade === 'same').length
  const missing = rows.filter((row) => row.grade === 'unrecorded').length
  const differ = rows.length - same - missing
  return [
    {
      kind: 'details',
      summary: [
        `Toolchain, line by line: ${same} same, ${differ} ${differ === 1 ? 'differs' : 'differ'}, ${missing} not recorded`,
      ],
      blocks: [
        {
          kind: 'table',
          head: [[], ['Scratch box'], ['CI'], []],
          rows: rows.map((row) => [label(row.key), value(row.scratch), value(row.ci), gradeOf(row)]),
        },
      ],
    },
  ]
}

function sourceDetails(changed: readonly ChangedFile[]): Block[] {
  const most = 100
  const rest = changed.length - most
  if (changed.length === 0) return []
  return [
    {
      kind: 'details',
      summary: [`Source: ${changedPhrase(changed)}`],
      blocks: [
        {
          kind: 'table',
          head: [['File'], [], ['What it is'], ['Whose doing']],
          rows: changed
            .slice(0, most)
            .map((one) => [[code(one.path)], [one.how], [one.kind], [one.cause ?? sideOf(one)]]),
        },
        ...(rest > 0 ? [{ kind: 'paragraph', content: [`${rest} more in `, code('report.json'), '.'] } as const] : []),
      ],
    },
  ]
}

function lockfileDetails(lockfile: LockfileComparison): Block[] {
  const number = differing(lockfile)
  if (number === 0 && lockfile.diff === null) return []
  const { scratch } = lockfile.packages
  const of = scratch === null || number > scratch ? '' : ` of ${scratch}`
  const says =
    number > 0
      ? `${number}${of} packages ${number === 1 ? 'differs' : 'differ'}`
      : lockfile.compared === 'same'
        ? 'same packages'
        : 'as text'
  const lines =
    number > 0 ? packageLines(lockfile) : shortened((lockfile.diff ?? '').split('\n').filter((line) => line !== ''))
  return [
    {
      kind: 'details',
      summary: t`Lockfile, ${code(lockfile.path)}: ${says}`,
      blocks: [{ kind: 'diff', lines }],
    },
  ]
}

/** The first packages that differ, the loudest first, and how many more there are. */
function packageLines({ changed, added, removed }: LockfileComparison): string[] {
  const most = 20
  const line = (sign: string, { name, direct }: { name: string; direct?: boolean }, version: string) =>
    `${sign}${name} ${version}`.trimEnd() + (direct === true ? '  (direct)' : '')
  const packages = [
    ...loudestFirst(changed).map((one) => [line('-', one, one.from), line('+', one, one.to)]),
    ...removed.map((one) => [line('-', one, one.version)]),
    ...added.map((one) => [line('+', one, one.version)]),
  ]
  const rest = packages.length - most
  return [...packages.slice(0, most).flat(), ...(rest > 0 ? [`  … ${rest} more packages in report.json`] : [])]
}

/** A diff is there to be looked at: the first lines of a long one do. */
function shortened(lines: readonly string[]): string[] {
  const most = 200
  return lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most), `  … ${lines.length - most} more lines in report.json`]
}

function testsDetails({ tests }: Comparison): Block[] {
  if (tests.scratch === null || tests.ci === null) return []
  const { repeats } = tests
  const rows: [Inlines, string, string, number][] = [
    [['agreed'], 'passed', 'passed', tests.agreedPassed],
    [['agreed'], 'failed as expected', 'failed as expected', tests.agreedExpected],
    [['agreed'], 'did not pass', 'did not pass', tests.agreed - tests.agreedPassed - tests.agreedExpected],
    [
      ['failed as expected on one side'],
      ended(tests.unexpected.map((pair) => pair.scratch.status)),
      ended(tests.unexpected.map((pair) => pair.ci.status)),
      tests.unexpected.length,
    ],
    [['skipped on both sides'], 'skipped', 'skipped', tests.skippedInBoth],
    [[strong('flipped')], 'passed', 'failed', tests.flipped.filter((pair) => pair.scratch.status === 'passed').length],
    [[strong('flipped')], 'failed', 'passed', tests.flipped.filter((pair) => pair.scratch.status !== 'passed').length],
    ...tests.skippedInScratch.map((one): [Inlines, string, string, number] => [
      t`skipped there, ran here: ${skipLabel(one)}`,
      'skipped',
      ended(one.pairs.map((pair) => pair.ci.status)),
      one.pairs.length,
    ]),
    ...tests.skippedInCi.map((one): [Inlines, string, string, number] => [
      t`ran there, skipped here: ${skipLabel(one)}`,
      ended(one.pairs.map((pair) => pair.scratch.status)),
      'skipped',
      one.pairs.length,
    ]),
    [['only there'], ended(tests.onlyScratch.map((one) => one.status)), '', tests.onlyScratch.length],
    [['only in CI'], '', ended(tests.onlyCi.map((one) => one.status)), tests.onlyCi.length],
    [['another entry of the same'], ended(repeats.scratch.map((one) => one.status)), '', repeats.scratch.length],
    [['another entry of the same'], '', ended(repeats.ci.map((one) => one.status)), repeats.ci.length],
  ]
  const notThere = casesIn(tests.skippedInScratch)
  const parts = [
    `${tests.agreed} agreed`,
    ...(tests.flipped.length > 0 ? [`${tests.flipped.length} flipped`] : []),
    ...(notThere > 0 ? [`${notThere} skipped there`] : []),
    ...(casesIn(tests.skippedInCi) > 0 ? [`${casesIn(tests.skippedInCi)} skipped here`] : []),
    ...(tests.onlyScratch.length > 0 ? [`${tests.onlyScratch.length} only there`] : []),
    ...(tests.onlyCi.length > 0 ? [`${tests.onlyCi.length} only in CI`] : []),
  ]
  const times = timesSentence(tests)
  return [
    {
      kind: 'details',
      summary: [`Tests: ${parts.join(', ')}`],
      blocks: [
        {
          kind: 'table',
          head: [[], ['Scratch box'], ['CI'], ['cases']],
          rows: rows
            .filter(([, , , number]) => number > 0)
            .map(([name, there, here, number]) => [name, [there], [here], t`${number}`]),
        },
        ...(times === null ? [] : [{ kind: 'paragraph', content: times } as const]),
      ],
    },
  ]
}

/** How a group of cases ended: the one status that all have, or `mixed`. */
function ended(statuses: readonly string[]): string {
  const all = new Set(statuses)
  return all.size === 1
    ? (statuses[0] ?? '')
    : all.size === 0
      ? ''
      : `mixed: ${[...all].map((status) => `${count(statuses.filter((one) => one === status).length, status, status)}`).join(', ')}`
}
