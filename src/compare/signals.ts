import { createHash } from 'node:crypto'
import type { Evidence, TestCase, TestReport } from '../read/evidence.ts'
import { type Moment, momentOf } from '../read/junit-time.ts'
import type { CopiedReport, RunSignals, Signals } from './comparison.ts'

/** From this many executed cases on, one time for all says something: fewer that wait a fixed time are common. */
const SAME_TIMES = 10
/** From this many on, no time at all does. */
const NO_TIMES = 5
/** From this many distinct times on, the same times on both sides are no chance. */
const DISTINCT = 20
/** What clocks that are rounded, or set while a run goes on, may differ by, in milliseconds. */
const SLACK = 60_000
/** Zones lie between 12 hours west and 14 hours east of Greenwich. */
const ZONES = 14 * 3_600_000

/**
 * What a report says of its own run beside the results: each a fact that has honest causes too.
 *
 * @param scratch the bundle's evidence; null where there is none
 * @param ci CI's own
 */
export function readSignals(scratch: Evidence | null, ci: Evidence): Signals {
  return { scratch: signalsOf(scratch), ci: signalsOf(ci), copied: copied(scratch?.tests ?? null, ci.tests) }
}

function signalsOf(evidence: Evidence | null): RunSignals {
  const report = evidence?.tests ?? null
  const executed = report?.cases.filter(({ status }) => status !== 'skipped') ?? []
  return {
    sameTime: sameTime(executed),
    noTime: report?.suiteSeconds === 0 && executed.every(({ seconds }) => seconds === 0) ? atLeast(executed) : null,
    cachedPackages: evidence?.run?.cached || null,
    cachedCases: report?.cachedCases || null,
    outside: evidence === null || report === null ? null : outside(evidence, report),
    otherHosts: evidence === null || report === null ? [] : otherHosts(evidence, report),
    hollow: report?.hollow ?? [],
    notWritten: report === null ? (evidence?.run?.missingJUnit[0] ?? null) : null,
  }
}

/** How many cases there are; null where they are too few to say anything. */
function atLeast(cases: readonly TestCase[]): number | null {
  return cases.length >= NO_TIMES ? cases.length : null
}

function sameTime(executed: readonly TestCase[]): RunSignals['sameTime'] {
  const [first] = executed
  if (!first?.seconds || executed.length < SAME_TIMES) return null
  const all = executed.every(({ seconds }) => seconds === first.seconds)
  return all ? { seconds: first.seconds, cases: executed.length } : null
}

/** The first timestamp that lies outside the run, with slack for clocks and for a zone that is not given. */
function outside({ run }: Evidence, report: TestReport): RunSignals['outside'] {
  const started = momentOf(run?.started ?? undefined)
  const ends = [run?.finished, ...(run?.others ?? []).map((other) => other.finished)]
  const finished = ends.flatMap((end) => momentOf(end ?? undefined) ?? []).at(-1) ?? null
  if (started === null) return null
  const isOutside = ({ at, zoned }: Moment) => {
    const slack = SLACK + (zoned ? 0 : ZONES)
    return at < started.at - slack || (finished !== null && at > finished.at + slack)
  }
  const stamp = report.moments.find(isOutside)
  return stamp === undefined ? null : { stamp: stamp.text, started: started.text, finished: finished?.text ?? null }
}

/** The machines that a report names, where none is the one whose toolchain was recorded. */
function otherHosts({ toolchain }: Evidence, { hosts }: TestReport): readonly string[] {
  const host = toolchain?.facts.get('host')?.value
  if (host === undefined) return []
  return hosts.some((name) => isHost(name, host)) ? [] : hosts
}

/** `capture_run.sh` records a digest of the name's first part, in lower case; of format 1 there may be the name itself. */
function isHost(name: string, recorded: string): boolean {
  const short = (host: string) => host.toLowerCase().split('.', 1)[0] ?? ''
  return short(name) === short(recorded) || digest(short(name)) === recorded
}

function digest(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 16)
}

/** A report that is on both sides: the same bytes, the same time of every single test, or the same moment to the fraction. */
function copied(scratch: TestReport | null, ci: TestReport | null): CopiedReport | null {
  if (scratch === null || ci === null) return null
  const same = scratch.digests.filter(({ digest: mine }) => ci.digests.some(({ digest: theirs }) => mine === theirs))
  if (same.length > 0) return { files: same.map(({ file }) => file), times: null, moment: null }
  const distinct = new Set(scratch.cases.map(({ seconds }) => seconds)).size
  const times = scratch.cases.length
  const alike = times === ci.cases.length && scratch.cases.every((one, at) => isSame(one, ci.cases[at]))
  if (alike && distinct >= DISTINCT) return { files: [], times, moment: null }
  const fine = scratch.moments.find(
    ({ text }) => /:\d\d[.,]\d{3}/.test(text) && ci.moments.some((one) => one.text === text),
  )
  return fine === undefined ? null : { files: [], times: null, moment: fine.text }
}

function isSame(one: TestCase, other: TestCase | undefined): boolean {
  return one.name === other?.name && one.scope === other.scope && one.seconds === other.seconds
}
