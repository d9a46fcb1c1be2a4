import { type ExpressionBuilder, sql } from 'kysely'
import type { ModerationNote } from '../../../domain/moderation.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import type { LoggedNote, ModeratedRow, ModerationFilter, PackStore } from '../../../ports/packs.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQuery, textContains } from '../query.ts'
import type { ModerationLogTable, PackStateColumns, Tables } from '../tables.ts'
import { type PackRow, packsWithOwner, toSavedPack } from './pack-queries.ts'
import { type ListKeeper, publicKey } from './public-list.ts'

type ModerationReads = Pick<
  PackStore,
  'listPinned' | 'readModerated' | 'listModerated' | 'readLog' | 'readLogAbout'
>

/** What moderators see. */
export const moderationReads = ({ db, read, newCache }: Engine): ModerationReads => {
  const queries = moderationQueries(db)
  const pinned = newCache<readonly SavedPack[]>(1)

  return {
    listPinned: async () =>
      pinned('', async () => Object.freeze((await queries.pinned(db, {})).map(toSavedPack))),

    async readModerated(slug) {
      const row = await moderatedRows(db).where('slug', '=', slug).executeTakeFirst()
      return row === undefined ? null : toModeratedRow(row)
    },

    listModerated: (filter, page, pageSize) =>
      read(async (tx) => {
        const { total } = await tx
          .selectFrom('pack')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where((eb) => isFound(eb, filter))
          .executeTakeFirstOrThrow()
        const rows = await moderatedRows(tx)
          .where((eb) => isFound(eb, filter))
          .$if(filter.only === 'pinned', (query) => query.orderBy('pinned_rank'))
          .orderBy('updated_at', 'desc')
          .orderBy('id', 'desc')
          .limit(pageSize)
          .offset((page - 1) * pageSize)
          .execute()
        return { rows: rows.map(toModeratedRow), total }
      }),

    readLog: (page, pageSize) =>
      read(async (tx) => {
        const { total } = await tx
          .selectFrom('moderation_log')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        const newest = logEntries(tx).limit(pageSize)
        const rows = await newest.offset((page - 1) * pageSize).execute()
        return { notes: rows.map(toLoggedNote), total }
      }),

    async readLogAbout(ownerId) {
      return (await logEntries(db).where('owner_id', '=', ownerId).execute()).map(toLoggedNote)
    },
  }
}

/** Moderators never see private packs (D-30). */
const isFound = (eb: ExpressionBuilder<Tables, 'pack'>, { query, only }: ModerationFilter) =>
  eb.and([
    eb('visibility', '<>', sql.lit('private')),
    ...(only === 'hidden' ? [eb('hidden_at', 'is not', null)] : []),
    ...(only === 'pinned' ? [eb('pinned_rank', 'is not', null)] : []),
    ...(query === ''
      ? []
      : [
          eb.or([
            textContains('pack.name', query),
            eb('slug', '=', query),
            eb(
              'owner_id',
              'in',
              eb
                .selectFrom('account')
                .select('account.id')
                .where(textContains('account.username', query)),
            ),
          ]),
        ]),
  ])

const moderatedRows = (db: Db) =>
  packsWithOwner(db)
    .select((eb) => [
      eb
        .selectFrom('account')
        .select('game_id')
        .whereRef('account.id', '=', 'pack.owner_id')
        .as('owner_game_id'),
      eb
        .selectFrom('moderation_log as log')
        .leftJoin('account', 'account.id', 'log.moderator_id')
        .select('account.username')
        .whereRef('log.slug', '=', 'pack.slug')
        .where('log.action', '=', 'hide')
        .where('pack.hidden_at', 'is not', null)
        .orderBy('log.id', 'desc')
        .limit(1)
        .as('hidden_by'),
    ])
    .where('visibility', '<>', sql.lit('private'))

const toModeratedRow = (
  row: PackRow & { owner_game_id: number | null; hidden_by: string | null },
): ModeratedRow => ({
  pack: toSavedPack(row),
  ownerGameId: row.owner_game_id,
  hiddenBy: row.hidden_by,
})

const logEntries = (db: Db) =>
  db
    .selectFrom('moderation_log')
    .leftJoin('account', 'account.id', 'moderation_log.moderator_id')
    .select([
      'moderation_log.at',
      'moderation_log.by_operator',
      'moderation_log.action',
      'moderation_log.slug',
      'moderation_log.pack_name',
      'moderation_log.reason',
      'account.username',
    ])
    .orderBy('moderation_log.id', 'desc')

const toLoggedNote = (
  row: Omit<ModerationLogTable, 'id' | 'moderator_id' | 'owner_id'> & { username: string | null },
): LoggedNote => ({
  at: row.at,
  by: row.by_operator === 1 ? 'operator' : { username: row.username },
  action: row.action,
  slug: row.slug,
  packName: row.pack_name,
  reason: row.reason,
})

type ModerationWrites = Pick<PackStore, 'moderate' | 'setPins'>

/** What moderators do to packs; each act is written down in the same transaction. */
export const moderationWrites = ({ db, write }: Engine, lists: ListKeeper): ModerationWrites => {
  const queries = moderationQueries(db)

  const log = (tx: Db, pack: PackRow, { at, moderatorId, action, reason }: ModerationNote) =>
    queries.log(tx, {
      at,
      moderator_id: moderatorId,
      by_operator: moderatorId === null ? 1 : 0,
      action,
      slug: pack.slug,
      pack_name: pack.name,
      owner_id: pack.owner_id,
      reason,
    })

  return {
    moderate: (slug, change) =>
      write('packs', async (tx) => {
        const [before] = await queries.bySlug(tx, { slug })
        if (before === undefined) return null
        const others = (await queries.pinned(tx, {})).filter(({ id }) => id !== before.id)
        const verdict = change(toSavedPack(before), others.map(toSavedPack))
        const after = {
          ...before,
          hidden_at: verdict.hiddenAt,
          hidden_reason: verdict.hiddenReason ?? null,
          pinned_rank: verdict.pinnedRank,
        }
        await queries.setVerdict(tx, after)
        await lists.move(tx, publicKey(before), publicKey(after))
        if (verdict.note !== undefined) await log(tx, after, verdict.note)
        return toSavedPack(after)
      }),

    setPins: (slugs, note) =>
      write('packs', async (tx) => {
        const before = await queries.pinned(tx, {})
        const row = slugs.flatMap((slug) => before.find((pack) => pack.slug === slug) ?? [])
        const isSameSet = slugs.length === before.length && new Set(row).size === before.length
        if (!isSameSet) return false
        for (const [at, pack] of row.entries()) {
          await queries.setVerdict(tx, { ...pack, pinned_rank: at + 1 })
          await lists.move(tx, publicKey(pack), publicKey(pack))
          if (pack !== before[at]) await log(tx, pack, { ...note, action: 'move' })
        }
        return true
      }),
  }
}

/** The queries of moderators, compiled once. */
const moderationQueries = (db: Db) => ({
  bySlug: prepareQuery((key: { slug: string }) => packsWithOwner(db).where('slug', '=', key.slug)),

  /** The pinned row in its order. */
  pinned: prepareQuery(() =>
    packsWithOwner(db).where('pinned_rank', 'is not', null).orderBy('pinned_rank').orderBy('id'),
  ),

  /** Leaves the stats work as it is. */
  setVerdict: prepareQuery(
    (row: Pick<PackStateColumns, 'hidden_at' | 'hidden_reason' | 'pinned_rank'> & { id: number }) =>
      db
        .updateTable('pack')
        .set({
          hidden_at: row.hidden_at,
          hidden_reason: row.hidden_reason,
          pinned_rank: row.pinned_rank,
        })
        .where('id', '=', row.id),
  ),

  log: prepareQuery((row: Omit<ModerationLogTable, 'id'>) =>
    db.insertInto('moderation_log').values({
      at: row.at,
      moderator_id: row.moderator_id,
      by_operator: row.by_operator,
      action: row.action,
      slug: row.slug,
      pack_name: row.pack_name,
      owner_id: row.owner_id,
      reason: row.reason,
    }),
  ),
})
