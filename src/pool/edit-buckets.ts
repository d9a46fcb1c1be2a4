import type { Bucket, CustomBucket } from '../contract/bucket.ts'
import { isCustom } from './bucket-table.ts'
import { completeBuckets, freeColor } from './complete-buckets.ts'
import { freeIndex } from './edit-slots.ts'
import type { PoolDraft } from './pool.ts'

// Each edit returns a new draft with the whole table written out. A bucket that is not there, or a
// built-in where only a custom one can be changed, leaves the table as it is.

/** Adds a custom bucket directly before TB, in the lowest colour that is free. */
export function addBucket<D extends PoolDraft>(draft: D, code: string): D {
  const table = wholeTable(draft)
  const end = table.findIndex((bucket) => bucket.code === 'TB')
  return { ...draft, buckets: table.toSpliced(end, 0, { code, color: freeColor(table) }) }
}

/** Changes a custom bucket: its code, colour or mods. Its slots go with it. */
export function changeBucket<D extends PoolDraft>(
  draft: D,
  code: string,
  changed: CustomBucket,
): D {
  const table = wholeTable(draft)
  const at = table.findIndex((bucket) => bucket.code === code && isCustom(bucket))
  if (at < 0) return { ...draft, buckets: table }
  const slots = draft.slots.map((slot) =>
    slot.mod === code ? { ...slot, mod: changed.code } : slot,
  )
  return { ...draft, buckets: table.with(at, changed), slots }
}

/** Moves a bucket to a place in the table, counted from 0 without it. */
export function moveBucket<D extends PoolDraft>(draft: D, code: string, to: number): D {
  const table = wholeTable(draft)
  const bucket = table.find((each) => each.code === code)
  if (bucket === undefined) return { ...draft, buckets: table }
  return {
    ...draft,
    buckets: table.filter((each) => each !== bucket).toSpliced(Math.max(0, to), 0, bucket),
  }
}

/** Removes a custom bucket. No beatmap is lost: its slots go on without a bucket. */
export function removeBucket<D extends PoolDraft>(draft: D, code: string): D {
  const table = wholeTable(draft)
  const buckets = table.filter((bucket) => bucket.code !== code || !isCustom(bucket))
  if (buckets.length === table.length) return { ...draft, buckets }
  const slots = [...draft.slots]
  for (const [position, slot] of slots.entries()) {
    if (slot.mod === code) slots[position] = { ...slot, mod: null, index: freeIndex(slots, null) }
  }
  return { ...draft, buckets, slots }
}

function wholeTable(draft: PoolDraft): Bucket[] {
  return completeBuckets(draft.buckets ?? [], draft.slots)
}
