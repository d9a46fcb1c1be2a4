import type { Pool } from '../pool/pool.ts'
import { slotsInPoolOrder } from '../pool/pool-order.ts'
import { type SlotPlay, slotMods } from '../pool/slot-mods.ts'

/**
 * What a referee sends in the lobby for each slot, in pool order: its beatmap, then its mods; a blank
 * line between slots.
 */
export function refereeLines(pool: Pool): string {
  return slotsToPlay(pool)
    .map(({ beatmapId, mods }) => `!mp map ${beatmapId} 0\n!mp mods ${mods.join(' ')}\n`)
    .join('\n')
}

/**
 * The slots for referee programs, in pool order: `code` (null for a slot without a bucket), `index`,
 * `beatmapId`, and `mods` as the words of `!mp mods`.
 */
export function refereeJson(pool: Pool): string {
  return `${JSON.stringify({ name: pool.name, slots: slotsToPlay(pool) }, null, 2)}\n`
}

function slotsToPlay(pool: Pool) {
  const plays = slotMods(pool)
  const slots = pool.slots.map((slot, at) => ({ ...slot, play: plays[at] }))
  return slotsInPoolOrder({ ...pool, slots }).map(({ mod, index, beatmapId, play }) => ({
    code: mod,
    index,
    beatmapId,
    mods: lobbyMods(play),
  }))
}

/** Nobody fails in a match, so NF stands before what is forced; in a free bucket players choose. */
function lobbyMods(play: SlotPlay | undefined): string[] {
  const isFree = play?.countsAs === 'FM' || play?.countsAs === 'TB'
  return isFree ? ['freemod'] : ['NF', ...(play?.forced ?? [])]
}
