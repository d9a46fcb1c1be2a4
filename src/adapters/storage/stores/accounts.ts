import type { SqlBool } from 'kysely'
import type { Account } from '../../../domain/accounts.ts'
import type { AccountStore } from '../../../ports/accounts.ts'
import type { Engine } from '../engine.ts'
import { prepareQuery } from '../query.ts'
import { createListKeeper, publicKey } from './public-list.ts'
import { sharedNumbers } from './shared-numbers.ts'

const CACHED_ACCOUNTS = 2000

/** The accounts in an SQL database. */
export const createAccountStore = ({ db, write, newCache }: Engine): AccountStore => {
  const cached = newCache<Account>(CACHED_ACCOUNTS)
  const numbers = sharedNumbers(db)
  const lists = createListKeeper(db)
  const accounts = db
    .selectFrom('account')
    .select((eb) => [
      'id',
      'game_id as gameId',
      'username',
      'created_at as createdAt',
      eb
        .exists(
          eb
            .selectFrom('moderator')
            .select('since')
            .whereRef('moderator.game_id', '=', 'account.game_id'),
        )
        .as('isModerator'),
    ])
  const byId = prepareQuery((key: { id: string }) => accounts.where('id', '=', key.id))
  const byGameId = prepareQuery((key: { gameId: number }) =>
    accounts.where('game_id', '=', key.gameId),
  )

  return {
    read: async (id) =>
      cached(id, async () => {
        const [account] = await byId(db, { id })
        return account === undefined ? null : toAccount(account)
      }),

    async findByGameId(gameId) {
      const [account] = await byGameId(db, { gameId })
      return account === undefined ? null : toAccount(account)
    },

    ensurePlayer: ({ gameId, username }, newId, now) =>
      write('packs', async (tx) => {
        const [before] = await byGameId(tx, { gameId })
        // The index shows the names of the packs' owners.
        if (before !== undefined && before.username !== username) await numbers.bumpIndex(tx)
        await tx
          .insertInto('account')
          .values({ id: newId, game_id: gameId, username, created_at: now })
          .onConflict((conflict) => conflict.column('game_id').doUpdateSet({ username }))
          .execute()
        const [account] = await byGameId(tx, { gameId })
        if (account === undefined) throw new Error('An account that was just written is not there')
        return toAccount(account)
      }),

    async countPlayers() {
      const { players } = await db
        .selectFrom('account')
        .select((eb) => eb.fn.count<number>('game_id').as('players'))
        .executeTakeFirstOrThrow()
      return players
    },

    setModerator: (gameId, isModerator, now) =>
      write('packs', async (tx) => {
        if (isModerator) {
          const { numInsertedOrUpdatedRows } = await tx
            .insertInto('moderator')
            .values({ game_id: gameId, since: now })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
          return (numInsertedOrUpdatedRows ?? 0n) > 0n
        }
        const { numDeletedRows } = await tx
          .deleteFrom('moderator')
          .where('game_id', '=', gameId)
          .executeTakeFirst()
        return numDeletedRows > 0n
      }),

    remove: (id) =>
      write('packs', async (tx) => {
        const [account] = await byId(tx, { id })
        if (account === undefined || account.gameId === null) return false
        const packs = await tx
          .deleteFrom('pack')
          .where('owner_id', '=', id)
          .returning(['id', 'visibility', 'hidden_at', 'updated_at'])
          .execute()
        for (const pack of packs) await lists.move(tx, publicKey(pack), null)
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

const toAccount = ({ id, gameId, username, isModerator, createdAt }: AccountRow): Account =>
  Object.freeze({ id, gameId, username, isModerator: Boolean(isModerator), createdAt })
