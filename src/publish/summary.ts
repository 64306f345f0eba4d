import { appendFile, lstat, writeFile } from 'node:fs/promises'
import { reasonOf } from '../record/reason.ts'
import { type Block, code, group } from '../report/document.ts'
import { fitMarkdown } from '../report/fit.ts'

/** The runner drops a summary of more than 1 MiB whole. */
const MOST_BYTES = 1024 * 1024

/** The report does with this much, however much the command under test wrote into the same file. */
const OWN_BYTES = 128 * 1024

/**
 * Appends a report to the job summary. What the command wrote there stays where both have room.
 *
 * @param path the file that `GITHUB_STEP_SUMMARY` names
 * @returns a warning that says what to do, null where all is well; it never throws
 */
export async function writeJobSummary(path: string | undefined, report: readonly Block[]): Promise<string | null> {
  if (!path) return 'No job summary was written: GITHUB_STEP_SUMMARY is not set. The report is in the output `summary`.'
  try {
    // Where the command put something else in its place, writing to it could wait for ever, or lead elsewhere.
    const there = await lstat(path).catch(() => null)
    if (there !== null && !there.isFile()) throw new Error(`${path} is no regular file any more`)
    const size = there?.size ?? 0
    const left = MOST_BYTES - size
    const markdown = fitMarkdown(report, Math.max(left, OWN_BYTES), [
      'the file that the output ',
      code('summary'),
      ' names',
    ])
    if (Buffer.byteLength(markdown) <= left) {
      await appendFile(path, markdown)
      return null
    }
    await writeFile(path, markdown)
    return `The job summary has the report alone: GitHub drops a summary of more than 1 MiB, and the command had written ${group(size)} bytes into it. Let it write less.`
  } catch (error) {
    return `No job summary was written: ${reasonOf(error)}. The report is in the output \`summary\`.`
  }
}
