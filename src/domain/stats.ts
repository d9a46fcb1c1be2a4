import { type Ruleset, rulesets } from '../contract/mods.ts'
import type { Stats } from '../contract/packs.ts'
import { DAY_MS, MINUTE_MS } from '../contract/quotas.ts'
import { roundHalfUp, speedOf, starStats } from '../pool/played-values.ts'
import { listedMods, type ModsPool, slotMods, type SlotPlay } from '../pool/slots.ts'
import {
  type Beatmap,
  countedStars,
  isNoRating,
  type Known,
  type Rating,
  ratingOf,
  ratingText,
} from './beatmaps.ts'
import { timestamp } from './quotas.ts'

/**
 * The stats of a pack (spec 2.6, D-32 to D-36). Beatmaps that are unknown or gone are left out, old
 * facts count; the stats are complete only if everything is known and nothing is old.
 *
 * @param ratings by `ratingText`.
 */
export function computeStats(
  pool: ModsPool,
  beatmaps: ReadonlyMap<number, Known<Beatmap | 'gone'>>,
  ratings: ReadonlyMap<string, Known<Rating>>,
  now: number,
): Stats {
  const slots = slotMods(pool)
  let complete = true
  const use = <T>(known: Known<T> | undefined): T | undefined => {
    if (known === undefined || known.isOld) complete = false
    return known?.value
  }
  const starsOf = (slot: SlotPlay, beatmap: Beatmap): number[] => {
    const key = ratingOf(slot, beatmap.ruleset)
    if (key === null) return [beatmap.stars]
    const known = ratings.get(ratingText(key))
    // Where the platform has no rating, there is nothing to wait for (D-93).
    const rating = known && isNoRating(known.value) ? known.value : use(known)
    return rating === undefined ? [] : [countedStars(rating, beatmap.stars)]
  }
  const stars: number[] = []
  const lengths: number[] = []
  const bpms: number[] = []
  const modes = new Set<Ruleset>()
  for (const slot of slots) {
    const beatmap = use(beatmaps.get(slot.beatmapId))
    if (beatmap === undefined || beatmap === 'gone') continue
    const speed = speedOf(slot.forced)
    stars.push(...starsOf(slot, beatmap))
    lengths.push(beatmap.length / speed)
    if (beatmap.bpm !== null) bpms.push(beatmap.bpm * speed)
    modes.add(beatmap.ruleset)
  }
  return {
    ...starStats(stars),
    lenMin: lowest(lengths),
    lenMax: highest(lengths),
    bpmMin: lowest(bpms),
    bpmMax: highest(bpms),
    mods: listedMods(slots),
    modes: rulesets.filter((ruleset) => modes.has(ruleset)),
    count: slots.length,
    complete,
    computedAt: timestamp(now),
  }
}

/**
 * The stats to store; null to leave the old ones (a pack only has stats of its present slots): those are complete and
 * the fresh ones are not, or nothing is new, or less is known than was.
 */
export function betterStats(old: Stats | null, fresh: Stats): Stats | null {
  if (old === null || fresh.complete) return fresh
  const isSame = JSON.stringify({ ...old, computedAt: fresh.computedAt }) === JSON.stringify(fresh)
  return old.complete || isSame || knowsLess(fresh, old) ? null : fresh
}

const ranges = [
  ['srMin', 'srMax'],
  ['lenMin', 'lenMax'],
  ['bpmMin', 'bpmMax'],
] as const

/**
 * Whether these leave out a beatmap that those have: what a process has looked up for a pack that is not public is
 * unknown to another one, and after a restart, until it asks, too.
 */
function knowsLess(these: Stats, those: Stats): boolean {
  return (
    those.modes.some((mode) => !these.modes.includes(mode)) ||
    ranges.some(
      ([least, most]) =>
        (those[least] ?? Infinity) < (these[least] ?? Infinity) ||
        (those[most] ?? -Infinity) > (these[most] ?? -Infinity),
    )
  )
}

/** Whole, what a function makes of numbers; null when there are none. */
function ofSome(make: (values: readonly number[]) => number) {
  return (values: readonly number[]): number | null =>
    values.length === 0 ? null : roundHalfUp(make(values), 0)
}

const lowest = ofSome((values) => Math.min(...values))
const highest = ofSome((values) => Math.max(...values))

const GIVE_UP_MS = 30 * DAY_MS

/** How long to wait after a failed attempt (from 1), ms; null after 30 days of them. */
export function waitAfter(attempt: number): number | null {
  const next = momentOf(attempt + 1)
  return next > GIVE_UP_MS ? null : next - momentOf(attempt)
}

/** ms from the first attempt to this one: 0, 1, 2, 4, 8, 16 … minutes, later one each day. */
function momentOf(attempt: number): number {
  if (attempt <= 1) return 0
  let moment = MINUTE_MS
  for (let each = 2; each < attempt; each++) {
    moment += Math.min(moment, DAY_MS)
  }
  return moment
}
