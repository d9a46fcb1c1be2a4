import { AppError } from '../contract/errors.ts'
import { type RatingKey, ratingNeeds, ratingText, shownNeeds } from '../domain/beatmaps.ts'
import type { SavedPack } from '../domain/packs.ts'
import type { PlatformError } from '../domain/platform.ts'
import { betterStats, computeStats, waitAfter } from '../domain/stats.ts'
import { slotMods } from '../pool/slots.ts'
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
import {
  accountAsker,
  askedWith,
  cacheFor,
  type Fact,
  factsOf,
  type KnownBeatmaps,
  lookedUpSlots,
} from './known-beatmaps.ts'

export type StatsPorts = LookUpPorts & Pick<Ports, 'beatmapCache' | 'statsWork'>

/** The limits of one run. */
type StatsPace = {
  readonly beatmapCalls: number
  readonly ratingCalls: number
  /** When a pack is due again that waits for calls until `retryAt`; both in ms since the epoch. */
  readonly spreadRetry: (retryAt: number) => number
  readonly failures: RecentFailures
}

/**
 * Processes due packs once: looks up what the limits allow, stores the stats that can be computed, and
 * sets when each pack is due again: never when everything is known, at once while there is more to look
 * up, when calls are allowed again, or after a wait that grows with its attempts. The ratings that only
 * pages show (D-94) are looked up after those that stats need.
 *
 * @returns why the platform did not answer, if it did not; waiting for calls is no error.
 */
export async function computeDueStats(
  allPorts: StatsPorts,
  due: readonly DuePack[],
  pace: StatsPace,
): Promise<PlatformError | null> {
  const { beatmapCalls, ratingCalls, failures } = pace
  const ports = { ...allPorts, beatmapCache: cacheOf(allPorts, due) }
  const packs = due.map((work) => ({
    work,
    ids: [...new Set(work.pack.slots.map(({ beatmapId }) => beatmapId))],
  }))
  const beatmaps = await lookUpBeatmaps(
    ports,
    packs.flatMap(({ ids }) => ids),
    'background',
    { most: beatmapCalls, failures },
  )
  const all = packs.map((each): Needing => ({
    ...each,
    needs: ratingNeeds(each.work.pack, beatmaps.known),
    shown: shownNeeds(each.work.pack, beatmaps.known),
  }))
  const wanted = [
    ...inTurns(all.map(({ needs }) => needs)),
    ...inTurns(all.map(({ shown }) => shown)),
  ]
  const ratings = await lookUpRatings(ports, wanted, 'background', { most: ratingCalls, failures })

  const answered = beatmaps.answered + ratings.answered
  const retryAt = Math.max(beatmaps.error?.retryAt ?? 0, ratings.error?.retryAt ?? 0)
  const now = ports.clock.now()

  const nextTry = ({ work, ids, needs, shown }: Needing): Omit<StatsResult, 'stats'> => {
    const { attempt } = work
    const openBeatmaps = openAmong(beatmaps, ids)
    const openNeeds = openAmong(ratings, needs.map(ratingText))
    const openShown = openAmong(ratings, shown.map(ratingText))
    const needed = openBeatmaps.all + openNeeds.all
    const open = needed + openShown.all
    const untried = openBeatmaps.untried + openNeeds.untried + openShown.untried
    if (open === 0) return { dueAt: null, attempts: 0 }
    // Packs that lack something for their stats come before those that only lack what pages show.
    const behindMs = needed === 0 ? SHOWN_WAIT_MS : 0
    if (retryAt > 0) {
      const dueAt = pace.spreadRetry(Math.max(retryAt, now + 1_000)) + behindMs
      return { dueAt, attempts: attempt - 1 }
    }
    const isStuck = untried === 0 || (untried < open && answered === 0)
    if (!isStuck) return { dueAt: now + behindMs, attempts: 0 }
    const wait = waitAfter(attempt)
    return { dueAt: wait === null ? null : now + wait, attempts: attempt }
  }

  const listed = all.filter(
    ({ work: { pack } }) => pack.visibility === 'public' && pack.hiddenAt === null,
  )
  await allPorts.beatmapCache.publish(
    listed.flatMap(({ ids }) => ids).filter((id) => beatmaps.known.has(id)),
    listed
      .flatMap(({ needs, shown }) => [...needs, ...shown])
      .filter((key) => ratings.known.has(ratingText(key))),
  )
  await Promise.all(
    all.map((each) => {
      const { work, ids, needs, shown } = each
      const keys = needs.map(ratingText)
      const readAt = Math.max(
        ...ids.map((id) => beatmaps.readAt.get(id) ?? 0),
        ...keys.map((key) => ratings.readAt.get(key) ?? 0),
      )
      const { pack } = work
      const fresh = () => computeStats(pack, beatmaps.known, ratings.known, now)
      const stats = isUpToDate(pack, readAt) ? null : betterStats(pack.stats, fresh())
      const again = [
        ...ids.map((id) => beatmaps.againAt.get(id)),
        ...[...keys, ...shown.map(ratingText)].map((key) => ratings.againAt.get(key)),
      ].filter((moment) => moment !== undefined)
      const askAgainAt = again.length === 0 ? null : Math.min(...again)
      return ports.statsWork.finish(work, { stats, askAgainAt, ...nextTry(each) })
    }),
  )
  const errors = [beatmaps.error, ratings.error].filter((error) => error !== null)
  return errors.find(({ trouble }) => trouble !== 'unasked') ?? null
}

/** A due pack, its beatmaps, the ratings that its stats need, and those that only pages show. */
type Needing = {
  readonly work: DuePack
  readonly ids: readonly number[]
  readonly needs: readonly RatingKey[]
  readonly shown: readonly RatingKey[]
}

/** So much later than at once is a pack due that lacks no more than ratings which pages show. */
const SHOWN_WAIT_MS = 1_000

/** Whether a pack has its stats and was not saved since, nor any fact of them read: they stay as they are (D-94). */
function isUpToDate({ stats, updatedAt }: SavedPack, readAt: number): boolean {
  if (stats?.complete !== true) return false
  const computedAt = Date.parse(stats.computedAt)
  return updatedAt <= computedAt && readAt <= computedAt
}

/**
 * The cache for these packs: besides what public packs have, what was looked up for each pack that needs it, or asked
 * for by its owner.
 */
function cacheOf(
  { beatmapCache: cache, clock }: Pick<StatsPorts, 'beatmapCache' | 'clock'>,
  due: readonly DuePack[],
): KnownBeatmaps {
  const now = clock.now()
  const found = new Map(due.map(({ pack }) => [pack, factsOf(lookedUpSlots(pack, now))]))
  const asked = askedWith(cache)
  const needing = new Map<Fact, SavedPack[]>()
  for (const { pack } of due) {
    for (const fact of factsOf(slotMods(pack))) {
      needing.set(fact, [...(needing.get(fact) ?? []), pack])
    }
  }
  const askerOf = ({ ownerId }: SavedPack) => accountAsker(ownerId)
  return cacheFor(cache, {
    mayRead: (fact) =>
      needing
        .get(fact)
        ?.every((pack) => found.get(pack)?.has(fact) === true || asked.has(askerOf(pack), fact)) ===
      true,
    onKept: (fact) => {
      for (const pack of needing.get(fact) ?? []) asked.note(askerOf(pack), fact)
    },
  })
}

/** The first item of each list, then the second of each, and so on: packs share the calls fairly. */
function inTurns(lists: readonly (readonly RatingKey[])[]): RatingKey[] {
  const longest = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
}

/** How many of these are still unknown, and how many of those were not asked for yet. */
function openAmong<K>(lookUp: LookUp<K, unknown>, keys: readonly K[]) {
  const open = keys.filter((key) => lookUp.known.get(key)?.isOld ?? true)
  return { all: open.length, untried: open.filter((key) => !lookUp.failed.has(key)).length }
}

type RecomputePorts = Pick<Ports, 'packs' | 'beatmapCache' | 'statsWork' | 'clock'>

/**
 * Marks the stats of one pack, or of all if `slug` is null, as due, and their cached beatmaps as expired;
 * packs keep their stats until better ones are computed. Returns how many. Throws `not_found`.
 */
export async function recomputeStats(
  { packs, beatmapCache, statsWork, clock }: RecomputePorts,
  slug: string | null,
): Promise<number> {
  await beatmapCache.expire(slug === null ? null : await beatmapIdsOf(packs, slug))
  return statsWork.markDue(slug, clock.now())
}

async function beatmapIdsOf(packs: PackStore, slug: string): Promise<readonly number[]> {
  const pack = await packs.read(slug)
  if (pack === null)
    throw new AppError('not_found:nothing_visible', 'there is no pack with this slug')
  return [...new Set(pack.slots.map(({ beatmapId }) => beatmapId))]
}
