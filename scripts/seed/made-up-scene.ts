import { toBeatmap } from '../../src/adapters/platform/platform.ts'
import type { ForcedMod } from '../../src/contract/mods.ts'
import type { Stats } from '../../src/contract/packs.ts'
import {
  type Beatmap,
  type Known,
  type Rating,
  type RatingKey,
  ratingText,
} from '../../src/domain/beatmaps.ts'
import { computeStats } from '../../src/domain/stats.ts'
import type { ModsPool } from '../../src/pool/slots.ts'
import { createLibrary, makeRow } from '../../src/standin/library.ts'

/** Beatmaps that hosts choose from: those of many pools are the same. */
const BEATMAPS = 5_000
const FIRST_ID = 1_000_000
const ID_STEP = 549
/** What the built-in buckets force, as far as it moves ratings. */
const RATED: readonly (readonly ForcedMod[])[] = [['HR'], ['DT']]

/** The beatmaps that made-up packs are made of, with what the stand-in platform says of them. */
export type Scene = {
  readonly beatmaps: readonly Beatmap[]
  readonly ratings: readonly { readonly key: RatingKey; readonly stars: number }[]
  /** The stats of a pack whose slots depend on their number and the first alone, computed at this time. */
  readonly statsOf: (pool: ModsPool, now: number) => Stats
}

/** A beatmap's id by its place in the scene; every number has one. */
export const beatmapIdAt = (place: number): number => FIRST_ID + (place % BEATMAPS) * ID_STEP

export const makeScene = (): Scene => {
  const library = createLibrary()
  const known = new Map<number, Known<Beatmap>>()
  const knownRatings = new Map<string, Known<Rating>>()
  const all = new Map<string, Stats>()
  const ratings: Scene['ratings'][number][] = []
  for (let place = 0; place < BEATMAPS; place += 1) {
    const id = beatmapIdAt(place)
    const facts = library.find(id)
    if (facts === undefined) throw new Error(`The stand-in platform has no beatmap ${id}`)
    const beatmap = toBeatmap(makeRow(id, facts, ''))
    known.set(id, { value: beatmap, isOld: false })
    for (const mods of RATED) {
      const key = { beatmapId: id, ruleset: beatmap.ruleset, mods }
      const stars = library.rate(id, facts, { mode: facts.mode, mods })
      ratings.push({ key, stars })
      knownRatings.set(ratingText(key), { value: { stars }, isOld: false })
    }
  }
  return {
    beatmaps: [...known.values()].map(({ value }) => value),
    ratings,
    statsOf: (pool, now) => {
      // There are a few ten thousand different ones; to compute each costs more than all the rest.
      const which = `${pool.slots.length} ${pool.slots[0]?.beatmapId}`
      const computed = all.get(which) ?? computeStats(pool, known, knownRatings, now)
      all.set(which, computed)
      return { ...computed, computedAt: new Date(now).toISOString() }
    },
  }
}
