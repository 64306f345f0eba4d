import type { Change, LockfileComparison, NameVersion } from '../../compare/comparison.ts'
import { differing } from '../../compare/packages.ts'
import { loudestFirst, stepOf } from '../../compare/step.ts'
import type { Finding } from '../../judge/finding.ts'
import { code, count, enumerate, type Inlines, t } from '../document.ts'
import { DIRECTED, gradeOf, label, value } from './facts.ts'
import { containerOf, remediesOf } from './remedies.ts'
import { again, asSentence, reviewed, type Sentence, sentenceCase } from './sentence.ts'

/** The words for what the runs were of: toolchain, lockfile, packages, command, source; null for another finding. */
export function experimentSentence(finding: Finding): Sentence | null {
  switch (finding.id) {
    case 'toolchain/missing':
      return {
        lead: t`The bundle has no ${code('toolchain.txt')}.`,
        detail: t`What the tests ran on is not recorded. To record it: ${code('./capture_run.sh -- COMMAND')}.`,
      }
    case 'toolchain/platform':
      return {
        lead: ['Another platform.'],
        detail: t`${differences(finding.rows)}. A PASS does not carry over from one to the other.${sameMachine(finding)}`,
      }
    case 'toolchain/abi': {
      const version = finding.rows.find((row) => row.key === `${finding.tool}.version`)
      const what = version === undefined ? label(finding.rows[0]?.key ?? finding.tool) : label(version.key)
      return {
        lead: finding.tool === 'libc' ? t`Another libc, and CI has the older.` : t`Another ${what} ABI.`,
        detail: t`${differences(finding.rows)}.${finding.tool === 'libc' ? sameMachine(finding) : again(...remediesOf(finding.rows))}`,
      }
    }
    case 'toolchain/drift':
      return {
        lead: ['Other versions of the tools.'],
        detail: t`${differences(finding.rows)}.${again(...remediesOf(finding.rows))}`,
      }
    case 'toolchain/not-recorded': {
      const [partly, oneSided] = [true, false].map((both) =>
        finding.rows.filter((row) => (row.scratch !== null && row.ci !== null) === both).map((row) => label(row.key)),
      )
      return {
        lead: t`${count(finding.rows.length, 'fact')} of the toolchain could not be compared.`,
        detail: t`${oneSided?.length ? t`Recorded on one side only: ${enumerate(oneSided, 6)}.` : []}${
          partly?.length ? t` Recorded on both sides, but not in full: ${enumerate(partly, 6)}.` : []
        } What is not recorded is not compared.`,
      }
    }
    case 'toolchain/by-path':
      return {
        lead: ['Which tools the scratch command started was not seen in its words.'],
        detail: t`Those on its ${code('PATH')} are recorded. To record them as used: name the tool in the command, as in ${code('./capture_run.sh -- .venv/bin/python -m pytest')}.`,
      }
    case 'lockfile/differs': {
      const { added, removed, changed, path, install } = finding.lockfile
      const number = differing(finding.lockfile)
      return {
        lead: t`${count(number, 'package differs', 'packages differ')} from the lockfile under review, ${code(path)}.`,
        detail: t`${changes(changed, added, removed, ['only in the lockfile under review', 'only in the scratch copy'], true)}.${again(install)}`,
      }
    }
    case 'lockfile/other-hash':
      return {
        lead: t`${count(finding.packages.length, 'package has', 'packages have')} the same version and other hashes.`,
        detail: t`${enumerate(finding.packages.map(nameVersion))}. The bytes that were locked there are not those that ${code(finding.path)} names.${again(finding.install)}`,
      }
    case 'lockfile/other-artefact':
      return {
        lead: t`For ${count(finding.packages.length, 'package')} the two lockfiles have no file for CI's platform in common.`,
        detail: t`${enumerate(finding.packages.map(nameVersion))}: the same version. A lockfile that was made for another platform does that.${again(finding.install)}`,
      }
    case 'lockfile/same-packages':
      return {
        lead: t`${code(finding.lockfile.file ?? 'lock.copy')} and ${code(finding.lockfile.path)} name the same packages in other bytes.`,
        detail: t`What else the two say differs: order, comments, conditions, ranges, where packages come from. ${sameArtefacts(finding.lockfile)}`,
      }
    case 'lockfile/none':
      return {
        lead: t`The scratch run found no lockfile; ${reviewed(finding.under)} has ${code(finding.lockfile.path)}.`,
        detail: t`Which versions it would install again is not pinned.${again(finding.lockfile.install)}`,
      }
    case 'lockfile/missing':
      return {
        lead: t`The bundle has no copy of the lockfile, ${code(finding.lockfile.path)}.`,
        detail: t`What the run was to install is not recorded. To record it: ${code('./capture_run.sh -- COMMAND')}.`,
      }
    case 'lockfile/nowhere':
      return {
        lead: [`The scratch run found no lockfile, and ${reviewed(finding.under)} has none of a name that is known.`],
        detail: ['Neither run pins what it installs: the next one may install other versions.'],
      }
    case 'lockfile/only-freeze':
      return {
        lead: t`The bundle lists what was installed and has no copy of the lockfile, ${code(finding.lockfile.path)}.`,
        detail: t`${code(finding.freeze)} says what landed, not what was asked for. To record both: ${code('./capture_run.sh -- COMMAND')}.`,
      }
    case 'lockfile/ignored':
      return {
        lead: t`The scratch run used ${code(finding.lockfile.path)}, which git ignores.`,
        detail: t`No commit has it, so that CI cannot install it. To have both install the same: ${code(`git add --force ${finding.lockfile.path}`)}.`,
      }
    case 'lockfile/not-compared': {
      const { file, path, why, notRead } = finding.lockfile
      const lines = notRead.map((entry) => t`${code(entry.text)}${entry.line === null ? '' : ` (line ${entry.line})`}`)
      return {
        lead: t`${code(file ?? path)} could not be compared package by package.`,
        detail: t`${why === null ? [] : asSentence(why)}${lines.length === 0 ? [] : t` Not understood: ${enumerate(lines)}.`}`,
      }
    }
    case 'lockfile/weak':
      return {
        lead: t`${code(finding.lockfile.path)} pins less than a lockfile does.`,
        detail: asSentence(finding.lockfile.weak ?? ''),
      }
    case 'installed/not-locked':
      return {
        lead: t`${count(finding.against.notLocked.length, 'installed package is', 'installed packages are')} in no lockfile.`,
        detail: t`${enumerate(finding.against.notLocked.map(nameVersion))}.${again(finding.against.install)}`,
      }
    case 'installed/other-version':
      return {
        lead: t`${count(finding.against.otherVersion.length, 'package was', 'packages were')} installed in the scratch box at another version than its own lockfile names.`,
        detail: t`Locked → installed: ${enumerate(finding.against.otherVersion.map((one) => change(one, false)))}.${again(finding.against.install)}`,
      }
    case 'installed/missing':
      return {
        lead: t`${count(finding.against.missing.length, 'package is', 'packages are')} locked for every platform and ${finding.against.missing.length === 1 ? 'was' : 'were'} not installed in the scratch box.`,
        detail: t`${enumerate(finding.against.missing.map(nameVersion))}.${again(finding.against.install)}`,
      }
    case 'installed/differs': {
      const difference = finding.installed.againstCi ?? { changed: [], added: [], removed: [] }
      const { changed, added, removed } = difference
      return {
        lead: t`${count(differing(difference), 'installed package differs', 'installed packages differ')} between the scratch box and CI.`,
        detail: t`${changes(changed, added, removed, ['only in CI', 'only there'])}.${again(finding.installed.againstLock?.install ?? null)}`,
      }
    }
    case 'installed/not-read':
      return {
        lead: t`${code(finding.file ?? '')} has ${count(finding.lines.length, 'line')} that ${finding.lines.length === 1 ? 'was' : 'were'} not understood.`,
        detail: t`${enumerate(finding.lines.map((line) => code(line.text)).map((inline) => [inline]))}. They are not compared.`,
      }
    case 'installed/ci-not-locked':
      return {
        lead: t`In CI, ${count(finding.against.notLocked.length, 'installed package is', 'installed packages are')} in no lockfile.`,
        detail: t`${enumerate(finding.against.notLocked.map(nameVersion))}.`,
      }
    case 'installed/ci-other-version':
      return {
        lead: t`CI itself ran ${count(finding.against.otherVersion.length, 'package')} at another version than its lockfile, ${code(finding.against.lockfile)}, names.`,
        detail: t`Locked → installed: ${enumerate(finding.against.otherVersion.map((one) => change(one, false)))}. What installs there resolves afresh instead of installing the lockfile.`,
      }
    case 'command/differs':
      return { lead: ['Another command.'], detail: t`${code(finding.scratch)} there, ${code(finding.ci)} here.` }
    default:
      return null
  }
}

function differences(rows: Extract<Finding, { id: 'toolchain/drift' }>['rows']): Inlines {
  return rows.flatMap((row, index) => {
    const grade = DIRECTED.has(row.key) && row.newer === 'ci' ? t` (${gradeOf(row)})` : []
    return [
      ...(index === 0 ? [] : ['; ']),
      ...t`${label(row.key)} ${value(row.scratch)} there, ${value(row.ci)} here${grade}`,
    ]
  })
}

function changes(
  changed: readonly Change[],
  added: readonly NameVersion[],
  removed: readonly NameVersion[],
  [onlyTo, onlyFrom]: readonly [string, string],
  directed = false,
): Inlines {
  const parts: Inlines[] = []
  if (changed.length > 0) parts.push(enumerate(loudestFirst(changed).map((one) => change(one, directed))))
  const lead = (text: string) => (parts.length === 0 ? sentenceCase(text) : text)
  if (added.length > 0) parts.push(t`${lead(onlyTo)}: ${enumerate(added.map(nameVersion))}`)
  if (removed.length > 0) parts.push(t`${lead(onlyFrom)}: ${enumerate(removed.map(nameVersion))}`)
  return parts.flatMap((part, index) => (index === 0 ? part : ['; ', ...part]))
}

/** Where one side is to become the other, an older version is said to be one. */
function change(one: Change, directed: boolean): Inlines {
  const { name, from, to } = one
  const older = directed && stepOf(one) === 'downgrade'
  return t`${code(name)} ${value(from)} → ${value(to)}${older ? ' (a downgrade)' : ''}`
}

function nameVersion({ name, version }: NameVersion): Inlines {
  return version === '' ? [code(name)] : t`${code(name)} ${value(version)}`
}

/** How to have CI's system and architecture. */
function sameMachine(ci: { readonly distro: string | null; readonly arch: string | null }): Inlines {
  const container = containerOf(ci.distro, ci.arch)
  return container === null
    ? [" To run the same experiment: use a machine or container image like CI's."]
    : again(container)
}

/** Whether packages of one version are the same bytes for CI's platform, as far as hashes are recorded. */
function sameArtefacts({ artefacts }: LockfileComparison): string {
  const { same = 0, notRecorded = 0 } = artefacts ?? {}
  if (same === 0) return 'Hashes that could tell whether they are the same artefacts are not recorded.'
  const rest = notRecorded === 0 ? '' : `; of ${notRecorded} no hashes are recorded`
  return `${same === 1 ? 'The artefact' : 'The artefacts'} of ${count(same, 'package')} ${same === 1 ? 'is' : 'are'} the same, by hash${rest}.`
}
