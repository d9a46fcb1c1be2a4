import type { Account } from '../../domain/account.ts'
import type { AccountStore } from '../../ports/account-store.ts'
import type { Engine } from './engine.ts'
import { prepareQuery } from './prepared-query.ts'
import { sharedNumbers } from './shared-number.ts'

const REMEMBERED_ACCOUNTS = 2000

/** The accounts in an SQL database. */
export const createAccountStore = ({ db, write, newShelf }: Engine): AccountStore => {
  const remembered = newShelf<Account>(REMEMBERED_ACCOUNTS)
  const numbers = sharedNumbers(db)
  const accounts = db.selectFrom('account').select(['id', 'game_id as gameId', 'username'])
  const byId = prepareQuery((key: { id: string }) => accounts.where('id', '=', key.id))
  const byGameId = prepareQuery((key: { gameId: number }) =>
    accounts.where('game_id', '=', key.gameId),
  )

  return {
    read: (id) =>
      remembered(id, async () => {
        const [account] = await byId(db, { id })
        return account === undefined ? null : toAccount(account)
      }),

    async findByGameId(gameId) {
      const [account] = await byGameId(db, { gameId })
      return account === undefined ? null : toAccount(account)
    },

    ensurePlayer: ({ gameId, username }, newId, now) =>
      write(async (tx) => {
        const [before] = await byGameId(tx, { gameId })
        // The index shows the names of the packs' owners.
        if (before !== undefined && before.username !== username) await numbers.bumpIndex(tx)
        const account = await tx
          .insertInto('account')
          .values({ id: newId, game_id: gameId, username, created_at: now })
          .onConflict((conflict) => conflict.column('game_id').doUpdateSet({ username }))
          .returning(['id', 'game_id as gameId', 'username'])
          .executeTakeFirstOrThrow()
        return toAccount(account)
      }),

    async countPlayers() {
      const { players } = await db
        .selectFrom('account')
        .select((eb) => eb.fn.count<number>('game_id').as('players'))
        .executeTakeFirstOrThrow()
      return players
    },
  }
}

const toAccount = ({ id, gameId, username }: Account): Account =>
  Object.freeze({ id, gameId, username })
