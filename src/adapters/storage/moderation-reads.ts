import { type ExpressionBuilder, sql } from 'kysely'
import type { SavedPack } from '../../domain/packs.ts'
import type { LoggedNote, ModeratedRow, ModerationFilter, PackStore } from '../../ports/packs.ts'
import type { Db, Engine } from './engine.ts'
import { moderationQueries } from './moderation-queries.ts'
import { packsWithOwner } from './pack-queries.ts'
import { type PackRow, toSavedPack } from './pack-row.ts'
import type { ModerationLogTable, Tables } from './tables.ts'
import { textContains } from './text-contains.ts'

type ModerationReads = Pick<
  PackStore,
  'listPinned' | 'readModerated' | 'listModerated' | 'readLog' | 'readLogAbout'
>

/** What moderators see. */
export const moderationReads = ({ db, read, newShelf }: Engine): ModerationReads => {
  const queries = moderationQueries(db)
  const pinned = newShelf<readonly SavedPack[]>(1)

  return {
    listPinned: () =>
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
