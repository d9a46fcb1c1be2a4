import {
  type Known,
  knownRating,
  type Rating,
  type RatingKey,
  ratingText,
} from '../domain/beatmaps.ts'
import type { Caller } from '../domain/platform.ts'
import type { BeatmapCache } from '../ports/beatmaps.ts'
import type { Platform } from '../ports/platform.ts'
import type { Clock } from '../ports/system.ts'
import { askPlatform } from './ask-platform.ts'
import type { LookUp, LookUpLimits } from './look-up.ts'
import { RecentTroubles } from './recent-troubles.ts'

export type RatingPorts = {
  readonly beatmapCache: BeatmapCache
  readonly platform: Pick<Platform, 'readRating'>
  readonly clock: Clock
}

/**
 * What the platform rates these, by `ratingText`: from the cache when it was learned within 30 days
 * (a refusal: an hour), else from the platform, one call each, in the order given. Each answer is
 * remembered as it comes. Never throws `PlatformTrouble`.
 */
export const lookUpRatings = async (
  { beatmapCache, platform, clock }: RatingPorts,
  keys: readonly RatingKey[],
  caller: Caller,
  { most = Infinity, troubles = new RecentTroubles() }: LookUpLimits = {},
): Promise<LookUp<string, Rating>> => {
  const known = new Map<string, Known<Rating>>()
  const wanted = [...new Map(keys.map((key) => [ratingText(key), key])).values()]
  const now = clock.now()
  const cached = await beatmapCache.readRatings(wanted)
  const open = wanted.filter((key, at) => {
    const entry = cached[at]
    if (!entry) return true
    const rating = knownRating(entry.rating, entry.at, now)
    known.set(ratingText(key), rating)
    return rating.isOld
  })
  const asked = troubles.choose(open, ratingText, now)
  const failed = new Set(open.map(ratingText))
  for (const key of asked) failed.delete(ratingText(key))

  const ask = async (key: RatingKey): Promise<void> => {
    const text = ratingText(key)
    failed.add(text)
    const rating = await platform.readRating(key, caller)
    await beatmapCache.keepRating(key, rating, clock.now())
    known.set(text, { value: rating, isOld: false })
    failed.delete(text)
    troubles.forget(text)
  }

  const outcome = await askPlatform(asked, ask, { most })
  if ((outcome.trouble?.retryAt ?? null) === null) {
    for (const key of asked) if (failed.has(ratingText(key))) troubles.note(ratingText(key), now)
  }
  return { ...outcome, known, failed }
}
