import type { Session } from '../../domain/session.ts'
import type { SessionStore } from '../../ports/session-store.ts'
import type { Engine } from './engine.ts'
import { prepareQuery } from './prepared-query.ts'

const REMEMBERED_SESSIONS = 10_000

/** The sessions in an SQL database. */
export const createSessionStore = ({ db, write, newShelf }: Engine): SessionStore => {
  const remembered = newShelf<Session>(REMEMBERED_SESSIONS)
  const byHash = prepareQuery((key: { hash: string }) =>
    db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account_id')
      .select((eb) => [
        'account.game_id',
        'account.username',
        'session.account_id',
        'session.csrf',
        'session.created_at',
        'session.last_seen_at',
        eb
          .exists(
            eb
              .selectFrom('moderator')
              .select('since')
              .whereRef('moderator.game_id', '=', 'account.game_id'),
          )
          .as('is_moderator'),
      ])
      .where('session.hash', '=', key.hash),
  )

  const read = async (hash: string): Promise<Session | null> => {
    const [row] = await byHash(db, { hash })
    // The system account cannot sign in.
    if (row === undefined || row.game_id === null) return null
    return Object.freeze({
      hash,
      accountId: row.account_id,
      gameId: row.game_id,
      username: row.username,
      isModerator: Boolean(row.is_moderator),
      csrf: row.csrf,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
    })
  }

  return {
    create: ({ hash, accountId, csrf, createdAt }, replaces) =>
      write('sessions', async (tx) => {
        if (replaces !== null) await tx.deleteFrom('session').where('hash', '=', replaces).execute()
        await tx
          .insertInto('session')
          .values({
            hash,
            account_id: accountId,
            csrf,
            created_at: createdAt,
            last_seen_at: createdAt,
          })
          .execute()
      }),

    async find(hash, idleBefore) {
      const session = await remembered(hash, () => read(hash))
      return session === null || session.lastSeenAt < idleBefore ? null : session
    },

    touch: (hash, at) =>
      write('sessions', async (tx) => {
        await tx
          .updateTable('session')
          .set({ last_seen_at: at })
          .where('hash', '=', hash)
          .where('last_seen_at', '<', at)
          .execute()
      }),

    end: (hash) =>
      write('sessions', async (tx) => {
        const ended = await tx.deleteFrom('session').where('hash', '=', hash).executeTakeFirst()
        return ended.numDeletedRows > 0n
      }),

    endAll: (accountId) =>
      write('sessions', async (tx) => {
        const mine = tx.deleteFrom('session').where('account_id', '=', accountId)
        return Number((await mine.executeTakeFirst()).numDeletedRows)
      }),

    list: (accountId, idleBefore) =>
      db
        .selectFrom('session')
        .select(['created_at as createdAt', 'last_seen_at as lastSeenAt'])
        .where('account_id', '=', accountId)
        .where('last_seen_at', '>=', idleBefore)
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .execute(),

    removeIdle: (idleBefore) =>
      write('sessions', async (tx) => {
        const idle = tx.deleteFrom('session').where('last_seen_at', '<', idleBefore)
        return Number((await idle.executeTakeFirst()).numDeletedRows)
      }),
  }
}
