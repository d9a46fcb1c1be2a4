import { type Beatmap, type Rating, type RatingKey, ratingText } from '../../src/domain/beatmaps.ts'
import type { BeatmapCache, CachedBeatmap, CachedRating } from '../../src/ports/beatmaps.ts'

/** What the platform has said, for as long as the test runs. Counts its readings. */
export class MemoryBeatmapCache implements BeatmapCache {
  readonly beatmaps = new Map<number, CachedBeatmap>()
  readonly ratings = new Map<string, CachedRating>()
  readings = 0

  async readBeatmaps(ids: readonly number[]): Promise<ReadonlyMap<number, CachedBeatmap>> {
    this.readings += 1
    const known = ids.flatMap((id) => {
      const each = this.beatmaps.get(id)
      return each === undefined ? [] : [[id, each] as const]
    })
    return new Map(known)
  }

  async keepBeatmaps(
    found: readonly Beatmap[],
    gone: readonly number[],
    at: number,
  ): Promise<void> {
    for (const beatmap of found) this.beatmaps.set(beatmap.id, { beatmap, at })
    for (const id of gone) this.beatmaps.set(id, { beatmap: 'gone', at })
  }

  async readRatings(keys: readonly RatingKey[]): Promise<readonly (CachedRating | null)[]> {
    return keys.map((key) => this.ratings.get(ratingText(key)) ?? null)
  }

  async keepRating(key: RatingKey, rating: Rating, at: number): Promise<void> {
    this.ratings.set(ratingText(key), { rating, at })
  }

  async forget(before: number, goneBefore: number): Promise<boolean> {
    const entries = [
      ...[...this.beatmaps].map(([id, { beatmap, at }]) => {
        const bound = beatmap === 'gone' ? Math.max(before, goneBefore) : before
        return { at, bound, remove: () => this.beatmaps.delete(id) }
      }),
      ...[...this.ratings].map(([text, { rating, at }]) => {
        const bound = typeof rating === 'string' ? Math.max(before, goneBefore) : before
        return { at, bound, remove: () => this.ratings.delete(text) }
      }),
    ].filter(({ at, bound }) => at > 0 && at < bound)
    const oldest = Math.min(...entries.map(({ at }) => at))
    for (const { at, remove } of entries) if (at === oldest) remove()
    return entries.length > 0
  }

  async expire(ids: readonly number[] | null): Promise<void> {
    for (const [id, known] of this.beatmaps) {
      if (ids === null || ids.includes(id)) this.beatmaps.set(id, { ...known, at: 0 })
    }
    for (const [text, known] of this.ratings) {
      const id = Number.parseInt(text, 10)
      if (ids === null || ids.includes(id)) this.ratings.set(text, { ...known, at: 0 })
    }
  }
}
