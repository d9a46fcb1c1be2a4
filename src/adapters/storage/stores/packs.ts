import { BoundedMap } from '../../../domain/loading.ts'
import type { PackHistory } from '../../../domain/history.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import type { PackList, PackStore } from '../../../ports/packs.ts'
import type { IndexVersion } from '../../../ports/search.ts'
import type { Engine } from '../engine.ts'
import { readPage } from '../query.ts'
import { moderationReads, moderationWrites } from './moderation.ts'
import {
  fromSlimRow,
  packQueries,
  type PackRow,
  publicPacksOf,
  type SlimRow,
  toHistory,
  toSavedPack,
} from './pack-queries.ts'
import { packWrites } from './pack-saves.ts'
import { createPublicList, currentVersion, type PublicList } from './public-list.ts'

const MAX_PACKS = 2000
const MAX_PAGES = 64
/** With what is made of them, a history takes up to 0.3 MB. */
const MAX_HISTORIES = 64

type Queries = ReturnType<typeof packQueries>

/** Reads the rows of packs by their slugs; undefined where there is none. */
export type PackRows = {
  readonly whole: (slug: string) => Promise<PackRow | undefined>
  /** Without their slots and texts. */
  readonly slim: (slug: string) => Promise<SlimRow | undefined>
}

/** @param rows how packs are read by slug; null: each by a query of its own. */
export function createPackStore(engine: Engine, rows: PackRows | null): PackStore {
  const queries = packQueries(engine.db)
  const list = createPublicList()
  return {
    ...packReads(engine, queries, list, rows),
    ...packWrites(engine, queries, list),
    ...moderationReads(engine),
    ...moderationWrites(engine, queries, list),
  }
}

function packReads(
  engine: Engine,
  queries: Queries,
  list: PublicList,
  rows: PackRows | null,
): Pick<
  PackStore,
  'read' | 'listPublic' | 'listOwned' | 'listOwnedPublic' | 'findOwned' | 'readHistory'
> {
  const { db, read, newCache } = engine
  const packs = newCache<SavedPack>(MAX_PACKS, (slug) => [`pack ${slug}`, 'names'])
  const publicPages = newCache<PackList>(MAX_PAGES, () => ['list', 'names'])
  const newOwnedPages = () =>
    newCache<PackList>(MAX_PAGES, (key) => [`owner ${ownerOf(key)}`, 'names'])
  const [ownedPages, ownedPublicPages] = [newOwnedPages(), newOwnedPages()]
  const histories = new BoundedMap<string, PackHistory>({ maxEntries: MAX_HISTORIES })
  const publicPage = cachePages(async () => currentVersion(await list.readState(db)))
  const readPack = cachePacks(
    rows ?? {
      whole: async (slug) => (await queries.bySlug(db, { slug }))[0],
      slim: async (slug) => (await queries.slimBySlug(db, { slug }))[0],
    },
  )

  const readPublicPage = (page: number, pageSize: number): Promise<PublicPage> =>
    read(async (tx) => {
      const state = await list.readState(tx)
      const { total, under, skip } = await list.locate(tx, (page - 1) * pageSize, state)
      const rows = skip === null ? [] : await queries.publicUnder(tx, { ...under, skip, pageSize })
      return { version: currentVersion(state), list: { rows: rows.map(toSavedPack), total } }
    })

  const readOwnedPage = (ownerId: string, page: number, pageSize: number): Promise<PackList> =>
    read(async (tx) => {
      const [count] = await queries.countOwned(tx, { ownerId })
      const skip = (page - 1) * pageSize
      const rows = await queries.owned(tx, { ownerId, skip, pageSize })
      return { rows: rows.map(toSavedPack), total: count?.packs ?? 0 }
    })

  const loadHistory = (slug: string): Promise<PackHistory | null> =>
    read(async (tx) => {
      const [row] = await queries.bySlug(tx, { slug })
      return row === undefined ? null : toHistory(row, await queries.replacedVersions(tx, row))
    })

  return {
    read: (slug) => packs(slug, () => readPack(slug)),

    listPublic(page, pageSize) {
      const key = `${page}/${pageSize}`
      return publicPages(key, () => publicPage(key, () => readPublicPage(page, pageSize)))
    },

    listOwned: async (ownerId, page, pageSize) =>
      ownedPages(ownedKey(ownerId, page, pageSize), () => readOwnedPage(ownerId, page, pageSize)),

    listOwnedPublic: async (ownerId, ...page) =>
      ownedPublicPages(ownedKey(ownerId, ...page), () =>
        readPage(engine, (tx) => publicPacksOf(tx, ownerId), toSavedPack, ...page),
      ),

    async findOwned(ownerId, name) {
      const [row] = await queries.newestByName(db, { ownerId, name })
      return row === undefined ? null : toSavedPack(row)
    },

    async readHistory(slug) {
      const pack = await packs(slug, () => readPack(slug))
      if (pack === null) return null
      const cached = histories.get(slug)
      if (cached?.pack === pack) return cached
      const history = await loadHistory(slug)
      // If the pack was the same before and after, it was so in between.
      if (history === null || (await readPack(slug)) !== pack) return history
      const known = Object.freeze({ ...history, pack })
      histories.set(slug, known)
      return known
    },
  }
}

const ownedKey = (ownerId: string, page: number, pageSize: number): string =>
  `${page} ${pageSize} ${ownerId}`
const ownerOf = (key: string): string => key.split(' ')[2]!

type CachedPack = { readonly row: SlimRow; readonly pack: SavedPack }

/** While these are the same, so is everything that only a save sets. */
const savedColumns = ['id', 'updatedAt', 'contentHash'] as const

/**
 * Reads packs by slug, from the store each time; what has not changed since is neither read whole nor
 * parsed again, and the same object is returned. A save always moves `updated_at` (D-26); the hash of
 * the content guards against a save that was lost with its database and came again, with other content,
 * in the same millisecond.
 */
function cachePacks(rows: PackRows): (slug: string) => Promise<SavedPack | null> {
  const packs = new BoundedMap<string, CachedPack>({ maxEntries: MAX_PACKS })

  async function load(slug: string): Promise<CachedPack | null> {
    const row = await rows.whole(slug)
    return row === undefined ? null : { row, pack: toSavedPack(row) }
  }

  async function renew(slug: string, before: CachedPack): Promise<CachedPack | null> {
    const row = await rows.slim(slug)
    if (row === undefined) return null
    if (savedColumns.some((column) => row[column] !== before.row[column])) return load(slug)
    const columns = Object.keys(row) as (keyof SlimRow)[]
    if (columns.every((column) => row[column] === before.row[column])) return before
    return { row, pack: Object.freeze({ ...before.pack, ...fromSlimRow(row) }) }
  }

  return async (slug) => {
    const before = packs.get(slug)
    const now = await (before === undefined ? load(slug) : renew(slug, before))
    if (now === null) packs.delete(slug)
    else if (now !== before) packs.set(slug, now)
    return now?.pack ?? null
  }
}

type PublicPage = { readonly version: IndexVersion; readonly list: PackList }

/** Returns a page of the public list again for as long as the list has its version. */
function cachePages(
  readVersion: () => Promise<IndexVersion>,
): (key: string, load: () => Promise<PublicPage>) => Promise<PackList> {
  const pages = new BoundedMap<string, PublicPage>({ maxEntries: MAX_PAGES })

  return async (key, load) => {
    const cached = pages.get(key)
    if (cached !== undefined && cached.version === (await readVersion())) return cached.list
    const page = await load()
    pages.set(key, page)
    return page.list
  }
}
