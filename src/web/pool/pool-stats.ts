import * as texts from '#texts/plot'
import { rulesets } from '../../contract/mods.ts'
import type { Stats } from '../../contract/packs.ts'
import { countsPlain, playedBpm, playedLength, starStats } from '../../pool/played-values.ts'
import { listedMods } from '../../pool/slots.ts'
import { formatRange, formatStars, rangeOf } from '../format.ts'
import type { SlotView } from './slots.ts'

export type PoolStats = Omit<Stats, 'computedAt'>

/** The stats from what the page knows (spec 2.6, D-32 to D-36), for pools that are not saved. */
export function statsOf(slots: readonly SlotView[]): PoolStats {
  const known = knownOf(slots)
  // HD alone counts plain (D-36).
  const stars = known.flatMap(({ details, forced, stars: shown }) =>
    countsPlain(forced) ? details.stars : (shown ?? []),
  )
  const [lenMin, lenMax] = endsOf(known.map((slot) => playedLength(slot.details, slot.forced)))
  const bpms = known.flatMap((slot) => playedBpm(slot.details, slot.forced) ?? [])
  const [bpmMin, bpmMax] = endsOf(bpms)
  const modes = new Set(known.map(({ details }) => details.ruleset))
  const isLoading = slots.some(({ beatmap }) => beatmap.state === 'pending')
  return {
    ...starStats(stars),
    lenMin,
    lenMax,
    bpmMin,
    bpmMax,
    mods: listedMods(slots),
    modes: rulesets.filter((ruleset) => modes.has(ruleset)),
    count: slots.length,
    complete: stars.length === known.length && !isLoading,
  }
}

/** Those of the server; what the page makes of its own where those lack beatmaps that it knows by now. */
export function shownStats(stats: PoolStats | undefined, slots: readonly SlotView[]): PoolStats {
  if (stats?.complete) return stats
  const own = statsOf(slots)
  return stats === undefined || own.complete ? own : stats
}

const knownOf = (slots: readonly SlotView[]) =>
  slots.flatMap(({ beatmap, forced }) => (beatmap.state === 'known' ? { ...beatmap, forced } : []))

/** Where stats count slots without HD and the game shows other stars: which (D-94); null while some are not known. */
export function hiddenNote(stats: PoolStats, slots: readonly SlotView[]): string | null {
  const known = knownOf(slots)
  const stars = known.flatMap((slot) => slot.stars ?? [])
  if (stars.length < known.length) return null
  const inGame = inGameNote(starStats(stars))
  // Those of the server may be older than the ratings: what differs for that is no matter of HD.
  return inGame === inGameNote(statsOf(slots)) || inGame === inGameNote(stats) ? null : inGame
}

/** With the average only where it says more. */
function inGameNote({
  srMin,
  srMax,
  srAvg,
}: Pick<PoolStats, 'srMin' | 'srMax' | 'srAvg'>): string | null {
  const range = rangeOf(srMin, srMax)
  if (range === undefined || srAvg === null) return null
  const stars = formatRange(range, formatStars)
  return srMin === srMax
    ? texts.countsWithoutHd({ stars })
    : texts.countsWithoutHdOnAverage({ stars, average: formatStars(srAvg) })
}

const endsOf = (values: readonly number[]): [number, number] | [null, null] =>
  values.length === 0 ? [null, null] : [Math.min(...values), Math.max(...values)]
