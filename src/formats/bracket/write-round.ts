import type { BeatmapDetails } from '../../contract/beatmap-details.ts'
import type { Ruleset } from '../../contract/mods.ts'
import type { Pool } from '../../pool/pool.ts'
import { usualLayout } from '../json/json-layout.ts'
import { NEVER_FLAT, writeJson } from '../json/write-json.ts'
import { type RoundOptions, roundValue } from './round-value.ts'

/** What the tournament client calls the rulesets. */
const shortNames: Record<Ruleset, string> = {
  base: 'osu',
  taiko: 'taiko',
  fruits: 'fruits',
  mania: 'mania',
}

/**
 * A whole bracket.json with the pool as its one round, for a tournament that has none yet.
 *
 * @param details what is known of the beatmaps, by id; decides the ruleset.
 */
export function writeRound(
  pool: Pool,
  options: RoundOptions = {},
  details: ReadonlyMap<number, Pick<BeatmapDetails, 'ruleset'>> = new Map(),
): string {
  const bracket = {
    Ruleset: { ShortName: shortNames[rulesetOf(pool, details)] },
    Matches: [],
    Rounds: [roundValue(pool, options)],
    Teams: [],
    Progressions: [],
  }
  return writeJson(bracket, usualLayout, '', NEVER_FLAT) + usualLayout.newline
}

/** Beatmaps of the base ruleset are played in the others, too; so one other ruleset decides. */
function rulesetOf(
  pool: Pool,
  details: ReadonlyMap<number, Pick<BeatmapDetails, 'ruleset'>>,
): Ruleset {
  const found = new Set(pool.slots.map(({ beatmapId }) => details.get(beatmapId)?.ruleset))
  const others = [...found].filter((ruleset) => ruleset !== undefined && ruleset !== 'base')
  return (others.length === 1 ? others[0] : undefined) ?? 'base'
}
