import { Failure } from '../contract/failure.ts'
import { isDefaultTable } from './bucket-table.ts'
import { completeBuckets } from './complete-buckets.ts'
import { type FewestSlots, findProblems } from './find-problems.ts'
import type { Pool, PoolDraft } from './pool.ts'

/**
 * The pool that a draft stands for: checked, its name trimmed, its bucket table whole, fields that
 * are not ours left out (D-17, D-19 to D-23). A pool comes back equal.
 *
 * @throws Failure `bad_request` with the place and the remedy of the first problem.
 */
export function completePool(draft: PoolDraft, fewestSlots: FewestSlots = 1): Pool {
  const [problem] = findProblems(draft, fewestSlots)
  if (problem !== undefined) throw new Failure('bad_request', `${problem.place} ${problem.remedy}`)
  const table = completeBuckets(draft.buckets ?? [], draft.slots)
  return {
    name: draft.name.trim(),
    buckets: isDefaultTable(table) ? null : table,
    slots: draft.slots.map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId })),
  }
}
