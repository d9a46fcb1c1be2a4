import type { FastifyInstance } from 'fastify'
import type { Language } from '#texts/languages'
import { QUERY_LENGTH } from '../../contract/bounds.ts'
import { AppError } from '../../contract/errors.ts'
import { filterNames } from '../../contract/pack-filter.ts'
import type { RecentMap } from '../../contract/page-data.ts'
import type { SearchQuery, SearchReply } from '../../contract/search.ts'
import type { IndexEntry } from '../../contract/search-index.ts'
import { indexEntryOf, isListed, presentSitePack, type SavedPack } from '../../domain/packs.ts'
import { parseQuery } from '../../domain/search-query.ts'
import { type Awaitable, whenAllKnown, whenKnown } from '../../domain/loading.ts'
import { knownSlotsOf } from '../../operations/beatmap-look.ts'
import { searchPacks } from '../../operations/search.ts'
import { roundsOfPacks } from '../../operations/tournament-pages.ts'
import { slotMods } from '../../pool/slots.ts'
import type { SiteTexts } from '../language.ts'
import type { SiteContext } from '../site-context.ts'
import { packsFeed, type SitePage, sitePicture } from './page-table.ts'
import { answer, sendPage } from './send-page.ts'
import { breadcrumbs, packListData, siteData } from './structured-data.ts'

/** Of the rows that Browse begins with, the front page shows so many. */
const NEWEST = 10

/** Adds the front page, Browse and Maps, with the packs that they begin with. */
export function addBrowsePages(
  app: FastifyInstance,
  context: SiteContext,
  [home, browse, maps]: readonly [home: SitePage, browse: SitePage, maps: SitePage],
): void {
  const { ports, settings } = context
  const readNewest = newestReader(context)
  const knownOf = knownSlotsOf<SavedPack>(ports, slotMods)
  const roundOf = roundsOfPacks(ports)
  const headOf = ({ head, path }: SitePage, texts: SiteTexts) => ({
    ...head(texts),
    url: settings.ownUrl + path,
    image: sitePicture(settings, texts),
    feed: { title: texts.packsFeed, url: settings.siteUrl + packsFeed.path },
  })

  app.get(home.path, (_request, reply): void => {
    const read = whenAllKnown([ports.packs.listPinned(), readNewest()], ([pinned, found]) =>
      whenKnown(firstOf(pinned, found), (pack) =>
        whenAllKnown([pack && roundOf(pack), pack && knownOf(pack)], ([round, beatmaps]) => ({
          pinned,
          found,
          pack,
          round,
          beatmaps,
        })),
      ),
    )
    answer(reply, read, ({ pinned, found, pack, round, beatmaps }) => {
      const entries = pinned.map(entryOf)
      const make = (texts: SiteTexts, language: Language) => ({
        head: {
          ...headOf(home, texts),
          structured: [siteData(settings, texts.siteDescription, language)],
        },
        pinned: entries,
        ...(found && { found: { ...found, packs: found.packs.slice(0, NEWEST) } }),
        ...(pack && { pack: presentSitePack(pack, null, settings.poolsOwnerName) }),
        ...(round && { round }),
        ...(beatmaps && { beatmaps }),
      })
      const shows = [JSON.stringify(entries), found, pack, JSON.stringify(round), beatmaps]
      return sendPage(context, reply, { name: home.name, key: home.path, shows, make })
    })
  })

  app.get(browse.path, (request, reply): void => {
    const { asked, query } = readQuery(request.query as Readonly<Record<string, unknown>>)
    const isPlain = Object.keys(asked).length === 0
    const rows = Object.keys(query).length === 0 ? readNewest() : search(query)
    const read = whenAllKnown([ports.packs.listPinned(), rows], (known) => known)
    answer(reply, read, ([pinned, found]) => {
      const entries = pinned.map(entryOf)
      const url = settings.siteUrl + browse.path
      const headFor = (texts: SiteTexts, language: Language) => ({
        ...headOf(browse, texts),
        structured: [
          ...(found ? [packListData(settings.siteUrl, texts.browseTitle, found, language)] : []),
          breadcrumbs(settings, [texts.browse, url]),
        ],
      })
      const address = `${browse.path}?${new URLSearchParams(asked).toString()}`
      const make = (texts: SiteTexts, language: Language) => ({
        head: { ...headFor(texts, language), isUnlisted: !isPlain },
        ...(!isPlain && { address }),
        pinned: entries,
        ...(found && { found }),
      })
      // What people look for is theirs: kept pages would be many, and each seldom asked for again.
      const key = isPlain ? browse.path : null
      const shows = [JSON.stringify(entries), found]
      return sendPage(context, reply, { name: browse.name, key, shows, make })
    })
  })

  app.get(maps.path, (request, reply): void => {
    const { q } = request.query as { q?: unknown }
    if (typeof q === 'string' && q.trim() !== '') {
      void reply.header('cache-control', 'private, no-store').redirect(placeOf(q))
      return
    }
    answer(reply, readRecentMaps(), (recentMaps) => {
      const url = settings.ownUrl + maps.path
      const make = (texts: SiteTexts) => ({
        head: { ...maps.head(texts), url, image: sitePicture(settings, texts) },
        recentMaps,
      })
      const shows = [JSON.stringify(recentMaps)]
      return sendPage(context, reply, { name: maps.name, key: maps.path, shows, make })
    })
  })

  /** The known beatmaps of the newest public packs, each once. */
  async function readRecentMaps(): Promise<RecentMap[]> {
    const found = await readNewest()
    const slugs = (found?.packs ?? []).slice(0, RECENT_PACKS).map(({ entry }) => entry.s)
    const read = await Promise.all(slugs.map(async (slug) => ports.packs.read(slug)))
    const maps = new Map<number, RecentMap>()
    for (const pack of read.filter((each) => each !== null).filter(isListed)) {
      for (const { details } of await knownOf(pack)) {
        if (details === undefined || maps.has(details.id)) continue
        const { id, artist, title, difficulty, mapper, stars } = details
        const { slug, name } = pack
        maps.set(id, { id, artist, title, difficulty, mapper, stars, pack: { slug, name } })
      }
    }
    return [...maps.values()].slice(0, RECENT_MAPS)
  }

  /** null where it fails: the page then begins with what its script finds. */
  async function search(query: SearchQuery): Promise<SearchReply | null> {
    try {
      return await searchPacks(ports, query, settings.poolsOwnerName)
    } catch (error) {
      if (!(error instanceof AppError) || query.after === undefined) return null
      const { after: _, ...rest } = query
      return search(rest)
    }
  }

  /** The pack that the front page shows open. */
  function firstOf(
    [pinned]: readonly SavedPack[],
    found: SearchReply | null,
  ): Awaitable<SavedPack | null> {
    const slug = found?.packs[0]?.entry.s
    if (pinned !== undefined || slug === undefined) return pinned ?? null
    return whenKnown(ports.packs.read(slug), (pack) => (pack && isListed(pack) ? pack : null))
  }

  function entryOf(pack: SavedPack): IndexEntry {
    return indexEntryOf({ ...pack, slotCount: pack.slots.length }, settings.poolsOwnerName)
  }
}

const [RECENT_PACKS, RECENT_MAPS] = [6, 40]

/** The page of the beatmap that a text names alone, by its id or a link; otherwise the search for all that it says. */
function placeOf(text: string): string {
  const { words, numbers, links } = parseQuery(text)
  const ids = links.length > 0 ? links.map(({ beatmapId }) => beatmapId) : numbers
  const isAlone = ids.length === 1 && (links.length > 0 ? words.length === 0 : words.length === 1)
  const [id] = ids
  if (isAlone && id) return `/maps/${id}`
  return `/packs?${new URLSearchParams({ q: text.slice(0, QUERY_LENGTH).toWellFormed() }).toString()}`
}

/** What is new may be missing for so long; what is gone or hidden never is there (D-66). */
const NEWEST_LASTS_MS = 1_000

type Newest = { readonly reply: SearchReply; readonly state: object; readonly at: number }

/** Returns a function that reads the packs that were created last; the same object while they are the same. */
function newestReader({ ports, settings }: SiteContext): () => Awaitable<SearchReply | null> {
  let known: Newest | null = null
  let reading: { readonly state: object; readonly reply: Promise<SearchReply | null> } | null = null

  async function read(state: object): Promise<SearchReply> {
    const at = ports.clock.now()
    const found = await searchPacks(ports, {}, settings.poolsOwnerName)
    const isSame = known !== null && JSON.stringify(known.reply) === JSON.stringify(found)
    known = { reply: isSame ? known!.reply : found, state, at }
    return known.reply
  }

  function readOnce(state: object): Awaitable<SearchReply | null> {
    const age = known === null ? Infinity : ports.clock.now() - known.at
    if (known?.state === state && age >= 0 && age < NEWEST_LASTS_MS) return known.reply
    // What began before something was hidden may have found it.
    if (reading?.state !== state) {
      const reply = read(state)
        .catch(() => null)
        .finally(() => {
          if (reading?.reply === reply) reading = null
        })
      reading = { state, reply }
    }
    return reading.reply
  }

  return () => {
    const state = ports.publicIndex.state()
    // Where it cannot be told, nothing that was read before is shown.
    const told = state instanceof Promise ? state.catch(() => ({})) : state
    return whenKnown(told, readOnce)
  }
}

const named = ['q', ...filterNames, 'sort', 'reversed', 'after'] as const

/** What the address asks for; what does not fit is left out. Without words, the server has one order. */
function readQuery(given: Readonly<Record<string, unknown>>) {
  const texts = named.flatMap((name) => {
    const text = given[name]
    return typeof text === 'string' && text !== '' ? [[name, text.slice(0, QUERY_LENGTH)]] : []
  })
  const asked = Object.fromEntries(texts) as { [name in (typeof named)[number]]?: string }
  const { sort, reversed: _, ...rest } = asked
  const order = sort === 'created' && rest.q !== undefined ? { order: 'created' as const } : {}
  return { asked, query: { ...rest, ...order } satisfies SearchQuery }
}
