import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { Slot } from '../../contract/pools.ts'
import type { Pool } from '../../pool/pool.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'
import type { Collection } from './collection.ts'

/** A pool as a collection: its name and, in pool order, each beatmap once. */
export type PoolCollection = {
  readonly collection: Collection
  /** Whose beatmap's checksum is not known; in pool order. */
  readonly leftOut: readonly Slot[]
}

/** @param details what is known of the beatmaps, by id. */
export function collectionOf(
  pool: Pool,
  details: ReadonlyMap<number, Pick<BeatmapDetails, 'checksum'>>,
): PoolCollection {
  const hashes = new Set<string>()
  const leftOut: Slot[] = []
  for (const slot of slotsInPoolOrder(pool)) {
    const checksum = details.get(slot.beatmapId)?.checksum ?? null
    if (checksum === null) leftOut.push(slot)
    else hashes.add(checksum)
  }
  return { collection: { name: pool.name, hashes: [...hashes] }, leftOut }
}
