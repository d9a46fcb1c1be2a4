import type { Bucket, Slot } from '../../contract/pools.ts'
import { bucketTable } from '../../pool/buckets.ts'
import { slotLabel, slotMods, type SlotPlay, slotsInPoolOrder } from '../../pool/slots.ts'
import { beatmapKey, type BeatmapUse, type BeatmapView } from './beatmap-book.ts'

/** What a pack, a pack key and a draft have in common. */
export type PoolLike<S extends Slot = Slot> = {
  readonly buckets?: readonly Bucket[] | null | undefined
  readonly slots: readonly S[]
}

/** A slot with all that is shown of it. */
export type SlotView = SlotPlay & {
  readonly slot: Slot
  /** `NM1`. */
  readonly label: string
  /** null for a slot without one. */
  readonly bucket: Bucket | null
  readonly beatmap: BeatmapView
}

/** Each slot with what it forces, in pool order. */
const playedSlots = <S extends Slot>({ slots, buckets = null }: PoolLike<S>) => {
  const plays = slotMods({ slots, buckets })
  const played = slots.map(({ mod, index }, at) => ({ mod, index, beatmapId: 0, at }))
  return slotsInPoolOrder({ buckets, slots: played }).flatMap(({ at }) => {
    const [slot, play] = [slots[at], plays[at]]
    return slot && play ? [{ slot, play }] : []
  })
}

/** What to look up for a pool, in pool order. */
export const usesOf = (pool: PoolLike): BeatmapUse[] =>
  playedSlots(pool).map(({ play }) => ({ id: play.beatmapId, mods: play.forced }))

/** The slots in pool order, with what is known of their beatmaps. */
export const slotViews = (pool: PoolLike, views: ReadonlyMap<string, BeatmapView>): SlotView[] => {
  const buckets = new Map<string, Bucket>(
    bucketTable(pool.buckets).map((bucket) => [bucket.code, bucket]),
  )
  return playedSlots(pool).map(({ slot, play }) => ({
    ...play,
    slot,
    label: slotLabel(slot),
    bucket: slot.mod === null ? null : (buckets.get(slot.mod) ?? null),
    beatmap: views.get(beatmapKey({ id: play.beatmapId, mods: play.forced })) ?? pending,
  }))
}

const pending: BeatmapView = { state: 'pending' }

/** Slots that stand together in a bucket, in pool order. */
export type BucketView = { readonly bucket: Bucket | null; readonly slots: readonly SlotView[] }

/** The buckets that have slots, in pool order; those without one in front. */
export const bucketViews = (slots: readonly SlotView[]): BucketView[] => {
  const byBucket = new Map<Bucket | null, SlotView[]>()
  for (const slot of slots) {
    const group = byBucket.get(slot.bucket)
    if (group === undefined) byBucket.set(slot.bucket, [slot])
    else group.push(slot)
  }
  return [...byBucket].map(([bucket, group]) => ({ bucket, slots: group }))
}

/** The id of the slot's row in the page; letters, digits and hyphens, so that no two are the same. */
export const slotRowId = ({ label }: Pick<SlotView, 'label'>): string =>
  `slot-${label.replace(' ', '-')}`

/** The id of the bucket's title in the page. */
export const bucketId = (bucket: Bucket | null): string => `bucket-${bucket?.code ?? ''}`
