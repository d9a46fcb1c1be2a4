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
import type { CallBudget, CallPermit } from '../../../ports/platform.ts'
import { type Db, type Engine, prepareQueries } from '../engine.ts'
import type { Tables } from '../tables.ts'

export function createCallBudget({ read, write, timeOf }: Engine): CallBudget {
  const queries = prepareQueries({
    recent: ({ after, before }: ReturnType<typeof windowOf>) => sql<Tables['platform_call']>`
      select at, caller, requester from platform_call
      where at > ${after} and at < ${before} order by at`,

    forget: ({ after, before }: ReturnType<typeof windowOf>) =>
      sql`delete from platform_call where at <= ${after} or at >= ${before}`,

    // A pause that begins later than now was noted by a clock that has been put right since (D-53).
    pause: ({ time }: { time: number }) => sql<{ until: number }>`
      select paused.value as until from shared_number as paused, shared_number as noted
      where paused.name = 'platform_paused_until' and noted.name = 'platform_paused_at'
        and noted.value <= ${time}`,

    setNumber: ({ name, value }: { name: string; value: number }) =>
      sql`update shared_number set value = ${value} where name = ${name}`,
  })

  async function recentCalls(tx: Db, time: number): Promise<readonly PastCall[]> {
    const rows = await queries.recent(tx, windowOf(time))
    return rows.map(({ at, caller, requester }) => ({ at, caller: requester ?? caller }))
  }

  async function pausedUntil(tx: Db, time: number): Promise<number> {
    const [pause] = await queries.pause(tx, { time })
    return pause?.until ?? 0
  }

  async function decide(tx: Db, request: CallRequest): Promise<CallPermit> {
    const time = await timeOf(tx, request.now)
    const mayBeginAt = callMayBeginAt(await recentCalls(tx, time), { ...request, now: time })
    const retryAt = Math.max(await pausedUntil(tx, time), mayBeginAt)
    if (retryAt <= time) return { granted: true }
    return { granted: false, retryAt: retryAt - time + request.now }
  }

  return {
    take: (caller, now, calls = 1, spare = 0) =>
      write('calls', async (tx) => {
        const leave = await decide(tx, { caller, calls, spare, now })
        if (!leave.granted) return leave
        const at = await timeOf(tx, now)
        await queries.forget(tx, windowOf(at))
        const requester = isCallerKind(caller) ? null : caller
        const row = { at, caller: callerKind(caller), requester }
        const rows = Array.from({ length: calls }, () => row)
        await tx.insertInto('platform_call').values(rows).execute()
        return leave
      }),

    async refund(caller) {
      await write('calls', (tx) =>
        sql`delete from platform_call where id = (
          select max(id) from platform_call where coalesce(requester, caller) = ${caller}
        )`.execute(tx),
      )
    },

    look: (spare, now) => read((tx) => decide(tx, { caller: 'background', calls: 1, spare, now })),

    async pause(until, now) {
      await write('calls', async (tx) => {
        const time = await timeOf(tx, now)
        const to = until - now + time
        if (to <= (await pausedUntil(tx, time))) return
        await queries.setNumber(tx, { name: 'platform_paused_until', value: to })
        await queries.setNumber(tx, { name: 'platform_paused_at', value: time })
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
