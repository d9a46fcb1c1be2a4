import { AppError } from '../contract/errors.ts'
import { type RatingKey, ratingNeeds, ratingText } from '../domain/beatmaps.ts'
import type { PlatformError } from '../domain/platform.ts'
import { betterStats, computeStats, waitAfter } from '../domain/stats.ts'
import type { PackStore } from '../ports/packs.ts'
import type { Ports } from '../ports/ports.ts'
import type { DuePack, StatsResult } from '../ports/stats.ts'
import {
  type LookUp,
  lookUpBeatmaps,
  type LookUpPorts,
  lookUpRatings,
  type RecentFailures,
} from './beatmaps.ts'

export type StatsPorts = LookUpPorts & Pick<Ports, 'statsWork'>

/** How far one round of work on some packs goes. */
type StatsPace = {
  readonly beatmapCalls: number
  readonly ratingCalls: number
  /** When a pack comes back that has to wait for calls until `retryAt`; both ms since the epoch. */
  readonly placeInLine: (retryAt: number) => number
  readonly failures: RecentFailures
}

const SHORTEST_WAIT_MS = 1_000

/**
 * Works on due packs for one round: lookUps up what it may, stores what it knows, and says when each
 * is due again. A pack is done when all is known. Until then it comes back behind the others while
 * there is more to ask, when calls may be made again, or after the wait that its attempts ask for.
 *
 * @returns what the platform failed to answer, if anything; waiting for calls is no failure.
 */
export async function computeDueStats(
  ports: StatsPorts,
  due: readonly DuePack[],
  pace: StatsPace,
): Promise<PlatformError | null> {
  const { failures } = pace
  const ids = due.map(({ pack }) => [...new Set(pack.slots.map((slot) => slot.beatmapId))])
  const beatmaps = await lookUpBeatmaps(ports, ids.flat(), 'background', {
    most: pace.beatmapCalls,
    failures,
  })
  const needs = due.map(({ pack }): readonly RatingKey[] => ratingNeeds(pack, beatmaps.known))
  const ratings = await lookUpRatings(ports, inTurns(needs), 'background', {
    most: pace.ratingCalls,
    failures,
  })

  const answered = beatmaps.answered + ratings.answered
  const retryAt = Math.max(beatmaps.error?.retryAt ?? 0, ratings.error?.retryAt ?? 0)
  const now = ports.clock.now()

  const nextTry = ({ attempt }: DuePack, at: number): Omit<StatsResult, 'stats'> => {
    const open = [
      openAmong(beatmaps, ids[at] ?? []),
      openAmong(ratings, (needs[at] ?? []).map(ratingText)),
    ]
    const all = open.reduce((sum, each) => sum + each.all, 0)
    const untried = open.reduce((sum, each) => sum + each.untried, 0)
    if (all === 0) return { dueAt: null, attempts: 0 }
    if (retryAt > 0) {
      const dueAt = pace.placeInLine(Math.max(retryAt, now + SHORTEST_WAIT_MS))
      return { dueAt, attempts: attempt - 1 }
    }
    const isStuck = untried === 0 || (untried < all && answered === 0)
    if (!isStuck) return { dueAt: now, attempts: 0 }
    const wait = waitAfter(attempt)
    return { dueAt: wait === null ? null : now + wait, attempts: attempt }
  }

  const finish = (each: DuePack, at: number): Promise<boolean> => {
    const stats = computeStats(each.pack, beatmaps.known, ratings.known, now)
    return ports.statsWork.finish(each, {
      stats: betterStats(each.pack.stats, stats),
      ...nextTry(each, at),
    })
  }
  await Promise.all(due.map(finish))

  return [beatmaps.error, ratings.error].find((error) => error?.retryAt === null) ?? null
}

/** The first of each, then the second of each …: no pack's needs stand before all of another's. */
const inTurns = <T>(lists: readonly (readonly T[])[]): T[] =>
  Array.from({ length: Math.max(0, ...lists.map((list) => list.length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat()

/** How many of these are still to be looked up: in all, and those that were not asked for in vain. */
function openAmong<K>(lookUp: LookUp<K, unknown>, keys: readonly K[]) {
  const open = keys.filter((key) => lookUp.known.get(key)?.isOld ?? true)
  return { all: open.length, untried: open.filter((key) => !lookUp.failed.has(key)).length }
}

/**
 * Has the stats of one pack, or of all when `slug` is null, computed anew by whichever process
 * computes them, from what the platform says by then and not before. Packs keep the stats that they
 * have until better ones are there. Throws `not_found` when there is no such pack.
 *
 * @returns how many packs there are to compute.
 */
export async function recomputeStats(
  {
    packs,
    beatmapCache,
    statsWork,
    clock,
  }: Pick<Ports, 'packs' | 'beatmapCache' | 'statsWork' | 'clock'>,
  slug: string | null,
): Promise<number> {
  await beatmapCache.expire(slug === null ? null : await beatmapIdsOf(packs, slug))
  return statsWork.markDue(slug, clock.now())
}

async function beatmapIdsOf(packs: PackStore, slug: string): Promise<readonly number[]> {
  const pack = await packs.read(slug)
  if (pack === null) throw new AppError('not_found', 'there is no pack with this slug')
  return [...new Set(pack.slots.map(({ beatmapId }) => beatmapId))]
}
