import { type InferResult, sql } from 'kysely'
import type { ModerationNote, ModerationSubject } from '../../../domain/moderation.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import type { LoggedNote, ModeratedRow, ModerationFilter, PackStore } from '../../../ports/packs.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries, prepareQuery, readPage, textContains } from '../query.ts'
import type { Tables } from '../tables.ts'
import { createChangeLog } from './changes.ts'
import { type packQueries, type PackRow, packsWithOwner, toSavedPack } from './pack-queries.ts'
import { type PublicList, publicKey } from './public-list.ts'
import { createTournamentLog } from './tournament-feed.ts'

/** What moderators see. */
export function moderationReads(engine: Engine) {
  const { db, newCache } = engine
  const pinned = newCache<readonly SavedPack[]>(1, () => ['pins', 'names'])
  const readPinned = prepareQuery(() => pinnedRow(db))

  return {
    listPinned: () =>
      pinned('', async () => Object.freeze((await readPinned(db, {})).map(toSavedPack))),

    async readModerated(slug) {
      const row = await moderatedRows(db).where('slug', '=', slug).executeTakeFirst()
      return row === undefined ? null : toModeratedRow(row)
    },

    listModerated: (filter, ...page) =>
      readPage(engine, (tx) => findModerated(tx, filter), toModeratedRow, ...page),

    readLog: (...page) => readPage(engine, logEntries, toLoggedNote, ...page),

    async readLogAbout(ownerId) {
      return (await logEntries(db).where('owner_id', '=', ownerId).execute()).map(toLoggedNote)
    },
  } satisfies Partial<PackStore>
}

/** The pinned row in its order. */
function pinnedRow(db: Db) {
  return packsWithOwner(db)
    .where('pinned_rank', 'is not', null)
    .orderBy('pinned_rank')
    .orderBy('id')
}

function findModerated(db: Db, { query, only }: ModerationFilter) {
  return moderatedRows(db)
    .$if(only === 'hidden', (packs) => packs.where('hidden_at', 'is not', null))
    .$if(only === 'pinned', (packs) =>
      packs.where('pinned_rank', 'is not', null).orderBy('pinned_rank'),
    )
    .$if(query !== '', (packs) =>
      packs.where((eb) => {
        const owners = eb.selectFrom('account').select('account.id')
        return eb.or([
          textContains('pack.name', query),
          eb('slug', '=', query),
          eb('owner_id', 'in', owners.where(textContains('account.username', query))),
        ])
      }),
    )
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
}

/** Moderators never see private packs (D-30). */
function moderatedRows(db: Db) {
  return packsWithOwner(db)
    .select([
      sql<number | null>`(select game_id from account where account.id = pack.owner_id)`.as(
        'ownerGameId',
      ),
      sql<string | null>`(
        select username from moderation_log as log left join account on account.id = log.moderator_id
        where log.slug = pack.slug and log.action = 'hide' and pack.hidden_at is not null
          and pack.suspended <> 1
        order by log.id desc limit 1
      )`.as('hiddenBy'),
      'suspended',
    ])
    .where('visibility', '<>', sql.lit('private'))
}

type PackWithVerdict = InferResult<ReturnType<typeof moderatedRows>>[number]

function toModeratedRow(found: PackWithVerdict): ModeratedRow {
  const { ownerGameId, hiddenBy, suspended, ...row } = found
  return { pack: toSavedPack(row), ownerGameId, hiddenBy, isSuspended: suspended > 0 }
}

function logEntries(db: Db) {
  return db
    .selectFrom('moderation_log as log')
    .leftJoin('account', 'account.id', 'log.moderator_id')
    .select(['log.at', 'log.action', 'log.slug', 'log.pack_name as packName', 'log.reason'])
    .select(['log.subject', 'log.by_operator as byOperator', 'account.username'])
    .orderBy('log.id', 'desc')
}

type LogRow = InferResult<ReturnType<typeof logEntries>>[number]

function toLoggedNote({ byOperator, username, ...note }: LogRow): LoggedNote {
  return { ...note, by: byOperator === 1 ? 'operator' : { username } }
}

type Moderated = {
  readonly subject: ModerationSubject
  readonly slug: string
  readonly name: string
  /** null for what no account owns. */
  readonly ownerId: string | null
}

/** Returns a function that appends a note to the log, in the transaction of what it notes. */
export function moderationLog({ db }: Pick<Engine, 'db'>) {
  const insert = prepareQuery((row: Omit<Tables['moderation_log'], 'id'>) =>
    db.insertInto('moderation_log').values(row),
  )
  return async (
    tx: Db,
    { subject, slug, name, ownerId }: Moderated,
    { at, moderatorId, action, reason }: ModerationNote,
  ): Promise<void> => {
    await insert(tx, {
      at,
      moderator_id: moderatorId,
      by_operator: moderatorId === null ? 1 : 0,
      action,
      slug,
      pack_name: name,
      owner_id: ownerId,
      reason,
      subject,
    })
  }
}

/** What moderators have decided of something, whether or not a suspension hides it, too. */
export function withoutSuspension<T extends { readonly hiddenAt: number | null }>(
  row: T,
  suspended: 0 | 1 | 2,
): T {
  return suspended === 1 ? { ...row, hiddenAt: null } : row
}

/** How something is hidden by a suspension after what moderators decided of it. */
export const suspensionAfter = ({ hiddenAt }: { readonly hiddenAt: number | null }): 1 | 2 =>
  hiddenAt === null ? 1 : 2

/** What moderators do to packs; each act is logged in the same transaction. */
export function moderationWrites(
  engine: Engine,
  queries: ReturnType<typeof packQueries>,
  list: PublicList,
) {
  const { db, write } = engine
  const changes = createChangeLog(engine, list)
  const tournaments = createTournamentLog(engine)
  const { readPinned, readSuspended, setVerdict, setSuspended } = prepareQueries({
    readPinned: () => pinnedRow(db),

    readSuspended: ({ id }: { id: number }) =>
      db.selectFrom('pack').select('suspended').where('id', '=', id),

    setSuspended: ({ id, suspended }: { id: number; suspended: 0 | 1 | 2 }) =>
      sql`update pack set suspended = ${suspended} where id = ${id}`,

    /** Leaves the stats work as it is. */
    setVerdict: ({ id, hiddenAt, hiddenReason, pinnedRank }: PackRow) =>
      db
        .updateTable('pack')
        .set({ hidden_at: hiddenAt, hidden_reason: hiddenReason, pinned_rank: pinnedRank })
        .where('id', '=', id),
  })

  const append = moderationLog({ db })
  const log = (tx: Db, { slug, name, ownerId }: PackRow, note: ModerationNote) =>
    append(tx, { subject: 'pack', slug, name, ownerId }, note)

  return {
    moderate: (slug, change) =>
      write('packs', async (tx) => {
        const [before] = await queries.bySlug(tx, { slug })
        if (before === undefined) return null
        const others = (await readPinned(tx, {})).filter(({ id }) => id !== before.id)
        const [{ suspended } = { suspended: 0 as const }] = await readSuspended(tx, before)
        const seen = withoutSuspension(before, suspended)
        const verdict = change(toSavedPack(seen), others.map(toSavedPack), suspended > 0)
        const { hiddenReason = null, pinnedRank, note } = verdict
        const hiddenAt = verdict.hiddenAt ?? (suspended > 0 ? before.hiddenAt : null)
        const after = { ...before, hiddenAt, hiddenReason, pinnedRank }
        const at = () => note?.at ?? 0
        await tournaments.notingPack(tx, before, at, () => setVerdict(tx, after))
        if (suspended > 0) {
          await setSuspended(tx, { id: before.id, suspended: suspensionAfter(verdict) })
        }
        const [from, to] = [publicKey(before), publicKey(after)]
        if (note !== undefined) await log(tx, after, note)
        if (note !== undefined && (before.hiddenAt === null) !== (hiddenAt === null)) {
          const kind = hiddenAt === null ? 'shown' : 'hidden'
          const change = { at: note.at, kind, slug, ownerId: before.ownerId } as const
          await changes.append(tx, change, from, to)
        } else {
          await list.move(tx, slug, from, to)
        }
        return toSavedPack(after)
      }),

    setPins: (slugs, note) =>
      write('packs', async (tx) => {
        const before = await readPinned(tx, {})
        const row = slugs.flatMap((slug) => before.find((pack) => pack.slug === slug) ?? [])
        const isSameSet = slugs.length === before.length && new Set(row).size === before.length
        if (!isSameSet) return false
        for (const [at, pack] of row.entries()) {
          await setVerdict(tx, { ...pack, pinnedRank: at + 1 })
          await list.move(tx, pack.slug, publicKey(pack), publicKey(pack))
          if (pack !== before[at]) await log(tx, pack, { ...note, action: 'move' })
        }
        return true
      }),
  } satisfies Partial<PackStore>
}
