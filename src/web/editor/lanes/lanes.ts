import type { Bucket } from '../../../contract/bucket.ts'
import type { Edit, EditSlot } from '../edit.ts'

/** A bucket with its slots by number; `mod` is null for the slots without a bucket. */
export type Lane = {
  readonly mod: string | null
  readonly bucket: Bucket | null
  readonly slots: readonly EditSlot[]
}

/** The slots of a bucket by number. */
export const laneSlots = ({ slots }: Pick<Edit, 'slots'>, mod: string | null): EditSlot[] =>
  slots.filter((slot) => slot.mod === mod).toSorted((a, b) => a.index - b.index)

/** All lanes in pool order; the slots without a bucket come first, when there are any. */
export const lanesOf = (edit: Edit): Lane[] => {
  const loose = laneSlots(edit, null)
  return [
    ...(loose.length > 0 ? [{ mod: null, bucket: null, slots: loose }] : []),
    ...edit.buckets.map((bucket) => ({
      mod: bucket.code,
      bucket,
      slots: laneSlots(edit, bucket.code),
    })),
  ]
}

/** Whether a number below the lane's highest is free. */
export const hasGaps = ({ slots }: Lane): boolean => slots.some(({ index }, at) => index !== at + 1)

/** The slot with this key; undefined when it is gone. */
export const slotOf = ({ slots }: Pick<Edit, 'slots'>, key: number): EditSlot | undefined =>
  slots.find((slot) => slot.key === key)

export const hasBucket = (lane: Lane): lane is Lane & { readonly bucket: Bucket } =>
  lane.bucket !== null
