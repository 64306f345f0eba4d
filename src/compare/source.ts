import type { Evidence } from '../read/evidence.ts'
import type { Review } from '../read/review.ts'
import type { SourceComparison } from './comparison.ts'

/** Compares the tree that the scratch run recorded with the tree under review, both without the bundle's own files. */
export function compareSources(scratch: Evidence | null, review: Review): SourceComparison {
  const scratchTree = scratch?.run?.gitTree ?? null
  const { headTree, ciTree } = review
  return {
    scratchTree,
    headTree,
    ciTree,
    same: scratchTree === null || headTree === null ? null : scratchTree === headTree,
    changed: review.changedSinceCapture,
    bundleChangedHere: review.bundleChangedHere,
  }
}
