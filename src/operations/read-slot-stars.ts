import { type ModsPool, slotMods } from '../pool/slots.ts'
import type { BeatmapCache } from '../ports/beatmaps.ts'
import type { Clock } from '../ports/system.ts'
import { type KnownUse, readBeatmaps } from './read-beatmaps.ts'

const starsOf = ({ beatmap, ratingKey, rating }: KnownUse): number | null => {
  if (beatmap === null || beatmap.value === 'gone') return null
  const plain = beatmap.value.stars
  if (ratingKey === null) return plain
  if (rating === null) return null
  // The platform rates no such combination: the plain rating counts (D-35).
  return typeof rating.value === 'string' ? plain : rating.value.stars
}

/**
 * The stars that each slot counts with (spec 2.6 rule 1), in the order of the slots, from what the
 * platform has said before: it is not asked. null where that is unknown, or the beatmap is gone.
 */
export const readSlotStars = async (
  ports: { readonly beatmapCache: BeatmapCache; readonly clock: Clock },
  pool: ModsPool,
): Promise<readonly (number | null)[]> =>
  (await readBeatmaps(ports, slotMods(pool), ports.clock.now())).map(starsOf)
