import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { Bucket, Slot } from '../../contract/pools.ts'
import type { Round } from '../../contract/rounds.ts'
import type { Pool } from '../../pool/pool.ts'
import {
  bucketTable,
  slotLabel,
  slotMods,
  type SlotPlay,
  slotsInPoolOrder,
} from '../../pool/slots.ts'
import { beatmapKey, type ModdedBeatmap, type BeatmapView } from './beatmaps.ts'

/** What a pack, a pack key and a draft have in common. */
export type PoolLike = { buckets?: readonly Bucket[] | null | undefined; slots: readonly Slot[] }

/** A slot of a round may have no beatmap. */
export const isFilled = <S extends { readonly beatmapId?: number | undefined }>(
  slot: S,
): slot is S & { readonly beatmapId: number } => slot.beatmapId !== undefined

/** A round as a pool: its slots that have beatmaps. */
export const poolOfRound = ({ name, buckets, slots }: Round): Pool => ({
  name,
  buckets: buckets ?? null,
  slots: slots.filter(isFilled),
})

/** What to look up for a pool, in pool order. */
export const usesOf = (pool: PoolLike): ModdedBeatmap[] => playsOf(pool).map(useOf)

function playsOf({ slots, buckets = null }: PoolLike) {
  const ordered = slotsInPoolOrder({ slots, buckets })
  return slotMods({ slots: ordered, buckets }).map((play, at) => ({ ...play, slot: ordered[at]! }))
}

const useOf = ({ beatmapId, forced }: SlotPlay): ModdedBeatmap => ({ id: beatmapId, mods: forced })

/** A slot with all that is shown of it. */
export type SlotView = SlotPlay & {
  readonly slot: Slot
  /** `NM1`. */
  readonly label: string
  /** null for a slot without one. */
  readonly bucket: Bucket | null
  readonly beatmap: BeatmapView
}

/** The slots in pool order, with what is known of their beatmaps. */
export function slotViews(pool: PoolLike, views: ReadonlyMap<string, BeatmapView>): SlotView[] {
  const buckets = new Map<string | null, Bucket>()
  for (const bucket of bucketTable(pool.buckets)) buckets.set(bucket.code, bucket)
  return playsOf(pool).map((play) => ({
    ...play,
    label: slotLabel(play.slot),
    bucket: buckets.get(play.slot.mod) ?? null,
    beatmap: views.get(beatmapKey(useOf(play))) ?? { state: 'pending' },
  }))
}

export type BucketView = { readonly bucket: Bucket | null; readonly slots: readonly SlotView[] }

/** The buckets that have slots, in pool order; slots without one come first. */
export function bucketViews(slots: readonly SlotView[]): BucketView[] {
  const byBucket = Map.groupBy(slots, ({ bucket }) => bucket)
  return [...byBucket].map(([bucket, group]) => ({ bucket, slots: group }))
}

/** The id of the slot's row in the page; letters, digits and hyphens, so that all are different. */
export const slotRowId = ({ label }: Pick<SlotView, 'label'>): string =>
  `slot-${label.replace(' ', '-')}`

export const bucketId = (bucket: Bucket | null): string => `bucket-${bucket?.code ?? ''}`

/** The rating to show, if any; `isPlain`: without mods, because there is none with them, or it is not known. */
export function shownStars({ beatmap }: Pick<SlotView, 'beatmap'>) {
  if (beatmap.state !== 'known') return null
  const { stars, details, noRating = false } = beatmap
  return { stars: stars ?? details.stars, isPlain: stars === null || noRating, noRating }
}

/** `Nine Rivers – Harbour [Insane]`. */
export const beatmapName = ({ artist, title, difficulty }: BeatmapDetails): string =>
  `${artist} – ${title} [${difficulty}]`
