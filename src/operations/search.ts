import { refusal } from '../contract/errors.ts'
import {
  FOUND_AT_ONCE,
  type FoundPack,
  type SearchQuery,
  type SearchReply,
} from '../contract/search.ts'
import { type Condition, matchedMaps, type PackFilter } from '../domain/search.ts'
import { indexEntryOf, type IndexedPack } from '../domain/search-index.ts'
import {
  parseQuery,
  readFilter,
  type SearchWords,
  type Tier,
  tiersOf,
} from '../domain/search-query.ts'
import type { Ports } from '../ports/ports.ts'
import type { SearchStore } from '../ports/search.ts'

type SearchPorts = Pick<Ports, 'search' | 'usage' | 'packs' | 'beatmapCache' | 'clock'>

const everything: readonly Tier[] = [{ match: [], isOfMaps: false }]

/**
 * Finds public packs, 30 at most (D-66). Of a query without words, ids and links, all there are; of one with
 * nothing that could be searched for, none. Throws `bad_request` for an `after` that no answer had as `next`.
 */
export async function searchPacks(
  ports: SearchPorts,
  query: SearchQuery,
  poolsOwnerName: string,
): Promise<SearchReply> {
  const begin = await readPlace(ports.search, query.after)
  const words = parseQuery(query.q ?? '')
  const { found, next, isNear, match } = await find(ports.search, query, words, begin)
  const [maps, beatmapIds, searched] = await Promise.all([
    mapsOf(ports, found, match),
    usedOf(ports, words),
    countSearched(ports),
  ])
  return {
    packs: found.map(({ pack }): FoundPack => {
      return { entry: indexEntryOf(pack, poolsOwnerName), maps: maps.get(pack.slug) ?? [] }
    }),
    next,
    isNear,
    beatmapIds,
    searched,
  }
}

/** Where an answer begins. */
type Place = {
  readonly tier: number
  readonly after: number | null
  /** Of the searches with near words. */
  readonly isNear: boolean
  /** No answer before had a pack. */
  readonly isFirst: boolean
}

// A sealed place has one byte for the tier and these two.
const NEAR = 0x80
const LATER = 0x40

async function readPlace(search: SearchStore, after: string | undefined): Promise<Place> {
  if (after === undefined) return { tier: 0, after: null, isNear: false, isFirst: true }
  const place = await search.openPlace(after)
  if (place === null) throw refusal('searchCursor')
  return {
    tier: place.tier & (LATER - 1),
    after: place.after,
    isNear: (place.tier & NEAR) !== 0,
    isFirst: (place.tier & LATER) === 0,
  }
}

const writePlace = (search: SearchStore, { tier, after, isNear, isFirst }: Place) =>
  search.sealPlace({ tier: tier | (isNear ? NEAR : 0) | (isFirst ? 0 : LATER), after })

type Found = { readonly pack: IndexedPack; readonly isOfMaps: boolean }

type Answer = {
  readonly found: readonly Found[]
  readonly next: string | null
  readonly isNear: boolean
  /** By which maps were found. */
  readonly match: Condition
}

async function find(
  search: SearchStore,
  query: SearchQuery,
  words: SearchWords,
  begin: Place,
): Promise<Answer> {
  const filter = readFilter(query)
  const inOrder = (tiers: readonly Tier[]) => (query.order === 'created' ? tiers.slice(-1) : tiers)
  const answer = async (tiers: readonly Tier[], place: Place): Promise<Answer> => {
    const { found, next } = await collect(search, tiers, filter, place)
    const isFirst = place.isFirst && found.length === 0
    return {
      found,
      next: next && (await writePlace(search, { ...next, isNear: place.isNear, isFirst })),
      isNear: place.isNear && found.length > 0,
      match: tiers.at(-1)?.match ?? [],
    }
  }
  let place = begin
  if (!place.isNear) {
    const isBlank = (query.q ?? '').trim() === ''
    const strict = await answer(isBlank ? everything : inOrder(tiersOf(words, null)), place)
    const isOver = strict.found.length > 0 || strict.next !== null || !place.isFirst || isBlank
    if (isOver) return strict
    place = { tier: 0, after: null, isNear: true, isFirst: true }
  }
  const near = words.words.length === 0 ? new Map() : await search.nearWords(words.words)
  return answer(inOrder(tiersOf(words, near)), place)
}

/** Reads tier after tier, until there are as many packs as an answer has, or the store stops early. */
async function collect(
  search: SearchStore,
  tiers: readonly Tier[],
  filter: PackFilter,
  begin: Pick<Place, 'tier' | 'after'>,
): Promise<{ found: Found[]; next: Pick<Place, 'tier' | 'after'> | null }> {
  const found: Found[] = []
  let { after } = begin
  for (let at = begin.tier; at < tiers.length; at++) {
    const limit = FOUND_AT_ONCE - found.length
    if (limit === 0) return { found, next: { tier: at, after: null } }
    const { match, isOfMaps } = tiers[at]!
    const except = tiers.slice(0, at).map((tier) => tier.match)
    const { packs, next } = await search.find({ match, except, filter, after, limit })
    found.push(...packs.map((pack) => ({ pack, isOfMaps })))
    if (next !== null) return { found, next: { tier: at, after: next } }
    after = null
  }
  return { found, next: null }
}

const MAPS_SHOWN = 3

/** Of packs that were found by their maps, which these are. */
async function mapsOf(
  { packs, beatmapCache }: SearchPorts,
  found: readonly Found[],
  match: Condition,
): Promise<ReadonlyMap<string, string[]>> {
  const slugs = found.flatMap(({ pack, isOfMaps }) => (isOfMaps ? pack.slug : []))
  if (slugs.length === 0) return new Map()
  const whole = await Promise.all(slugs.map(async (slug) => packs.read(slug)))
  const idsOf = new Map(
    whole.flatMap((pack) => {
      // It may have changed since it was found.
      if (pack === null || pack.visibility !== 'public' || pack.hiddenAt !== null) return []
      return [[pack.slug, [...new Set(pack.slots.map(({ beatmapId }) => beatmapId))]] as const]
    }),
  )
  const known = await beatmapCache.readBeatmaps([...new Set([...idsOf.values()].flat())])
  return new Map(
    Array.from(idsOf, ([slug, ids]) => {
      const beatmaps = ids.flatMap((id) => {
        const beatmap = known.get(id)?.beatmap ?? 'gone'
        return beatmap === 'gone' ? [] : beatmap
      })
      const shown = matchedMaps(match, beatmaps).slice(0, MAPS_SHOWN)
      return [slug, shown.map(({ artist, title }) => `${artist} – ${title}`)]
    }),
  )
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
  const { packs } = await search.progress()
  counts.set(search, { packs, at: now })
  return packs
}
