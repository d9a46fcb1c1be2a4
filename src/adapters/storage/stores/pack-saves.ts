import { sql } from 'kysely'
import type { NewPack, PackState, SavedPack } from '../../../domain/packs.ts'
import type { Creation, PackStore } from '../../../ports/packs.ts'
import type { IdempotencyToken } from '../../../ports/store.ts'
import { type Db, type Engine, prepareQueries } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { createChangeLog } from './changes.ts'
import {
  type packQueries,
  type PackRow,
  toHistory,
  toSavedPack,
  toStateColumns,
} from './pack-queries.ts'
import { type PublicList, publicKey } from './public-list.ts'
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
      write('packs', (tx) => saves.create(tx, pack, limit, once), pack.ownerId),

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
  { db, skipLocked, nextSeq }: Pick<Engine, 'db' | 'skipLocked' | 'nextSeq'>,
  queries: Queries,
  list: PublicList,
) {
  const keyed = keyedCreations(db, skipLocked)
  const changes = createChangeLog({ nextSeq }, list)

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

  return {
    withOwned,

    async create(
      tx: Db,
      pack: NewPack,
      limit: number | null,
      once: IdempotencyToken | null,
    ): Promise<Creation> {
      const { slug, ownerId, createdAt } = pack
      const before = once && (await keyed.find(tx, pack, once))
      if (before !== null) return before
      const [owner] = await queries.owner(tx, { ownerId })
      if (owner === undefined) return { outcome: 'no_owner' }
      if (limit !== null && owner.packs >= limit) return { outcome: 'full' }
      const row = { ...toStateColumns(pack), slug, owner_id: ownerId, created_at: createdAt }
      const [inserted] = await queries.insert(tx, row)
      if (inserted === undefined) return { outcome: 'slug_taken' }
      const creation = { at: createdAt, kind: 'created', slug, ownerId } as const
      await changes.append(tx, creation, null, publicKey({ ...pack, ...inserted }))
      const created = Object.freeze({ ...pack, ownerUsername: owner.username })
      if (once !== null) await keyed.note(tx, created, once)
      return { outcome: 'created', pack: created }
    },

    replace: (tx: Db, slug: string, ownerId: string, change: (saved: SavedPack) => PackState) =>
      withOwned(tx, slug, ownerId, async (row, before) => {
        const { ownerUsername, createdAt } = before
        const state = change(before)
        const after = Object.freeze({ ...state, slug, ownerId, ownerUsername, createdAt })
        await queries.save(tx, { ...toStateColumns(after), id: row.id })
        const saved = { at: after.updatedAt, kind: 'changed', slug, ownerId } as const
        await changes.append(tx, saved, publicKey(row), publicKey({ ...after, id: row.id }))
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
        await queries.remove(tx, { id: row.id })
        const deletion = { at: now, kind: 'deleted', slug, ownerId } as const
        await changes.append(tx, deletion, publicKey(row), null)
        return true
      })
      return removed ?? false
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
