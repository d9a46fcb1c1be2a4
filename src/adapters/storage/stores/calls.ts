import { sql } from 'kysely'
import {
  CALL_WINDOW_MS,
  callerKind,
  callMayBeginAt,
  CALLS_PER_WINDOW,
  type CallRequest,
  isCallerKind,
  type PastCall,
} from '../../../domain/platform.ts'
import type { CallBudget, Leave } from '../../../ports/platform.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQuery, prepareSql } from '../query.ts'
import type { Tables } from '../tables.ts'

/** What time it is for all processes, ms since the epoch; null: there is one process, whose clock counts. */
export type SharedTime = ((tx: Db) => Promise<number>) | null

/** The clock of a PostgreSQL database. */
export async function databaseTime(tx: Db): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('The database has not said what time it is')
  return row.now
}

/** The budget of calls, counted in an SQL database. */
export function createCallBudget(
  { db, read, write }: Engine,
  sharedTime: SharedTime = null,
): CallBudget {
  const recent = prepareQuery(({ after, before }: ReturnType<typeof windowOf>) =>
    db
      .selectFrom('platform_call')
      .select(['at', 'caller', 'requester'])
      .where('at', '>', after)
      .where('at', '<', before)
      .orderBy('at'),
  )
  const forget = prepareSql(
    db,
    ({ after, before }: ReturnType<typeof windowOf>) =>
      sql`delete from platform_call where at <= ${after} or at >= ${before}`,
  )

  async function recentCalls(tx: Db, time: number): Promise<readonly PastCall[]> {
    const rows = await recent(tx, windowOf(time))
    return rows.map(({ at, caller, requester }) => ({ at, caller: requester ?? caller }))
  }

  const timeOf = async (tx: Db, now: number): Promise<number> => (await sharedTime?.(tx)) ?? now

  async function decide(tx: Db, request: CallRequest): Promise<Leave> {
    const time = await timeOf(tx, request.now)
    const mayBeginAt = callMayBeginAt(await recentCalls(tx, time), { ...request, now: time })
    const retryAt = Math.max(await pausedUntil(tx, time), mayBeginAt)
    if (retryAt <= time) return { granted: true }
    return { granted: false, retryAt: retryAt - time + request.now }
  }

  return {
    take: (caller, now, calls = 1) =>
      write('calls', async (tx) => {
        const leave = await decide(tx, { caller, calls, spare: 0, now })
        if (!leave.granted) return leave
        const at = await timeOf(tx, now)
        await forget(tx, windowOf(at))
        const requester = isCallerKind(caller) ? null : caller
        const row = { at, caller: callerKind(caller), requester }
        await tx
          .insertInto('platform_call')
          .values(Array.from({ length: calls }, () => row))
          .execute()
        return leave
      }),

    async giveBack() {
      await write('calls', (tx) =>
        sql`delete from platform_call where id = (
          select max(id) from platform_call where caller = 'sign-in'
        )`.execute(tx),
      )
    },

    look: (spare, now) => read((tx) => decide(tx, { caller: 'background', calls: 1, spare, now })),

    async pause(until, now) {
      await write('calls', async (tx) => {
        const time = await timeOf(tx, now)
        const to = until - now + time
        if (to <= (await pausedUntil(tx, time))) return
        await setNumber(tx, 'platform_paused_until', to)
        await setNumber(tx, 'platform_paused_at', time)
      })
    },

    left: (now) =>
      read(async (tx) => {
        const time = await timeOf(tx, now)
        if (time < (await pausedUntil(tx, time))) return 0
        return Math.max(0, CALLS_PER_WINDOW - (await recentCalls(tx, time)).length)
      }),
  }
}

/** A clock that was set back by less than the window must not forget what was just called. */
const windowOf = (now: number) => ({ after: now - CALL_WINDOW_MS, before: now + CALL_WINDOW_MS })

/** A pause that begins later than now was noted by a clock that has been put right since (D-53). */
async function pausedUntil(tx: Db, time: number): Promise<number> {
  const { notedAt, until } = await tx
    .selectFrom('shared_number as noted')
    .innerJoin('shared_number as pause', (join) => join.onTrue())
    .select(['noted.value as notedAt', 'pause.value as until'])
    .where('noted.name', '=', 'platform_paused_at')
    .where('pause.name', '=', 'platform_paused_until')
    .executeTakeFirstOrThrow()
  return notedAt > time ? 0 : until
}

async function setNumber(
  tx: Db,
  name: Tables['shared_number']['name'],
  value: number,
): Promise<void> {
  await tx.updateTable('shared_number').set({ value }).where('name', '=', name).execute()
}
