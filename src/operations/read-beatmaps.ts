import {
  type Beatmap,
  type Known,
  knownBeatmap,
  knownRating,
  type Rating,
  type RatingKey,
  ratingOf,
} from '../domain/beatmaps.ts'
import type { SlotPlay } from '../pool/slots.ts'
import type { BeatmapCache } from '../ports/beatmaps.ts'

/** A beatmap and the mods that its slot forces, in the order in which they are stored. */
export type BeatmapUse = Pick<SlotPlay, 'beatmapId' | 'forced'>

/** What is remembered of one use of a beatmap. */
export type KnownUse = {
  /** null when nothing is. */
  readonly beatmap: Known<Beatmap | 'gone'> | null
  /** Which rating it counts with; null when that is the plain one, or cannot be told. */
  readonly ratingKey: RatingKey | null
  /** null when nothing is known of it, or there is no key. */
  readonly rating: Known<Rating> | null
}

const keyOf = (use: BeatmapUse, beatmap: Beatmap | 'gone' | undefined): RatingKey | null =>
  beatmap === undefined || beatmap === 'gone'
    ? null
    : ratingOf({ ...use, countsAs: null }, beatmap.ruleset)

/** What the platform has said of these before, in their order; it is not asked. */
export const readBeatmaps = async (
  { beatmapCache }: { beatmapCache: BeatmapCache },
  uses: readonly BeatmapUse[],
  now: number,
): Promise<readonly KnownUse[]> => {
  const ids = [...new Set(uses.map(({ beatmapId }) => beatmapId))]
  const beatmaps = await beatmapCache.readBeatmaps(ids)
  const keyed = uses.map((use) => {
    const entry = beatmaps.get(use.beatmapId)
    const beatmap = entry === undefined ? null : knownBeatmap(entry.beatmap, entry.at, now)
    return { beatmap, ratingKey: keyOf(use, entry?.beatmap) }
  })
  const ratings = await beatmapCache.readRatings(keyed.flatMap(({ ratingKey }) => ratingKey ?? []))
  const inOrder = ratings.values()
  return keyed.map(({ beatmap, ratingKey }) => {
    const entry = ratingKey === null ? null : (inOrder.next().value ?? null)
    const rating = entry === null ? null : knownRating(entry.rating, entry.at, now)
    return { beatmap, ratingKey, rating }
  })
}
