import type { Stats } from '../contract/packs.ts'
import type { ForcedMod } from '../contract/mods.ts'
import { MINUTE_MS } from '../contract/quotas.ts'
import { BoundedMap } from '../domain/loading.ts'
import type { Requester } from '../domain/quotas.ts'
import { memberOf } from '../domain/tournament-access.ts'
import type { SavedTournament } from '../domain/tournaments.ts'
import { countsPlain } from '../pool/played-values.ts'
import { type ModsPool, slotMods, type SlotPlay } from '../pool/slots.ts'
import type { BeatmapCache } from '../ports/beatmaps.ts'

/** A beatmap, or with mods its rating with them, as text. */
export type Fact = string

export const factOf = (beatmapId: number, mods: readonly ForcedMod[] = []): Fact =>
  `${beatmapId} ${mods.join('')}`

/** Of a slot: its beatmap as it is played there. */
export const factOfPlay = ({ beatmapId, forced }: Pick<SlotPlay, 'beatmapId' | 'forced'>): Fact =>
  factOf(beatmapId, forced)

/** The beatmaps of these slots, and their ratings. */
export function factsOf(plays: readonly Pick<SlotPlay, 'beatmapId' | 'forced'>[]): Set<Fact> {
  return new Set(
    plays.flatMap(({ beatmapId, forced }) => [factOf(beatmapId), factOf(beatmapId, forced)]),
  )
}

/**
 * The worker looks ratings up that stats do not need after them: so long after a save they count as looked up. The
 * budget of calls is enough for those of a whole pack.
 */
const SHOWN_AFTER_MS = 3 * MINUTE_MS

type LookedUpPack = {
  readonly stats?: Pick<Stats, 'complete'> | null
  readonly updatedAt: number
}

/**
 * The slots of a pack as they were looked up for it: what is cached of them is no secret to its readers. None before the
 * stats are complete; without HD where it is alone and the pack was saved within the last three minutes.
 *
 * @param now left out: without HD, which is enough for those who read no ratings.
 */
export const lookedUpSlots = (pack: ModsPool & LookedUpPack, now?: number): readonly SlotPlay[] =>
  lookedUp(pack, slotMods(pack), now)

/** As `lookedUpSlots`, of these slots of it. */
export function lookedUp(
  { stats, updatedAt }: LookedUpPack,
  plays: readonly SlotPlay[],
  now = -Infinity,
): readonly SlotPlay[] {
  if (stats?.complete !== true) return []
  if (now - updatedAt >= SHOWN_AFTER_MS) return plays
  return plays.map((play) => (countsPlain(play.forced) ? { ...play, forced: [] } : play))
}

/** More than the beatmaps of a thousand packs; what is dropped is asked for again. */
const MAX_ASKED = 100_000

/** What was asked of the platform, and for whom: an account, an address, a pack or a tournament. */
class AskedFacts {
  readonly #asked = new BoundedMap<string, true>({ maxEntries: MAX_ASKED })

  note(asker: string, fact: Fact): void {
    this.#asked.set(`${asker}\n${fact}`, true)
  }

  has(asker: string, fact: Fact): boolean {
    return this.#asked.get(`${asker}\n${fact}`) === true
  }
}

/** An account as an asker: as it asks on the site, too. */
export const accountAsker = (id: string): Requester => `account ${id}`
/** The staff of a tournament, as an asker; a member who is limited to rounds, apart from the others (D-81). */
export function tournamentAsker(tournament: SavedTournament, accountId: string): string {
  const isLimited = memberOf(tournament, accountId)?.rounds !== null
  return `tournament ${tournament.slug}${isLimited ? ` ${accountId}` : ''}`
}

/** Reading and keeping. */
export type KnownBeatmaps = Pick<
  BeatmapCache,
  'readBeatmaps' | 'readRatings' | 'keepBeatmaps' | 'keepRating'
>

const askedOf = new WeakMap<KnownBeatmaps, AskedFacts>()

/** What this process has asked for with this cache. */
export function askedWith(cache: KnownBeatmaps): AskedFacts {
  const asked = askedOf.get(cache) ?? new AskedFacts()
  askedOf.set(cache, asked)
  return asked
}

type CacheReader = {
  /** Whether they may learn that this is cached, if no public pack has it. */
  readonly mayRead: (fact: Fact) => boolean
  /** Called with what the platform has answered them. */
  readonly onKept?: (fact: Fact) => void
}

/**
 * The cache as one reader may see it: what was looked up for public packs, and what `mayRead` allows. The rest is as
 * if it were not cached, so that it is asked for again and takes the same calls, the same share and the same time
 * whichever account looked it up before (D-74).
 */
export function cacheFor(cache: KnownBeatmaps, { mayRead, onKept }: CacheReader): KnownBeatmaps {
  return {
    async readBeatmaps(ids) {
      const known = await cache.readBeatmaps(ids)
      return new Map([...known].filter(([id, { isPublic }]) => isPublic || mayRead(factOf(id))))
    },
    async readRatings(keys) {
      const known = await cache.readRatings(keys)
      return known.map((entry, at) => {
        const { beatmapId, mods } = keys[at]!
        return entry?.isPublic === false && !mayRead(factOf(beatmapId, mods)) ? null : entry
      })
    },
    async keepBeatmaps(found, gone, at) {
      await cache.keepBeatmaps(found, gone, at)
      for (const id of [...found.map((beatmap) => beatmap.id), ...gone]) onKept?.(factOf(id))
    },
    async keepRating(key, rating, at) {
      await cache.keepRating(key, rating, at)
      onKept?.(factOf(key.beatmapId, key.mods))
    },
  }
}

/** The cache as everybody may see it who may see these slots, which were looked up. */
export function openCache(cache: KnownBeatmaps, plays: readonly SlotPlay[]): KnownBeatmaps {
  const facts = factsOf(plays)
  return cacheFor(cache, { mayRead: (fact) => facts.has(fact) })
}
