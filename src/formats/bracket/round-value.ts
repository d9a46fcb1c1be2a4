import type { Pool } from '../../pool/pool.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'

export type RoundOptions = {
  /** What the round is called; the pool's name when left out. */
  readonly name?: string | undefined
}

/** A round's beatmaps in pool order: rows of equal `Mods` stand together on the client's screen. */
export function roundBeatmaps(pool: Pool): { ID: number; Mods: string }[] {
  return slotsInPoolOrder(pool).map(({ mod, beatmapId }) => ({ ID: beatmapId, Mods: mod ?? '' }))
}

/** A whole round. The client fills in what is left out, its date too. */
export function roundValue(pool: Pool, { name }: RoundOptions) {
  return {
    Name: (name ?? pool.name).trim(),
    Description: '',
    BestOf: usualBestOf(pool.slots.length),
    BanCount: 1,
    Matches: [],
    Beatmaps: roundBeatmaps(pool),
  }
}

/** The client's own default is 9; it takes odd numbers from 3 on. */
function usualBestOf(slots: number): number {
  const most = Math.min(9, Math.max(3, slots))
  return most % 2 === 1 ? most : most - 1
}
