import type { Beatmap, Rating } from '../beatmap.ts'

/** Something that the platform has said. What is old is used until it says something newer. */
export type Known<T> = { readonly value: T; readonly isOld: boolean }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const BEATMAP_LASTS_MS = DAY_MS
const RATING_LASTS_MS = 30 * DAY_MS
const REFUSAL_LASTS_MS = HOUR_MS

/** What was learned of a beatmap `at` (ms since the epoch) counts for a day, that it is gone included. */
export const knownBeatmap = (
  value: Beatmap | 'gone',
  at: number,
  now: number,
): Known<Beatmap | 'gone'> => ({ value, isOld: now - at >= BEATMAP_LASTS_MS })

/** A rating counts for 30 days, that there is none for an hour. */
export const knownRating = (value: Rating, at: number, now: number): Known<Rating> => ({
  value,
  isOld: now - at >= (typeof value === 'string' ? REFUSAL_LASTS_MS : RATING_LASTS_MS),
})
