import { rulesets } from '../contract/mods.ts'
import type { Pool } from '../pool/pool.ts'
import { slotLabel, slotsInPoolOrder, slotsToPlay } from '../pool/slots.ts'
import type { RulesetById } from './sheet.ts'

/**
 * What a referee sends in the lobby for each slot, in pool order: a comment with the slot, its beatmap
 * with the beatmap's own ruleset, then its mods; a blank line between slots.
 *
 * @param details what is known of the beatmaps, by id; the base ruleset where nothing is.
 */
export function refereeLines(pool: Pool, details: RulesetById = new Map()): string {
  return lobbySlots(pool)
    .map(({ code, index, beatmapId, mods }) => {
      const playmode = rulesets.indexOf(details.get(beatmapId)?.ruleset ?? 'base')
      const label = slotLabel({ mod: code, index })
      return `# ${label}\n!mp map ${beatmapId} ${playmode}\n!mp mods ${mods.join(' ')}\n`
    })
    .join('\n')
}

/** As a lobby plays the slots, in pool order; `code` is null without a bucket, `mods` the words of `!mp mods`. */
export function lobbySlots(pool: Pool) {
  return slotsToPlay(pool).map(({ mod, index, beatmapId, countsAs, forced }) => {
    // A failed player keeps playing in a match, so NF precedes the forced mods; in a free bucket players choose.
    const isFree = countsAs === 'FM' || countsAs === 'TB'
    return { code: mod, index, beatmapId, mods: isFree ? ['freemod'] : ['NF', ...forced] }
  })
}

/** The beatmaps' ids in pool order, one a line. */
export function writeIds(pool: Pool): string {
  return linesOf(pool, String)
}

/** Links to the beatmaps on the game's site in pool order, one a line. */
export function writeLinks(pool: Pool): string {
  return linesOf(pool, beatmapLink)
}

export function beatmapLink(beatmapId: number): string {
  return `https://osu.ppy.sh/b/${beatmapId}`
}

function linesOf(pool: Pool, write: (beatmapId: number) => string): string {
  const slots = slotsInPoolOrder(pool)
  return slots.map(({ beatmapId }) => `${write(beatmapId)}\n`).join('')
}
