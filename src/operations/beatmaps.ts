import { BoundedMap, chunksOf, type SingleFlight } from '../domain/loading.ts'
import {
  type Beatmap,
  beatmapAgainAt,
  countedStars,
  gameRatingOf,
  isNoRating,
  type Known,
  knownBeatmap,
  knownRating,
  meantRating,
  type Rating,
  ratingAgainAt,
  type RatingKey,
  ratingText,
} from '../domain/beatmaps.ts'
import { type Caller, callerKind, PlatformError } from '../domain/platform.ts'
import type { Requester } from '../domain/quotas.ts'
import type { SlotPlay } from '../pool/slots.ts'
import type { Platform } from '../ports/platform.ts'
import type { Ports } from '../ports/ports.ts'
import type { KnownBeatmaps } from './known-beatmaps.ts'

export type LookUpPorts<Calls extends keyof Platform = 'readBeatmaps' | 'readRating'> = Pick<
  Ports,
  'clock'
> & { readonly beatmapCache: KnownBeatmaps; readonly platform: Pick<Platform, Calls> }

type LookUpLimits = {
  /** The most calls. */
  readonly most?: number
  /** Left out: what failed recently is asked for again. */
  readonly failures?: RecentFailures
  /** Whose share calls count toward (`Platform`); left out: the caller's. */
  readonly sharedBy?: string
}

export type LookUp<K, V> = Outcome & {
  /** From the cache and the platform; expired values too, where there is nothing newer. */
  readonly known: ReadonlyMap<K, Known<V>>
  /** What the platform failed to answer, now or recently. */
  readonly failed: ReadonlySet<K>
  /** When the known ones were read from the platform, ms since the epoch. */
  readonly readAt: ReadonlyMap<K, number>
  /** When to ask again, ms since the epoch, for those that the platform did not have. */
  readonly againAt: ReadonlyMap<K, number>
}

/** The most ids that the platform takes in one call. */
const IDS_IN_A_CALL = 50

/**
 * Looks these beatmaps up in the cache, and on the platform if the cached value is older than a day or
 * missing. Each answer is cached as it comes. Never throws `PlatformError`.
 */
export async function lookUpBeatmaps(
  { beatmapCache, platform, clock }: LookUpPorts<'readBeatmaps'>,
  ids: readonly number[],
  caller: Caller,
  { most = Infinity, failures = new RecentFailures(), sharedBy = caller }: LookUpLimits = {},
): Promise<LookUp<number, Beatmap | 'gone'>> {
  const wanted = [...new Set(ids)]
  const now = clock.now()
  const known = new Map<number, Known<Beatmap | 'gone'>>()
  const times = new ReadTimes<number>()
  for (const [id, { beatmap, at }] of await beatmapCache.readBeatmaps(wanted)) {
    known.set(id, knownBeatmap(beatmap, at, now))
    times.set(id, at, beatmapAgainAt(beatmap, at))
  }
  const open = wanted.filter((id) => known.get(id)?.isOld ?? true)
  const asked = failures.choose(open, (id) => id, now)
  const failed = new Set(open)
  for (const id of asked) failed.delete(id)

  const ask = async (batch: readonly number[]): Promise<void> => {
    for (const id of batch) failed.add(id)
    const answer = new Map<number, Beatmap | 'gone'>(batch.map((id) => [id, 'gone']))
    for (const beatmap of await platform.readBeatmaps(batch, caller, sharedBy)) {
      if (answer.has(beatmap.id)) answer.set(beatmap.id, beatmap)
    }
    const found = [...answer.values()].filter((value) => value !== 'gone')
    const gone = batch.filter((id) => answer.get(id) === 'gone')
    const at = clock.now()
    await beatmapCache.keepBeatmaps(found, gone, at)
    for (const [id, value] of answer) {
      known.set(id, { value, isOld: false })
      times.set(id, at, beatmapAgainAt(value, at))
      failed.delete(id)
      failures.forget(id)
    }
  }
  // One beatmap that cannot be read must not hide 49 others; visitors wait: fewer calls serve them.
  const split = (ids: readonly number[]) =>
    ids.length < 2 || callerKind(caller) === 'visitor'
      ? []
      : chunksOf(ids, Math.ceil(ids.length / 2))

  const outcome = await askPlatform(chunksOf(asked, IDS_IN_A_CALL), ask, { most, split })
  if (!isToWait(outcome.error)) for (const id of asked) if (failed.has(id)) failures.note(id, now)
  return { ...outcome, known, failed, readAt: times.readAt, againAt: times.againAt }
}

/**
 * Looks these ratings up, by `ratingText`, in the cache, and on the platform if the cached value is
 * too old (`knownRating`) or missing: one call each, in the given order. Each answer is cached as it comes,
 * 0 of a beatmap that has stars as a refusal (D-93). Never throws `PlatformError`.
 */
export async function lookUpRatings(
  { beatmapCache, platform, clock }: LookUpPorts<'readRating'>,
  keys: readonly RatingKey[],
  caller: Caller,
  { most = Infinity, failures = new RecentFailures(), sharedBy = caller }: LookUpLimits = {},
): Promise<LookUp<string, Rating>> {
  const wanted = [...new Map(keys.map((key) => [ratingText(key), key])).values()]
  const now = clock.now()
  const known = new Map<string, Known<Rating>>()
  const times = new ReadTimes<string>()
  const nones = new Map<string, number>()
  for (const [index, entry] of (await beatmapCache.readRatings(wanted)).entries()) {
    const key = wanted[index]
    if (!entry || !key) continue
    const text = ratingText(key)
    known.set(text, knownRating(entry.rating, entry.at, now, entry.nones))
    times.set(text, entry.at, ratingAgainAt(entry.rating, entry.at, entry.nones))
    nones.set(text, entry.nones)
  }
  const open = wanted.filter((key) => known.get(ratingText(key))?.isOld ?? true)
  const asked = failures.choose(open, ratingText, now)
  const failed = new Set(open.map(ratingText))
  for (const key of asked) failed.delete(ratingText(key))

  const ask = async (key: RatingKey): Promise<void> => {
    const text = ratingText(key)
    failed.add(text)
    const answer = await platform.readRating(key, caller, sharedBy)
    const rating = meantRating(answer, await plainStars(beatmapCache, key.beatmapId))
    const at = clock.now()
    await beatmapCache.keepRating(key, rating, at)
    known.set(text, { value: rating, isOld: false })
    times.set(text, at, ratingAgainAt(rating, at, (nones.get(text) ?? 0) + 1))
    failed.delete(text)
    failures.forget(text)
  }

  const outcome = await askPlatform(asked, ask, { most })
  if (!isToWait(outcome.error)) {
    for (const text of asked.map(ratingText)) if (failed.has(text)) failures.note(text, now)
  }
  return { ...outcome, known, failed, readAt: times.readAt, againAt: times.againAt }
}

/** Of a beatmap whose rating is asked for: its stars without mods; null if they are not cached. */
async function plainStars(
  beatmapCache: Pick<KnownBeatmaps, 'readBeatmaps'>,
  id: number,
): Promise<number | null> {
  const beatmap = (await beatmapCache.readBeatmaps([id])).get(id)?.beatmap ?? 'gone'
  return beatmap === 'gone' ? null : beatmap.stars
}

class ReadTimes<K> implements Pick<LookUp<K, unknown>, 'readAt' | 'againAt'> {
  readonly readAt = new Map<K, number>()
  readonly againAt = new Map<K, number>()

  set(key: K, at: number, againAt: number | null): void {
    this.readAt.set(key, at)
    if (againAt === null) this.againAt.delete(key)
    else this.againAt.set(key, againAt)
  }
}

type Outcome = {
  /** Calls that were answered. */
  readonly answered: number
  /** Why the others were not; of several, the one with the latest `retryAt`. */
  readonly error: PlatformError | null
}

/** The budget is 50 calls a minute: more at once would only wait together. */
const AT_ONCE = 4
/** Batches in a row in which the platform may answer no call. */
const MAX_SILENCES = 2

/**
 * Makes calls to the platform, a few at once, until all are made, `most` are made, the platform or the
 * budget says when to retry, or it stops answering.
 *
 * @param split the smaller calls to make in place of one whose answer could not be read.
 */
async function askPlatform<Q>(
  questions: readonly Q[],
  ask: (question: Q) => Promise<void>,
  { most, split = () => [] }: { most: number; split?: (failed: Q) => readonly Q[] },
): Promise<Outcome> {
  const queue = [...questions]
  let left = most
  let answered = 0
  let silences = 0
  let failure: PlatformError | null = null

  const put = async (question: Q): Promise<void> => {
    try {
      await ask(question)
      answered += 1
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (failure === null || (failure.retryAt ?? 0) < (error.retryAt ?? 0)) failure = error
      if (error.trouble === 'unexpected') queue.push(...split(question))
    }
  }

  while (queue.length > 0 && left > 0 && silences < MAX_SILENCES && !isToWait(failure)) {
    const burst = queue.splice(0, Math.min(AT_ONCE, left))
    const before = answered
    left -= burst.length
    await Promise.all(burst.map(put))
    silences = answered === before ? silences + 1 : 0
  }
  return { answered, error: failure }
}

/** Whether the platform or the budget gives a time to retry at. */
function isToWait(error: PlatformError | null): boolean {
  return error !== null && error.retryAt !== null
}

/** Less than the shortest wait after an attempt that failed, so that the next one asks again. */
const RETRY_AFTER_MS = 45_000

/** Questions that the platform failed to answer recently; they must not delay others, nor cost a call each time. */
export class RecentFailures {
  readonly #lastAt: BoundedMap<string, number>
  readonly #asker: string

  constructor(lastAt = new BoundedMap<string, number>({ maxEntries: 10_000 }), asker = '') {
    this.#lastAt = lastAt
    this.#asker = asker
  }

  /** Those of one asker, so that no caller learns what others have asked for. */
  of(asker: string): RecentFailures {
    return new RecentFailures(this.#lastAt, asker)
  }

  note(what: number | string, now: number): void {
    this.#lastAt.set(this.#nameOf(what), now)
  }

  forget(what: number | string): void {
    this.#lastAt.delete(this.#nameOf(what))
  }

  #nameOf(what: number | string): string {
    return `${this.#asker}\n${what}`
  }

  /** What to ask for now: nothing that failed within `RETRY_AFTER_MS`, and the latest failure last. */
  choose<Q>(from: readonly Q[], nameOf: (question: Q) => number | string, now: number): Q[] {
    const lastAt = (question: Q): number =>
      this.#lastAt.peek(this.#nameOf(nameOf(question))) ?? -Infinity
    return from
      .filter((question) => Math.abs(now - lastAt(question)) >= RETRY_AFTER_MS)
      .toSorted((a, b) => (lastAt(a) === lastAt(b) ? 0 : lastAt(a) - lastAt(b)))
  }
}

/** A requester who waits for beatmaps, and what concurrent requests share. */
export type Asking = {
  /** Whose share of the platform's calls is used, and who adds to the cache (D-56). */
  readonly requester: Requester
  /** Resolves when the answer should not wait for the platform any longer. */
  readonly deadline: () => Promise<void>
  /** What the platform fails to answer is not asked for again by each request. */
  readonly failures: RecentFailures
  /** Requests for the same at once ask the platform once. */
  readonly lookUps: SingleFlight<number>
}

/** A beatmap and the mods that its slot forces, in the order in which they are stored. */
export type PlayedBeatmap = Pick<SlotPlay, 'beatmapId' | 'forced'>

/** What is cached of one use of a beatmap; null for nothing. */
export type KnownUse = {
  readonly beatmap: Known<Beatmap | 'gone'> | null
  /** Which rating the game shows (D-94); null for the plain one, or when that is unknown. */
  readonly ratingKey: RatingKey | null
  readonly rating: Known<Rating> | null
}

/** What is cached of these uses, in their order; the platform is not asked. */
export async function readBeatmaps(
  { beatmapCache }: Pick<LookUpPorts, 'beatmapCache'>,
  uses: readonly PlayedBeatmap[],
  now: number,
): Promise<readonly KnownUse[]> {
  const ids = [...new Set(uses.map(({ beatmapId }) => beatmapId))]
  const beatmaps = await beatmapCache.readBeatmaps(ids)
  const keyed = uses.map((use) => {
    const entry = beatmaps.get(use.beatmapId)
    if (entry === undefined) return { beatmap: null, ratingKey: null }
    const beatmap = knownBeatmap(entry.beatmap, entry.at, now)
    if (entry.beatmap === 'gone') return { beatmap, ratingKey: null }
    return { beatmap, ratingKey: gameRatingOf(use, entry.beatmap.ruleset) }
  })
  const ratings = await beatmapCache.readRatings(keyed.flatMap(({ ratingKey }) => ratingKey ?? []))
  const inOrder = ratings.values()
  return keyed.map(({ beatmap, ratingKey }) => {
    const entry = ratingKey === null ? null : (inOrder.next().value ?? null)
    const rating = entry === null ? null : knownRating(entry.rating, entry.at, now, entry.nones)
    return { beatmap, ratingKey, rating }
  })
}

/** Whether nothing is known of the beatmap, or of the rating that the game shows. */
export const isUnknown = ({ beatmap, ratingKey, rating }: KnownUse): boolean =>
  beatmap === null || (ratingKey !== null && rating === null)

const isOld = ({ beatmap, rating }: KnownUse): boolean =>
  beatmap?.isOld === true || rating?.isOld === true

/**
 * What is cached of some uses: at once if nothing is open, else after `ask` or the deadline, whichever is
 * first. What comes later is cached for the next time.
 *
 * @param ask asks the platform and caches its answers; what it resolves to is returned, too. It is called with
 *   what is cached.
 * @param deadline resolves when the caller should not wait any longer.
 */
export async function readAfterAsking<T>(
  read: () => Promise<readonly KnownUse[]>,
  isOpen: (known: KnownUse, at: number) => boolean,
  ask: (known: readonly KnownUse[]) => Promise<T>,
  deadline: () => Promise<void>,
): Promise<{ readonly known: readonly KnownUse[]; readonly asked: T | null }> {
  const known = await read()
  if (known.some(isOpen)) {
    const asked = (await Promise.race([ask(known), deadline()])) ?? null
    return { known: await read(), asked }
  }
  // Not awaited: old values are good enough. A store that fails is reported elsewhere.
  if (known.some(isOld)) void ask(known).catch(() => {})
  return { known, asked: null }
}

/**
 * Looks up these beatmaps, then the ratings of these uses, those first of which nothing is known.
 *
 * @param rated whose ratings are looked up.
 */
export async function lookUpUses(
  ports: LookUpPorts,
  ids: readonly number[],
  rated: readonly PlayedBeatmap[],
  caller: Caller,
  { beatmapCalls, ratingCalls, failures, sharedBy }: UseLimits,
) {
  const beatmaps = await lookUpBeatmaps(ports, ids, caller, {
    most: beatmapCalls,
    failures,
    sharedBy,
  })
  const known = await readBeatmaps(ports, rated, ports.clock.now())
  const keys = known
    .toSorted((a, b) => Number(a.rating !== null) - Number(b.rating !== null))
    .flatMap(({ ratingKey }) => ratingKey ?? [])
  const ratings = await lookUpRatings(ports, keys, caller, {
    most: ratingCalls,
    failures,
    sharedBy,
  })
  return { beatmaps, keys, ratings }
}

type UseLimits = {
  readonly beatmapCalls: number
  readonly ratingCalls: number
  readonly failures: RecentFailures
  readonly sharedBy: string
}

/** Whether the platform has no rating with the mods of a use, so that its stars are those without (D-93). */
export const hasNoRating = ({ ratingKey, rating }: KnownUse): boolean =>
  ratingKey !== null && rating !== null && isNoRating(rating.value)

/** The stars that the game shows of a use (D-94); null if unknown. */
export function starsOf({ beatmap, ratingKey, rating }: KnownUse): number | null {
  if (beatmap === null || beatmap.value === 'gone') return null
  if (ratingKey === null) return beatmap.value.stars
  return rating === null ? null : countedStars(rating.value, beatmap.value.stars)
}
