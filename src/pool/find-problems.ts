import { MAX_CUSTOM_BUCKETS, NAME_LENGTH } from '../contract/bounds.ts'
import { isCustom } from './bucket-table.ts'
import { checkBuckets } from './check-buckets.ts'
import { checkSlots } from './check-slots.ts'
import { checkName } from './check-text.ts'
import type { PoolDraft, PoolProblem } from './pool.ts'
import { TakenCodes } from './taken-codes.ts'

/** How few slots a pool may have: a draft and a pack key may be empty, a saved pack may not (spec 2.8). */
export type FewestSlots = 0 | 1

/** Everything that keeps a draft from being a pool (D-19 to D-23); none when it can be completed. */
export function findProblems(draft: PoolDraft, fewestSlots: FewestSlots = 1): PoolProblem[] {
  const taken = new TakenCodes()
  const buckets = draft.buckets ?? []
  const room = Math.max(0, MAX_CUSTOM_BUCKETS - buckets.filter(isCustom).length)
  return [
    ...nameProblems(draft.name),
    ...checkBuckets(buckets, taken),
    ...checkSlots(draft.slots, taken, room, fewestSlots),
  ]
}

function nameProblems(name: string): PoolProblem[] {
  const remedy = checkName(name.trim(), NAME_LENGTH)
  return remedy === null ? [] : [{ place: 'name', remedy }]
}
