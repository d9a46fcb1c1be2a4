import type { BeatmapDetails } from '../contract/beatmaps.ts'
import type { ForcedMod, Ruleset } from '../contract/mods.ts'
import { DAY_MS, HOUR_MS } from '../contract/quotas.ts'
import { type ModsPool, slotMods, type SlotPlay } from '../pool/slots.ts'

/** A beatmap as the platform describes it. Lengths, BPM and stars are without mods. */
export type Beatmap = Readonly<BeatmapDetails>

/** What identifies a rating with mods. */
export type RatingKey = {
  readonly beatmapId: number
  /** The beatmap's own ruleset. */
  readonly ruleset: Ruleset
  /** At least one, in the order EZ HD HR DT HT FL. */
  readonly mods: readonly ForcedMod[]
}

/** `refused`: the platform does not rate this combination, the plain rating counts (D-35). */
export type Rating = { readonly stars: number } | 'refused' | 'gone'

/** A fact from the platform. An old one is used until there is a newer one. */
export type Known<T> = { readonly value: T; readonly isOld: boolean }

/** A beatmap read `at` (ms since the epoch) counts for a day, that it is gone included. */
export const knownBeatmap = (
  value: Beatmap | 'gone',
  at: number,
  now: number,
): Known<Beatmap | 'gone'> => ({ value, isOld: now - at >= DAY_MS })

/** A rating counts for 30 days, that there is none for an hour. */
export const knownRating = (value: Rating, at: number, now: number): Known<Rating> => ({
  value,
  isOld: now - at >= (typeof value === 'string' ? HOUR_MS : 30 * DAY_MS),
})

/** Any of these makes a slot count with its rating with mods (spec 2.6 rule 1); HD alone does not (D-36). */
const ratedMods: ReadonlySet<ForcedMod> = new Set<ForcedMod>(['EZ', 'HR', 'DT', 'HT', 'FL'])

/** The platform rates no other ruleset than base differently with these, alone or together. */
const sightMods: ReadonlySet<ForcedMod> = new Set<ForcedMod>(['HD', 'FL'])

/**
 * The rating that a slot counts with, null when it is the plain one. All forced mods are asked for,
 * HD included (D-36), and EZ and HR in mania, where no effect was seen but the platform lists them.
 */
export function ratingOf({ beatmapId, forced }: SlotPlay, ruleset: Ruleset): RatingKey | null {
  const isPlain =
    !forced.some((mod) => ratedMods.has(mod)) ||
    (ruleset !== 'base' && forced.every((mod) => sightMods.has(mod)))
  return isPlain ? null : { beatmapId, ruleset, mods: forced }
}

/** A rating's key as text: equal keys, equal text. */
export const ratingText = ({ beatmapId, ruleset, mods }: RatingKey): string =>
  `${beatmapId} ${ruleset} ${mods.join('')}`

/** The ratings with mods that a pack's stats need, each once, in the order of its slots. */
export function ratingNeeds(
  pool: ModsPool,
  beatmaps: ReadonlyMap<number, Known<Beatmap | 'gone'>>,
): readonly RatingKey[] {
  const needs = new Map<string, RatingKey>()
  for (const slot of slotMods(pool)) {
    const beatmap = beatmaps.get(slot.beatmapId)?.value ?? 'gone'
    const key = beatmap === 'gone' ? null : ratingOf(slot, beatmap.ruleset)
    if (key !== null) needs.set(ratingText(key), key)
  }
  return [...needs.values()]
}
