import type { InstalledAgainstLock, InstalledComparison } from '../compare/comparison.ts'
import { acrossLegs, testsAcrossLegs } from '../judge/across.ts'
import type { Judgement } from '../judge/judgement.ts'
import { differencesOf } from '../judge/witness.ts'
import type { TestCase } from '../read/evidence.ts'
import { shownName } from '../read/junit-identity.ts'
import type { FileChange } from '../record/trees.ts'
import { plain } from './document.ts'
import { message } from './wording/findings.ts'
import { proof } from './wording/proved.ts'

/**
 * The report as data, by `report.schema.json`. Every list is complete, whatever the Markdown had to leave
 * out; null stands where nothing was measured.
 *
 * @returns JSON text that ends with a newline
 */
export function renderJson(judgement: Judgement): string {
  return `${JSON.stringify(asData(judgement), null, 2)}\n`
}

function asData(judgement: Judgement): unknown {
  const { comparison } = judgement.legs[0]
  const { scratch, exits, toolchain, lockfiles, installed, ciInstalled, tests, source } = comparison
  const groups = (list: typeof tests.skippedInScratch, side: 'scratch' | 'ci') =>
    list.flatMap(({ cause, detail, pairs }) =>
      pairs.map((pair) => ({ name: shownName(pair[side]), cause, detail, message: pair[side].message })),
    )
  return {
    schema: 1,
    conclusion: judgement.conclusion,
    ci: judgement.legs.map(({ result }) => result),
    legs: judgement.legs.map(({ result: { name }, comparison: leg }) => ({ name, differences: differencesOf(leg) })),
    across: { aspects: acrossLegs(judgement.legs), tests: testsAcrossLegs(judgement.legs) },
    scratch: { exitCode: exits.scratchCode, format: scratch?.format ?? null },
    witness: judgement.witness,
    differences: judgement.differences,
    findings: judgement.findings.map((finding) => ({
      id: finding.id,
      level: finding.level,
      message: message(finding),
      ...(finding.file === null ? {} : { file: finding.file }),
      ...(finding.line === null ? {} : { line: finding.line }),
    })),
    proved: judgement.proved.map((row) => {
      const { have, proved, notProved } = proof(row, judgement)
      return { have: plain(have), proved: plain(proved), notProved: plain(notProved) }
    }),
    toolchain: toolchain.map(({ key, scratch: there, ci, grade }) => ({ key, scratch: there, ci, grade })),
    lockfiles: lockfiles.map(
      ({ path, format, scratch: there, identical, compared, why, packages, added, removed, changed, artefacts }) => ({
        path,
        format,
        scratch: there,
        identical,
        compared,
        why,
        packages,
        added,
        removed,
        changed,
        artefacts,
      }),
    ),
    installed:
      installed.length === 0
        ? null
        : {
            ...againstLocks(installed.flatMap(({ againstLock }) => againstLock ?? [])),
            scratchAgainstCi: againstCi(installed.flatMap((one) => one.againstCi ?? [])),
          },
    ciInstalled: ciInstalled.length === 0 ? null : againstLocks(ciInstalled),
    tests: {
      scratch: tests.scratch,
      ci: tests.ci,
      flipped: tests.flipped.map((pair) => ({
        name: shownName(pair.scratch),
        scratch: pair.scratch.status,
        ci: pair.ci.status,
      })),
      unexpected: tests.unexpected.map((pair) => ({
        name: shownName(pair.scratch),
        scratch: pair.scratch.status,
        ci: pair.ci.status,
      })),
      skippedInScratch: groups(tests.skippedInScratch, 'scratch'),
      skippedInCi: groups(tests.skippedInCi, 'ci'),
      onlyScratch: tests.onlyScratch.map(shownName),
      onlyCi: tests.onlyCi.map(shownName),
      confirmed: tests.agreedPassed,
      skippedInBoth: tests.skippedInBoth,
      repeats: { scratch: tests.repeats.scratch.map(shownName), ci: tests.repeats.ci.map(shownName) },
      rerun: { scratch: tests.rerun.scratch.map(asRerun), ci: tests.rerun.ci.map(asRerun) },
      timeRanks: tests.timeRanks,
    },
    source: {
      scratchTree: source.scratchTree,
      headTree: source.headTree,
      ciTree: source.ciTree,
      same: source.same,
      changed: source.changed?.map(({ path }) => path) ?? null,
      changes: withoutContent(source.changed),
      afterBundle: withoutContent(source.afterBundle),
      bundleBrought: source.bundleBrought,
      judgeFiles: withoutContent(source.judgeFiles),
      merged: withoutContent(comparison.review.merged),
      script: source.script,
    },
  }
}

/** Files that differ, without the names of their contents. */
function withoutContent<T extends FileChange>(files: readonly T[] | null): Omit<T, 'oid'>[] | null {
  return files?.map(({ oid: _, ...file }) => file) ?? null
}

function asRerun(one: TestCase) {
  return { name: shownName(one), status: one.status, attempts: one.attempts }
}

/** What several ecosystems have, together; null where none was held against a lockfile. */
function againstLocks(of: readonly InstalledAgainstLock[]) {
  const none = of.length === 0
  return {
    notLocked: none ? null : of.flatMap((one) => one.notLocked),
    otherVersion: none ? null : of.flatMap((one) => one.otherVersion),
    missing: none ? null : of.flatMap((one) => one.missing),
    notInstalled: none ? null : of.reduce((sum, one) => sum + one.notInstalled, 0),
  }
}

function againstCi(of: readonly NonNullable<InstalledComparison['againstCi']>[]) {
  if (of.length === 0) return null
  return {
    added: of.flatMap((one) => one.added),
    removed: of.flatMap((one) => one.removed),
    changed: of.flatMap((one) => one.changed),
  }
}
