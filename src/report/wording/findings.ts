import type { Finding } from '../../judge/finding.ts'
import { plain } from '../document.ts'
import { bundleSentence } from './bundle.ts'
import { ciSentence } from './ci.ts'
import { experimentSentence } from './experiment.ts'
import { outcomeSentence } from './outcome.ts'
import type { Sentence } from './sentence.ts'
import { signalSentence } from './signals.ts'
import { sourceSentence } from './source.ts'

const WORDS = [bundleSentence, outcomeSentence, signalSentence, sourceSentence, experimentSentence, ciSentence]

/** The finding in words. */
export function sentence(finding: Finding): Sentence {
  const said = WORDS.map((words) => words(finding)).find((one) => one !== null) ?? null
  if (said === null) throw new Error(`The finding ${finding.id} has no sentence.`)
  return said
}

/** The finding as plain text on one line, for JSON and annotations. */
export function message(finding: Finding): string {
  const { lead, detail } = sentence(finding)
  return detail.length === 0 ? plain(lead) : `${plain(lead)} ${plain(detail)}`
}
