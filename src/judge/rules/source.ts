import { found, type Rule } from './rule.ts'

/** Which source the scratch run was of. */
export const source: Rule = ({ comparison: { scratch, source: trees, review } }) => {
  const limits = review.limits.map((limit) => found('notice', { id: 'source/not-compared', ...limit }))
  if (scratch === null) return limits
  const { scratchTree, headTree, same, changed, bundleChangedHere } = trees
  const hidden = scratch.run?.gitHidden ?? null
  const findings = []
  if (same === false && scratchTree !== null && headTree !== null)
    findings.push(
      found('warning', { id: 'source/other-tree', scratch: scratchTree, head: headTree, changed }, 'run.txt'),
    )
  if (same === null && bundleChangedHere === false) findings.push(found('warning', { id: 'source/left-over' }))
  if (scratchTree === null) findings.push(found('notice', { id: 'source/not-recorded' }))
  if (hidden !== null && hidden !== '0' && hidden !== 'no')
    findings.push(found('notice', { id: 'source/hidden', hidden }, 'run.txt'))
  return [...findings, ...limits]
}
