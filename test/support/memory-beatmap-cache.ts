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
    const keep = (id: number, beatmap: CachedBeatmap['beatmap']) => {
      const known = this.beatmaps.get(id)
      const isSame = JSON.stringify(known?.beatmap) === JSON.stringify(beatmap)
      const kept = isSame && known ? known.beatmap : beatmap
      this.beatmaps.set(id, { isPublic: false, ...known, beatmap: kept, at })
    }
    for (const beatmap of found) keep(beatmap.id, beatmap)
    for (const id of gone) keep(id, 'gone')
  }

  async readRatings(keys: readonly RatingKey[]): Promise<readonly (CachedRating | null)[]> {
    return keys.map((key) => this.ratings.get(ratingText(key)) ?? null)
  }

  async keepRating(key: RatingKey, rating: Rating, at: number): Promise<void> {
    const text = ratingText(key)
    const before = this.ratings.get(text)
    const nones = typeof rating === 'string' ? (before?.nones ?? 0) + 1 : 0
    this.ratings.set(text, { isPublic: false, ...before, rating, nones, at })
  }

  async publish(ids: readonly number[], keys: readonly RatingKey[]): Promise<void> {
    for (const id of ids) {
      const known = this.beatmaps.get(id)
      if (known !== undefined) this.beatmaps.set(id, { ...known, isPublic: true })
    }
    for (const text of keys.map(ratingText)) {
      const known = this.ratings.get(text)
      if (known !== undefined) this.ratings.set(text, { ...known, isPublic: true })
    }
  }

  async forget(before: number, goneBefore: number): Promise<boolean> {
    const entries = [
      ...[...this.beatmaps].map(([id, { beatmap, at }]) => {
        const bound = beatmap === 'gone' ? Math.max(before, goneBefore) : before
        return { at, bound, remove: () => this.beatmaps.delete(id) }
      }),
      ...[...this.ratings].map(([text, { at }]) => {
        return { at, bound: before, remove: () => this.ratings.delete(text) }
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
