import type { Comparison, LockfileComparison, ToolchainRow } from '../compare/comparison.ts'
import { differing } from '../compare/packages.ts'
import { loudestFirst } from '../compare/step.ts'
import type { Judgement, Leg } from '../judge/judgement.ts'
import { type Block, code, count, em, type Inlines, plain, strong, t } from './document.ts'
import { visible } from './escape.ts'
import { gradeOf, label, moment, value } from './wording/facts.ts'
import { sentence } from './wording/findings.ts'
import { headline } from './wording/headline.ts'
import { proof } from './wording/proved.ts'
import { casesIn, counts, skipLabel, timesSentence } from './wording/tests.ts'
import { worthOf } from './wording/worth.ts'

/** Findings that are listed in full; the rest is counted. `report.json` has all. */
const LISTED = 12

/** GitHub shows a title of a check on one line, and has no use for a longer one. */
const TITLE = 250

/** What a reviewer sees, apart from how it is rendered. */
export interface Report {
  /** The check's title: one line of plain text. */
  readonly title: string
  /** The headline, the head table, the decision table and what to look at. */
  readonly summary: readonly Block[]
  /** The particulars, folded. */
  readonly details: readonly Block[]
}

/**
 * Makes the report of a judgement.
 *
 * @param help the address of the page that explains each line; null where there is none
 */
export function makeReport(judgement: Judgement, help: string | null): Report {
  const sentence = headline(judgement)
  const looked = judgement.findings.filter((finding) => finding.level !== 'info')
  const noted = judgement.findings.filter((finding) => finding.level === 'info')
  const { comparison } = judgement.legs[0]
  return {
    title: visible(plain(sentence), TITLE),
    summary: [
      { kind: 'paragraph', content: [strong(...sentence)] },
      headTable(judgement),
      ...(judgement.proved.length === 0 ? [] : decisionTable(judgement)),
      ...(looked.length === 0 ? [] : whatToLookAt(looked)),
    ],
    details: [
      ...(comparison.scratch === null ? [] : toolchainDetails(comparison.toolchain)),
      ...comparison.lockfiles.flatMap(lockfileDetails),
      ...testsDetails(comparison),
      ...(noted.length === 0 ? [] : [notes(noted)]),
      closing(help),
    ],
  }
}

/** Whether it is a PASS that is spoken of: one in the bundle, or without a bundle one in words alone. */
function passed({ legs }: Judgement): boolean {
  const { exits, scratch } = legs[0].comparison
  return scratch === null || exits.scratchCode === 0
}

function headTable(judgement: Judgement): Block {
  const { witness, legs } = judgement
  const { comparison } = legs[0]
  const there = comparison.scratch
  const exit = comparison.exits.scratchCode
  const word = comparison.exits.scratch.find((one) => one.word !== null)?.word
  return {
    kind: 'table',
    head: [[], ['Exit code'], ['What ran']],
    rows: [
      ...legs.map((leg, index) => ciRow(leg, legs.length > 1, index === 0)),
      [
        [{ icon: '👁️' }, 'Scratch box, a witness'],
        there === null
          ? [em('not recorded')]
          : exit !== null
            ? [`exit ${exit}`]
            : word
              ? [code(word)]
              : [em('not recorded')],
        there === null ? [em('no evidence was committed')] : ran(there, comparison.tests.scratch),
      ],
      [[strong(`What the ${passed(judgement) ? 'PASS' : 'run'} is worth`)], [code(witness)], worthOf(judgement)],
    ],
  }
}

function ciRow({ result, comparison }: Leg, named: boolean, nearest: boolean): Inlines[] {
  const { exitCode, signal, result: word } = result
  const ended = exitCode !== null ? `exit ${exitCode}` : (signal ?? null)
  const said = word === null ? [] : ended === null ? [word] : [`${word}, ${ended}`]
  const name: Inlines = named ? t`CI, the judge: ${code(result.name)}${nearest ? ' (nearest)' : ''}` : ['CI, the judge']
  return [
    [{ icon: '⚖️' }, strong(...name)],
    [strong(...(said.length > 0 ? said : [ended ?? 'no exit code']))],
    ran(comparison.ci, comparison.tests.ci),
  ]
}

/** What one side ran, as far as it says: command, tests, machine, moment. */
function ran(evidence: Comparison['ci'], tests: Comparison['tests']['ci']): Inlines {
  const get = (key: string) => evidence.toolchain?.facts.get(key)?.value
  const image = [get('image.os'), get('image.version')].filter(Boolean).join(' ')
  const when = evidence.run?.started ?? get('date')
  const parts: Inlines[] = [
    evidence.run?.command ? [code(evidence.run.command)] : [em('command not recorded')],
    tests === null ? [em('no JUnit XML')] : [counts(tests)],
    ...(image || get('distro') ? [value(image || (get('distro') ?? ''))] : []),
    ...(when === undefined ? [] : [moment(when)]),
  ]
  return parts.flatMap((part, index) => (index === 0 ? part : [' · ', ...part]))
}

function decisionTable(judgement: Judgement): Block[] {
  const rows = judgement.proved.map((row) => proof(row, judgement))
  return [
    {
      kind: 'heading',
      content: [`What the scratch ${passed(judgement) ? 'PASS' : 'run'} proved, and what it did not`],
    },
    {
      kind: 'table',
      head: [['You have'], ['It proved'], ['It did not prove']],
      rows: rows.map(({ have, proved, notProved }) => [have, proved, notProved]),
    },
  ]
}

function whatToLookAt(findings: Judgement['findings']): Block[] {
  const rest = findings.length - LISTED
  return [
    { kind: 'heading', content: ['What to look at'] },
    { kind: 'list', ordered: true, items: findings.slice(0, LISTED).map(item) },
    ...(rest > 0 ? [{ kind: 'paragraph', content: [`${rest} more in `, code('report.json'), '.'] } as const] : []),
  ]
}

function notes(findings: Judgement['findings']): Block {
  return {
    kind: 'details',
    summary: [`Also noted: ${findings.length}`],
    blocks: [{ kind: 'list', ordered: false, items: findings.slice(0, 4 * LISTED).map(item) }],
  }
}

function item(finding: Judgement['findings'][number]): Inlines {
  const { lead, detail } = sentence(finding)
  return detail.length === 0 ? [strong(...lead)] : [strong(...lead), ' ', ...detail]
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
  const rows: [Inlines, string, string, number][] = [
    [['agreed'], 'passed', 'passed', tests.agreedPassed],
    [['agreed'], 'did not pass', 'did not pass', tests.agreed - tests.agreedPassed],
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

function closing(help: string | null): Block {
  const before: Inlines = ['CI alone decides this check.']
  return help === null
    ? { kind: 'paragraph', content: before }
    : { kind: 'link', before: [...before, ' '], text: 'What each line means', address: help }
}
