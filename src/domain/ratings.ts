import type { RatingKey } from './beatmaps.ts'
import { ratingText } from './beatmaps.ts'

/** A rating that is compared each day. */
export type CanaryRating = { readonly key: RatingKey; readonly stars: number }

/** What such a rating was, and what it has become. */
export type RatingChange = {
  readonly key: RatingKey
  readonly before: number
  readonly after: number
}

/**
 * The ratings that are compared each day (D-95): real beatmaps, of each ruleset one, and one with HD. The platform
 * converts those of base to taiko and fruits.
 */
export const canaries: readonly RatingKey[] = [
  { beatmapId: 129891, ruleset: 'base', mods: ['HD'] },
  { beatmapId: 75, ruleset: 'base', mods: ['DT'] },
  { beatmapId: 3631491, ruleset: 'taiko', mods: ['DT'] },
  { beatmapId: 2069833, ruleset: 'fruits', mods: ['HR'] },
  { beatmapId: 5590715, ruleset: 'mania', mods: ['DT'] },
]

/** Half of the last decimal that is shown: less is rounding. */
const ROUNDING = 0.005

/** Which of these ratings are others than before; one that was not known before is no change. */
export function ratingChanges(
  before: readonly CanaryRating[],
  now: readonly CanaryRating[],
): readonly RatingChange[] {
  const known = new Map(before.map(({ key, stars }) => [ratingText(key), stars]))
  return now.flatMap(({ key, stars: after }) => {
    const stars = known.get(ratingText(key))
    const isChange = stars !== undefined && Math.abs(after - stars) > ROUNDING
    return isChange ? [{ key, before: stars, after }] : []
  })
}
