import { DAY_MS, HOUR_MS } from '../contract/quotas.ts'
import { PlatformError } from '../domain/platform.ts'
import { canaries, type CanaryRating, type RatingChange, ratingChanges } from '../domain/ratings.ts'
import type { Platform } from '../ports/platform.ts'
import type { Ports } from '../ports/ports.ts'

export type ComparePorts = Pick<Ports, 'ratingWatch' | 'beatmapCache' | 'statsWork' | 'clock'> & {
  readonly platform: Pick<Platform, 'readRating'>
}

/**
 * Once a day, asks the platform for a few ratings (D-95). When one has changed, all that is cached counts as old, and
 * a recomputation of all packs begins; old values are shown until there are newer ones. Without any answer, it is
 * tried again in an hour. Returns the changes.
 */
export async function compareRatings(ports: ComparePorts): Promise<readonly RatingChange[]> {
  const { ratingWatch, beatmapCache, statsWork, platform, clock } = ports
  const now = clock.now()
  const before = await ratingWatch.take(now, now + HOUR_MS)
  if (before === null) return []
  const found = await askAll(platform)
  if (found.length === 0) return []
  const changes = ratingChanges(before, found)
  // In this order: what is broken off is noticed as a change once more.
  if (changes.length > 0) {
    await beatmapCache.expire(null)
    await statsWork.beginRecomputation()
  }
  await ratingWatch.finish(found, changes, now, now + DAY_MS)
  return changes
}

/** Those that the platform has; one that it does not answer for keeps none of the others. */
async function askAll(platform: Pick<Platform, 'readRating'>): Promise<readonly CanaryRating[]> {
  const found: CanaryRating[] = []
  for (const key of canaries) {
    try {
      const rating = await platform.readRating(key, 'background')
      if (typeof rating === 'object' && rating.stars > 0) found.push({ key, stars: rating.stars })
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
    }
  }
  return found
}
