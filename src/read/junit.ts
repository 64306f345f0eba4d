import { createHash } from 'node:crypto'
import type { Problem, TestReport } from './evidence.ts'
import { CAP, Collector, type FileReport, isOfOneRun, ROOTS } from './junit-collect.ts'
import { clip, decodeText, lineOf } from './text.ts'
import { readXml, XmlError } from './xml.ts'
import { searchControl } from './xml-text.ts'

/**
 * Reads all JUnit XML of a bundle as one report.
 *
 * @param files each file's name in the bundle, and its bytes
 * @returns the report, null where no file can be read. A file that breaks off, or is something else, is an `unreadable`
 *   problem and no part of the report: half a run is never shown as a whole one.
 */
export function readTestReport(files: readonly { readonly file: string; readonly bytes: Uint8Array }[]): {
  report: TestReport | null
  problems: Problem[]
} {
  const problems: Problem[] = []
  const reports: (FileReport & { file: string; digest: string })[] = []
  let kept = 0
  for (const { file, bytes } of files) {
    const report = readJUnit(file, bytes, CAP - kept, problems)
    if (report === null) continue
    reports.push({ ...report, file, digest: createHash('sha256').update(bytes).digest('hex') })
    kept += report.cases.length + report.suiteProblems.length + report.countMismatches.length
  }
  if (reports.length === 0) return { report: null, problems }
  const seconds = reports.flatMap((one) => one.suiteSeconds ?? [])
  return {
    report: {
      files: reports.map((one) => one.file),
      cases: reports.length === 1 && reports[0] ? reports[0].cases : reports.flatMap((one) => one.cases),
      hollow: reports.flatMap((one) => one.hollow),
      suiteProblems: reports.flatMap((one) => one.suiteProblems),
      countMismatches: reports.flatMap((one) => one.countMismatches),
      hosts: [...new Set(reports.flatMap((one) => [...one.hosts]))],
      moments: reports.flatMap((one) => one.moments.flatMap(({ first, last }) => [first, last])),
      suiteSeconds: seconds.length === 0 ? null : seconds.reduce((a, b) => Math.max(a, b)),
      cachedCases: reports.reduce((sum, one) => sum + one.cachedCases, 0),
      digests: reports.flatMap((one) => (isOfOneRun(one) ? [{ file: one.file, digest: one.digest }] : [])),
    },
    problems,
  }
}

function readJUnit(file: string, bytes: Uint8Array, room: number, problems: Problem[]): FileReport | null {
  const encoding = declaredEncoding(bytes)
  const decoder = encoding === null ? null : decoderOf(encoding)
  if (encoding !== null && decoder === null) {
    const why = `its encoding, ${clip(encoding, 40)}, is not known: it is read as UTF-8, UTF-16 or what the XML declaration names`
    problems.push({ kind: 'unreadable', file, line: 1, why })
    return null
  }
  const { text, invalidAt } = decodeText(bytes, decoder)
  if (invalidAt !== null) problems.push({ kind: 'not-utf8', file, line: invalidAt })
  if (!/\S/.test(text)) {
    problems.push({ kind: 'unreadable', file, line: null, why: 'it is empty' })
    return null
  }
  const control = searchControl(text)
  if (control !== -1) problems.push({ kind: 'control-characters', file, line: lineOf(text, control) })
  const collector = new Collector(file, room)
  try {
    readXml(text, ROOTS, control !== -1 || text.includes('\r'), collector)
    return collector.report
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    problems.push({ kind: 'unreadable', file, line: error.line, why: error.message })
    return null
  }
}

/** The encoding that an XML declaration names, unless it is UTF-8 or UTF-16, which the bytes tell; null where there is none. */
function declaredEncoding(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const named = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1] ?? null
  return named === null || /^utf-?(?:8|16)/i.test(named) ? null : named
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    return null
  }
}
