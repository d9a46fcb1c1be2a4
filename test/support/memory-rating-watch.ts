import { ratingText } from '../../src/domain/beatmaps.ts'
import type { CanaryRating, RatingChange } from '../../src/domain/ratings.ts'
import type { RatingsChange, RatingWatch } from '../../src/ports/stats.ts'

const DAY = 86_400_000

/** The ratings that are compared each day, for as long as the test runs. */
export class MemoryRatingWatch implements RatingWatch {
  readonly #ratings = new Map<string, CanaryRating>()
  #dueAt = 0
  #last: RatingsChange | null = null

  async take(now: number, retryAt: number): Promise<readonly CanaryRating[] | null> {
    const dueAt = this.#dueAt
    if (dueAt > now && dueAt <= now + DAY) return null
    this.#dueAt = retryAt
    return dueAt === 0 ? null : [...this.#ratings.values()]
  }

  async finish(
    ratings: readonly CanaryRating[],
    changes: readonly RatingChange[],
    now: number,
    nextAt: number,
  ): Promise<void> {
    for (const each of ratings) {
      const text = ratingText(each.key)
      if (!this.#ratings.has(text)) this.#ratings.set(text, each)
    }
    for (const { key, after: stars } of changes) this.#ratings.set(ratingText(key), { key, stars })
    if (changes.length > 0) this.#last = { at: now, changes }
    this.#dueAt = nextAt
  }

  async lastChange(): Promise<RatingsChange | null> {
    return this.#last
  }
}
