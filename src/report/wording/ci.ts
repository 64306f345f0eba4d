import type { Finding } from '../../judge/finding.ts'
import { code, count, enumerate, group, t } from '../document.ts'
import { asSentence, type Sentence } from './sentence.ts'

/** The words for what CI's own side lacks; null for another finding. */
export function ciSentence(finding: Finding): Sentence | null {
  switch (finding.id) {
    case 'ci/not-recorded':
      return { lead: asSentence(finding.what), detail: asSentence(finding.remedy) }
    case 'ci/unreadable': {
      const { problem } = finding
      return {
        lead: t`CI's ${code(problem.file)} could not be read${problem.kind === 'unreadable' && problem.line !== null ? t`, line ${problem.line}` : ''}.`,
        detail: [
          ...(problem.kind === 'unreadable'
            ? asSentence(problem.why)
            : [`It has ${group(problem.bytes)} bytes; at most ${group(problem.cap)} are read.`]),
          ' What it holds was not compared.',
        ],
      }
    }
    case 'ci/stale-junit':
      return {
        lead: t`${count(finding.files.length, 'JUnit file is', 'JUnit files are')} older than CI's run, and not counted as CI's.`,
        detail: t`${enumerate(finding.files.map((file) => [code(file)]))}. To have CI's own: let ${code('command')} write it.`,
      }
    case 'ci/result-against-exit':
      if (finding.shared && finding.result !== 'success')
        return {
          lead: t`GitHub says ${code(finding.result)} of the legs together, and each that recorded an exit code recorded 0.`,
          detail: [
            "GitHub's word counts. A leg that failed before its tests, or in a later step, or that uploaded nothing does that.",
          ],
        }
      return {
        lead: t`GitHub says ${code(finding.result)} of ${code(finding.leg)}, whose recorded exit code is ${finding.exit}.`,
        detail: [
          finding.result === 'success'
            ? "GitHub's word counts. A step that may fail does that; and a recorded number can be written by the code under test."
            : "GitHub's word counts. A later step of the job does that, or another leg of it that uploaded nothing; and a recorded number can be written by the code under test.",
        ],
      }
    default:
      return null
  }
}
