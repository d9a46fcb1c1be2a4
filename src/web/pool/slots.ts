import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { Bucket, Slot } from '../../contract/pools.ts'
import { bucketTable } from '../../pool/buckets.ts'
import { slotLabel, slotMods, type SlotPlay, slotsInPoolOrder } from '../../pool/slots.ts'
import { formatStars } from '../format.ts'
import { beatmapKey, type BeatmapUse, type BeatmapView } from './beatmaps.ts'

/** What a pack, a pack key and a draft have in common. */
export type PoolLike<S extends Slot = Slot> = {
  readonly buckets?: readonly Bucket[] | null | undefined
  readonly slots: readonly S[]
}

/** What to look up for a pool, in pool order. */
export const usesOf = (pool: PoolLike): BeatmapUse[] =>
  playedSlots(pool).map(({ play }) => ({ id: play.beatmapId, mods: play.forced }))

/** Each slot with what it forces, in pool order. */
function playedSlots<S extends Slot>({ slots, buckets = null }: PoolLike<S>) {
  const plays = slotMods({ slots, buckets })
  const played = slots.map(({ mod, index }, at) => ({ mod, index, beatmapId: 0, at }))
  return slotsInPoolOrder({ buckets, slots: played }).flatMap(({ at }) => {
    const [slot, play] = [slots[at], plays[at]]
    return slot && play ? [{ slot, play }] : []
  })
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

const pending: BeatmapView = { state: 'pending' }

/** The slots in pool order, with what is known of their beatmaps. */
export function slotViews(pool: PoolLike, views: ReadonlyMap<string, BeatmapView>): SlotView[] {
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

/** Slots that stand together in a bucket, in pool order. */
export type BucketView = { readonly bucket: Bucket | null; readonly slots: readonly SlotView[] }

/** The buckets that have slots, in pool order; those without one in front. */
export function bucketViews(slots: readonly SlotView[]): BucketView[] {
  const byBucket = Map.groupBy(slots, ({ bucket }) => bucket)
  return [...byBucket].map(([bucket, group]) => ({ bucket, slots: group }))
}

/** The id of the slot's row in the page; letters, digits and hyphens, so that no two are the same. */
export const slotRowId = ({ label }: Pick<SlotView, 'label'>): string =>
  `slot-${label.replace(' ', '-')}`

/** The id of the bucket's title in the page. */
export const bucketId = (bucket: Bucket | null): string => `bucket-${bucket?.code ?? ''}`

/**
 * The rating to show for a slot; null while nothing is known, and where the beatmap is gone. `isPlain`:
 * the slot forces mods whose rating is not known, and this is the one without.
 */
export function shownStars({ beatmap }: Pick<SlotView, 'beatmap'>) {
  if (beatmap.state !== 'known') return null
  const { stars, details } = beatmap
  return { stars: stars ?? details.stars, isPlain: stars === null }
}

/** `Nine Rivers – Harbour [Insane]`. */
export const beatmapName = ({ artist, title, difficulty }: BeatmapDetails): string =>
  `${artist} – ${title} [${difficulty}]`

/** A slot in one breath: `NM1: Nine Rivers – Harbour [Insane], 5.94 stars`. */
export function describeSlot({ label, slot, beatmap }: SlotView): string {
  if (beatmap.state === 'pending') return `${label}: beatmap ${slot.beatmapId}, loading`
  if (beatmap.state === 'gone') return `${label}: beatmap ${slot.beatmapId}, not found`
  const stars = formatStars(beatmap.stars ?? beatmap.details.stars)
  const plain = beatmap.stars === null ? ' without mods' : ''
  return `${label}: ${beatmapName(beatmap.details)}, ${stars} stars${plain}`
}
