import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { Slot } from '../../contract/pools.ts'
import type { Pool } from '../../pool/pool.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'
import type { OsdbBeatmap, OsdbCollection } from './osdb.ts'

/** A pool as an .osdb collection: its name and, in pool order, each beatmap once. */
export type PoolOsdb = {
  readonly collection: OsdbCollection
  /** Whose beatmap's checksum is not known; in pool order. */
  readonly leftOut: readonly Slot[]
}

/** @param details what is known of the beatmaps, by id. */
export function osdbOf(pool: Pool, details: ReadonlyMap<number, BeatmapDetails>): PoolOsdb {
  const beatmaps = new Map<number, OsdbBeatmap>()
  const leftOut: Slot[] = []
  for (const slot of slotsInPoolOrder(pool)) {
    const known = details.get(slot.beatmapId)
    if (known === undefined || known.checksum === null) leftOut.push(slot)
    else beatmaps.set(slot.beatmapId, { ...osdbBeatmap(known), checksum: known.checksum })
  }
  const collection = { name: pool.name, onlineId: -1, beatmaps: [...beatmaps.values()], hashes: [] }
  return { collection, leftOut }
}

function osdbBeatmap({ id, setId, artist, title, difficulty, ruleset, stars }: BeatmapDetails) {
  return { id, setId, artist, title, difficulty, comment: '', ruleset, stars }
}
