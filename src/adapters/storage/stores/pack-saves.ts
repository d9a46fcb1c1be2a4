import { sql } from 'kysely'
import type { NewPack, PackState, SavedPack } from '../../../domain/packs.ts'
import type { Creation, PackStore } from '../../../ports/packs.ts'
import type { IdempotencyToken } from '../../../ports/store.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import type { Tables } from '../tables.ts'
import { createChangeLog } from './changes.ts'
import {
  packChanges,
  type packQueries,
  type PackRow,
  toHistory,
  toSavedPack,
  toStateColumns,
} from './pack-queries.ts'
import { type PublicKeyRow, type PublicList, publicKey } from './public-list.ts'
import { createTournamentLog } from './tournament-feed.ts'

type Queries = ReturnType<typeof packQueries>

/** What owners do to packs, each in a transaction of its own. */
export function packWrites(
  engine: Engine,
  queries: Queries,
  list: PublicList,
): Pick<PackStore, 'create' | 'replace' | 'remove' | 'changeExports' | 'setHistoryPublic'> {
  const { write } = engine
  const saves = packSaves(engine, queries, list)
  const tournaments = createTournamentLog(engine)

  return {
    create: (pack, limit, once = null) =>
      write('packs', (tx) => saves.create(tx, pack, limit, once), pack.ownerId, false),

    replace: (slug, ownerId, change) =>
      write(
        'packs',
        (tx) => {
          const at = (saved: SavedPack | null) => saved?.updatedAt ?? 0
          return tournaments.notingPack(tx, { slug, ownerId }, at, () =>
            saves.replace(tx, slug, ownerId, change),
          )
        },
        ownerId,
      ),

    remove: (slug, ownerId, now, check) =>
      write(
        'packs',
        (tx) =>
          tournaments.notingPack(
            tx,
            { slug, ownerId },
            () => now,
            () => saves.remove(tx, slug, ownerId, now, check),
          ),
        ownerId,
      ),

    changeExports: (slug, ownerId, change) =>
      write(
        'packs',
        (tx) =>
          saves.withOwned(tx, slug, ownerId, async (row, before) => {
            const exports = change(before)
            await queries.setExports(tx, { id: row.id, exports: JSON.stringify(exports) })
            await list.move(tx, slug, publicKey(row), publicKey(row))
            return Object.freeze({ ...before, exports })
          }),
        ownerId,
      ),

    async setHistoryPublic(slug, ownerId, isPublic, check) {
      const work = (tx: Db) =>
        saves.withOwned(tx, slug, ownerId, async (row, before) => {
          check?.(toHistory(row, await queries.replacedVersions(tx, row)))
          if (isPublic === before.historyPublic) return true
          await queries.setHistoryPublic(tx, { id: row.id, isPublic: isPublic ? 1 : 0 })
          await list.move(tx, slug, publicKey(row), publicKey(row))
          return true
        })
      return (await write('packs', work, ownerId)) ?? false
    },
  }
}

/**
 * The same as the port's methods, within an open transaction that holds the lock of the packs' owner; each
 * change counts in the list.
 */
export function packSaves(
  {
    db,
    skipLocked,
    nextSeq,
    writesInWith,
    presentTime,
  }: Pick<Engine, 'db' | 'skipLocked' | 'nextSeq' | 'writesInWith' | 'presentTime'>,
  queries: Queries,
  list: PublicList,
) {
  const keyed = keyedCreations(db, skipLocked)
  const changes = createChangeLog({ nextSeq, writesInWith }, list)
  const builders = packChanges({ db, presentTime })
  const noted = {
    insert: changes.prepareNoted(builders.insert),
    insertWithin: changes.prepareNoted(builders.insertWithin),
    save: changes.prepareNoted(builders.save),
    remove: changes.prepareNoted(builders.remove),
  }

  /** Calls `work` with the owner's pack; null when it is missing or not the owner's. */
  async function withOwned<T>(
    tx: Db,
    slug: string,
    ownerId: string,
    work: (row: PackRow, before: SavedPack) => Promise<T>,
  ): Promise<T | null> {
    const [row] = await queries.bySlugAndOwner(tx, { slug, ownerId })
    return row === undefined ? null : work(row, toSavedPack(row))
  }

  async function insert(tx: Db, pack: NewPack, limit: number | null): Promise<Creation> {
    const { slug, ownerId, createdAt } = pack
    const row = { ...toStateColumns(pack), slug, owner_id: ownerId, created_at: createdAt }
    const creation = { at: createdAt, kind: 'created', slug, ownerId } as const
    const created = ({ username }: { username: string | null }) =>
      ({ outcome: 'created', pack: Object.freeze({ ...pack, ownerUsername: username }) }) as const
    if (writesInWith) {
      const within = { ...row, limit: limit ?? Number.MAX_SAFE_INTEGER }
      const [made] = await noted.insertWithin(tx, within, creation, null, placeOf(pack))
      if (made !== undefined) return created(made)
    }
    const [owner] = await queries.owner(tx, { ownerId })
    if (owner === undefined) return { outcome: 'no_owner' }
    if (limit !== null && owner.packs >= limit) return { outcome: 'full' }
    if (writesInWith) return { outcome: 'slug_taken' }
    const [made] = await noted.insert(tx, row, creation, null, placeOf(pack))
    return made === undefined ? { outcome: 'slug_taken' } : created(owner)
  }

  return {
    withOwned,

    async create(
      tx: Db,
      pack: NewPack,
      limit: number | null,
      once: IdempotencyToken | null,
    ): Promise<Creation> {
      const before = once && (await keyed.find(tx, pack, once))
      if (before !== null) return before
      const creation = await insert(tx, pack, limit)
      if (once !== null && creation.outcome === 'created') await keyed.note(tx, creation.pack, once)
      return creation
    },

    replace: (tx: Db, slug: string, ownerId: string, change: (saved: SavedPack) => PackState) =>
      withOwned(tx, slug, ownerId, async (row, before) => {
        const { ownerUsername, createdAt } = before
        const state = change(before)
        const after = Object.freeze({ ...state, slug, ownerId, ownerUsername, createdAt })
        const columns = { ...toStateColumns(after), id: row.id }
        const saved = { at: after.updatedAt, kind: 'changed', slug, ownerId } as const
        await noted.save(tx, columns, saved, placeOf(row), placeOf(after))
        return after
      }),

    async remove(
      tx: Db,
      slug: string,
      ownerId: string,
      now: number,
      check?: (saved: SavedPack) => void,
    ): Promise<boolean> {
      const removed = await withOwned(tx, slug, ownerId, async (row, before) => {
        check?.(before)
        const deletion = { at: now, kind: 'deleted', slug, ownerId } as const
        await noted.remove(tx, { id: row.id }, deletion, placeOf(row), null)
        return true
      })
      return removed ?? false
    },
  }
}

/** When the pack was updated last, if it is in the public list. */
const placeOf = (pack: Omit<PublicKeyRow, 'id'>): number | null =>
  publicKey({ ...pack, id: 0 })?.updatedAt ?? null

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
