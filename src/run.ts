import { compare } from './compare/compare.ts'
import { judge } from './judge/judge.ts'
import type { Judgement } from './judge/judgement.ts'
import type { Recording } from './read/recording.ts'
import type { Subject } from './read/subject.ts'
import { makeReport, type Report } from './report/report.ts'

/** What is said of a scratch run, as data and as a report. */
export interface Outcome {
  readonly judgement: Judgement
  readonly report: Report
}

/**
 * The whole story. The change's own evidence is read before any code of it runs; then CI runs and records; the two are
 * compared; CI alone concludes, and the report says what the scratch run is worth beside it.
 *
 * @param readSubject reads the committed bundle and what the repository says of the change
 * @param record runs the command and records it, or reads what earlier jobs recorded
 * @param help the address of the page that explains each line; null where there is none
 */
export async function run(
  readSubject: () => Subject,
  record: () => Promise<readonly [Recording, ...Recording[]]>,
  help: string | null,
): Promise<Outcome> {
  const { bundle, review } = readSubject()
  const [first, ...others] = await record()
  const comparisons = [first, ...others].map((recording) => compare(bundle, recording, review))
  const judgement = judge([first.result, ...others.map((recording) => recording.result)], comparisons)
  return { judgement, report: makeReport(judgement, help) }
}
