import { type RawBuilder, sql } from 'kysely'
import { SYSTEM_ACCOUNT_ID } from '../../../domain/accounts.ts'
import type { SuspensionNote } from '../../../domain/moderation.ts'
import type { SuspensionStore } from '../../../ports/accounts.ts'
import type { Db, Engine } from '../engine.ts'
import { isSuspended } from '../query.ts'
import { moderationLog } from './moderation.ts'
import { playerReads } from './players.ts'
import { newMark } from './public-list.ts'
import { createTournamentLog } from './tournament-feed.ts'
import { newTournamentMark } from './tournament-rows.ts'

/** Packs that one transaction hides or shows; an account has at most 200, older ones may have more. */
const PORTION = 500

/** Stands before the hashes of keys whose owner is suspended: then no key is found by them, as if it was deleted. */
const STOPPED = '!'

export function createSuspensionStore(engine: Engine): SuspensionStore {
  const { db, write, lock } = engine
  const log = moderationLog(engine)

  /** Holds everything that the account could do while its rights change; short. */
  const decide = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
    write('packs', async (tx) => {
      for (const scope of ['tournaments', 'keys', 'sessions'] as const) await lock(tx, scope)
      return work(tx)
    })

  async function note(tx: Db, gameId: number, by: SuspensionNote): Promise<void> {
    const account = await accountOf(tx, gameId)
    const { id: ownerId = null, username } = account ?? {}
    const player = { slug: String(gameId), name: username ?? '', ownerId }
    await log(tx, { subject: 'player', ...player }, by)
  }

  /** Hides or shows a portion of the packs of one account; false when nothing is left to do. */
  async function finishPortion(tx: Db, gameId: number): Promise<boolean> {
    const row = await rowOf(tx, gameId)
    if (row === undefined || row.is_done === 1) return false
    const account = await accountOf(tx, gameId)
    const more = account !== null && (await changeBatch(engine, tx, account.id, row))
    if (more) return true
    const own = sql`game_id = ${gameId}`
    await (
      row.is_lifted === 1
        ? sql`delete from suspension where ${own}`
        : sql`update suspension set is_done = 1 where ${own}`
    ).execute(tx)
    return false
  }

  const finish = async (gameId: number): Promise<void> => {
    while (await write('packs', (tx) => finishPortion(tx, gameId)));
  }

  return {
    async suspend(gameId, by, check) {
      const outcome = await decide(async (tx) => {
        if (by.moderatorId !== null && (await isModerator(tx, gameId))) return 'moderator'
        const before = await rowOf(tx, gameId)
        const isNew = before === undefined || before.is_lifted === 1
        if (!isNew) check?.(before.reason)
        if (!isNew && before.reason === by.reason) return 'unchanged'
        const decision = {
          at: isNew ? by.at : before.at,
          moderator_id: by.moderatorId,
          by_operator: by.moderatorId === null ? 1 : 0,
          reason: by.reason,
          is_lifted: 0,
          is_done: isNew ? 0 : before.is_done,
        } as const
        await tx
          .insertInto('suspension')
          .values({ game_id: gameId, ...decision })
          .onConflict((same) => same.column('game_id').doUpdateSet(decision))
          .execute()
        await note(tx, gameId, by)
        const account = await accountOf(tx, gameId)
        if (account !== null) {
          await stopAccount(tx, account.id)
          const hosted = sql`
            select tournament from tournament_staff
            where account_id = ${account.id} and role = 'host'`
          await suspendTournaments(engine, tx, hosted, by.at)
        }
        await finishPortion(tx, gameId)
        return 'suspended'
      })
      if (outcome === 'suspended') await finish(gameId)
      return outcome
    },

    async unsuspend(gameId, by) {
      const isLifted = await decide(async (tx) => {
        const before = await rowOf(tx, gameId)
        if (before === undefined || before.is_lifted === 1) return false
        const lifted = { is_lifted: 1, is_done: 0, at: by.at } as const
        await tx.updateTable('suspension').set(lifted).where('game_id', '=', gameId).execute()
        await note(tx, gameId, by)
        const account = await accountOf(tx, gameId)
        if (account !== null) {
          await sql`
            update api_key set hash = substr(hash, 2)
            where account_id = ${account.id} and substr(hash, 1, 1) = ${STOPPED}`.execute(tx)
          await showTournaments(engine, tx, account.id, by.at)
        }
        await finishPortion(tx, gameId)
        return true
      })
      if (isLifted) await finish(gameId)
      return isLifted
    },

    async finishSuspensions() {
      const undone = db.selectFrom('suspension').select('game_id').where('is_done', '=', 0)
      const next = await undone.limit(1).executeTakeFirst()
      if (next === undefined) return false
      await finish(next.game_id)
      return true
    },

    ...playerReads(engine),
  }
}

const rowOf = (tx: Db, gameId: number) =>
  tx.selectFrom('suspension').selectAll().where('game_id', '=', gameId).executeTakeFirst()

async function accountOf(tx: Db, gameId: number) {
  const account = tx.selectFrom('account').select(['id', 'username'])
  return (await account.where('game_id', '=', gameId).executeTakeFirst()) ?? null
}

async function isModerator(tx: Db, gameId: number): Promise<boolean> {
  const named = tx.selectFrom('moderator').select('since').where('game_id', '=', gameId)
  return (await named.executeTakeFirst()) !== undefined
}

async function stopAccount(tx: Db, accountId: string): Promise<void> {
  await tx.deleteFrom('session').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('tournament_invitation').where('created_by', '=', accountId).execute()
  await sql`
    update api_key set hash = ${STOPPED} || hash
    where account_id = ${accountId} and substr(hash, 1, 1) <> ${STOPPED}`.execute(tx)
}

type VisibilityChange = { readonly is_lifted: 0 | 1; readonly at: number }

/** Hides or shows the next packs of an account; false when there are none after them. */
async function changeBatch(
  engine: Engine,
  tx: Db,
  ownerId: string,
  change: VisibilityChange,
): Promise<boolean> {
  const isToChange = change.is_lifted === 1 ? sql`suspended > 0` : sql`suspended = 0`
  const { rows } = await sql<{ id: number }>`
    select id from pack where owner_id = ${ownerId} and ${isToChange}
    order by id limit ${PORTION + 1}`.execute(tx)
  const last = rows.slice(0, PORTION).at(-1)
  if (last === undefined) return false
  await changePacks(engine, tx, sql`owner_id = ${ownerId} and id <= ${last.id}`, change)
  return rows.length > PORTION
}

/** Hides or shows packs, in the public list and in the feed of changes. */
async function changePacks(
  { nextSeq }: Engine,
  tx: Db,
  which: RawBuilder<unknown>,
  { is_lifted, at }: VisibilityChange,
): Promise<void> {
  // What appears or vanishes by this: a pack that a moderator has hidden does neither.
  const isLifted = is_lifted === 1
  const changed = isLifted
    ? sql`${which} and suspended = 1`
    : sql`${which} and suspended = 0 and hidden_at is null`
  const [from, to] = isLifted ? [sql`null`, sql`updated_at`] : [sql`updated_at`, sql`null`]
  const listed = sql`case when visibility = 'public' then 1 else 0 end`
  const [was, is] = isLifted ? [sql`0`, listed] : [listed, sql`0`]
  await sql`
    insert into public_change (slug, pack_id, from_updated_at, to_updated_at, mark)
    select slug, id, ${from}, ${to}, ${newMark()} from pack
    where ${changed} and visibility = 'public'`.execute(tx)
  await sql`
    insert into pack_change (seq, mark, at, kind, slug, owner_id, was_listed, is_listed)
    select ${nextSeq('pack_change')} + row_number() over (order by id) - 1, ${newMark()}, ${at},
      ${isLifted ? 'shown' : 'hidden'}, slug, owner_id, ${was}, ${is}
    from pack where ${changed} and visibility <> 'private'`.execute(tx)
  await (
    isLifted
      ? sql`
        update pack set hidden_at = case when suspended = 1 then null else hidden_at end, suspended = 0
        where ${which} and suspended > 0`
      : sql`
        update pack set suspended = case when hidden_at is null then 1 else 2 end,
          hidden_at = coalesce(hidden_at, ${at}), pinned_rank = null
        where ${which} and suspended = 0`
  ).execute(tx)
}

/** The packs that were released of these tournaments. */
const packsOf = (tournaments: RawBuilder<unknown>) => sql`
  owner_id = ${SYSTEM_ACCOUNT_ID} and slug in (
    select pack_slug from tournament_round
    where tournament in (${tournaments}) and pack_slug is not null
  )`

/**
 * Hides those of these tournaments of which every host is suspended, with the packs of their rounds: until the
 * suspension of one is lifted. In a transaction that holds the locks of all packs and tournaments.
 */
export async function suspendTournaments(
  engine: Engine,
  tx: Db,
  slugs: RawBuilder<unknown>,
  at: number,
): Promise<void> {
  const { rows } = await sql<{ slug: string }>`
    select slug from tournament where suspended = 0 and slug in (${slugs}) and not exists (
      select account.id from tournament_staff join account on account.id = account_id
      where tournament = slug and role = 'host' and ${isSuspended} = 0
    )`.execute(tx)
  if (rows.length === 0) return
  const alone = rows.map(({ slug }) => slug)
  await createTournamentLog(engine).noting(tx, alone, at, async () => {
    const which = sql.join(alone)
    await changePacks(engine, tx, packsOf(which), { is_lifted: 0, at })
    await sql`
      update tournament set suspended = case when hidden_at is null then 1 else 2 end,
        hidden_at = coalesce(hidden_at, ${at}), mark = ${newTournamentMark()}
      where slug in (${which})`.execute(tx)
  })
}

async function showTournaments(engine: Engine, tx: Db, id: string, at: number): Promise<void> {
  const { rows } = await sql<{ tournament: string }>`
    select tournament from tournament_staff join tournament on slug = tournament
    where account_id = ${id} and role = 'host' and suspended > 0`.execute(tx)
  if (rows.length === 0) return
  const hosted = rows.map(({ tournament }) => tournament)
  await createTournamentLog(engine).noting(tx, hosted, at, async () => {
    const which = sql.join(hosted)
    await changePacks(engine, tx, packsOf(which), { is_lifted: 1, at })
    await sql`
      update tournament set hidden_at = case when suspended = 1 then null else hidden_at end,
        suspended = 0, mark = ${newTournamentMark()}
      where slug in (${which})`.execute(tx)
  })
}
