import type { Evidence } from '../../read/evidence.ts'
import { FETCH_REMEDY } from '../../read/review.ts'
import type { Finding } from '../finding.ts'
import { configuresTests } from '../witness.ts'
import { found, type Rule } from './rule.ts'

const NOT_THE_MERGE = {
  what: 'the captured tree is not that of the merge that was checked out; whether it is that of the commit under review cannot be told',
  remedy: FETCH_REMEDY,
}

/** Which source the scratch run was of, and CI's. */
export const source: Rule = ({ comparison: { scratch, source: at, review } }) => {
  const findings: Finding[] = []
  const run = scratch?.run?.source ?? null
  const { base } = review
  if (at.same === false && at.scratchTree !== null) {
    const head = at.headTree ?? at.ciTree ?? ''
    const { changed, scratchTree } = at
    const fact = {
      id: 'source/other-tree',
      scratch: scratchTree,
      head,
      changed,
      captured: run?.head ?? null,
      base,
      under: review.under,
    } as const
    findings.push(found('warning', fact, 'run.txt'))
  }
  if (at.otherBundles.length > 0)
    findings.push(found('info', { id: 'source/other-bundles', directories: at.otherBundles }, 'run.txt'))
  const { checkoutTree, headTree } = review
  if (
    at.same === null &&
    at.scratchTree !== null &&
    headTree === null &&
    checkoutTree !== null &&
    at.scratchTree !== checkoutTree
  )
    findings.push(found('notice', { id: 'source/not-compared', ...NOT_THE_MERGE }))
  if (scratch !== null && at.same !== true && at.bundleBrought === false)
    findings.push(found('warning', { id: 'source/left-over' }))
  if (at.afterBundle !== null && at.afterBundle.length > 0)
    findings.push(found('warning', { id: 'source/later-commits', changed: at.afterBundle, base }))
  if (scratch !== null && at.scratchTree === null)
    findings.push(found('notice', { id: 'source/not-recorded', why: whyNot(scratch) }))
  if (run !== null && run.hidden !== null && run.hidden !== '0' && run.hidden !== 'no')
    findings.push(found('notice', { id: 'source/hidden', hidden: run.hidden, paths: run.hiddenPaths }, 'run.txt'))
  for (const side of ['scratch', 'ci'] as const) {
    const paths = at.changedByRun[side]
    const level = side === 'scratch' ? 'notice' : 'info'
    if (paths.length > 0)
      findings.push(found(level, { id: 'source/changed-by-run', side, paths }, side === 'scratch' ? 'run.txt' : null))
  }
  if (at.submodules.length > 0)
    findings.push(found('notice', { id: 'source/submodules', submodules: at.submodules }, 'run.txt'))
  const { scratch: there, ci: here } = at.lfsPointers
  if ((there ?? 0) !== (here ?? 0))
    findings.push(found('notice', { id: 'source/lfs', scratch: there, ci: here }, 'run.txt'))
  if (at.filtered > 0) findings.push(found('notice', { id: 'source/filtered', files: at.filtered }, 'run.txt'))
  if (at.excluded.length > 0) {
    const level = at.excluded.some(configuresTests) ? 'notice' : 'info'
    findings.push(found(level, { id: 'source/excluded', paths: at.excluded.map(({ path }) => path) }, 'run.txt'))
  }
  if (at.lineEndings !== null) findings.push(found('info', { id: 'source/line-endings', ...at.lineEndings }, 'run.txt'))
  return [...findings, ...review.limits.map((limit) => found('notice', { id: 'source/not-compared', ...limit }))]
}

/** Why a bundle names no tree. */
function whyNot({ run, format, problems }: Evidence): 'format 1' | 'no run.txt' | 'no git' | 'not read' {
  if (run !== null) return run.source.head === null ? 'no git' : 'not read'
  const there = problems.some((problem) => 'file' in problem && problem.file === 'run.txt')
  return there || format === 2 ? 'no run.txt' : 'format 1'
}

/** What CI ran on beside the commit under review, and what of it the change under review sets for itself. */
export const judged: Rule = ({ comparison: { source: at, review } }) => {
  const findings: Finding[] = []
  if (at.judgeFiles !== null && at.judgeFiles.length > 0)
    findings.push(found('notice', { id: 'source/own-judge', files: at.judgeFiles, base: review.base }))
  if (at.ciDirt !== null && at.ciDirt.length > 0)
    findings.push(found('notice', { id: 'source/ci-tree', paths: at.ciDirt }))
  if (review.merged !== null && review.merged.length > 0)
    findings.push(found('info', { id: 'source/merged', files: review.merged, base: review.base }))
  return findings
}

/** Which script the bundle says it was made by. */
export const script: Rule = ({ comparison: { source: at } }) => {
  if (at.script === null || at.script === 'published') return []
  return [found(at.script === 'other' ? 'notice' : 'info', { id: 'source/script', script: at.script }, 'run.txt')]
}
