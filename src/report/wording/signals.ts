import type { Finding, Side } from '../../judge/finding.ts'
import type { TestCase } from '../../read/evidence.ts'
import { shownName } from '../../read/junit-identity.ts'
import { code, count, enumerate, group, type Inlines, t } from '../document.ts'
import { moment } from './facts.ts'
import type { Sentence } from './sentence.ts'

/** The words for what a report says of the run that wrote it; null for another finding. */
export function signalSentence(finding: Finding): Sentence | null {
  switch (finding.id) {
    case 'tests/copied': {
      const { files, times, moment } = finding.copied
      return {
        lead:
          moment !== null
            ? t`The scratch report and CI's are dated to the same fraction of a second, ${code(moment)}.`
            : times === null
              ? t`${enumerate(files.map((file) => [code(file)]))} ${files.length === 1 ? 'is' : 'are'} byte for byte what CI wrote.`
              : t`The scratch report and CI's have the same time for each of ${count(times, 'test')}.`,
        detail: [
          "Two runs do not begin and last the same to the millisecond: one report was made from the other. A file that is copied to both, or CI's artifact in the bundle, does that. To have the scratch run's own: ",
          code('./capture_run.sh'),
          '.',
        ],
      }
    }
    case 'tests/timestamp': {
      const { stamp, started, finished } = finding.outside
      return {
        lead: t`${own(finding.side)} report is dated ${code(stamp)}, and the run was ${finished === null ? t`from ${moment(started)} on` : t`from ${moment(started)} to ${moment(finished)}`}.`,
        detail: t`A report that an earlier run left, tests that were taken from a cache (Gradle's ${code('FROM-CACHE')}) and a clock that was set do that.${finding.side === 'scratch' ? t` To have one of this run: ${code('./capture_run.sh')}.` : ''}`,
      }
    }
    case 'tests/hostname':
      return {
        lead: t`${own(finding.side)} report names another machine than the one whose toolchain was recorded: ${enumerate(finding.hosts.map((host) => [code(host)]))}.`,
        detail: [
          'Tests that run in a container, or on another machine, do that: what they ran with is then not recorded. To record it: run ',
          code('capture_run.sh'),
          ' where the tests run.',
        ],
      }
    case 'tests/same-time':
      return {
        lead: t`All ${count(finding.cases, 'test')} that ran ${where(finding.side)} took the same time, ${String(finding.seconds)} s.`,
        detail: [
          'Measured times usually differ. Tests that wait a fixed time do that, and a reporter that writes whole seconds or a time of its own making.',
        ],
      }
    case 'tests/no-time':
      return {
        lead: t`${count(finding.cases, 'test')} ran ${where(finding.side)} in no time at all, their suites included.`,
        detail: [
          'Tests that are quicker than the reporter can count, and results that are taken from a cache, look like that.',
        ],
      }
    case 'tests/cached': {
      const { side, packages, cases } = finding
      const what = packages !== null ? count(packages, 'package') : `the packages of ${count(cases ?? 0, 'test')}`
      return {
        lead: t`Go answered ${what} from its cache ${where(side)}: ${packages === 1 ? 'its' : 'their'} tests did not run again.`,
        detail: t`The results are those of an earlier run of the same files. To run them: ${code('go test -count=1')}.`,
      }
    }
    case 'tests/hollow': {
      const one = finding.cases.length === 1
      return {
        lead: t`${count(finding.cases.length, 'file')} counted as ${one ? 'a passed test' : 'passed tests'} ${where(finding.side)} and ran no test of ${one ? 'its' : 'their'} own: ${names(finding.cases)}.`,
        detail: t`node:test does so for a file that defines no test, and for one that ends by ${code('process.exit()')} before its tests.`,
      }
    }
    case 'tests/rerun':
      return rerunSentence(finding.side, finding.cases)
    case 'tests/not-written': {
      const { side, exit, what } = finding
      return {
        lead: t`${side === 'ci' ? 'CI' : 'The scratch run'} ${exit === null ? 'ended' : `exited ${exit}`} and left no JUnit XML, which was to be written.`,
        detail: t`Nothing says that a test ran. Asked for: ${code(what)}. A process that ends itself (${code('os._exit()')}, ${code('sys.exit()')}), a run that stops before its tests, and tests in a container or with settings of their own do that.`,
      }
    }
    default:
      return null
  }
}

function rerunSentence(side: Side, cases: readonly TestCase[]): Sentence {
  const passed = cases.filter(({ status }) => status === 'passed')
  const attempts = cases.reduce((sum, one) => sum + one.attempts, 0)
  const again = t`${count(cases.length, 'test was', 'tests were')} run again ${where(side)}, ${attempts === 1 ? 'once' : `${group(attempts)} times in all`}`
  if (passed.length === 0)
    return {
      lead: t`${again}; ${cases.length === 1 ? 'it did not pass' : 'none passed'} in the end.`,
      detail: [...names(cases), '.'],
    }
  return {
    lead: t`${again}; ${passed.length === cases.length ? (passed.length === 1 ? 'it passed' : 'all passed') : `${group(passed.length)} passed`} in the end.`,
    detail: t`${names(passed)}. An earlier attempt is no case of its own. A test that fails and then passes says less than one that passes at once.`,
  }
}

function names(cases: readonly TestCase[]): Inlines {
  return enumerate(cases.map((one) => [code(shownName(one))]))
}

function own(side: Side): string {
  return side === 'ci' ? "CI's" : 'The scratch'
}

/** Where a run was, for the end of a phrase. */
export function where(side: Side): string {
  return side === 'ci' ? 'in CI' : 'in the scratch box'
}
