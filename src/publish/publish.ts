import { writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { setOutput } from '@actions/core'
import type { Finding } from '../judge/finding.ts'
import type { Judgement } from '../judge/judgement.ts'
import { reasonOf } from '../record/reason.ts'
import { type Block, code } from '../report/document.ts'
import { fitMarkdown } from '../report/fit.ts'
import { renderPage } from '../report/html.ts'
import { renderJson } from '../report/json.ts'
import { renderMarkdown } from '../report/markdown.ts'
import type { Report } from '../report/report.ts'
import { renderTerminal } from '../report/terminal.ts'
import { message } from '../report/wording/findings.ts'
import { type Annotation, type CheckResult, publishCheck } from './check.ts'
import * as log from './log.ts'
import { writeJobSummary } from './summary.ts'

/** Where and how an outcome is published. */
export interface Publication {
  /** A directory of this step's own, for the report's files. */
  readonly files: string
  /** The directory of the CI evidence that this step recorded; null where it recorded none. */
  readonly ciEvidence: string | null
  /** The bundle's directory relative to the repository, for annotations. */
  readonly bundle: string
  readonly check: 'new' | 'job' | 'none'
  readonly checkName: string
  readonly checkRunId: string | null
  readonly annotations: boolean
  readonly token: string
  readonly headSha: string | null
  readonly startedAt: Date
  readonly environment: NodeJS.ProcessEnv
}

/** The most bytes of a check's summary, and of its text. */
const CHECK_BYTES = 65_535

/**
 * Publishes an outcome: the files, the job summary, the check, the outputs, the step's own result. Whatever of it fails is
 * a warning that says what to do; the conclusion stays.
 */
export async function publish(
  outcome: { readonly judgement: Judgement; readonly report: Report },
  to: Publication,
): Promise<void> {
  const { judgement, report } = outcome
  const blocks = [...report.summary, ...report.details]
  const markdown = renderMarkdown(blocks)
  const paths = {
    report: join(to.files, 'report.json'),
    summary: join(to.files, 'report.md'),
    page: join(to.files, 'report.html'),
  }
  attempt(() => {
    writeFileSync(paths.report, renderJson(judgement))
    writeFileSync(paths.summary, markdown)
    writeFileSync(
      paths.page,
      renderPage(blocks, { conclusion: judgement.conclusion, name: to.checkName, title: report.title }),
    )
  })
  const summaryTrouble = await writeJobSummary(to.environment.GITHUB_STEP_SUMMARY, blocks)
  if (summaryTrouble !== null) log.warning(summaryTrouble)
  const check = await postCheck(outcome, to)

  const { comparison } = judgement.legs[0]
  const outputs: Record<string, string> = {
    conclusion: judgement.conclusion,
    'ci-exit-code': String(exitCodeOf(judgement) ?? ''),
    'scratch-exit-code': comparison.exits.scratchCode === null ? '' : String(comparison.exits.scratchCode),
    witness: judgement.witness,
    findings: String(judgement.findings.length),
    report: paths.report,
    summary: paths.summary,
    'ci-evidence': to.ciEvidence ?? '',
    'check-run-url': check?.posted ? check.url : '',
    'check-run-id': check?.posted ? String(check.id) : '',
  }
  attempt(() => {
    for (const [name, value] of Object.entries(outputs)) setOutput(name, value)
  })
  log.group(report.title, renderTerminal(blocks, false))
  if (judgement.conclusion !== 'success') log.fail(report.title)
}

/** The exit code that goes with the conclusion: of several legs a failed one's; null where none that is known does. */
function exitCodeOf({ conclusion, legs }: Judgement): number | null {
  const codes = legs.map(({ result }) => result.exitCode)
  if (conclusion === 'success') return codes.every((code) => code === 0) ? 0 : null
  return codes.find((code) => code !== null && code !== 0) ?? null
}

async function postCheck(
  { judgement, report }: { readonly judgement: Judgement; readonly report: Report },
  to: Publication,
): Promise<CheckResult | null> {
  const { environment } = to
  const [owner = '', repo = ''] = (environment.GITHUB_REPOSITORY ?? '').split('/')
  if (to.check === 'none') return null
  if (to.headSha === null || owner === '' || repo === '') {
    log.warning('No check was posted: the event names no commit. The job summary has the report.')
    return null
  }
  const fitted = (part: readonly Block[]) =>
    fitMarkdown(part, CHECK_BYTES, ['the job summary, and in the file that the output ', code('summary'), ' names'])
  const check = await publishCheck({
    mode: to.check,
    token: to.token,
    apiUrl: environment.GITHUB_API_URL || 'https://api.github.com',
    owner,
    repo,
    headSha: to.headSha,
    name: to.checkName,
    conclusion: judgement.conclusion,
    title: report.title,
    summary: fitted(report.summary),
    text: fitted(report.details),
    annotations: to.annotations ? annotationsOf(judgement.findings, to.bundle) : [],
    checkRunId: to.checkRunId,
    run: {
      origin: [
        environment.GITHUB_WORKFLOW_REF?.replace(/@.*$/, ''),
        environment.GITHUB_EVENT_NAME,
        environment.GITHUB_JOB,
      ].join(' '),
      id: `${environment.GITHUB_RUN_ID} ${environment.GITHUB_RUN_ATTEMPT}`,
    },
    detailsUrl: runAddress(environment),
    startedAt: to.startedAt.toISOString(),
    completedAt: new Date().toISOString(),
    // A cancelled job has ten seconds before it is killed.
    ...(judgement.conclusion === 'cancelled' ? { limits: { requestMs: 2_000, totalMs: 4_000 } } : {}),
  })
  if (check.posted) for (const note of check.notes) log.warning(note)
  else log.warning(`No check was posted: ${check.why} ${check.remedy}`)
  return check
}

/** Annotations on the bundle's files, one a finding. Never a failure: only CI can fail. */
function annotationsOf(findings: readonly Finding[], bundle: string): Annotation[] {
  return findings.flatMap((finding) => {
    if (finding.file === null || finding.file === '' || finding.level === 'info') return []
    const line = finding.line ?? 1
    return [
      {
        path: posix.join(bundle, finding.file),
        startLine: line,
        endLine: line,
        level: finding.level,
        title: `Scratch evidence: ${finding.id}`,
        message: message(finding),
      },
    ]
  })
}

function runAddress({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: NodeJS.ProcessEnv): string | null {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_RUN_ID) return null
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`
}

/** Does what may fail for reasons of the machine, such as a full disk, and says so where it does. */
function attempt(action: () => void): void {
  try {
    action()
  } catch (error) {
    log.warning(`A file of the report could not be written: ${reasonOf(error)}`)
  }
}
