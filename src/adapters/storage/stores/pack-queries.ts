import { hash } from 'node:crypto'
import { type InferResult, sql } from 'kysely'
import type { Stats } from '../../../contract/packs.ts'
import type { Bucket, Slot } from '../../../contract/pools.ts'
import { type PackHistory, type SavedVersion, versionOf } from '../../../domain/history.ts'
import type { PackState, SavedExport, SavedPack } from '../../../domain/packs.ts'
import {
  type PackFields,
  sentFields,
  type SentFields,
  storedFields,
} from '../../../pool/pack-fields.ts'
import type { Db, Engine } from '../engine.ts'
import { isSuspended, prepareQueries } from '../query.ts'
import type { PackStateColumns, Tables } from '../tables.ts'
import type { ListKey } from './public-list.ts'

const slimColumns = [
  'id',
  'slug',
  'owner_id as ownerId',
  'name',
  'visibility',
  'content_hash as contentHash',
  'exports',
  'hidden_at as hiddenAt',
  'hidden_reason as hiddenReason',
  'pinned_rank as pinnedRank',
  'stats',
  'history_public as historyPublic',
  'version',
  'version_hidden as versionHidden',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const versionAt = sql<number>`coalesce(version_at, updated_at)`.as('versionAt')

/** Most of a row; only a save changes them. */
const largeColumns = [
  'description',
  'other_fields as otherFields',
  'slots',
  'buckets',
  'pack_key as packKey',
] as const

// A subquery instead of a join: packs that an offset skips then cost no look at their owner.
const ownerUsername = sql<string | null>`
  (select username from account where account.id = pack.owner_id)`.as('ownerUsername')

/** Packs with their owners' names, but without their slots and texts. */
export const slimPacksWithOwner = (db: Db) =>
  db.selectFrom('pack').select([...slimColumns, versionAt, ownerUsername])

export const packsWithOwner = (db: Db) => slimPacksWithOwner(db).select(largeColumns)

const newestFirst = (db: Db) =>
  packsWithOwner(db).orderBy('updated_at', 'desc').orderBy('id', 'desc')

// Written out, not bound: only so do the engines see that the index on public packs answers it.
const publicPacks = (db: Db) =>
  newestFirst(db).where('visibility', '=', sql.lit('public')).where('hidden_at', 'is', null)

/** Those of an owner that are public and not hidden. */
export const publicPacksOf = (db: Db, ownerId: string) =>
  publicPacks(db).where('owner_id', '=', ownerId)

export function packQueries(db: Db) {
  const packs = packsWithOwner(db)

  return prepareQueries({
    bySlug: ({ slug }: { slug: string }) => packs.where('slug', '=', slug),

    slimBySlug: ({ slug }: { slug: string }) => slimPacksWithOwner(db).where('slug', '=', slug),

    bySlugAndOwner: ({ slug, ownerId }: { slug: string; ownerId: string }) =>
      packs.where('slug', '=', slug).where('owner_id', '=', ownerId),

    newestByName: ({ ownerId, name }: { ownerId: string; name: string }) =>
      packs.where('owner_id', '=', ownerId).where('name', '=', name).orderBy('id', 'desc').limit(1),

    publicUnder: (page: ListKey & { skip: number; pageSize: number }) =>
      publicPacks(db)
        .where((eb) => eb(eb.refTuple('updated_at', 'id'), '<', eb.tuple(page.updatedAt, page.id)))
        .limit(page.pageSize)
        .offset(page.skip),

    owned: (page: { ownerId: string; skip: number; pageSize: number }) =>
      newestFirst(db).where('owner_id', '=', page.ownerId).limit(page.pageSize).offset(page.skip),

    countOwned: ({ ownerId }: { ownerId: string }) =>
      sql<{ packs: number }>`select count(*) as packs from pack where owner_id = ${ownerId}`,

    /** Who may own new packs: an account that is not suspended. */
    owner: ({ ownerId }: { ownerId: string }) => sql<{ username: string | null; packs: number }>`
      select username, (select count(*) from pack where owner_id = account.id) as packs
      from account where id = ${ownerId} and ${isSuspended} = 0`,

    setExports: ({ id, exports }: { id: number; exports: string }) =>
      sql`update pack set exports = ${exports} where id = ${id}`,

    setHistoryPublic: ({ id, isPublic }: { id: number; isPublic: 0 | 1 }) =>
      sql`update pack set history_public = ${isPublic} where id = ${id}`,

    /** Those that saves have replaced, which a trigger keeps. */
    replacedVersions: ({ id }: { id: number }) => sql<VersionRow>`
      select version, saved_at as "savedAt", visibility, is_hidden as "isHidden", description,
        other_fields as "otherFields", pack_key as "packKey"
      from pack_version where pack_id = ${id} order by version desc`,
  })
}

type NewRow = PackStateColumns & Pick<Tables['pack'], 'slug' | 'owner_id' | 'created_at'>

/**
 * What owners write of packs. Stats are due at once: `updated_at` may be to come, by the clock of another process or one
 * that has been put back since (D-26).
 */
export const packChanges = ({ db, presentTime }: Pick<Engine, 'db' | 'presentTime'>) => ({
  /** Returns no row when the slug is taken. */
  insert: (row: NewRow) =>
    db
      .insertInto('pack')
      .values({ ...row, stats_due_at: presentTime(row.updated_at) })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning('id'),

  /** With what `owner` finds, in one statement. Returns no row when the owner may not, or the slug is taken. */
  insertWithin: ({ limit, ...columns }: NewRow & { limit: number }) => {
    const row = { ...columns, stats_due_at: presentTime(columns.updated_at) }
    return sql<{ id: number; username: string | null }>`
      insert into pack (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
      select ${sql.join(Object.values(row))} from account
      where account.id = ${row.owner_id} and ${isSuspended} = 0
        and (select count(*) from pack as other where other.owner_id = account.id) < ${limit}
      on conflict (slug) do nothing
      returning id, (select username from account where account.id = owner_id) as username`
  },

  /** A worker that holds the pack loses its lease: the stats are due at once. */
  save: ({ id, ...state }: PackStateColumns & { id: number }) =>
    db
      .updateTable('pack')
      .set({
        ...state,
        stats_due_at: presentTime(state.updated_at),
        stats_lease_until: 0,
        stats_attempts: 0,
        ask_again_at: null,
      })
      .where('id', '=', id)
      .returning('id'),

  remove: ({ id }: { id: number }) => sql<{ id: number }>`
    delete from pack where id = ${id} returning id`,
})

/** A pack as it is read, without its slots and texts; `exports` and `stats` are JSON. */
export type SlimRow = InferResult<ReturnType<typeof slimPacksWithOwner>>[number]

/** A pack as it is read, with its owner's name. */
export type PackRow = InferResult<ReturnType<typeof packsWithOwner>>[number]

type Large = 'slots' | 'buckets' | 'packKey' | Exclude<keyof PackFields, 'visibility'>

export function fromSlimRow(row: SlimRow): Omit<SavedPack, Large> {
  const { id: _id, contentHash: _hash, exports, stats, historyPublic, versionHidden, ...rest } = row
  return {
    ...rest,
    historyPublic: historyPublic === 1,
    versionHidden: versionHidden === 1,
    exports: JSON.parse(exports) as SavedExport[],
    stats: stats === null ? null : (JSON.parse(stats) as Stats),
  }
}

export function toSavedPack({
  slots,
  buckets,
  packKey,
  description,
  otherFields,
  ...row
}: PackRow): SavedPack {
  return Object.freeze({
    ...fromSlimRow(row),
    ...toFields({ visibility: row.visibility, description, otherFields }),
    slots: JSON.parse(slots) as Slot[],
    buckets: buckets === null ? null : (JSON.parse(buckets) as Bucket[]),
    packKey,
  })
}

type FieldColumns = Pick<PackFields, 'visibility' | 'description'> & Pick<PackRow, 'otherFields'>

const noFields = storedFields({})

const toFields = ({ otherFields, ...fields }: FieldColumns): PackFields => ({
  ...noFields,
  ...fields,
  ...(otherFields !== null && (JSON.parse(otherFields) as SentFields)),
})

type VersionRow = Pick<SavedVersion, 'version' | 'savedAt' | 'packKey'> &
  FieldColumns & { readonly isHidden: 0 | 1 }

/** The history of a pack from its row, and from what `replacedVersions` returned in the same transaction. */
export function toHistory(row: PackRow, replaced: readonly VersionRow[]): PackHistory {
  const pack = toSavedPack(row)
  const before = replaced.map(({ version, savedAt, isHidden, packKey, ...fields }) => ({
    version,
    savedAt,
    isHidden: isHidden === 1,
    ...toFields(fields),
    packKey,
  }))
  return Object.freeze({ pack, versions: [versionOf(pack), ...before] })
}

/** 48 bits: as many as a number holds exactly. */
const HASH_DIGITS = 12

export function toStateColumns(state: PackState): PackStateColumns {
  const { visibility, description = null, ...others } = sentFields(state)
  const large = {
    description,
    other_fields: Object.keys(others).length === 0 ? null : JSON.stringify(others),
    slots: JSON.stringify(state.slots),
    buckets: state.buckets && JSON.stringify(state.buckets),
    pack_key: state.packKey,
  }
  const digest = hash('sha256', JSON.stringify(Object.values(large)))
  return {
    ...large,
    content_hash: Number.parseInt(digest.slice(0, HASH_DIGITS), 16),
    name: state.name,
    visibility,
    exports: JSON.stringify(state.exports),
    hidden_at: state.hiddenAt,
    hidden_reason: state.hiddenReason,
    pinned_rank: state.pinnedRank,
    stats: state.stats && JSON.stringify(state.stats),
    history_public: state.historyPublic ? 1 : 0,
    version: state.version,
    version_at: state.versionAt === state.updatedAt ? null : state.versionAt,
    version_hidden: state.versionHidden ? 1 : 0,
    updated_at: state.updatedAt,
  }
}
