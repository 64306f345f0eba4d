import type { Comparison, LockfileComparison } from '../../compare/comparison.ts'
import { differing } from '../../compare/packages.ts'
import type { Judgement, ProofRow } from '../../judge/judgement.ts'
import { recordedExits } from '../../judge/witness.ts'
import { code, count, type Inlines, plain, t } from '../document.ts'
import { label, machine, runtime, value } from './facts.ts'
import { casesIn } from './tests.ts'

/** A row of the decision table: what one has, what it proved, what it did not. */
export interface Proof {
  readonly have: Inlines
  readonly proved: Inlines
  readonly notProved: Inlines
}

/** The words of a row. Nothing is said to be proved that the bundle does not record. */
export function proof(row: ProofRow, { legs }: Judgement): Proof {
  const { comparison } = legs[0]
  const file = code(row.file ?? '')
  switch (row.kind) {
    case 'claim':
      return {
        have: t`\u201c${comparison.review.claim ?? ''}\u201d in the pull request's text`,
        proved: ['someone claimed success'],
        notProved: ['that any test ran'],
      }
    case 'exit':
      return exitProof(row, comparison)
    case 'tests':
      return testsProof(comparison)
    case 'toolchain': {
      const where = machine(comparison.scratch)
      const abi = comparison.toolchain.find(
        (one) => one.grade === 'abi' && (one.key.endsWith('soabi') || one.key.endsWith('modules')),
      )
      const other = comparison.toolchain.find((one) => one.grade === 'abi')
      const platform = comparison.toolchain.find((one) => one.grade === 'platform')
      return {
        have: [file],
        proved:
          where === null
            ? ['what was recorded there, and no more']
            : t`which tools ${comparison.scratch?.run?.toolsByPath ? 'were on its PATH' : 'ran'}, on ${where}`,
        notProved:
          platform !== undefined
            ? t`that it behaves the same on another platform: ${code(platform.scratch ?? '')} there, ${code(platform.ci ?? '')} here`
            : abi !== undefined
              ? t`that C extensions behave the same under another ABI: ${code(shortAbi(abi.scratch))} there, ${code(shortAbi(abi.ci))} here`
              : other !== undefined
                ? t`that it behaves the same with another ${label(other.key)}: ${value(other.scratch)} there, ${value(other.ci)} here`
                : ['that these tools give the same result twice'],
      }
    }
    case 'lock':
      return lockProof(row, comparison)
    case 'freeze':
      return freezeProof(row, comparison)
    case 'tree': {
      const { scratchTree, same, changed, otherBundles, ignored } = comparison.source
      if (scratchTree === null)
        return {
          have: t`${file}, with no tree`,
          proved: ['which command was run, and when'],
          notProved: ['of which source'],
        }
      const { base, merged } = comparison.review
      return {
        have: t`tree ${code(scratchTree.slice(0, 7))}`,
        proved:
          same === true
            ? t`the run was of exactly the files under review${otherBundles.length > 0 ? ', other bundles apart' : ''}`
            : ['which files the run was of'],
        notProved:
          same === false
            ? changed === null || changed.length === 0
              ? ['anything of the files under review: they are others']
              : [`anything of the ${count(changed.length, 'file that differs', 'files that differ')}`]
            : same === null
              ? ['that these are the files under review: that could not be compared']
              : [
                  ...(merged === null || merged.length === 0
                    ? ['that they give the same result here']
                    : t`the merge with ${base === null ? 'the base' : code(base)}: CI tested that`),
                  ...(ignored
                    ? t`; what ${count(ignored, 'ignored file or folder', 'ignored files and folders')} held`
                    : []),
                ],
      }
    }
    case 'sums':
      return {
        have: [file],
        proved: [
          comparison.scratch?.problems.some((one) => one.kind === 'edited-after-capture')
            ? 'that a file is not as it was when the sums were written'
            : 'the files are as the sums say',
        ],
        notProved: ['who wrote them'],
      }
  }
}

function exitProof(row: ProofRow, comparison: Comparison): Proof {
  const exit = comparison.scratch?.exits.find((one) => one.file === row.file)
  const file = code(row.file ?? '')
  if (exit === undefined || exit.code === null)
    return {
      have: exit?.word ? t`${file} says ${code(exit.word)}` : t`${file}, empty`,
      proved: ['nothing: it is no exit code'],
      notProved: ['that any test ran'],
    }
  const runner = exit.runner === 'command' ? undefined : exit.runner
  const there = runtime(comparison.scratch, runner)
  const here = runtime(comparison.ci, runner)
  const two = recordedExits(comparison.scratch)
  if (two !== null)
    return {
      have: t`${file} is ${exit.code}`,
      proved: [`nothing: the bundle gives two exit codes, ${two.run} and ${two.exit}`],
      notProved: ['how the run ended'],
    }
  const { ciCode } = comparison.exits
  const own = ciCode === null ? ['. CI alone says that'] : t`. CI's own exit code says that: ${ciCode}`
  return {
    have: t`${file} is ${exit.code}`,
    proved: t`${there ?? 'a command'} on the scratch box exited ${exit.code === 0 ? 'zero' : exit.code}`,
    notProved: [
      ...(exit.code === 0
        ? here === null || (there !== null && plain(here) === plain(there))
          ? ['that CI would']
          : t`that CI's ${here} would`
        : ['anything of CI']),
      ...own,
    ],
  }
}

function testsProof({ tests, scratch }: Comparison): Proof {
  const names = scratch?.tests?.files ?? []
  const have = names.length === 1 ? code(names[0] ?? '') : `${names.length} JUnit files`
  const mine = tests.scratch
  const sum = casesIn(tests.skippedInScratch)
  const skipped = mine?.skipped ?? 0
  const missing: string[] = []
  const { skips, cases } = tests.skippedAsOne
  const standing = skips === 0 ? '' : `, standing for ${skipped - skips + cases} tests`
  if (skipped > 0)
    missing.push(
      `the ${skipped} that ${skipped === 1 ? 'was' : 'were'} skipped there${standing}${sum > 0 && sum < skipped ? ` (${sum} of them ran here)` : ''}`,
    )
  if (tests.onlyCi.length > 0)
    missing.push(`the ${tests.onlyCi.length} that ${tests.onlyCi.length === 1 ? 'is' : 'are'} only in CI`)
  return {
    have: t`${have}, ${count(mine?.total ?? 0, 'case')}`,
    proved: [
      `${count(mine?.passed ?? 0, 'named test')} passed there${mine && mine.failed + mine.errors > 0 ? `, ${mine.failed + mine.errors} did not` : ''}`,
    ],
    notProved: [[...missing, 'stability', 'coverage'].join('; ')],
  }
}

function lockProof(row: ProofRow, comparison: Comparison): Proof {
  const lockfile = comparison.lockfiles.find((one) => one.file === row.file)
  const none = comparison.scratch?.locks.find((one) => one.file === row.file)?.none ?? false
  const file = code(row.file ?? '')
  if (none)
    return {
      have: t`${file} says ${code('NO_LOCKFILE')}`,
      proved: ['it looked for a lockfile and found none'],
      notProved: ['which versions were to be installed'],
    }
  if (lockfile === undefined)
    return { have: [file], proved: ['a file was copied'], notProved: ['which versions were to be installed'] }
  const { scratch } = lockfile.packages
  return {
    have: scratch === null ? [file] : t`${file}, ${count(scratch, 'package')}${ownOf(lockfile)}`,
    proved: [lockfile.weak === null ? 'inputs were named' : 'inputs were named, not all of them pinned'],
    notProved: lockGap(lockfile),
  }
}

function lockGap(lockfile: LockfileComparison): Inlines {
  if (lockfile.ignored) return ['that CI had the same: git ignores it, so that no commit has it']
  if (lockfile.changedHere === true && lockfile.compared === 'same')
    return ['that they are what was installed; this pull request changes it']
  if (lockfile.compared === 'could not compare') return ['that CI had the same: that could not be compared']
  if (lockfile.compared === 'same') return ['that they are what was installed']
  const number = differing(lockfile)
  const { scratch } = lockfile.packages
  // With another project's lockfile more differ than it has.
  const of = scratch === null || number > scratch ? '' : ` of ${scratch}`
  return number === 0
    ? t`that CI had the same artefacts: ${artefactsOf(lockfile)}${of} are others`
    : t`that CI had the same: ${number}${of} ${number === 1 ? 'differs' : 'differ'}`
}

function freezeProof(row: ProofRow, comparison: Comparison): Proof {
  const freeze = comparison.scratch?.freezes.find((one) => one.file === row.file)
  const installed = comparison.installed.find((one) => one.file === row.file)
  const extra = installed?.againstLock?.notLocked.length ?? 0
  return {
    have: t`${code(row.file ?? '')}, ${count(freeze?.packages.packages.filter((one) => !one.local).length ?? 0, 'package')}`,
    proved: ['what landed there once'],
    notProved: [
      `${comparison.scratch?.locks.length === 0 ? 'what was locked: there is no copy; ' : ''}what will land next time${extra > 0 ? `: ${extra} ${extra === 1 ? 'is' : 'are'} in no lockfile` : ''}`,
    ],
  }
}

/** `cp312` of `cpython-312-x86_64-linux-gnu`; another ABI as it is. */
function shortAbi(soabi: string | null): string {
  const match = /^cpython-(\d+t?)/.exec(soabi ?? '')
  return match === null ? (soabi ?? '') : `cp${match[1]}`
}

/** How many packages of one version are other bytes. */
function artefactsOf({ artefacts }: LockfileComparison): number {
  return (artefacts?.otherHash.length ?? 0) + (artefacts?.otherFile.length ?? 0)
}

/** That some of the packages are the project's own: workspace members and paths. */
function ownOf({ own, packages }: LockfileComparison): string {
  if (own === 0) return ''
  return own === packages.scratch ? ", the project's own" : `, ${own} of them the project's own`
}
