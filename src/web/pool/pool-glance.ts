import { type Ruleset, rulesets, type StatsMod } from '../../contract/mods.ts'
import type { Stats } from '../../contract/packs.ts'
import { playedBpm, playedLength } from '../../pool/played-values.ts'
import { listedMods } from '../../pool/slots.ts'
import type { SlotView } from './slot-view.ts'

type Range = readonly [number, number]

/** A pool in a few numbers. */
export type PoolGlance = {
  readonly stars: Range | null
  readonly average: number | null
  /** Whole seconds. */
  readonly length: Range | null
  readonly bpm: Range | null
  readonly mods: readonly StatsMod[]
  readonly rulesets: readonly Ruleset[]
  readonly count: number
  /** Everything is known that the numbers are made of. */
  readonly isComplete: boolean
}

const pair = (low: number | null, high: number | null): Range | null =>
  low === null || high === null ? null : [low, high]

/** What the server worked out. */
export const glanceOfStats = (stats: Stats): PoolGlance => ({
  stars: pair(stats.srMin, stats.srMax),
  average: stats.srAvg,
  length: pair(stats.lenMin, stats.lenMax),
  bpm: pair(stats.bpmMin, stats.bpmMax),
  mods: stats.mods,
  rulesets: stats.modes,
  count: stats.count,
  isComplete: stats.complete,
})

const rangeOf = (values: readonly number[]): Range | null =>
  values.length === 0 ? null : [Math.min(...values), Math.max(...values)]

const averageOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** The same from what the page knows by itself (spec 2.6, D-32 to D-36), for pools that are saved nowhere. */
export const glanceOf = (slots: readonly SlotView[]): PoolGlance => {
  const known = slots.flatMap(({ beatmap, forced }) =>
    beatmap.state === 'known' ? { ...beatmap, forced } : [],
  )
  const stars = known.flatMap((slot) => slot.stars ?? [])
  const modes = new Set(known.map(({ details }) => details.ruleset))
  return {
    stars: rangeOf(stars),
    average: averageOf(stars),
    length: rangeOf(known.map(({ details, forced }) => playedLength(details, forced))),
    bpm: rangeOf(known.flatMap(({ details, forced }) => playedBpm(details, forced) ?? [])),
    mods: listedMods(slots),
    rulesets: rulesets.filter((ruleset) => modes.has(ruleset)),
    count: slots.length,
    isComplete:
      stars.length === known.length && slots.every(({ beatmap }) => beatmap.state !== 'pending'),
  }
}
