import { compare } from './compare/compare.ts'
import { judge } from './judge/judge.ts'
import type { Judgement } from './judge/judgement.ts'
import type { Bundle } from './read/evidence.ts'
import { PlaceError } from './read/place.ts'
import type { Recording } from './read/recording.ts'
import { type Subject, unreadableSubject } from './read/subject.ts'
import { reasonOf } from './record/reason.ts'
import { withoutSecrets } from './report/mask.ts'
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
 * @throws where the command cannot be run, or where the bundle's directory is named wrongly; no bundle makes it throw
 */
export async function run(
  readSubject: () => Promise<Subject>,
  record: () => Promise<readonly [Recording, ...Recording[]]>,
  help: string | null,
): Promise<Outcome> {
  const subject = await readOrUnreadable(readSubject)
  const recordings = await record()
  try {
    return await conclude(subject, recordings, help)
  } catch (error) {
    // A bundle that this program cannot cope with counts as none: it must not take CI's result with it.
    const why = `it could not be compared: ${reasonOf(error)}`
    const bundle: Bundle = {
      ...subject.bundle,
      evidence: null,
      absent: 'no file can be read',
      problems: [{ kind: 'unreadable', file: '', line: null, why }],
    }
    return await conclude({ ...subject, bundle }, recordings, help)
  }
}

async function conclude(
  { bundle, review }: Subject,
  [first, ...others]: readonly [Recording, ...Recording[]],
  help: string | null,
): Promise<Outcome> {
  const comparisons = [first, ...others].map((recording) => compare(bundle, recording, review))
  const judgement = await withoutSecrets(
    judge([first.result, ...others.map((recording) => recording.result)], comparisons),
  )
  return { judgement, report: makeReport(judgement, help) }
}

async function readOrUnreadable(readSubject: () => Promise<Subject>): Promise<Subject> {
  try {
    return await readSubject()
  } catch (error) {
    if (error instanceof PlaceError) throw error
    return unreadableSubject(reasonOf(error))
  }
}
