import type { InstalledAgainstLock } from '../compare/comparison.ts'
import type { Judgement } from '../judge/judgement.ts'
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
  const id = ({ name }: { readonly name: string }) => name
  const groups = (list: typeof tests.skippedInScratch, side: 'scratch' | 'ci') =>
    list.flatMap(({ cause, detail, pairs }) =>
      pairs.map((pair) => ({ name: pair[side].name, cause, detail, message: pair[side].message })),
    )
  return {
    schema: 1,
    conclusion: judgement.conclusion,
    ci: judgement.legs.map(({ result }) => result),
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
      installed === null
        ? null
        : {
            ...againstLock(installed.againstLock),
            scratchAgainstCi: installed.againstCi,
          },
    ciInstalled: ciInstalled === null ? null : againstLock(ciInstalled),
    tests: {
      scratch: tests.scratch,
      ci: tests.ci,
      flipped: tests.flipped.map((pair) => ({
        name: pair.scratch.name,
        scratch: pair.scratch.status,
        ci: pair.ci.status,
      })),
      skippedInScratch: groups(tests.skippedInScratch, 'scratch'),
      skippedInCi: groups(tests.skippedInCi, 'ci'),
      onlyScratch: tests.onlyScratch.map(id),
      onlyCi: tests.onlyCi.map(id),
    },
    source: {
      scratchTree: source.scratchTree,
      headTree: source.headTree,
      ciTree: source.ciTree,
      same: source.same,
      changed: source.changed,
    },
  }
}

function againstLock(against: InstalledAgainstLock | null) {
  return {
    notLocked: against?.notLocked ?? null,
    otherVersion: against?.otherVersion ?? null,
    missing: against?.missing ?? null,
    notInstalled: against?.notInstalled ?? null,
  }
}
