import type { Beatmap, Rating, RatingKey } from '../domain/beatmaps.ts'

/** As the platform reported it `at` (ms since the epoch). */
type Cached = {
  readonly at: number
  /** Whether it was looked up for a public pack: only then everybody may learn that it is cached (D-74). */
  readonly isPublic: boolean
}

/** A cached beatmap, or that it is gone. */
export type CachedBeatmap = Cached & { readonly beatmap: Beatmap | 'gone' }

/** A cached rating with mods. */
export type CachedRating = Cached & {
  readonly rating: Rating
  /** How many answers in a row, this one included, had no rating; 0 if there is one (D-93). */
  readonly nones: number
}

/** The cache of the platform's answers. The caller decides what is too old. */
export interface BeatmapCache {
  /** The cached ones of these beatmaps, by id. */
  readBeatmaps(ids: readonly number[]): Promise<ReadonlyMap<number, CachedBeatmap>>

  /** Caches one response: the beatmaps that exist and the ids that are gone. */
  keepBeatmaps(found: readonly Beatmap[], gone: readonly number[], at: number): Promise<void>

  /** These ratings, in the order of `keys`; null where none is cached. */
  readRatings(keys: readonly RatingKey[]): Promise<readonly (CachedRating | null)[]>

  keepRating(key: RatingKey, rating: Rating, at: number): Promise<void>

  /** Marks what is cached of these as looked up for a public pack; it stays so for as long as it is cached. */
  publish(ids: readonly number[], keys: readonly RatingKey[]): Promise<void>

  /** Expires these beatmaps (null: all) and their ratings, by setting their time to the epoch. */
  expire(ids: readonly number[] | null): Promise<void>

  /**
   * Deletes some of what was reported before `before`, and of the beatmaps that are gone since before
   * `goneBefore`, the oldest first; false when there was none. Expired entries are kept.
   */
  forget(before: number, goneBefore: number): Promise<boolean>
}
