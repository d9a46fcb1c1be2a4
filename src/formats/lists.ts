import type { Ruleset } from '../contract/mods.ts'
import type { Pool } from '../pool/pool.ts'
import { slotLabel, slotMods, type SlotPlay, slotsInPoolOrder } from '../pool/slots.ts'

/** The rulesets by the numbers that the game's chat commands have for them. */
const playmodes: Readonly<Record<Ruleset, number>> = { base: 0, taiko: 1, fruits: 2, mania: 3 }

/**
 * What a referee sends in the lobby for each slot, in pool order: a comment with the slot, its beatmap
 * with the beatmap's own ruleset, then its mods; a blank line between slots.
 *
 * @param details what is known of the beatmaps, by id; the base ruleset where nothing is.
 */
export function refereeLines(
  pool: Pool,
  details: ReadonlyMap<number, { readonly ruleset: Ruleset }> = new Map(),
): string {
  return slotsToPlay(pool)
    .map(({ code, index, beatmapId, mods }) => {
      const playmode = playmodes[details.get(beatmapId)?.ruleset ?? 'base']
      const label = slotLabel({ mod: code, index })
      return `# ${label}\n!mp map ${beatmapId} ${playmode}\n!mp mods ${mods.join(' ')}\n`
    })
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

/** The beatmaps' ids in pool order, one a line. `readPaste` reads them, without their buckets. */
export function writeIds(pool: Pool): string {
  return linesOf(pool, String)
}

/** Links to the beatmaps on the game's site in pool order, one a line. */
export function writeLinks(pool: Pool): string {
  return linesOf(pool, (id) => `https://osu.ppy.sh/b/${id}`)
}

function linesOf(pool: Pool, write: (beatmapId: number) => string): string {
  return slotsInPoolOrder(pool)
    .map(({ beatmapId }) => `${write(beatmapId)}\n`)
    .join('')
}
