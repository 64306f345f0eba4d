/**
 * Seconds of a time as reporters write it: `1.5`, `1,234.5`, `0,25`, `80.8us`, `0:01:02.5`; a whole number from 1,000,000
 * on is nanoseconds, which a few reporters write.
 *
 * @param written the attribute; undefined where there is none
 * @returns null where nothing is recorded, or nothing that is a duration
 */
export function secondsOf(written: string | undefined): number | null {
  if (written === undefined || written === '') return null
  const plain = plainSeconds(written)
  if (plain !== null) return plain
  const match = /^(?:(\d{1,4}):)?(?:(\d{1,4}):)?(\d[\d,]*(?:\.\d*)?(?:e[+-]?\d{1,2})?) *(ns|us|µs|μs|ms|s)?$/i.exec(
    written.slice(0, 40).trim(),
  )
  if (match === null) return null
  const [, first, second, last = '', unit = ''] = match
  const number = Number(/^0,|^\d+,\d{1,2}$/.test(last) ? last.replace(',', '.') : last.replaceAll(',', ''))
  const [hours, minutes] = second === undefined ? [0, Number(first ?? 0)] : [Number(first), Number(second)]
  const bare = unit === '' && first === undefined && Number.isInteger(number) && number >= 1e6
  const scale = UNITS.get(bare ? 'ns' : unit.toLowerCase()) ?? 1
  return Number.isFinite(number) ? number * scale + minutes * 60 + hours * 3600 : null
}

/** `1.234`, as nearly all reporters write it, a million times: without a regular expression. Null for any other form. */
function plainSeconds(written: string): number | null {
  if (written.length > 15) return null
  let digits = 0
  let scale = 0
  for (let at = 0; at < written.length; at++) {
    const digit = written.charCodeAt(at) - ZERO
    if (digit >= 0 && digit <= 9) {
      digits = digits * 10 + digit
      scale *= 10
    } else if (written[at] === '.' && scale === 0 && at > 0 && at < 7) scale = 1
    else return null
  }
  return scale > 1 ? digits / scale : null
}

const ZERO = 48

const UNITS = new Map([
  ['ns', 1e-9],
  ['us', 1e-6],
  ['µs', 1e-6],
  ['μs', 1e-6],
  ['ms', 1e-3],
])

/** A moment as a report records it. */
export interface Moment {
  /** As written. */
  readonly text: string
  /** Milliseconds since 1970; as if it were UTC where no zone is given. */
  readonly at: number
  /** Whether a zone is given. */
  readonly zoned: boolean
}

/** Reporters that know no time write that of their epoch. */
const EARLIEST = Date.UTC(2000, 0, 1)

/**
 * The moment of a timestamp: `2024-01-03T11:23:00.00`, with a space for the T, with `Z`, `+01:00` or no zone.
 *
 * @returns null for anything else, and for a time before 2000, which is a clock that was not set
 */
export function momentOf(written: string | undefined): Moment | null {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})? *(Z|[+-]\d\d:?\d\d)?$/i.exec(
    written?.slice(0, 48).trim() ?? '',
  )
  if (match === null) return null
  const [text, day, time, fraction = '', zone = 'Z'] = match
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : zone.replace(/^(...)(\d\d)$/, '$1:$2')
  const at = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${offset}`)
  return Number.isNaN(at) || at < EARLIEST ? null : { text, at, zoned: match[4] !== undefined }
}
