import type { NewPack, PackState, SavedPack } from '../../../domain/packs.ts'
import type { Creation, IdempotencyToken, PackList, PackStore } from '../../../ports/packs.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQuery } from '../query.ts'
import { knownPacks, knownPages, type PackRows, type PublicPage } from './known-packs.ts'
import { moderationReads, moderationWrites } from './moderation.ts'
import { packQueries, type PackRow, toSavedPack, toStateColumns } from './pack-queries.ts'
import {
  createListKeeper,
  createPublicList,
  type ListKeeper,
  publicKey,
  type PublicList,
} from './public-list.ts'
import { sharedNumbers } from './shared-numbers.ts'

const MAX_PACKS = 2000
const MAX_PAGES = 64

type Queries = ReturnType<typeof packQueries>

/**
 * The packs in an SQL database.
 *
 * @param rows how packs are read by slug; null: each by a query of its own.
 */
export function createPackStore(engine: Engine, rows: PackRows | null = null): PackStore {
  const queries = packQueries(engine.db)
  const publicList = createPublicList(engine.db)
  const lists = createListKeeper(engine.db, publicList)
  return {
    ...packReads(engine, queries, publicList, rows),
    ...packWrites(engine, queries, lists),
    ...moderationReads(engine),
    ...moderationWrites(engine, lists),
  }
}

function packReads(
  { db, read, newCache }: Engine,
  queries: Queries,
  publicList: PublicList,
  rows: PackRows | null,
): Pick<PackStore, 'read' | 'listPublic' | 'listOwned' | 'findOwned'> {
  const numbers = sharedNumbers(db)
  const packs = newCache<SavedPack>(MAX_PACKS)
  const publicPages = newCache<PackList>(MAX_PAGES)
  const ownedPages = newCache<PackList>(MAX_PAGES)
  const readPack = knownPacks(rows ?? rowsOneByOne(db, queries))
  const publicPage = knownPages(() => numbers.indexVersion(db))

  const readPublicPage = (page: number, pageSize: number): Promise<PublicPage> =>
    read(async (tx) => {
      const version = await numbers.indexVersion(tx)
      const { total, under, skip } = await publicList.locate(tx, (page - 1) * pageSize, version)
      const rows = skip === null ? [] : await queries.publicUnder(tx, { ...under, skip, pageSize })
      return { version, list: { packs: rows.map(toSavedPack), total } }
    })

  const readOwnedPage = (ownerId: string, page: number, pageSize: number): Promise<PackList> =>
    read(async (tx) => {
      const [count] = await queries.countOwned(tx, { ownerId })
      const skip = (page - 1) * pageSize
      const rows = await queries.owned(tx, { ownerId, skip, pageSize })
      return { packs: rows.map(toSavedPack), total: count?.packs ?? 0 }
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
  }
}

function rowsOneByOne(db: Db, queries: Queries): PackRows {
  return {
    whole: async (slug) => (await queries.bySlug(db, { slug }))[0],
    slim: async (slug) => (await queries.slimBySlug(db, { slug }))[0],
  }
}

/** What owners do to packs; each change counts in the lists in the same transaction. */
function packWrites(
  { db, write }: Engine,
  queries: Queries,
  lists: ListKeeper,
): Pick<PackStore, 'create' | 'replace' | 'remove' | 'changeExports'> {
  const keyed = keyedCreations(db)

  const save = async (tx: Db, before: PackRow, state: PackState): Promise<SavedPack> => {
    const after = { ...before, ...toStateColumns(state) }
    await queries.save(tx, after)
    await lists.move(tx, publicKey(before), publicKey(after))
    return toSavedPack(after)
  }

  return {
    create: (pack, limit, once = null) =>
      write('packs', async (tx) => {
        const before = once && (await keyed.find(tx, pack, once))
        if (before !== null) return before
        if (limit !== null) {
          const [count] = await queries.countOwned(tx, pack)
          if (count === undefined || count.packs >= limit) return { outcome: 'full' }
        }
        const [owner] = await queries.username(tx, pack)
        if (owner === undefined) return { outcome: 'no_owner' }
        const row = {
          ...toStateColumns(pack),
          slug: pack.slug,
          owner_id: pack.ownerId,
          created_at: pack.createdAt,
        }
        const [inserted] = await queries.insert(tx, row)
        if (inserted === undefined) return { outcome: 'slug_taken' }
        const saved = { ...row, id: inserted.id }
        await lists.move(tx, null, publicKey(saved))
        const created = toSavedPack({ ...saved, owner_username: owner.username })
        if (once !== null) await keyed.note(tx, created, once)
        return { outcome: 'created', pack: created }
      }),

    replace: (slug, ownerId, change) =>
      write('packs', async (tx) => {
        const [row] = await queries.bySlugAndOwner(tx, { slug, ownerId })
        return row ? save(tx, row, change(toSavedPack(row))) : null
      }),

    remove: (slug, ownerId, check) =>
      write('packs', async (tx) => {
        if (check !== undefined) {
          const [before] = await queries.bySlugAndOwner(tx, { slug, ownerId })
          if (before !== undefined) check(toSavedPack(before))
        }
        const [row] = await queries.remove(tx, { slug, ownerId })
        if (row !== undefined) await lists.move(tx, publicKey(row), null)
        return row !== undefined
      }),

    changeExports: (slug, ownerId, change) =>
      write('packs', async (tx) => {
        const [row] = await queries.bySlugAndOwner(tx, { slug, ownerId })
        if (row === undefined) return null
        const after = { ...row, exports: JSON.stringify(change(toSavedPack(row))) }
        await queries.setExports(tx, after)
        await lists.move(tx, publicKey(row), publicKey(after))
        return toSavedPack(after)
      }),
  }
}

/** Each creation that is noted removes so many that are forgotten: more than come, and never a crowd. */
const SWEPT_EACH_TIME = 8

/** Which creations were made under an idempotency key, noted in the transactions that make them. */
function keyedCreations(db: Db) {
  const byKey = prepareQuery((name: { ownerId: string; key: string; since: number }) =>
    db
      .selectFrom('keyed_creation')
      .select(['fingerprint', 'slug', 'owner_username', 'created_at'])
      .where('account_id', '=', name.ownerId)
      .where('idempotency_key', '=', name.key)
      .where('created_at', '>=', name.since),
  )

  const sweep = prepareQuery((values: { since: number }) =>
    db
      .deleteFrom('keyed_creation')
      .where((eb) =>
        eb(
          eb.refTuple('account_id', 'idempotency_key'),
          'in',
          eb
            .selectFrom('keyed_creation as old')
            .select(['old.account_id', 'old.idempotency_key'])
            .where('old.created_at', '<', values.since)
            .orderBy('old.created_at')
            .limit(SWEPT_EACH_TIME)
            .$asTuple('account_id', 'idempotency_key'),
        ),
      ),
  )

  return {
    /** How a creation ends that was made before; null when it was not. */
    async find(
      tx: Db,
      pack: NewPack,
      { key, fingerprint, since }: IdempotencyToken,
    ): Promise<Creation | null> {
      const [made] = await byKey(tx, { ownerId: pack.ownerId, key, since })
      if (made === undefined) return null
      if (made.fingerprint !== fingerprint) return { outcome: 'key_taken' }
      return {
        outcome: 'repeated',
        pack: {
          ...pack,
          slug: made.slug,
          ownerUsername: made.owner_username,
          createdAt: made.created_at,
          updatedAt: made.created_at,
        },
      }
    },

    async note(
      tx: Db,
      pack: SavedPack,
      { key, fingerprint, since }: IdempotencyToken,
    ): Promise<void> {
      await sweep(tx, { since })
      const made = {
        fingerprint,
        slug: pack.slug,
        owner_username: pack.ownerUsername,
        created_at: pack.createdAt,
      }
      await tx
        .insertInto('keyed_creation')
        .values({ account_id: pack.ownerId, idempotency_key: key, ...made })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'idempotency_key']).doUpdateSet(made),
        )
        .execute()
    },
  }
}
