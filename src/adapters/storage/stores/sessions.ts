import { type DeleteQueryBuilder, type DeleteResult, sql } from 'kysely'
import { SESSION_ID_LENGTH } from '../../../contract/accounts.ts'
import { isLive, MAX_SESSIONS, type Session } from '../../../domain/sessions.ts'
import type { SessionStore } from '../../../ports/sessions.ts'
import type { Engine } from '../engine.ts'
import { prepareQuery } from '../query.ts'
import type { Tables } from '../tables.ts'
import { isModerator } from './accounts.ts'

const CACHED_SESSIONS = 10_000
/** SQLite takes an offset only with a limit; more than these are ended by the next sign-ins. */
const SURPLUS_LIMIT = 1_000

type Deletion = DeleteQueryBuilder<Tables, 'session', DeleteResult>

/** The sessions in an SQL database. */
export function createSessionStore({ db, write, newCache }: Engine): SessionStore {
  const cached = newCache<Session>(CACHED_SESSIONS)
  const byHash = prepareQuery(({ hash }: { hash: string }) =>
    db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account_id')
      .select([
        'session.hash',
        'session.account_id as accountId',
        'session.service',
        'account.game_id as gameId',
        'account.username',
        isModerator,
        'session.csrf',
        'session.created_at as createdAt',
        'session.last_seen_at as lastSeenAt',
      ])
      .where('session.hash', '=', hash),
  )

  async function read(hash: string): Promise<Session | null> {
    const [row] = await byHash(db, { hash })
    // The system account cannot sign in.
    if (row === undefined || row.gameId === null) return null
    return Object.freeze({
      ...row,
      gameId: row.gameId,
      isModerator: Boolean(row.isModerator),
    })
  }

  /** Deletes the sessions that `choose` narrows it to; returns how many there were. */
  const end = (choose: (all: Deletion) => Deletion): Promise<number> =>
    write('sessions', async (tx) => {
      const { numDeletedRows } = await choose(tx.deleteFrom('session')).executeTakeFirst()
      return Number(numDeletedRows)
    })

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

    end: async (hash) => (await end((all) => all.where('hash', '=', hash))) > 0,

    endById: async (accountId, id) =>
      (await end((all) =>
        all
          .where('account_id', '=', accountId)
          .where(sql`substr(hash, 1, ${sql.lit(SESSION_ID_LENGTH)})`, '=', id),
      )) > 0,

    endAll: (accountId, except) =>
      end((all) => {
        const own = all.where('account_id', '=', accountId)
        return except === null ? own : own.where('hash', '!=', except)
      }),

    list: (accountId, { seenSince, createdSince }) =>
      db
        .selectFrom('session')
        .select(['hash', 'service', 'device'])
        .select(['created_at as createdAt', 'last_seen_at as lastSeenAt'])
        .where('account_id', '=', accountId)
        .where('last_seen_at', '>=', seenSince)
        .where('created_at', '>=', createdSince)
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .execute(),

    removeExpired: ({ seenSince, createdSince }) =>
      end((all) =>
        all.where((eb) =>
          eb.or([eb('last_seen_at', '<', seenSince), eb('created_at', '<', createdSince)]),
        ),
      ),
  }
}
