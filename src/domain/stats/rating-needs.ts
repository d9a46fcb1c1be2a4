import type { ForcedMod, Ruleset } from '../../contract/mods.ts'
import { type ModsPool, slotMods, type SlotPlay } from '../../pool/slots.ts'
import type { Beatmap, RatingKey } from '../beatmap.ts'
import type { Known } from './known.ts'

/** Any of these makes a slot count with its rating with mods (spec 2.6 rule 1); HD alone does not (D-36). */
const ratedMods: ReadonlySet<ForcedMod> = new Set<ForcedMod>(['EZ', 'HR', 'DT', 'HT', 'FL'])

/** The platform rates no other ruleset than base differently with these, alone or together. */
const sightMods: ReadonlySet<ForcedMod> = new Set<ForcedMod>(['HD', 'FL'])

/**
 * The rating that a slot counts with, null when it is the plain one. All forced mods are asked for,
 * HD included (D-36). EZ and HR are asked for in mania, too: they have no effect there that was
 * seen, but the platform lists them, and asking is always right.
 */
export const ratingOf = ({ beatmapId, forced }: SlotPlay, ruleset: Ruleset): RatingKey | null => {
  const isPlain =
    !forced.some((mod) => ratedMods.has(mod)) ||
    (ruleset !== 'base' && forced.every((mod) => sightMods.has(mod)))
  return isPlain ? null : { beatmapId, ruleset, mods: forced }
}

/** A rating as a text to look it up by: equal keys, equal text. */
export const ratingText = ({ beatmapId, ruleset, mods }: RatingKey): string =>
  `${beatmapId} ${ruleset} ${mods.join('')}`

/** The ratings with mods that a pack's stats need, each once, in the order of its slots. */
export const ratingNeeds = (
  pool: ModsPool,
  beatmaps: ReadonlyMap<number, Known<Beatmap | 'gone'>>,
): readonly RatingKey[] => {
  const needs = new Map<string, RatingKey>()
  for (const slot of slotMods(pool)) {
    const beatmap = beatmaps.get(slot.beatmapId)?.value ?? 'gone'
    const key = beatmap === 'gone' ? null : ratingOf(slot, beatmap.ruleset)
    if (key !== null) needs.set(ratingText(key), key)
  }
  return [...needs.values()]
}
