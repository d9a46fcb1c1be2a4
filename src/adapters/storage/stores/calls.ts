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
import { prepareQuery } from '../query.ts'
import { sharedNumbers } from './shared-numbers.ts'

/** What time it is for all processes, ms since the epoch; null: there is one process, whose clock counts. */
export type SharedTime = ((tx: Db) => Promise<number>) | null

/** The clock of a PostgreSQL database. */
export const databaseTime = async (tx: Db): Promise<number> => {
  const { rows } = await sql<{ now: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('The database has not said what time it is')
  return row.now
}

/** The budget of calls, counted in an SQL database. */
export const createCallBudget = (
  { db, read, write }: Engine,
  sharedTime: SharedTime = null,
): CallBudget => {
  const numbers = sharedNumbers(db)
  // A clock that was set back by less than the window must not forget what was just called.
  const recent = prepareQuery((window: { after: number; before: number }) =>
    db
      .selectFrom('platform_call')
      .select(['at', 'caller', 'requester'])
      .where('at', '>', window.after)
      .where('at', '<', window.before)
      .orderBy('at'),
  )
  const forget = prepareQuery((window: { after: number; before: number }) =>
    db
      .deleteFrom('platform_call')
      .where((eb) => eb.or([eb('at', '<=', window.after), eb('at', '>=', window.before)])),
  )
  const windowOf = (now: number) => ({ after: now - CALL_WINDOW_MS, before: now + CALL_WINDOW_MS })

  const recentCalls = async (tx: Db, time: number): Promise<readonly PastCall[]> => {
    const rows = await recent(tx, windowOf(time))
    return rows.map(({ at, caller, requester }) => ({ at, caller: requester ?? caller }))
  }

  /** A pause that begins later than now was noted by a clock that has been put right since (D-53). */
  const pausedUntil = async (tx: Db, time: number): Promise<number> => {
    const notedAt = await numbers.read(tx, 'platform_paused_at')
    return notedAt > time ? 0 : numbers.read(tx, 'platform_paused_until')
  }

  const timeOf = async (tx: Db, now: number): Promise<number> => (await sharedTime?.(tx)) ?? now

  const decide = async (tx: Db, wish: CallRequest): Promise<Leave> => {
    const time = await timeOf(tx, wish.now)
    const mayBeginAt = callMayBeginAt(await recentCalls(tx, time), { ...wish, now: time })
    const retryAt = Math.max(await pausedUntil(tx, time), mayBeginAt)
    if (retryAt <= time) return { granted: true }
    return { granted: false, retryAt: retryAt - time + wish.now }
  }

  return {
    take: (caller, now, calls = 1) =>
      write('calls', async (tx) => {
        const leave = await decide(tx, { caller, calls, spare: 0, now })
        if (!leave.granted) return leave
        const at = await timeOf(tx, now)
        await forget(tx, windowOf(at))
        const kind = callerKind(caller)
        const requester = isCallerKind(caller) ? null : caller
        const row = { at, caller: kind, requester }
        await tx
          .insertInto('platform_call')
          .values(Array.from({ length: calls }, () => row))
          .execute()
        return leave
      }),

    async giveBack() {
      await write('calls', (tx) =>
        tx
          .deleteFrom('platform_call')
          .where('id', '=', (eb) =>
            eb
              .selectFrom('platform_call')
              .select((each) => each.fn.max('id').as('id'))
              .where('caller', '=', 'sign-in'),
          )
          .execute(),
      )
    },

    look: (spare, now) => read((tx) => decide(tx, { caller: 'background', calls: 1, spare, now })),

    async pause(until, now) {
      await write('calls', async (tx) => {
        const time = await timeOf(tx, now)
        const to = until - now + time
        if (to <= (await pausedUntil(tx, time))) return
        await numbers.set(tx, 'platform_paused_until', to)
        await numbers.set(tx, 'platform_paused_at', time)
      })
    },

    left: (now) =>
      read(async (tx) => {
        const time = await timeOf(tx, now)
        if (time < (await pausedUntil(tx, time))) return 0
        const calls = await recent(tx, windowOf(time))
        return Math.max(0, CALLS_PER_WINDOW - calls.length)
      }),
  }
}
