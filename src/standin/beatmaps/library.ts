import { realBeatmaps } from '../data/real-beatmaps.ts'
import { round } from './dice.ts'
import type { BeatmapFacts, KnownBeatmap, Mode } from './facts.ts'
import { completeFacts } from './made-up.ts'
import { modFactor, movingMods } from './mods.ts'

/** Ids from here on do not exist, unless somebody has put a beatmap there. */
export const FIRST_MISSING_ID = 10_000_000

/** All beatmaps: real facts, made-up ones, and what tests have changed. */
export type Library = ReturnType<typeof createLibrary>

/** Each stand-in has its own, so that changes do not leak between tests. */
export const createLibrary = () => {
  const changed = new Map<number, KnownBeatmap>()
  const gone = new Set<number>()

  const known = (id: number): KnownBeatmap => ({ ...realBeatmaps.get(id), ...changed.get(id) })

  const exists = (id: number): boolean =>
    Number.isSafeInteger(id) &&
    id >= 1 &&
    !gone.has(id) &&
    (id < FIRST_MISSING_ID || changed.has(id))

  /** undefined: there is no such beatmap. */
  const find = (id: number): BeatmapFacts | undefined =>
    exists(id) ? completeFacts(id, known(id)) : undefined

  /** The rating of an existing beatmap in a ruleset, its own or one it converts to. */
  const rate = (id: number, facts: BeatmapFacts, mode: Mode, mods: readonly string[]): number => {
    const moving = movingMods(mode, mods)
    const ratings = mode === facts.mode ? (known(id).ratings ?? {}) : {}
    const exact = ratings[moving.join(',')]
    if (exact !== undefined) return exact
    const start = mode === facts.mode ? facts.stars : facts.stars * 0.8
    const withDt = moving.includes('DT') ? ratings['DT'] : undefined
    const rating =
      withDt === undefined
        ? start * modFactor(id, mode, moving)
        : withDt *
          modFactor(
            id,
            mode,
            moving.filter((mod) => mod !== 'DT'),
          )
    return round(rating, 5)
  }

  return {
    find,
    rate,
    /** Overrides facts of a beatmap, or puts one where none is. */
    change: (id: number, facts: KnownBeatmap) => {
      changed.set(id, { ...changed.get(id), ...facts })
    },
    /** From now on these are deleted. */
    remove: (ids: readonly number[]) => {
      for (const id of ids) gone.add(id)
    },
    /** Undoes every change and deletion. */
    restore: () => {
      changed.clear()
      gone.clear()
    },
  }
}
