import { sql, type SqlBool } from 'kysely'
import type { Account } from '../../../domain/accounts.ts'
import type { AccountStore } from '../../../ports/accounts.ts'
import type { Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import { createPublicList, indexVersions, publicKey, type PublicKeyRow } from './public-list.ts'

const CACHED_ACCOUNTS = 2000

/** Of a query that selects from `account`. */
export const isModerator = sql<SqlBool>`
  exists (select since from moderator where moderator.game_id = account.game_id)`.as('isModerator')

export function createAccountStore({ db, write, newCache }: Engine): AccountStore {
  const cached = newCache<Account>(CACHED_ACCOUNTS)
  const versions = indexVersions()
  const list = createPublicList()
  const accounts = db
    .selectFrom('account')
    .select(['id', 'game_id as gameId', 'username', 'created_at as createdAt', isModerator])
  const { byId, byGameId } = prepareQueries({
    byId: ({ id }: { id: string }) => accounts.where('id', '=', id),
    byGameId: ({ gameId }: { gameId: number }) => accounts.where('game_id', '=', gameId),
  })

  return {
    read: async (id) => cached(id, async () => toAccount(await byId(db, { id }))),

    findByGameId: async (gameId) => toAccount(await byGameId(db, { gameId })),

    ensurePlayer: ({ gameId, username }, newId, now) =>
      write('packs', async (tx) => {
        const [before] = await byGameId(tx, { gameId })
        // The index shows the names of the packs' owners.
        if (before !== undefined && before.username !== username) await versions.bump(tx)
        await tx
          .insertInto('account')
          .values({ id: newId, game_id: gameId, username, created_at: now })
          .onConflict((conflict) => conflict.column('game_id').doUpdateSet({ username }))
          .execute()
        const account = toAccount(await byGameId(tx, { gameId }))
        if (account === null) throw new Error('An account that was just written is not there')
        return account
      }),

    async countPlayers() {
      const counted = sql<{ players: number }>`select count(game_id) as players from account`
      return (await counted.execute(db)).rows[0]!.players
    },

    setModerator: (gameId, isModerator, now) =>
      write('packs', async (tx) => {
        const { numAffectedRows = 0n } = isModerator
          ? await sql`insert into moderator (game_id, since) values (${gameId}, ${now})
              on conflict do nothing`.execute(tx)
          : await sql`delete from moderator where game_id = ${gameId}`.execute(tx)
        return numAffectedRows > 0n
      }),

    remove: (id) =>
      write('packs', async (tx) => {
        const account = toAccount(await byId(tx, { id }))
        if (account === null || account.gameId === null) return false
        const { rows: packs } = await sql<PublicKeyRow>`
          delete from pack where owner_id = ${id}
          returning id, visibility, hidden_at as "hiddenAt", updated_at as "updatedAt"`.execute(tx)
        for (const pack of packs) await list.move(tx, publicKey(pack), null)
        const log = tx.updateTable('moderation_log').set({ pack_name: '' })
        await log.where('owner_id', '=', id).execute()
        await tx.deleteFrom('moderator').where('game_id', '=', account.gameId).execute()
        // Keys and sessions go with it.
        await tx.deleteFrom('account').where('id', '=', id).execute()
        return true
      }),
  }
}

type AccountRow = Omit<Account, 'isModerator'> & { isModerator: SqlBool }

function toAccount([row]: readonly AccountRow[]): Account | null {
  return row === undefined ? null : Object.freeze({ ...row, isModerator: Boolean(row.isModerator) })
}
