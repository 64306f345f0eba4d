import type { SkipGroup } from '../../compare/comparison.ts'
import type { Finding } from '../../judge/finding.ts'
import type { TestCase } from '../../read/evidence.ts'
import { shownName } from '../../read/junit-identity.ts'
import { code, count, enumerate, group, type Inlines, t } from '../document.ts'
import { again, type Sentence } from './sentence.ts'
import { where } from './signals.ts'
import { casesIn, skipCauses } from './tests.ts'

/** The words for how the runs ended: exit codes and tests; null for another finding. */
export function outcomeSentence(finding: Finding): Sentence | null {
  switch (finding.id) {
    case 'exit/missing':
      return {
        lead: ['The bundle has no exit code.'],
        detail: finding.interrupted
          ? t`${code('run.txt')} says that the run began and not that it ended. To record one: run ${code('capture_run.sh')} again and let it finish.`
          : t`Whether the run passed is not recorded. To record it: ${code('./capture_run.sh -- COMMAND')}.`,
      }
    case 'exit/not-a-number':
      return {
        lead: t`${code(finding.file ?? '')} holds no exit code${finding.word === '' ? ': it is empty' : t`: it says ${code(finding.word)}`}.`,
        detail: t`An exit code is one integer, as ${code('echo $?')} prints it. To record it: ${code('./capture_run.sh -- COMMAND')}.`,
      }
    case 'exit/interrupted':
      return {
        lead: t`The scratch run was interrupted, by ${code(`SIG${finding.signal}`)}.`,
        detail: t`What it did not reach says nothing.${
          finding.notRun.length === 0
            ? []
            : t` Never run: ${enumerate(finding.notRun.map((command) => [code(command)]))}.`
        } To have all of it: run ${code('capture_run.sh')} again and let it finish.`,
      }
    case 'exit/two-answers':
      return {
        lead: t`The bundle gives two exit codes.`,
        detail: t`${code('run.txt')} says ${finding.run}, ${code(finding.file ?? '')} says ${finding.exit}. One script writes both in one go; run it again.`,
      }
    case 'exit/against-report':
      return {
        lead: t`${finding.side === 'ci' ? 'CI' : 'The scratch run'} exited 0, and its own XML has ${count(finding.failures, 'failure')}.`,
        detail: t`An exit code that is lost in a pipe (${code('… | tail')}) or in ${code('|| true')}, a hook that sets it, a process that ends itself and failures that are expected do that. ${finding.side === 'ci' ? t`The exit code counts. To keep it: no ${code('|| true')} and no pipe behind the command.` : t`To keep it: ${code('./capture_run.sh -- COMMAND')}, with no pipe behind it.`}`,
      }
    case 'exit/against-ci':
      return {
        lead: t`The scratch run exited ${finding.scratch}; CI ${finding.ci === null ? 'ended differently' : t`exited ${finding.ci}`}.`,
        detail:
          finding.ci === null
            ? ['CI recorded no exit code: it may have failed before its tests, or in a later step.']
            : finding.scratch === 0
              ? ['What differs between the two runs stands below; usually the cause is among it.']
              : ['The scratch run did not pass. CI did.'],
      }
    case 'exit/other-code':
      return {
        lead: t`Both runs failed, with other exit codes: ${finding.scratch} there, ${finding.ci} here.`,
        detail: [],
      }
    case 'tests/none-ran':
      return {
        lead: t`No test ran ${where(finding.side)}.`,
        detail:
          finding.skipped > 0
            ? t`The XML has ${count(finding.skipped, 'case')}, all skipped.`
            : ['The XML has no case.'],
      }
    case 'tests/no-report':
      return finding.side === 'scratch'
        ? {
            lead: ['The bundle has no JUnit XML.'],
            detail: finding.cargoTest
              ? t`Which tests ran there is not recorded: ${code('cargo test')} writes none. To record it: ${code('./capture_run.sh -- cargo nextest run')}.`
              : t`Which tests ran there is not recorded. To record it: ${code('./capture_run.sh --junit PATH -- COMMAND')}.`,
          }
        : {
            lead: ['CI wrote no JUnit XML.'],
            detail: finding.cargoTest
              ? t`Case by case there is nothing to compare with: ${code('cargo test')} writes none. To record it: let the command be ${code('cargo nextest run')}.`
              : t`Case by case there is nothing to compare with. To record it: let the command write one, and name it: ${code('junit')} of the action, ${code('--junit')} on the command line.`,
          }
    case 'tests/green-report':
      return {
        lead: t`Every case ${where(finding.side)} passed, and the exit code was ${finding.exit}.`,
        detail: [
          'A coverage threshold, a session hook, a suite that could not load or an unhandled error does that. The exit code counts.',
        ],
      }
    case 'tests/flipped':
      return {
        lead: t`${count(finding.pairs.length, 'test')} ended differently there and here.`,
        detail: t`${enumerate(finding.pairs.map(({ scratch, ci }) => t`${code(shownName(scratch))}: ${scratch.status} there, ${ci.status} here`))}.`,
      }
    case 'tests/expected':
      return {
        lead: t`${count(finding.pairs.length, 'test')} failed as expected on one side alone.`,
        detail: t`${enumerate(finding.pairs.map(({ scratch, ci }) => t`${code(shownName(scratch))}: ${ended(scratch)} there, ${ended(ci)} here`))}. A test that is known to be unstable, or a fault that is mended on one side, does that.`,
      }
    case 'tests/skipped-in-scratch': {
      const sum = casesIn(finding.groups)
      return {
        lead: t`${count(sum, 'test was', 'tests were')} skipped in the scratch box and ran in CI${failing(finding.groups, 'ci')}.`,
        detail: t`${skipCauses(finding.groups, 'there')}${failingNames(finding.groups, 'ci')}${finding.groups.some(({ cause }) => cause === 'module') ? again(finding.install) : []}`,
      }
    }
    case 'tests/skipped-in-ci': {
      const sum = casesIn(finding.groups)
      return {
        lead: t`${count(sum, 'test')} ran in the scratch box${failing(finding.groups, 'scratch', ',')} and ${sum === 1 ? 'was' : 'were'} skipped in CI: CI proved less.`,
        detail: t`${skipCauses(finding.groups, 'here')}${failingNames(finding.groups, 'scratch')}`,
      }
    }
    case 'tests/only-scratch':
      return {
        lead: t`${count(finding.cases.length, 'test is', 'tests are')} only in the scratch run${skippedOf(finding.cases, 'there')}: CI never ran ${finding.cases.length === 1 ? 'it' : 'them'}.`,
        detail: names(finding.cases),
      }
    case 'tests/only-ci':
      return {
        lead: t`${count(finding.cases.length, 'test is', 'tests are')} only in CI's run${skippedOf(finding.cases, 'here')}.`,
        detail: names(finding.cases),
      }
    case 'tests/suite-problem':
      return {
        lead: t`${count(finding.problems.length, 'problem')} in ${finding.side === 'ci' ? "CI's" : 'the scratch'} XML ${finding.problems.length === 1 ? 'belongs' : 'belong'} to a whole suite and to no test.`,
        detail: t`${finding.problems[0]?.message ? t`${code(finding.problems[0].message)}. ` : ''}A suite that could not be loaded or set up is reported so; its tests are then not in the XML.`,
      }
    case 'tests/count-mismatch':
      return {
        lead:
          finding.of === 'failures'
            ? t`A suite in ${code(finding.file ?? '')} counts ${count(finding.attribute, 'failure')}, and none of its cases has one.`
            : t`The totals in ${code(finding.file ?? '')} are not the number of its cases: ${finding.attribute} against ${finding.elements}.`,
        detail:
          finding.of === 'failures'
            ? t`A reporter that counts a failed hook or an attempt that was run again does that, and an edit of the file. To have it as the run wrote it: ${code('./capture_run.sh')}.`
            : ['Many reporters count so. The cases are what is compared.'],
      }
    default:
      return null
  }
}

function ended({ status }: TestCase): string {
  return status === 'expected' ? 'failed as expected' : status === 'error' ? 'in error' : status
}

/** How many of the tests that only one side ran did not pass there. */
function failing(groups: readonly SkipGroup[], side: 'scratch' | 'ci', end = ''): string {
  const failed = failedOf(groups, side).length
  return failed === 0 ? '' : `, where ${group(failed)} failed${end}`
}

function failingNames(groups: readonly SkipGroup[], side: 'scratch' | 'ci'): Inlines {
  const cases = failedOf(groups, side)
  return cases.length === 0 ? [] : t` Failed ${side === 'ci' ? 'here' : 'there'}: ${names(cases)}`
}

function failedOf(groups: readonly SkipGroup[], side: 'scratch' | 'ci'): TestCase[] {
  const cases = groups.flatMap(({ pairs }) => pairs.map((pair) => pair[side]))
  return cases.filter(({ status }) => status === 'failed' || status === 'error')
}

function skippedOf(cases: readonly TestCase[], where: 'there' | 'here'): string {
  const skipped = cases.filter(({ status }) => status === 'skipped').length
  return skipped === 0 ? '' : `, ${group(skipped)} of them skipped ${where}`
}

function names(cases: readonly TestCase[]): Inlines {
  return t`${enumerate(cases.map((one) => [code(shownName(one))]))}.`
}
