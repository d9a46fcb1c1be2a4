import type { Beatmap, Rating, RatingKey } from '../domain/beatmaps.ts'

/** What is remembered of a beatmap: itself, or that it is gone; and when that was learned. */
export type KnownBeatmap = { readonly beatmap: Beatmap | 'gone'; readonly at: number }

/** What is remembered of a rating with mods, and when that was learned. */
export type KnownRating = { readonly rating: Rating; readonly at: number }

/** What the platform has said before. Its age is for the reader to judge. */
export interface BeatmapCache {
  /** What is known of these beatmaps, by id; unknown ones are left out. */
  readBeatmaps(ids: readonly number[]): Promise<ReadonlyMap<number, KnownBeatmap>>

  /** Remembers what one answer said: the beatmaps that are there and the ids that are gone. */
  keepBeatmaps(found: readonly Beatmap[], gone: readonly number[], at: number): Promise<void>

  /** What is known of these ratings, in the order asked; null where nothing is. */
  readRatings(keys: readonly RatingKey[]): Promise<readonly (KnownRating | null)[]>

  /** Remembers one rating. */
  keepRating(key: RatingKey, rating: Rating, at: number): Promise<void>

  /**
   * Counts what is remembered of these beatmaps and their ratings, gone and refused included, as
   * learned at the epoch: too old for everyone. null: of all beatmaps.
   */
  expire(ids: readonly number[] | null): Promise<void>

  /**
   * Forgets some of what was learned before `before`, and of what is gone or refused since before
   * `goneBefore`, the oldest first; false when there is nothing of either. What was made old stays.
   */
  forget(before: number, goneBefore: number): Promise<boolean>
}
