import { code, enumerate, type Inlines, t } from '../document.ts'

/** A finding in words: what is so, and then the particulars, the honest causes and what to run. */
export interface Sentence {
  readonly lead: Inlines
  readonly detail: Inlines
}

/** What to run to remove a difference; nothing where no command is known. */
export function again(...commands: readonly (string | null)[]): Inlines {
  const known = commands.filter((command) => command !== null)
  if (known.length === 0) return []
  return t` To run the same experiment: ${enumerate(
    known.map((command) => [code(command)]),
    known.length,
  )}.`
}

/** What is reviewed, in words. */
export function reviewed(under: 'commit' | 'working tree'): string {
  return under === 'commit' ? 'the commit under review' : 'the working tree'
}

/** A clause as the start of a sentence. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A clause as a sentence, what stands in it between back-ticks as code. */
export function asSentence(clause: string): Inlines {
  const parts = sentenceCase(clause).split('`')
  const paired = parts.length % 2 === 1
  return [...(paired ? parts.map((part, index) => (index % 2 === 0 ? part : code(part))) : [sentenceCase(clause)]), '.']
}
