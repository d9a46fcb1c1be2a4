import { Failure } from '../contract/errors.ts'
import type { BeatmapCache } from '../ports/beatmaps.ts'
import type { PackStore } from '../ports/packs.ts'
import type { StatsWork } from '../ports/stats.ts'
import type { Clock } from '../ports/system.ts'

export type RecomputePorts = {
  readonly packs: PackStore
  readonly beatmapCache: BeatmapCache
  readonly statsWork: StatsWork
  readonly clock: Clock
}

/**
 * Has the stats of one pack, or of all when `slug` is null, computed anew by whichever process
 * computes them, from what the platform says by then and not before. Packs keep the stats that they
 * have until better ones are there. Throws `not_found` when there is no such pack.
 *
 * @returns how many packs there are to compute.
 */
export const recomputeStats = async (
  { packs, beatmapCache, statsWork, clock }: RecomputePorts,
  slug: string | null,
): Promise<number> => {
  await beatmapCache.makeOld(slug === null ? null : await beatmapIdsOf(packs, slug))
  return statsWork.markDue(slug, clock.now())
}

const beatmapIdsOf = async (packs: PackStore, slug: string): Promise<readonly number[]> => {
  const pack = await packs.read(slug)
  if (pack === null) throw new Failure('not_found', 'there is no pack with this slug')
  return [...new Set(pack.slots.map(({ beatmapId }) => beatmapId))]
}
