import type { Pool } from '../pool/pool.ts'
import { slotsInPoolOrder } from '../pool/slots.ts'

/** The beatmaps' ids in pool order, one a line. `readPaste` reads them, without their buckets. */
export function writeIds(pool: Pool): string {
  return linesOf(pool, String)
}

/** Links to the beatmaps on the game's site in pool order, one a line. */
export function writeLinks(pool: Pool): string {
  return linesOf(pool, (id) => `https://osu.ppy.sh/b/${id}`)
}

const linesOf = (pool: Pool, write: (beatmapId: number) => string): string =>
  slotsInPoolOrder(pool)
    .map(({ beatmapId }) => `${write(beatmapId)}\n`)
    .join('')
