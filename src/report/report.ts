import type { Comparison } from '../compare/comparison.ts'
import type { Judgement, Leg } from '../judge/judgement.ts'
import { type Block, code, em, type Inlines, plain, strong, t } from './document.ts'
import { visible } from './escape.ts'
import { legsDetails, legsSummary } from './legs.ts'
import { particulars } from './particulars.ts'
import { moment, value } from './wording/facts.ts'
import { sentence } from './wording/findings.ts'
import { headline } from './wording/headline.ts'
import { proof } from './wording/proved.ts'
import { counts, transferSentence } from './wording/tests.ts'
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
      ...transfer(comparison),
      ...legsSummary(judgement),
      ...(judgement.proved.length === 0 ? [] : decisionTable(judgement)),
      ...(looked.length === 0 ? [] : whatToLookAt(looked)),
    ],
    details: [
      ...legsDetails(judgement),
      ...particulars(comparison),
      ...(noted.length === 0 ? [] : [notes(noted)]),
      closing(help),
    ],
  }
}

/** What became of what the scratch report claims. */
function transfer({ tests }: Comparison): Block[] {
  const content = transferSentence(tests)
  return content === null ? [] : [{ kind: 'paragraph', content }]
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
      ciRow(legs[0], legs.length > 1),
      [
        [{ icon: '👁️' }, 'Scratch box, a witness'],
        there === null
          ? [em('not recorded')]
          : exit !== null
            ? [`exit ${exit}`]
            : word
              ? [code(word)]
              : [em('not recorded')],
        there === null
          ? [
              em(
                comparison.bundle.absent === 'not read'
                  ? 'could not be read'
                  : comparison.review.under === 'commit'
                    ? 'no evidence was committed'
                    : 'no evidence is there',
              ),
            ]
          : ran(there, comparison.tests.scratch),
      ],
      [[strong(`What the ${passed(judgement) ? 'PASS' : 'run'} is worth`)], [code(witness)], worthOf(judgement)],
    ],
  }
}

/** The one leg of CI, or the nearest of several. */
function ciRow({ result, comparison }: Leg, named: boolean): Inlines[] {
  const { exitCode, signal, shared } = result
  const word = shared ? null : result.result
  const ended = exitCode !== null ? `exit ${exitCode}` : (signal ?? null)
  const said = word === null ? [] : ended === null ? [word] : [`${word}, ${ended}`]
  const name: Inlines = named ? t`CI, the judge: ${code(result.name)}, the nearest leg` : ['CI, the judge']
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

function closing(help: string | null): Block {
  const before: Inlines = ['CI alone decides this check.']
  return help === null
    ? { kind: 'paragraph', content: before }
    : { kind: 'link', before: [...before, ' '], text: 'What each line means', address: help }
}
