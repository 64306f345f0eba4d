import type { Judgement } from '../../judge/judgement.ts'
import type { Difference } from '../../judge/witness.ts'
import type { Inlines } from '../document.ts'

const DIFFERENCES: Readonly<Record<Difference, string>> = {
  platform: 'another platform',
  toolchain: 'another toolchain',
  lockfile: 'another lockfile',
  installed: 'other packages installed',
  command: 'another command',
  tests: 'another set of tests',
}

/** What stands behind the verdict in the head table: what was the same, what was not, and that it is a hint. */
export function worthOf({ witness, differences, legs }: Judgement): Inlines {
  const { tests, source } = legs[0].comparison
  const bound =
    source.same === true
      ? 'same source'
      : source.same === false
        ? 'other source'
        : witness === 'stale'
          ? 'an earlier source'
          : 'source not recorded'
  const fewer = tests.skippedInScratch.length + tests.onlyCi.length > 0
  const more = tests.skippedInCi.length + tests.onlyScratch.length > 0
  const set = fewer && more ? DIFFERENCES.tests : fewer ? 'fewer tests' : 'more tests than CI ran'
  const named = differences.map((difference) => (difference === 'tests' ? set : DIFFERENCES[difference]))
  switch (witness) {
    case 'none':
      return ['nothing was recorded, so there is nothing to compare']
    case 'incomplete':
      return ['whether it passed is not recorded']
    case 'inconsistent':
      return ['its own files do not agree. Not even a hint']
    case 'corroborated':
      return ['same source, same experiment, same result. Still a hint, not a gate']
    case 'unbound':
      return [`${bound}; what was recorded agrees. A hint, not a gate`]
    case 'contradicted':
      return [`${[bound, ...named, 'another result'].join(', ')}. A hint, not a gate`]
    default:
      return [`${[bound, ...named].join(', ')}. A hint, not a gate`]
  }
}
