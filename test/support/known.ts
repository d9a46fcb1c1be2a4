import {
  type Beatmap,
  type Known,
  type Rating,
  type RatingKey,
  ratingText,
} from '../../src/domain/beatmaps.ts'

/** What was learned of beatmaps today; `[id, 'gone']` for one that is gone. */
export const knownBeatmaps = (
  ...beatmaps: readonly (Beatmap | readonly [id: number, gone: 'gone'])[]
): Map<number, Known<Beatmap | 'gone'>> => {
  const known = new Map<number, Known<Beatmap | 'gone'>>()
  for (const each of beatmaps) {
    const [id, value] = 'id' in each ? [each.id, each] : each
    known.set(id, { value, isOld: false })
  }
  return known
}

/** What was learned of ratings. */
export const knownRatings = (
  ...ratings: readonly (readonly [key: RatingKey, rating: Rating])[]
): Map<string, Known<Rating>> =>
  new Map(ratings.map(([key, rating]) => [ratingText(key), { value: rating, isOld: false }]))

/** The key of a rating in base: `base(75, 'HD', 'DT')`. */
export const base = (beatmapId: number, ...mods: RatingKey['mods']): RatingKey => ({
  beatmapId,
  ruleset: 'base',
  mods,
})
