import { type RawBuilder, sql } from 'kysely'
import { SESSION_ID_LENGTH } from '../../../contract/accounts.ts'
import { isLive, MAX_SESSIONS, type Session } from '../../../domain/sessions.ts'
import type { NewSession, SessionStore } from '../../../ports/sessions.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareListQuery, prepareQuery, suspendedFor } from '../query.ts'
import { isModerator } from './accounts.ts'

const CACHED_SESSIONS = 10_000
/** SQLite takes an offset only with a limit; more than these are ended by the next sign-ins. */
const SURPLUS_LIMIT = 1_000

export function createSessionStore({ db, write, newCache }: Engine): SessionStore {
  const cached = newCache<Session>(CACHED_SESSIONS, (hash) => [
    `session ${hash}`,
    'names',
    'moderators',
  ])
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
        'account.language',
        isModerator,
        'session.csrf',
        'session.created_at as createdAt',
        'session.last_seen_at as lastSeenAt',
      ])
      .where('session.hash', '=', hash),
  )

  const timesOf = prepareListQuery((hashes: readonly string[]) =>
    db
      .selectFrom('session')
      .select(['hash', 'created_at as createdAt', 'last_seen_at as lastSeenAt'])
      .where('hash', 'in', Object.values(hashes)),
  )

  async function read(hash: string): Promise<Session | null> {
    const [row] = await byHash(db, { hash })
    // The system account cannot sign in.
    if (row === undefined || row.gameId === null) return null
    return Object.freeze({ ...row, gameId: row.gameId, isModerator: Boolean(row.isModerator) })
  }

  /** Ends the sessions of which this is true; returns how many there were. */
  const end = (condition: RawBuilder<unknown>): Promise<number> =>
    write('sessions', async (tx) => {
      const { numAffectedRows } = await sql`delete from session where ${condition}`.execute(tx)
      return Number(numAffectedRows)
    })

  /** As `create`, last seen at any time. */
  async function begin(
    tx: Db,
    { hash, accountId, service, device, csrf, createdAt }: NewSession,
    seenAt: number,
    replaces: string | null,
  ): Promise<string | null> {
    const reason = await suspendedFor(tx, accountId)
    if (reason !== null) return reason
    if (replaces !== null) await tx.deleteFrom('session').where('hash', '=', replaces).execute()
    const times = { created_at: createdAt, last_seen_at: seenAt }
    const session = { hash, account_id: accountId, service, device, csrf, ...times }
    await tx.insertInto('session').values(session).execute()
    await sql`
      delete from session where hash in (
        select hash from session where account_id = ${accountId} and hash <> ${hash}
        order by last_seen_at desc, hash
        limit ${SURPLUS_LIMIT} offset ${MAX_SESSIONS - 1}
      )`.execute(tx)
    return null
  }

  return {
    create: (session, replaces) =>
      write('sessions', (tx) => begin(tx, session, session.createdAt, replaces)),

    offer: ({ hash, service, challenge }, from, at, since) =>
      write('sessions', async (tx) => {
        await tx.deleteFrom('hand_over').where('created_at', '<', since).execute()
        const { numAffectedRows } = await sql`
          insert into hand_over (hash, session, service, challenge, created_at)
          select ${hash}, hash, ${service}, ${challenge}, cast(${at} as bigint)
          from session where hash = ${from}`.execute(tx)
        return Number(numAffectedRows) === 1
      }),

    discard: (hash) =>
      write('sessions', async (tx) => {
        await tx.deleteFrom('hand_over').where('hash', '=', hash).execute()
      }),

    redeem: ({ hash, service, challenge }, { since, until }, limits, session, at, replaces) =>
      write('sessions', async (tx) => {
        const taken = await tx
          .deleteFrom('hand_over')
          .where('hash', '=', hash)
          .returning(['session', 'service', 'challenge', 'created_at as madeAt'])
          .executeTakeFirst()
        if (taken?.service !== service || taken.challenge !== challenge) return null
        if (taken.madeAt < since || taken.madeAt > until) return null
        const [source] = await byHash(tx, { hash: taken.session })
        if (source === undefined || !isLive(source, limits)) return null
        const { accountId, createdAt } = source
        const made = { ...session, service, accountId, createdAt }
        const reason = await begin(tx, made, at, replaces)
        return reason === null ? { accountId, createdAt } : { suspendedFor: reason }
      }),

    async find(hash, limits) {
      const session = await cached(hash, () => read(hash))
      return session !== null && isLive(session, limits) ? session : null
    },

    async findLive(hashes, limits) {
      const live = (await timesOf(db, hashes)).filter((session) => isLive(session, limits))
      return new Set(live.map(({ hash }) => hash))
    },

    async touch(hash, at) {
      await write('sessions', (tx) =>
        sql`update session set last_seen_at = ${at}
          where hash = ${hash} and last_seen_at < ${at}`.execute(tx),
      )
    },

    end: async (hash) => (await end(sql`hash = ${hash}`)) > 0,

    endById: async (accountId, id) =>
      (await end(
        sql`account_id = ${accountId} and substr(hash, 1, ${sql.lit(SESSION_ID_LENGTH)}) = ${id}`,
      )) > 0,

    endAll: (accountId, except) =>
      end(sql`account_id = ${accountId} and hash is distinct from ${except}`),

    list: (accountId, { seenSince, createdSince }) =>
      db
        .selectFrom('session')
        .select(['hash', 'service', 'device', 'created_at as createdAt'])
        .select('last_seen_at as lastSeenAt')
        .where('account_id', '=', accountId)
        .where('last_seen_at', '>=', seenSince)
        .where('created_at', '>=', createdSince)
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .execute(),

    removeExpired: ({ seenSince, createdSince }) =>
      end(sql`last_seen_at < ${seenSince} or created_at < ${createdSince}`),
  }
}
