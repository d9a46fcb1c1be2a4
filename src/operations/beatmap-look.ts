import type { BeatmapAnswer, BeatmapLook, BeatmapLookReply } from '../contract/beatmaps.ts'
import { AppError } from '../contract/errors.ts'
import type { KnownSlot } from '../contract/page-data.ts'
import type { Awaitable } from '../domain/awaitable.ts'
import { ratingText } from '../domain/beatmaps.ts'
import { maySee } from '../domain/packs.ts'
import type { Requester } from '../domain/quotas.ts'
import type { Session } from '../domain/sessions.ts'
import { SingleFlight } from '../domain/single-flight.ts'
import { checkForcedSet, orderForcedSet } from '../pool/buckets.ts'
import { roundHalfUp } from '../pool/played-values.ts'
import { slotMods, type SlotPlay } from '../pool/slots.ts'
import type { Ports } from '../ports/ports.ts'
import { spendNewBeatmaps } from './admission.ts'
import {
  type BeatmapUse,
  type KnownUse,
  isUnknown,
  type LookUpPorts,
  lookUpUses,
  readAfterAsking,
  readBeatmaps,
  type RecentFailures,
  starsOf,
} from './beatmaps.ts'

type BeatmapLookPorts = LookUpPorts & Pick<Ports, 'packs' | 'quotas'>

type BeatmapLooker = {
  /** null when nobody is signed in. */
  readonly viewer: Session | null
  /** Whose share of the platform's calls is used, and who adds to the cache (D-56). */
  readonly requester: Requester
  /** Resolves when the page should not wait for the platform any longer. */
  readonly deadline: () => Promise<void>
  /** Shared by all pages, so that what the platform fails to answer is not asked for each of them. */
  readonly failures: RecentFailures
  /** Shared by all pages, so that many visitors of one pack ask for it once. */
  readonly lookUps: SingleFlight<number>
}

/** Of one page: 64 beatmaps are two calls. */
const CALLS = { beatmapCalls: 2, ratingCalls: 4 }
/** When a page asks again, in seconds: for more, and after a failure. */
const SOON = 5
const LATER = 45
const LATEST = 3600

/**
 * What is known of the beatmaps that a page shows: from the cache at once, and the rest from the
 * platform within the budget for visitors, until the deadline. What comes later is cached for the next
 * request of the page. Throws `bad_request` for mods that no slot can force.
 */
export async function lookAtBeatmaps(
  ports: BeatmapLookPorts,
  { viewer, requester, deadline, failures, lookUps }: BeatmapLooker,
  question: BeatmapLook,
): Promise<BeatmapLookReply> {
  const uses = question.beatmaps.map(useOf)
  const mayAskRating = await ratingRule(ports, viewer, question.slug)
  const read = () => readBeatmaps(ports, uses, ports.clock.now())

  /** What is unknown and may be asked for. */
  const isOpen = (use: KnownUse, at: number): boolean =>
    isUnknown(use) && (use.beatmap === null || mayAskRating(uses[at] as BeatmapUse))

  /** Asks the platform and caches its answers; returns in how many seconds there may be more. */
  const ask = async (before: readonly KnownUse[]): Promise<number> => {
    const all = uses.map(({ beatmapId }) => beatmapId)
    const unknown = new Set(all.filter((_, at) => before[at]?.beatmap === null))
    const waitForNew = unknown.size === 0 ? null : spendNewBeatmaps(ports, requester, 0)
    const ids = waitForNew === null ? all : all.filter((id) => !unknown.has(id))
    const rated = uses.filter(mayAskRating)
    const { beatmaps, keys, ratings } = await lookUpUses(ports, ids, rated, requester, {
      ...CALLS,
      failures,
    })
    const added = [...unknown].filter((id) => beatmaps.known.has(id))
    if (added.length > 0) spendNewBeatmaps(ports, requester, added.length)
    const retryAt = Math.max(beatmaps.error?.retryAt ?? 0, ratings.error?.retryAt ?? 0)
    if (waitForNew !== null) return waitForNew
    if (retryAt > 0) return Math.ceil((retryAt - ports.clock.now()) / 1000)
    const untried = [
      ...ids.filter((id) => !beatmaps.known.has(id) && !beatmaps.failed.has(id)),
      ...keys.filter((key) => {
        const text = ratingText(key)
        return !ratings.known.has(text) && !ratings.failed.has(text)
      }),
    ]
    return untried.length > 0 ? SOON : LATER
  }

  // Shared per requester: others share the platform's answer, but not a refusal by a used-up share.
  const key = uses.map((use) => `${textOf(use)} ${mayAskRating(use)}`)
  const askOnce = (before: readonly KnownUse[]): Promise<number> =>
    lookUps.run(`${requester} ${key.join()}`, () => ask(before))
  const { known, asked } = await readAfterAsking(read, isOpen, askOnce, deadline)
  return {
    beatmaps: uses.map((use, at) => answerOf(use, known[at] as KnownUse)),
    retryAfter: known.some(isOpen) ? Math.min(Math.max(asked ?? SOON, 1), LATEST) : null,
  }
}

/** How long what is cached is not read again: while something is missing, and once it is complete. */
const INCOMPLETE_LASTS_MS = 5_000
const COMPLETE_LASTS_MS = 600_000

/** Of a tournament with more slots than these, the first. */
const MOST_KNOWN = 300

type Known = {
  readonly slots: readonly KnownSlot[]
  readonly text: string
  readonly until: number
}

/**
 * Returns a function for what is cached of the beatmaps of a pack or a tournament, with the mods of its slots;
 * the platform is not asked. The same array as long as nothing more is known.
 *
 * @param playsOf its slots, as everybody may see them who may see it at all.
 */
export function knownSlotsOf<T extends { readonly slug: string; readonly updatedAt: number }>(
  ports: Pick<Ports, 'beatmapCache' | 'clock'>,
  playsOf: (pool: T) => readonly SlotPlay[],
) {
  const known = new WeakMap<T, Known>()
  const reading = new SingleFlight<readonly KnownSlot[]>()

  async function read(pool: T): Promise<readonly KnownSlot[]> {
    const uses = playsOf(pool).slice(0, MOST_KNOWN)
    const now = ports.clock.now()
    const facts = await readBeatmaps(ports, uses, now)
    const all = uses.map((use, at): KnownSlot => ({
      ...answerOf(use, facts[at] as KnownUse),
      mods: [...use.forced],
    }))
    const slots = all.filter(({ state }) => state !== 'pending')
    const text = JSON.stringify(slots)
    const before = known.get(pool)
    const until = now + (facts.some(isUnknown) ? INCOMPLETE_LASTS_MS : COMPLETE_LASTS_MS)
    const kept = before?.text === text ? before.slots : slots
    known.set(pool, { slots: kept, text, until })
    return kept
  }

  return (pool: T): Awaitable<readonly KnownSlot[]> => {
    const before = known.get(pool)
    if (before !== undefined && ports.clock.now() < before.until) return before.slots
    return reading.run(`${pool.slug} ${pool.updatedAt}`, () => read(pool))
  }
}

function useOf({ id, mods }: BeatmapLook['beatmaps'][number], at: number): BeatmapUse {
  const problem = mods.length === 0 ? null : checkForcedSet(mods)
  if (problem !== null) throw new AppError('bad_request', `beatmaps[${at}].mods ${problem}`)
  return { beatmapId: id, forced: orderForcedSet(mods) }
}

/** Which ratings may be asked for: any by the signed-in, those of a pack by all who may see it. */
async function ratingRule(
  { packs }: Pick<Ports, 'packs'>,
  viewer: Session | null,
  slug: string | undefined,
): Promise<(use: BeatmapUse) => boolean> {
  if (viewer !== null) return () => true
  const pack = slug === undefined ? null : await packs.read(slug)
  const open = new Set(pack !== null && maySee(pack, viewer) ? slotMods(pack).map(textOf) : [])
  return (use) => open.has(textOf(use))
}

function textOf({ beatmapId, forced }: BeatmapUse): string {
  return `${beatmapId} ${forced.join('')}`
}

function answerOf({ beatmapId: id }: BeatmapUse, known: KnownUse): BeatmapAnswer {
  const beatmap = known.beatmap?.value
  if (beatmap === undefined) return { id, state: 'pending' }
  if (beatmap === 'gone') return { id, state: 'gone' }
  const stars = starsOf(known)
  const shown = stars === null ? null : roundHalfUp(stars, 2)
  return { id, state: 'known', details: beatmap, stars: shown }
}
