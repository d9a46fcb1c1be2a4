import { type Ruleset, rulesets } from '../../contract/mods.ts'
import type { Pool } from '../../pool/pool.ts'
import { usualLayout } from '../json/json-layout.ts'
import { NEVER_FLAT, writeJson } from '../json/write-json.ts'
import { type RoundOptions, roundValue } from './round-value.ts'

/** What is known of beatmaps' rulesets, by beatmap id. */
export type RulesetById = ReadonlyMap<number, { readonly ruleset: Ruleset }>

/** What the tournament client calls the rulesets. */
export const rulesetNames: Readonly<Record<Ruleset, string>> = {
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
  details: RulesetById = new Map(),
): string {
  const bracket = {
    Ruleset: { ShortName: rulesetNames[rulesetOfMost(pool, details)] },
    Matches: [],
    Rounds: [roundValue(pool, options)],
    Teams: [],
    Progressions: [],
  }
  return writeJson(bracket, usualLayout, '', NEVER_FLAT) + usualLayout.newline
}

/**
 * The ruleset of most slots. Between equals another one goes before the base ruleset, whose beatmaps
 * can be played in all; the base ruleset when nothing is known.
 */
export function rulesetOfMost({ slots }: Pool, details: RulesetById): Ruleset {
  const counts = new Map<Ruleset, number>()
  for (const { beatmapId } of slots) {
    const ruleset = details.get(beatmapId)?.ruleset
    if (ruleset !== undefined) counts.set(ruleset, (counts.get(ruleset) ?? 0) + 1)
  }
  const [base, ...others] = rulesets
  let most: Ruleset = base
  let count = 0
  for (const ruleset of [...others, base]) {
    const own = counts.get(ruleset) ?? 0
    if (own > count) [most, count] = [ruleset, own]
  }
  return most
}
