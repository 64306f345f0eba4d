import { code, type Inlines, t } from '../document.ts'

/** A finding in words: what is so, and then the particulars, the honest causes and what to run. */
export interface Sentence {
  readonly lead: Inlines
  readonly detail: Inlines
}

/** What to run to remove a difference; nothing where no command is known. */
export function again(command: string | null): Inlines {
  return command === null ? [] : t` To run the same experiment: ${code(command)}.`
}
