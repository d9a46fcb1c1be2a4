import { readFilter } from '../contract/pack-filter.ts'
import { refusal } from '../contract/errors.ts'
import {
  FOUND_AT_ONCE,
  type FoundPack,
  type SearchQuery,
  type SearchReply,
} from '../contract/search.ts'
import { type Condition, beatmapMatcher } from '../domain/search.ts'
import {
  type NearWords,
  parseQuery,
  partialTiersOf,
  type SearchWords,
  type Tier,
  tiersOf,
  wordConditions,
} from '../domain/search-query.ts'
import type { Ports } from '../ports/ports.ts'
import { isListed, indexEntryOf, type IndexedPack } from '../domain/packs.ts'
import type { PackSearch, SearchStore } from '../ports/search.ts'
import { lookedUpSlots, openCache } from './known-beatmaps.ts'

type SearchPorts = Pick<Ports, 'search' | 'usage' | 'packs' | 'beatmapCache' | 'clock' | 'work'>

/** CPU time, in ms, after which an answer has what was found until then; `next` leads to the rest (D-75). */
const BUDGET_MS = 12
/** CPU time, in ms, after which beatmaps that match are no longer named. */
const NAMES_BUDGET_MS = 20

const everything: readonly Tier[] = [{ match: [], except: [], isOfBeatmaps: false }]

/**
 * Finds public packs, 30 at most (D-66). Of a query without words, ids and links, all there are; of one with
 * nothing that could be searched for, none. Throws `bad_request` for an `after` that no answer had as `next`.
 */
export async function searchPacks(
  ports: SearchPorts,
  query: SearchQuery,
  poolsOwnerName: string,
): Promise<SearchReply> {
  const begin = await readBegin(ports.search, query)
  const words = parseQuery(query.q ?? '')
  const { found, next, isNear, match } = await find(ports, query, words, begin)
  const [maps, beatmapIds, searched] = await Promise.all([
    beatmapsOf(ports, found, match),
    usedOf(ports, words),
    countSearched(ports),
  ])
  return {
    packs: found.map(({ pack }): FoundPack => ({
      entry: indexEntryOf(pack, poolsOwnerName),
      maps: maps.get(pack.slug) ?? [],
    })),
    next,
    isNear,
    beatmapIds,
    searched,
  }
}

/** What is searched for: the words, else near ones, else all but one of them. */
const stages = ['words', 'near', 'parts'] as const

/** Where an answer begins. */
type Position = {
  readonly tier: number
  readonly after: number | null
  /** In `stages`. */
  readonly stage: number
  /** No answer before had a pack. */
  readonly isFirst: boolean
}

const start: Position = { tier: 0, after: null, stage: 0, isFirst: true }

// A sealed position has one byte: two bits for the stage, one for `isFirst`, five for the tier.
const STAGE = 0x40
const LATER = 0x20

/** Where the answer to this query begins: after another, or after packs that are too young. */
async function readBegin(search: SearchStore, { after, older, q = '' }: SearchQuery) {
  const createdAt = Date.parse(older ?? '')
  if (after !== undefined || Number.isNaN(createdAt) || q.trim() !== '') {
    return readPosition(search, after)
  }
  return { ...start, after: await search.placeOf(createdAt) }
}

async function readPosition(search: SearchStore, after: string | undefined): Promise<Position> {
  if (after === undefined) return start
  const place = await search.openPlace(after)
  if (place === null) throw refusal('searchCursor')
  const [stage, isFirst] = [Math.floor(place.tier / STAGE), place.tier % STAGE < LATER]
  return { tier: place.tier % LATER, after: place.after, stage, isFirst }
}

const writePosition = (search: SearchStore, { tier, after, stage, isFirst }: Position) =>
  search.sealPlace({ tier: stage * STAGE + (isFirst ? 0 : LATER) + tier, after })

type Found = { readonly pack: IndexedPack; readonly isOfBeatmaps: boolean }

type Answer = {
  readonly found: readonly Found[]
  readonly next: string | null
  readonly isNear: boolean
  /** By which beatmaps were found. */
  readonly match: Condition
}

async function find(
  { search, work }: SearchPorts,
  query: SearchQuery,
  words: SearchWords,
  begin: Position,
): Promise<Answer> {
  const filter = readFilter(query)
  const isSpent = (): boolean => work.spentMs() > BUDGET_MS
  let place = begin
  for (;;) {
    const tiers = await tiersIn(search, query, words, place)
    const { found, next } = await collect(tiers, place, {
      isSpent,
      find: async (part) => {
        await work.breathe()
        return search.find({ ...part, filter })
      },
    })
    const isFirst = place.isFirst && found.length === 0
    const isOver = !isFirst || next !== null || place.stage >= stages.length - 1
    if (isOver) {
      return {
        found,
        next: next && (await writePosition(search, { ...place, ...next, isFirst })),
        isNear: place.stage > 0 && found.length > 0,
        match: tiers.at(-1)?.match ?? [],
      }
    }
    place = { ...start, stage: place.stage + 1 }
    if (isSpent()) {
      return { found: [], next: await writePosition(search, place), isNear: false, match: [] }
    }
  }
}

async function tiersIn(
  search: SearchStore,
  { q = '', order }: SearchQuery,
  words: SearchWords,
  { stage, tier, after }: Position,
): Promise<readonly Tier[]> {
  if (q.trim() === '') return stage === 0 ? everything : []
  const isBegun = tier > 0 || after !== null
  const mayMiss = stage > 0 || (!isBegun && words.words.length > 1)
  const unknown = mayMiss ? await unknownWords(search, words, stage > 0) : new Set<string>()
  // To find nothing for all words together takes longer than to see that one is in no pack.
  if (stage === 0 && unknown.size > 0) return []
  const near = stage === 0 ? null : await nearWords(search, words, unknown)
  if (near !== null && stages[stage] === 'parts') return partialTiersOf(words, near, unknown)
  const tiers = tiersOf(words, near)
  // The last finds all that the others find.
  return order === 'created' ? tiers.slice(-1).map(withoutExcept) : tiers
}

const withoutExcept = (tier: Tier): Tier => ({ ...tier, except: [] })

/**
 * Words of the query that no pack has.
 *
 * @param isSure false: a word that is still being typed is not looked for. To find all that begins with it takes
 *   as long as the search itself.
 */
async function unknownWords(
  search: SearchStore,
  query: SearchWords,
  isSure: boolean,
): Promise<ReadonlySet<string>> {
  const filter = readFilter({})
  const unknown = await Promise.all(
    Array.from(wordConditions(query), async ([word, conditions]) => {
      if (!isSure && conditions.length > 1) return []
      for (const match of conditions) {
        const { packs } = await search.find({ match, except: [], filter, after: null, limit: 1 })
        if (packs.length > 0) return []
      }
      return word
    }),
  )
  return new Set(unknown.flat())
}

/** Words that no pack has are taken for misspelt; if there are none, any word may be. */
async function nearWords(
  search: SearchStore,
  { words }: SearchWords,
  unknown: ReadonlySet<string>,
): Promise<NearWords> {
  const asked = unknown.size > 0 ? [...unknown] : words
  return asked.length === 0 ? new Map() : search.nearWords(asked)
}

type Collecting = {
  readonly find: (part: Omit<PackSearch, 'filter'>) => ReturnType<SearchStore['find']>
  readonly isSpent: () => boolean
}

/**
 * Reads tier after tier, until there are as many packs as an answer has, the store stops early, or the budget is
 * spent. At least one search is made, so that repeated requests come to an end.
 */
async function collect(
  tiers: readonly Tier[],
  begin: Pick<Position, 'tier' | 'after'>,
  { find: search, isSpent }: Collecting,
): Promise<{ found: Found[]; next: Pick<Position, 'tier' | 'after'> | null }> {
  const found: Found[] = []
  const slugs = new Set<string>()
  // What this answer has seen from the start need not be left out by the store, which takes longer.
  const seesAll = begin.tier === 0 && begin.after === null
  let { after } = begin
  let isBegun = false
  for (let at = begin.tier; at < tiers.length; at++) {
    const { match, except, isOfBeatmaps } = tiers[at]!
    do {
      const limit = FOUND_AT_ONCE - found.length
      if (limit === 0 || (isBegun && isSpent())) return { found, next: { tier: at, after } }
      isBegun = true
      const left = seesAll ? [] : except
      const { packs, next } = await search({ match, except: left, after, limit })
      const added = packs.filter(({ slug }) => !slugs.has(slug))
      for (const pack of added) {
        slugs.add(pack.slug)
        found.push({ pack, isOfBeatmaps })
      }
      after = next
      const stopsEarly = packs.length < limit
      if (next !== null && stopsEarly) return { found, next: { tier: at, after: next } }
    } while (after !== null)
  }
  return { found, next: null }
}

const BEATMAPS_SHOWN = 3

/** Of packs that were found by their beatmaps, which these are. */
async function beatmapsOf(
  { packs, beatmapCache, work }: SearchPorts,
  found: readonly Found[],
  match: Condition,
): Promise<ReadonlyMap<string, string[]>> {
  const slugs = found.flatMap(({ pack, isOfBeatmaps }) => (isOfBeatmaps ? pack.slug : []))
  if (slugs.length === 0) return new Map()
  const whole = await Promise.all(slugs.map(async (slug) => packs.read(slug)))
  // They may have changed since they were found.
  const shown = whole.filter((pack) => pack !== null).filter(isListed)
  const idsOf = new Map(
    shown.map(({ slug, slots }) => [slug, [...new Set(slots.map(({ beatmapId }) => beatmapId))]]),
  )
  const plays = shown.flatMap((pack) => lookedUpSlots(pack))
  const cache = openCache(beatmapCache, plays)
  const known = await cache.readBeatmaps([...new Set([...idsOf.values()].flat())])
  const matched = beatmapMatcher(match, BEATMAPS_SHOWN)
  const named = new Map<string, string[]>()
  for (const [slug, ids] of idsOf) {
    await work.breathe()
    if (work.spentMs() > NAMES_BUDGET_MS) break
    const beatmaps = ids.flatMap((id) => {
      const beatmap = known.get(id)?.beatmap ?? 'gone'
      return beatmap === 'gone' ? [] : beatmap
    })
    const shown = work.measure(() => matched(beatmaps))
    named.set(
      slug,
      shown.map(({ artist, title }) => `${artist} – ${title}`),
    )
  }
  return named
}

/** Which of the beatmaps that are named by id are in public packs. */
async function usedOf({ usage }: SearchPorts, words: SearchWords): Promise<number[]> {
  const linked = words.links.flatMap(({ beatmapId }) => beatmapId ?? [])
  const ids = [...new Set([...linked, ...words.numbers])].slice(0, 8)
  if (ids.length === 0) return []
  const used = await usage.last(ids, null)
  return ids.filter((id) => (used.get(id)?.total ?? 0) > 0)
}

const COUNT_MS = 5_000
const counts = new WeakMap<SearchStore, { readonly packs: number; readonly at: number }>()

/** How many packs can be found, as of the last seconds. */
async function countSearched({ search, clock }: SearchPorts): Promise<number> {
  const now = clock.now()
  const last = counts.get(search)
  if (last && now >= last.at && now < last.at + COUNT_MS) return last.packs
  const packs = await search.count()
  counts.set(search, { packs, at: now })
  return packs
}
