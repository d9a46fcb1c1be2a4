import type { NewPack, PackState, SavedPack } from '../../../domain/packs.ts'
import type { Creation, Once, PackList, PackStore } from '../../../ports/packs.ts'
import type { IndexVersion } from '../../../ports/search-index.ts'
import type { Db, Engine } from '../engine.ts'
import { knownPacks } from '../postgres/known-packs.ts'
import { prepareQuery } from '../query.ts'
import { remember } from '../remember.ts'
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

/** The packs in an SQL database. */
export const createPackStore = (engine: Engine): PackStore => {
  const queries = packQueries(engine.db)
  const publicList = createPublicList(engine.db)
  const lists = createListKeeper(engine.db, publicList)
  return {
    ...packReads(engine, queries, publicList),
    ...packWrites(engine, queries, lists),
    ...moderationReads(engine),
    ...moderationWrites(engine, lists),
  }
}

type PackReads = Pick<PackStore, 'read' | 'listPublic' | 'listOwned' | 'findOwned'>

const REMEMBERED_PACKS = 2000
const REMEMBERED_PAGES = 64

type PublicPage = { readonly version: IndexVersion; readonly list: PackList }

/** Reading packs. */
const packReads = (
  engine: Engine,
  queries: ReturnType<typeof packQueries>,
  publicList: PublicList,
): PackReads => {
  const { db } = engine
  const numbers = sharedNumbers(db)
  const packs = engine.newShelf<SavedPack>(REMEMBERED_PACKS)
  const publicPages = engine.newShelf<PackList>(REMEMBERED_PAGES)
  const ownedPages = engine.newShelf<PackList>(REMEMBERED_PAGES)
  const readPack = knownPacks(db)
  const knownPages = new Map<string, PublicPage>()

  const readPublicPage = (page: number, pageSize: number): Promise<PublicPage> =>
    engine.read(async (tx) => {
      const version = await numbers.indexVersion(tx)
      const { total, under, skip } = await publicList.locate(tx, (page - 1) * pageSize, version)
      const rows = skip === null ? [] : await queries.publicUnder(tx, { ...under, skip, pageSize })
      return { version, list: { packs: rows.map(toSavedPack), total } }
    })

  /** The page as it was read before, for as long as the list is what it was then. */
  const publicPage = async (page: number, pageSize: number): Promise<PackList> => {
    const key = `${page}/${pageSize}`
    const known = knownPages.get(key)
    if (known !== undefined && known.version === (await numbers.indexVersion(db))) {
      return known.list
    }
    const now = await readPublicPage(page, pageSize)
    remember(knownPages, REMEMBERED_PAGES, key, now)
    return now.list
  }

  const readOwnedPage = (ownerId: string, page: number, pageSize: number): Promise<PackList> =>
    engine.read(async (tx) => {
      const [count] = await queries.countOwned(tx, { ownerId })
      const skip = (page - 1) * pageSize
      const rows = await queries.owned(tx, { ownerId, skip, pageSize })
      return { packs: rows.map(toSavedPack), total: count?.packs ?? 0 }
    })

  return {
    read: (slug) => packs(slug, () => engine.asOne(() => readPack(slug))),

    listPublic: (page, pageSize) =>
      publicPages(`${page}/${pageSize}`, () => engine.asOne(() => publicPage(page, pageSize))),

    listOwned: (ownerId, page, pageSize) =>
      ownedPages(`${page}/${pageSize}/${ownerId}`, () => readOwnedPage(ownerId, page, pageSize)),

    async findOwned(ownerId, name) {
      const [row] = await queries.newestByName(db, { ownerId, name })
      return row === undefined ? null : toSavedPack(row)
    },
  }
}

type PackWrites = Pick<PackStore, 'create' | 'replace' | 'remove' | 'changeExports'>

/** What owners do to packs; each change counts in the lists in the same transaction. */
const packWrites = (
  engine: Engine,
  queries: ReturnType<typeof packQueries>,
  lists: ListKeeper,
): PackWrites => {
  const keyed = keyedCreations(engine.db)

  const save = async (tx: Db, before: PackRow, state: PackState): Promise<SavedPack> => {
    const after = { ...before, ...toStateColumns(state) }
    await queries.save(tx, after)
    await lists.move(tx, publicKey(before), publicKey(after))
    return toSavedPack(after)
  }

  return {
    create: (pack, limit, once = null) =>
      engine.write('packs', async (tx) => {
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
      engine.write('packs', async (tx) => {
        const [row] = await queries.bySlugAndOwner(tx, { slug, ownerId })
        return row ? save(tx, row, change(toSavedPack(row))) : null
      }),

    remove: (slug, ownerId, check) =>
      engine.write('packs', async (tx) => {
        if (check !== undefined) {
          const [before] = await queries.bySlugAndOwner(tx, { slug, ownerId })
          if (before !== undefined) check(toSavedPack(before))
        }
        const [row] = await queries.remove(tx, { slug, ownerId })
        if (row !== undefined) await lists.move(tx, publicKey(row), null)
        return row !== undefined
      }),

    changeExports: (slug, ownerId, change) =>
      engine.write('packs', async (tx) => {
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

/** Remembers which creations were made under a name, in the transactions that make them. */
const keyedCreations = (db: Db) => {
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
    async find(tx: Db, pack: NewPack, { key, fingerprint, since }: Once): Promise<Creation | null> {
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

    async note(tx: Db, pack: SavedPack, { key, fingerprint, since }: Once): Promise<void> {
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
