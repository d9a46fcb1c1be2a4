import { sql } from 'kysely'
import { BoundedMap } from '../../../domain/bounded-map.ts'
import type { PackHistory } from '../../../domain/history.ts'
import type { NewPack, SavedPack } from '../../../domain/packs.ts'
import type { Creation, IdempotencyToken, PackList, PackStore } from '../../../ports/packs.ts'
import type { IndexVersion } from '../../../ports/search-index.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import type { Tables } from '../tables.ts'
import { createChangeLog } from './changes.ts'
import { moderationReads, moderationWrites } from './moderation.ts'
import {
  fromSlimRow,
  packQueries,
  type PackRow,
  type SlimRow,
  toHistory,
  toSavedPack,
  toStateColumns,
} from './pack-queries.ts'
import { createPublicList, currentVersion, publicKey, type PublicList } from './public-list.ts'

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
export function createPackStore(engine: Engine, rows: PackRows | null = null): PackStore {
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
  { db, read, newCache }: Engine,
  queries: Queries,
  list: PublicList,
  rows: PackRows | null,
): Pick<PackStore, 'read' | 'listPublic' | 'listOwned' | 'findOwned' | 'readHistory'> {
  const packs = newCache<SavedPack>(MAX_PACKS)
  const publicPages = newCache<PackList>(MAX_PAGES)
  const ownedPages = newCache<PackList>(MAX_PAGES)
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
      return { version: currentVersion(state), list: { packs: rows.map(toSavedPack), total } }
    })

  const readOwnedPage = (ownerId: string, page: number, pageSize: number): Promise<PackList> =>
    read(async (tx) => {
      const [count] = await queries.countOwned(tx, { ownerId })
      const skip = (page - 1) * pageSize
      const rows = await queries.owned(tx, { ownerId, skip, pageSize })
      return { packs: rows.map(toSavedPack), total: count?.packs ?? 0 }
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
      ownedPages(`${page}/${pageSize}/${ownerId}`, () => readOwnedPage(ownerId, page, pageSize)),

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

/** What owners do to packs; each change counts in the list in the same transaction. */
function packWrites(
  { db, write, skipLocked, nextSeq }: Engine,
  queries: Queries,
  list: PublicList,
): Pick<PackStore, 'create' | 'replace' | 'remove' | 'changeExports' | 'setHistoryPublic'> {
  const keyed = keyedCreations(db, skipLocked)
  const changes = createChangeLog({ nextSeq })

  /** Calls `work` with the owner's pack; null when it is missing or not the owner's. */
  const withOwned = <T>(
    slug: string,
    ownerId: string,
    work: (tx: Db, row: PackRow, before: SavedPack) => Promise<T>,
  ): Promise<T | null> =>
    write(
      'packs',
      async (tx) => {
        const [row] = await queries.bySlugAndOwner(tx, { slug, ownerId })
        return row === undefined ? null : work(tx, row, toSavedPack(row))
      },
      ownerId,
    )

  return {
    create(pack, limit, once = null) {
      const { slug, ownerId, createdAt } = pack
      const work = async (tx: Db): Promise<Creation> => {
        const before = once && (await keyed.find(tx, pack, once))
        if (before !== null) return before
        const [owner] = await queries.owner(tx, { ownerId })
        if (owner === undefined) return { outcome: 'no_owner' }
        if (limit !== null && owner.packs >= limit) return { outcome: 'full' }
        const row = { ...toStateColumns(pack), slug, owner_id: ownerId, created_at: createdAt }
        const [inserted] = await queries.insert(tx, row)
        if (inserted === undefined) return { outcome: 'slug_taken' }
        const key = publicKey({ ...pack, ...inserted })
        await list.move(tx, slug, null, key)
        const saved = { at: createdAt, kind: 'created', slug, ownerId } as const
        await changes.append(tx, { ...saved, wasListed: false, isListed: key !== null })
        const created = Object.freeze({ ...pack, ownerUsername: owner.username })
        if (once !== null) await keyed.note(tx, created, once)
        return { outcome: 'created', pack: created }
      }
      return write('packs', work, ownerId)
    },

    replace: (slug, ownerId, change) =>
      withOwned(slug, ownerId, async (tx, row, before) => {
        const { ownerUsername, createdAt } = before
        const state = change(before)
        const after = Object.freeze({ ...state, slug, ownerId, ownerUsername, createdAt })
        await queries.save(tx, { ...toStateColumns(after), id: row.id })
        const [from, to] = [publicKey(row), publicKey({ ...after, id: row.id })]
        await list.move(tx, slug, from, to)
        const saved = { at: after.updatedAt, kind: 'changed', slug, ownerId } as const
        await changes.append(tx, { ...saved, wasListed: from !== null, isListed: to !== null })
        return after
      }),

    async remove(slug, ownerId, now, check) {
      const removed = await withOwned(slug, ownerId, async (tx, row, before) => {
        check?.(before)
        await queries.remove(tx, { id: row.id })
        const key = publicKey(row)
        await list.move(tx, slug, key, null)
        const deletion = { at: now, kind: 'deleted', slug, ownerId } as const
        await changes.append(tx, { ...deletion, wasListed: key !== null, isListed: false })
        return true
      })
      return removed ?? false
    },

    changeExports: (slug, ownerId, change) =>
      withOwned(slug, ownerId, async (tx, row, before) => {
        const exports = change(before)
        await queries.setExports(tx, { id: row.id, exports: JSON.stringify(exports) })
        await list.move(tx, slug, publicKey(row), publicKey(row))
        return Object.freeze({ ...before, exports })
      }),

    async setHistoryPublic(slug, ownerId, isPublic, check) {
      const isSet = await withOwned(slug, ownerId, async (tx, row, before) => {
        check?.(toHistory(row, await queries.replacedVersions(tx, row)))
        if (isPublic === before.historyPublic) return true
        await queries.setHistoryPublic(tx, { id: row.id, isPublic: isPublic ? 1 : 0 })
        await list.move(tx, slug, publicKey(row), publicKey(row))
        return true
      })
      return isSet ?? false
    },
  }
}

/** Creations of the past that each new one removes: more than come, and few enough not to be felt. */
const SWEPT_EACH_TIME = 8

/** Which creations were made under an idempotency key, noted in the transactions that make them. */
function keyedCreations(db: Db, skipLocked: Engine['skipLocked']) {
  const queries = prepareQueries({
    byKey: ({ ownerId, key, since }: { ownerId: string; key: string; since: number }) =>
      sql<{ fingerprint: string; slug: string; ownerUsername: string | null; at: number }>`
        select fingerprint, slug, owner_username as "ownerUsername", created_at as at
        from keyed_creation
        where account_id = ${ownerId} and idempotency_key = ${key} and created_at >= ${since}`,

    sweep: ({ since }: { since: number }) => sql`
      with old as materialized (
        select account_id, idempotency_key from keyed_creation
        where created_at < ${since} order by created_at limit ${SWEPT_EACH_TIME} ${skipLocked}
      )
      delete from keyed_creation where (account_id, idempotency_key) in (select * from old)`,

    insert: ({ account_id, idempotency_key, ...made }: Tables['keyed_creation']) =>
      db
        .insertInto('keyed_creation')
        .values({ account_id, idempotency_key, ...made })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'idempotency_key']).doUpdateSet(made),
        ),
  })

  return {
    /** How a creation ends that was made before; null when it was not. */
    async find(tx: Db, pack: NewPack, once: IdempotencyToken): Promise<Creation | null> {
      const [made] = await queries.byKey(tx, { ...once, ownerId: pack.ownerId })
      if (made === undefined) return null
      if (made.fingerprint !== once.fingerprint) return { outcome: 'key_taken' }
      const { fingerprint: _, at, ...rest } = made
      return { outcome: 'repeated', pack: { ...pack, ...rest, createdAt: at, updatedAt: at } }
    },

    async note(tx: Db, pack: SavedPack, once: IdempotencyToken): Promise<void> {
      await queries.insert(tx, {
        account_id: pack.ownerId,
        idempotency_key: once.key,
        fingerprint: once.fingerprint,
        slug: pack.slug,
        owner_username: pack.ownerUsername,
        created_at: pack.createdAt,
      })
      // Last: nothing waits for another write while it holds rows of other owners.
      await queries.sweep(tx, { since: once.since })
    },
  }
}
