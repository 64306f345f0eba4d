import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** The parts of `report.json` that the tests look at. */
interface Named {
  readonly name: string
  readonly version: string
}

interface ChangedFileData {
  readonly path: string
  readonly how: string
  readonly side: string | null
  readonly kind: string
  readonly cause: string | null
}

export interface ReportData {
  readonly conclusion: string
  readonly witness: string
  readonly ci: readonly {
    readonly exitCode: number | null
    readonly signal: string | null
    readonly result: string | null
  }[]
  readonly legs: readonly { readonly name: string; readonly differences: readonly string[] }[]
  readonly across: {
    readonly aspects: readonly {
      readonly aspect: string
      readonly same: number
      readonly differs: readonly string[]
      readonly notRecorded: number
    }[]
    readonly tests: { readonly legs: number; readonly all: number; readonly some: number; readonly none: number } | null
  }
  readonly scratch: { readonly exitCode: number | null; readonly format: number | null }
  readonly findings: readonly {
    readonly id: string
    readonly level: string
    readonly message: string
    readonly file?: string
    readonly line?: number
  }[]
  readonly proved: readonly { readonly have: string; readonly proved: string; readonly notProved: string }[]
  readonly toolchain: readonly {
    readonly key: string
    readonly grade: string
    readonly scratch: string | null
    readonly ci: string | null
  }[]
  readonly installed: { readonly notLocked: readonly Named[] | null } | null
  readonly ciInstalled: { readonly notLocked: readonly Named[] | null } | null
  readonly tests: {
    readonly scratch: unknown
    readonly ci: unknown
    readonly flipped: readonly unknown[]
    readonly skippedInScratch: readonly { name: string; cause: string }[]
    readonly onlyScratch: readonly unknown[]
    readonly onlyCi: readonly unknown[]
    readonly timeRanks: { readonly rho: number; readonly cases: number } | null
  }
  readonly source: {
    readonly same: boolean | null
    readonly changed: readonly string[] | null
    readonly changes: readonly ChangedFileData[] | null
    readonly afterBundle: readonly ChangedFileData[] | null
    readonly bundleBrought: boolean | null
    readonly judgeFiles: readonly { path: string; how: string; kind: string }[] | null
    readonly merged: readonly { path: string; how: string }[] | null
    readonly script: string | null
    readonly scratchTree: string | null
    readonly ciTree: string | null
    readonly headTree: string | null
  }
  readonly lockfiles: readonly {
    readonly path: string
    readonly compared: string
    readonly changed: readonly unknown[]
    readonly why: string | null
  }[]
}

const validate = new Ajv2020({ allErrors: true, strict: true, strictTypes: false }).compile(
  JSON.parse(readFileSync(new URL('../../src/report/report.schema.json', import.meta.url), 'utf8')),
)

/** Holds a report against its schema and returns it. */
export function checkedReport(json: string): ReportData {
  const data: unknown = JSON.parse(json)
  validate(data)
  assert.deepEqual(validate.errors ?? [], [])
  return data as ReportData
}

/** The ids of a report's findings. */
export function ids(report: ReportData): string[] {
  return report.findings.map((finding) => finding.id)
}
