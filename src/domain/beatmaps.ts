import type { BeatmapDetails } from '../contract/beatmaps.ts'
import type { ForcedMod, Ruleset } from '../contract/mods.ts'
import { DAY_MS, HOUR_MS } from '../contract/quotas.ts'
import { countsPlain } from '../pool/played-values.ts'
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

/** `refused`: the platform has no rating with these mods, the plain one counts (D-35, D-93). */
export type Rating = { readonly stars: number } | 'refused' | 'gone'

/** A fact from the platform. An old one is used until there is a newer one. */
export type Known<T> = { readonly value: T; readonly isOld: boolean }

/** Of a new upload the platform has no stars yet: 0 stands for that, an hour long. */
const isUnrated = (beatmap: Beatmap | 'gone'): boolean => beatmap !== 'gone' && beatmap.stars === 0

/** Also of what was read while the clock was ahead (D-53): it counts for less than twice as long by the right one. */
const isOver = (at: number, now: number, lastsMs: number): boolean => Math.abs(now - at) >= lastsMs

/** A beatmap read `at` (ms since the epoch) counts for a day, that it is gone included; without stars for an hour. */
export const knownBeatmap = (
  value: Beatmap | 'gone',
  at: number,
  now: number,
): Known<Beatmap | 'gone'> => ({
  value,
  isOld: isOver(at, now, isUnrated(value) ? HOUR_MS : DAY_MS),
})

/** After each answer in a row that there is no rating; the last one from then on (D-93). */
const NONE_LASTS_MS: readonly number[] = [HOUR_MS, DAY_MS, 7 * DAY_MS]

/** Nothing is to be asked for again later than this. */
export const LONGEST_AGAIN_MS = 7 * DAY_MS

/** @param nones as `CachedRating`. */
function ratingLastsMs(value: Rating, nones: number): number {
  if (typeof value === 'object') return value.stars === 0 ? HOUR_MS : 30 * DAY_MS
  return NONE_LASTS_MS[Math.min(Math.max(nones, 1), NONE_LASTS_MS.length) - 1]!
}

/** A rating counts for 30 days; that there is none for an hour, then a day, then a week, by `nones` in a row. */
export const knownRating = (
  value: Rating,
  at: number,
  now: number,
  nones: number,
): Known<Rating> => ({
  value,
  isOld: isOver(at, now, ratingLastsMs(value, nones)),
})

/** When a beatmap without stars is to be asked for again, ms since the epoch; null for any other. */
export const beatmapAgainAt = (value: Beatmap | 'gone', at: number): number | null =>
  isUnrated(value) ? at + HOUR_MS : null

/** When a rating that there is none of is to be asked for again; null for any other. */
export const ratingAgainAt = (value: Rating, at: number, nones: number): number | null =>
  isNoRating(value) ? at + ratingLastsMs(value, nones) : null

/**
 * What an answer of the platform means: 0 while the beatmap has stars without mods is no rating (D-93).
 *
 * @param plain the stars without mods; null if unknown.
 */
export function meantRating(answer: Rating, plain: number | null): Rating {
  const isNone = typeof answer === 'object' && answer.stars === 0 && (plain ?? 0) > 0
  return isNone ? 'refused' : answer
}

/** Whether the platform has answered that it has no rating; of a beatmap without stars, none yet. */
export const isNoRating = (rating: Rating): boolean =>
  typeof rating === 'string' || rating.stars === 0

/** The stars that count: where the platform has no rating with these mods, those without (D-35, D-93). */
export const countedStars = (rating: Rating, plain: number): number =>
  typeof rating === 'string' || rating.stars === 0 ? plain : rating.stars

/** The platform rates no other ruleset than base differently with these, alone or together. */
const sightMods: ReadonlySet<ForcedMod> = new Set<ForcedMod>(['HD', 'FL'])

/**
 * The rating that the game shows for a slot (D-94), null when it is the plain one. All forced mods are
 * asked for, and EZ and HR in mania, where no effect was seen but the platform lists them.
 */
export function gameRatingOf(
  { beatmapId, forced }: Pick<SlotPlay, 'beatmapId' | 'forced'>,
  ruleset: Ruleset,
): RatingKey | null {
  const isPlain =
    forced.length === 0 || (ruleset !== 'base' && forced.every((mod) => sightMods.has(mod)))
  return isPlain ? null : { beatmapId, ruleset, mods: forced }
}

/** The rating that a slot counts with in stats (spec 2.6 rule 1): that of the game, but HD alone counts plain (D-36). */
export function ratingOf(play: SlotPlay, ruleset: Ruleset): RatingKey | null {
  return countsPlain(play.forced) ? null : gameRatingOf(play, ruleset)
}

/** A rating's key as text: equal keys, equal text. */
export const ratingText = ({ beatmapId, ruleset, mods }: RatingKey): string =>
  `${beatmapId} ${ruleset} ${mods.join('')}`

type BeatmapsById = ReadonlyMap<number, Known<Beatmap | 'gone'>>

/** The ratings with mods that a pack's stats need, each once, in the order of its slots. */
export function ratingNeeds(pool: ModsPool, beatmaps: BeatmapsById): readonly RatingKey[] {
  return keysOf(slotMods(pool), beatmaps)
}

/** The ratings that are shown of a pack and that its stats do not need (D-94), as `ratingNeeds`. */
export function shownNeeds(pool: ModsPool, beatmaps: BeatmapsById): readonly RatingKey[] {
  return keysOf(
    slotMods(pool).filter(({ forced }) => countsPlain(forced)),
    beatmaps,
    gameRatingOf,
  )
}

function keysOf(
  slots: readonly SlotPlay[],
  beatmaps: BeatmapsById,
  keyOf: typeof ratingOf = ratingOf,
): readonly RatingKey[] {
  const needs = new Map<string, RatingKey>()
  for (const slot of slots) {
    const beatmap = beatmaps.get(slot.beatmapId)?.value ?? 'gone'
    const key = beatmap === 'gone' ? null : keyOf(slot, beatmap.ruleset)
    if (key !== null) needs.set(ratingText(key), key)
  }
  return [...needs.values()]
}
