import type { BeatmapAnswer, BeatmapLook, BeatmapLookReply } from '../contract/beatmaps.ts'
import type { KnownSlot } from '../contract/page-data.ts'
import { type Awaitable, SingleFlight } from '../domain/loading.ts'
import { ratingText } from '../domain/beatmaps.ts'
import { maySee, type SavedPack } from '../domain/packs.ts'
import type { Requester } from '../domain/quotas.ts'
import type { Session } from '../domain/sessions.ts'
import { mayDo } from '../domain/tournament-access.ts'
import { invalidInput } from '../domain/invalid-input.ts'
import { findInForcedSet, orderForcedSet, slotMods, type SlotPlay } from '../pool/slots.ts'
import { countsPlain } from '../pool/played-values.ts'
import type { Ports } from '../ports/ports.ts'
import { spendNewBeatmaps } from './admission.ts'
import {
  type Asking,
  hasNoRating,
  type PlayedBeatmap,
  type KnownUse,
  isUnknown,
  type LookUpPorts,
  lookUpUses,
  readAfterAsking,
  readBeatmaps,
  starsOf,
} from './beatmaps.ts'
import {
  askedWith,
  cacheFor,
  type Fact,
  factOfPlay,
  factsOf,
  type KnownBeatmaps,
  lookedUp,
  lookedUpSlots,
  openCache,
  tournamentAsker,
} from './known-beatmaps.ts'

type BeatmapLookPorts = LookUpPorts & Pick<Ports, 'packs' | 'tournaments' | 'quotas'>

type BeatmapLooker = Asking & {
  /** null without a session. */
  readonly viewer: Session | null
}

/** Of one page: 64 beatmaps are two calls. */
const CALLS = { beatmapCalls: 2, ratingCalls: 4 }
/** After how many seconds a page asks again: for more, and after a failure. */
const SOON = 5
const LATER = 45
const LATEST = 3600

/**
 * What is known of the beatmaps that a page shows: from the cache at once what its viewer may learn of it (D-74), and
 * the rest from the platform within the budget for visitors, until the deadline. What comes later is cached for the
 * next request of the page. Throws `bad_request` for mods that no slot can force.
 */
export async function lookAtBeatmaps(
  allPorts: BeatmapLookPorts,
  { viewer, requester, deadline, failures, lookUps }: BeatmapLooker,
  question: BeatmapLook,
): Promise<BeatmapLookReply> {
  const uses = question.beatmaps.map(useOf)
  const shown = await findShown(allPorts, viewer, question)
  const ports = { ...allPorts, beatmapCache: cacheOf(allPorts, requester, shown) }
  const mayAskRating = ratingRule(viewer, shown.pack)
  const read = () => readBeatmaps(ports, uses, ports.clock.now())

  /** What is unknown and may be asked for. */
  const isOpen = (use: KnownUse, at: number): boolean =>
    isUnknown(use) && (use.beatmap === null || mayAskRating(uses[at] as PlayedBeatmap))

  /** Asks the platform and caches its answers; returns in how many seconds there may be more. */
  const ask = async (before: readonly KnownUse[]): Promise<number> => {
    const all = uses.map(({ beatmapId }) => beatmapId)
    const unknown = new Set(all.filter((_, at) => before[at]?.beatmap === null))
    const waitForNew = unknown.size === 0 ? null : spendNewBeatmaps(ports, requester, 0)
    const ids = waitForNew === null ? all : all.filter((id) => !unknown.has(id))
    const rated = uses.filter(mayAskRating)
    const { beatmaps, keys, ratings } = await lookUpUses(ports, ids, rated, requester, {
      ...CALLS,
      failures: failures.of(shown.asker ?? requester),
      sharedBy: nameFor(uses, requester, shown),
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

  // Shared per requester: other readers share the platform's answer, but not a refusal by a used-up share.
  const key = uses.map((use) => `${factOfPlay(use)} ${mayAskRating(use)}`)
  const askOnce = (before: readonly KnownUse[]): Promise<number> =>
    lookUps.run(`${requester} ${shown.asker} ${key.join()}`, () => ask(before))
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

type ShownPool = {
  readonly slug: string
  readonly updatedAt: number
  readonly stats?: SavedPack['stats']
}

type CachedSlots = {
  readonly slots: readonly KnownSlot[]
  readonly text: string
  readonly until: number
}

/**
 * Returns a function for what its readers may know of the beatmaps of a pack or a tournament, with the mods of its
 * slots; the platform is not asked. The same array as long as nothing more is known.
 *
 * @param playsOf its slots, as everybody may see them who may see it at all.
 */
export function knownSlotsOf<T extends ShownPool>(
  ports: Pick<Ports, 'beatmapCache' | 'clock'>,
  playsOf: (pool: T) => readonly SlotPlay[],
) {
  const known = new WeakMap<T, CachedSlots>()
  const reading = new SingleFlight<readonly KnownSlot[]>()

  async function read(pool: T): Promise<readonly KnownSlot[]> {
    const uses = playsOf(pool).slice(0, MOST_KNOWN)
    const now = ports.clock.now()
    const beatmapCache = openCache(ports.beatmapCache, lookedUp(pool, uses, now))
    const facts = await readBeatmaps({ beatmapCache }, uses, now)
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

/**
 * The stars of each slot in the game (D-94) as its readers may know them, in order; those without HD while the rating
 * with it is unknown; null if unknown or gone.
 */
export async function readSlotStars(
  { beatmapCache, clock }: Pick<Ports, 'beatmapCache' | 'clock'>,
  pack: Parameters<typeof lookedUpSlots>[0],
): Promise<readonly (number | null)[]> {
  const cache = openCache(beatmapCache, lookedUpSlots(pack, clock.now()))
  const plays = slotMods(pack)
  const known = await readBeatmaps({ beatmapCache: cache }, plays, clock.now())
  return known.map((use, at) => {
    const isPlain = use.rating === null && countsPlain(plays[at]!.forced)
    return starsOf(isPlain ? { ...use, ratingKey: null } : use)
  })
}

function useOf({ id, mods }: BeatmapLook['beatmaps'][number], at: number): PlayedBeatmap {
  const what = mods.length === 0 ? null : findInForcedSet(mods)
  if (what !== null) throw invalidInput([{ place: `beatmaps[${at}].mods`, what }])
  return { beatmapId: id, forced: orderForcedSet(mods) }
}

/** What shows the beatmaps, as far as the viewer may read it. */
type ShownIn = {
  readonly pack: SavedPack | null
  /** The name under which all readers share the platform's answers; null: the viewer does not share them. */
  readonly asker: string | null
}

async function findShown(
  { packs, tournaments }: Pick<BeatmapLookPorts, 'packs' | 'tournaments'>,
  viewer: Session | null,
  { slug, tournament: named }: BeatmapLook,
): Promise<ShownIn> {
  const pack = slug === undefined ? null : await packs.read(slug)
  if (pack !== null && maySee(pack, viewer)) return { pack, asker: `pack ${pack.slug}` }
  if (viewer === null || named === undefined) return { pack: null, asker: null }
  const tournament = await tournaments.read(named)
  const isStaff = tournament !== null && mayDo(tournament, viewer.accountId, 'readDrafts')
  return { pack: null, asker: isStaff ? tournamentAsker(tournament, viewer.accountId) : null }
}

/**
 * The cache for a viewer: besides what public packs have, what they have asked for; what was looked up for the pack
 * that is shown, as far as it holds it; and what was asked for the drafts that are shown.
 */
function cacheOf(
  { beatmapCache: cache, clock }: Pick<BeatmapLookPorts, 'beatmapCache' | 'clock'>,
  requester: Requester,
  { pack, asker }: ShownIn,
): KnownBeatmaps {
  const asked = askedWith(cache)
  const inPack = pack === null ? null : factsOf(slotMods(pack))
  const isShared = (fact: Fact): boolean => asker !== null && inPack?.has(fact) !== false
  const found = pack === null ? null : factsOf(lookedUpSlots(pack, clock.now()))
  return cacheFor(cache, {
    mayRead: (fact) =>
      asked.has(requester, fact) ||
      (isShared(fact) && (found?.has(fact) === true || asked.has(asker!, fact))),
    onKept: (fact) => {
      asked.note(requester, fact)
      if (isShared(fact)) asked.note(asker!, fact)
    },
  })
}

/** The name under which calls are shared: that of all readers if the pack has all of these beatmaps, else the requester's. */
function nameFor(
  uses: readonly PlayedBeatmap[],
  requester: Requester,
  { pack, asker }: ShownIn,
): string {
  if (asker === null) return requester
  const inPack = pack === null ? null : factsOf(slotMods(pack))
  const isInPack = (use: PlayedBeatmap): boolean => inPack === null || inPack.has(factOfPlay(use))
  return uses.every(isInPack) ? asker : requester
}

/** Which ratings may be asked for: any by the signed-in, those of a pack by all who may see it. */
function ratingRule(
  viewer: Session | null,
  pack: SavedPack | null,
): (use: PlayedBeatmap) => boolean {
  if (viewer !== null) return () => true
  const open = new Set(pack === null ? [] : slotMods(pack).map(factOfPlay))
  return (use) => open.has(factOfPlay(use))
}

function answerOf({ beatmapId: id }: PlayedBeatmap, known: KnownUse): BeatmapAnswer {
  const beatmap = known.beatmap?.value
  if (beatmap === undefined) return { id, state: 'pending' }
  if (beatmap === 'gone') return { id, state: 'gone' }
  return {
    id,
    state: 'known',
    details: beatmap,
    stars: starsOf(known),
    ...(hasNoRating(known) && { noRating: true }),
  }
}
