import type { Bucket } from '../contract/bucket.ts'
import type { Slot } from '../contract/slot.ts'
import { bucketTable } from './bucket-table.ts'

/**
 * The slots in pool order (D-20): those without a bucket first, then bucket by bucket, by index.
 * A slot whose mod is in no bucket comes last.
 */
export function slotsInPoolOrder<S extends Slot>(pool: {
  readonly buckets?: readonly Bucket[] | null | undefined
  readonly slots: readonly S[]
}): S[] {
  const ranks = new Map<string | null, number>([[null, -1]])
  for (const [rank, bucket] of bucketTable(pool.buckets).entries()) ranks.set(bucket.code, rank)
  const rankOf = (slot: S): number => ranks.get(slot.mod) ?? ranks.size
  return pool.slots.toSorted((a, b) => rankOf(a) - rankOf(b) || a.index - b.index)
}
