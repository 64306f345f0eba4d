import { appendFile } from 'node:fs/promises'
import { reasonOf } from '../record/reason.ts'
import { fitBytes } from './budget.ts'

/** The runner drops a summary of more than 1 MiB whole. */
const MOST_BYTES = 1024 * 1024

/**
 * Appends Markdown to the job summary.
 *
 * @param path the file that `GITHUB_STEP_SUMMARY` names
 * @returns a warning that says what to do, null where all is well; it never throws
 */
export async function writeJobSummary(path: string | undefined, markdown: string): Promise<string | null> {
  if (!path) return 'No job summary was written: GITHUB_STEP_SUMMARY is not set. The report is in the output `summary`.'
  try {
    await appendFile(path, fitBytes(markdown, MOST_BYTES - 1024, 'The rest is in the output `report`.'))
    return null
  } catch (error) {
    return `No job summary was written: ${reasonOf(error)}. The report is in the output \`summary\`.`
  }
}
