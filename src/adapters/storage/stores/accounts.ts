import { sql, type SqlBool } from 'kysely'
import type { Account } from '../../../domain/accounts.ts'
import type { AccountStore, ModeratorRow } from '../../../ports/accounts.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import type { Tables } from '../tables.ts'
import { createChangeLog } from './changes.ts'
import { moderationLog } from './moderation.ts'
import { createTournamentLog } from './tournament-feed.ts'
import { createPublicList, publicKey, type PublicKeyRow } from './public-list.ts'
import { suspendTournaments } from './suspensions.ts'
import { newTournamentMark } from './tournament-rows.ts'

const CACHED_ACCOUNTS = 2000

/** Of a query that selects from `account`. */
export const isModerator = sql<SqlBool>`
  exists (select since from moderator where moderator.game_id = account.game_id)`.as('isModerator')

export function createAccountStore(engine: Engine): AccountStore {
  const { db, write, lock, newCache } = engine
  const cached = newCache<Account>(CACHED_ACCOUNTS, (id) => [`account ${id}`, 'moderators'])
  const named = newCache<Account>(CACHED_ACCOUNTS, () => ['names', 'moderators'])
  const list = createPublicList()
  const changes = createChangeLog(engine, list)
  const tournamentChanges = createTournamentLog(engine)
  const note = moderationLog(engine)
  const accounts = db
    .selectFrom('account')
    .select(['id', 'game_id as gameId', 'username', 'created_at as createdAt', 'language'])
    .select(isModerator)
  const { byId, byGameId, byUsername } = prepareQueries({
    byId: ({ id }: { id: string }) => accounts.where('id', '=', id),
    byGameId: ({ gameId }: { gameId: number }) => accounts.where('game_id', '=', gameId),
    byUsername: ({ username }: { username: string }) =>
      accounts
        .where(sql<SqlBool>`lower(username) = lower(${username})`)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(1),
  })

  const add = (account: Omit<Tables['account'], 'language'>) =>
    write(
      'packs',
      (tx) =>
        tx
          .insertInto('account')
          .values({ ...account, language: null })
          .onConflict((conflict) => conflict.column('game_id').doNothing())
          .execute(),
      account.id,
    )

  async function rename(id: string, username: string): Promise<void> {
    const work = async (tx: Db) => {
      await tx.updateTable('account').set({ username }).where('id', '=', id).execute()
      // The index shows the names of the packs' owners.
      await list.touchOwned(tx, id)
    }
    await write('packs', work, id)
  }

  return {
    read: async (id) => cached(id, async () => toAccount(await byId(db, { id }))),

    findByGameId: async (gameId) => toAccount(await byGameId(db, { gameId })),

    findByUsername: async (username) =>
      named(username.toLowerCase(), async () => toAccount(await byUsername(db, { username }))),

    async ensurePlayer({ gameId, username }, newId, now) {
      for (;;) {
        const known = toAccount(await byGameId(db, { gameId }))
        if (known?.username === username) return known
        // Another process may be first, with another id or name: then what it did is looked at again.
        if (known === null) await add({ id: newId, game_id: gameId, username, created_at: now })
        else await rename(known.id, username)
      }
    },

    setLanguage: (id, language) =>
      write('sessions', async (tx) => {
        await tx.updateTable('account').set({ language }).where('id', '=', id).execute()
      }),

    async countPlayers() {
      const counted = sql<{ players: number }>`select count(game_id) as players from account`
      return (await counted.execute(db)).rows[0]!.players
    },

    setModerator: (gameId, isModerator, now, by) =>
      write('packs', async (tx) => {
        const { numAffectedRows = 0n } = isModerator
          ? await sql`insert into moderator (game_id, since) values (${gameId}, ${now})
              on conflict do nothing`.execute(tx)
          : await sql`delete from moderator where game_id = ${gameId}`.execute(tx)
        if (numAffectedRows === 0n) return false
        if (by !== undefined) {
          const { id = null, username = null } = toAccount(await byGameId(tx, { gameId })) ?? {}
          const player = { ...playerSubject(gameId), name: username ?? '', ownerId: id }
          await note(tx, player, { ...by, action: isModerator ? 'appoint' : 'dismiss', at: now })
        }
        return true
      }),

    async listModerators() {
      const { rows } = await sql<ModeratorRow>`
        select moderator.game_id as "gameId", username, since, (
          select max(session.created_at) from session where account_id = account.id
        ) as "signedInAt"
        from moderator left join account on account.game_id = moderator.game_id
        order by since desc, moderator.game_id`.execute(db)
      return rows
    },

    remove: (id, now, by) =>
      write('packs', async (tx) => {
        await lock(tx, 'tournaments')
        const account = toAccount(await byId(tx, { id }))
        if (account === null || account.gameId === null) return false
        const { rows: packs } = await sql<PublicKeyRow & { slug: string }>`
          delete from pack where owner_id = ${id}
          returning slug, id, visibility, hidden_at as "hiddenAt", updated_at as "updatedAt"`.execute(
          tx,
        )
        await changes.forgetOwner(tx, id)
        for (const pack of packs) {
          const key = publicKey(pack)
          if (key === null) continue
          const deletion = { at: now, kind: 'deleted', slug: pack.slug, ownerId: null } as const
          await changes.append(tx, deletion, key, null)
        }
        const log = tx.updateTable('moderation_log').set({ pack_name: '' })
        await log.where('owner_id', '=', id).execute()
        const places = await tx
          .selectFrom('tournament_staff')
          .select(['tournament', 'role'])
          .where('account_id', '=', id)
          .execute()
        const slugs = places.map(({ tournament }) => tournament)
        const discussed = await tournamentChanges.discussionsOf(tx, id)
        await tournamentChanges.noting(tx, slugs, now, async () => {
          await leaveTournaments(tx, id, now)
          await tx.deleteFrom('moderator').where('game_id', '=', account.gameId).execute()
          // Keys, sessions and places on staffs go with it.
          await tx.deleteFrom('account').where('id', '=', id).execute()
        })
        await tournamentChanges.noteDiscussions(tx, now, discussed)
        await tournamentChanges.forgetReader(tx, id)
        const hosted = places.flatMap(({ tournament, role }) => (role === 'host' ? tournament : []))
        if (hosted.length > 0) await suspendTournaments(engine, tx, sql.join(hosted), now)
        if (by !== undefined) {
          const player = { ...playerSubject(account.gameId), name: '', ownerId: null }
          await note(tx, player, { ...by, action: 'delete', at: now })
        }
        return true
      }),
  }
}

const playerSubject = (gameId: number) => ({ subject: 'player', slug: String(gameId) }) as const

/** Those that have no other host go with the account; their packs stay. */
async function leaveTournaments(tx: Db, id: string, now: number): Promise<void> {
  await sql`
    delete from tournament where slug in (
      select tournament from tournament_staff as own
      where account_id = ${id} and role = 'host' and not exists (
        select 1 from tournament_staff as other
        where other.tournament = own.tournament and role = 'host' and account_id <> ${id}
      )
    )`.execute(tx)
  await sql`
    update tournament set mark = ${newTournamentMark()},
      updated_at = case when updated_at < ${now} then ${now} else updated_at + 1 end
    where slug in (select tournament from tournament_staff where account_id = ${id})`.execute(tx)
}

type AccountRow = Omit<Account, 'isModerator'> & { isModerator: SqlBool }

function toAccount([row]: readonly AccountRow[]): Account | null {
  return row === undefined ? null : Object.freeze({ ...row, isModerator: Boolean(row.isModerator) })
}
