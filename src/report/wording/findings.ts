import type { Finding } from '../../judge/finding.ts'
import { plain } from '../document.ts'
import { bundleSentence } from './bundle.ts'
import { experimentSentence } from './experiment.ts'
import { outcomeSentence } from './outcome.ts'
import type { Sentence } from './sentence.ts'

/** The finding in words. */
export function sentence(finding: Finding): Sentence {
  const said = bundleSentence(finding) ?? outcomeSentence(finding) ?? experimentSentence(finding)
  if (said === null) throw new Error(`The finding ${finding.id} has no sentence.`)
  return said
}

/** The finding as plain text on one line, for JSON and annotations. */
export function message(finding: Finding): string {
  const { lead, detail } = sentence(finding)
  return detail.length === 0 ? plain(lead) : `${plain(lead)} ${plain(detail)}`
}
