import { SESSION_ID_LENGTH } from '../../../contract/accounts.ts'
import { isLive, MAX_SESSIONS, type Session } from '../../../domain/sessions.ts'
import type { SessionStore } from '../../../ports/sessions.ts'
import type { Engine } from '../engine.ts'
import { prepareQuery } from '../query.ts'

const CACHED_SESSIONS = 10_000
/** SQLite takes an offset only with a limit; more than these are ended by the next sign-ins. */
const SURPLUS_LIMIT = 1_000

/** The sessions in an SQL database. */
export const createSessionStore = ({ db, write, newCache }: Engine): SessionStore => {
  const cached = newCache<Session>(CACHED_SESSIONS)
  const byHash = prepareQuery((key: { hash: string }) =>
    db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account_id')
      .select((eb) => [
        'account.game_id',
        'account.username',
        'session.account_id',
        'session.service',
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
      service: row.service,
      gameId: row.game_id,
      username: row.username,
      isModerator: Boolean(row.is_moderator),
      csrf: row.csrf,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
    })
  }

  return {
    create: ({ hash, accountId, service, device, csrf, createdAt }, replaces) =>
      write('sessions', async (tx) => {
        if (replaces !== null) await tx.deleteFrom('session').where('hash', '=', replaces).execute()
        await tx
          .insertInto('session')
          .values({
            hash,
            account_id: accountId,
            service,
            device,
            csrf,
            created_at: createdAt,
            last_seen_at: createdAt,
          })
          .execute()
        const surplus = tx
          .selectFrom('session')
          .select('hash')
          .where('account_id', '=', accountId)
          .where('hash', '!=', hash)
          .orderBy('last_seen_at', 'desc')
          .orderBy('hash')
          .limit(SURPLUS_LIMIT)
          .offset(MAX_SESSIONS - 1)
        await tx.deleteFrom('session').where('hash', 'in', surplus).execute()
      }),

    async find(hash, limits) {
      const session = await cached(hash, () => read(hash))
      return session !== null && isLive(session, limits) ? session : null
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

    endById: (accountId, id) =>
      write('sessions', async (tx) => {
        const ended = await tx
          .deleteFrom('session')
          .where('account_id', '=', accountId)
          .where(
            (eb) => eb.fn<string>('substr', ['hash', eb.lit(1), eb.lit(SESSION_ID_LENGTH)]),
            '=',
            id,
          )
          .executeTakeFirst()
        return ended.numDeletedRows > 0n
      }),

    endAll: (accountId, except) =>
      write('sessions', async (tx) => {
        const mine = tx.deleteFrom('session').where('account_id', '=', accountId)
        const ended = except === null ? mine : mine.where('hash', '!=', except)
        return Number((await ended.executeTakeFirst()).numDeletedRows)
      }),

    list: (accountId, { seenSince, createdSince }) =>
      db
        .selectFrom('session')
        .select([
          'hash',
          'service',
          'device',
          'created_at as createdAt',
          'last_seen_at as lastSeenAt',
        ])
        .where('account_id', '=', accountId)
        .where('last_seen_at', '>=', seenSince)
        .where('created_at', '>=', createdSince)
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .execute(),

    removeExpired: ({ seenSince, createdSince }) =>
      write('sessions', async (tx) => {
        const expired = tx
          .deleteFrom('session')
          .where((eb) =>
            eb.or([eb('last_seen_at', '<', seenSince), eb('created_at', '<', createdSince)]),
          )
        return Number((await expired.executeTakeFirst()).numDeletedRows)
      }),
  }
}
