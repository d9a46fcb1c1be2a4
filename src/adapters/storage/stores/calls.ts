import { sql } from 'kysely'
import {
  CALL_WINDOW_MS,
  callerKind,
  callMayBeginAt,
  CALLS_PER_WINDOW,
  type CallRequest,
  isCallerKind,
  isOfOwnShare,
  type PastCall,
  refusedCaller,
} from '../../../domain/platform.ts'
import {
  afterFailure,
  afterProbe,
  afterResume,
  afterSuccess,
  pauseAt,
  type PlatformState,
  reportAt,
  stopOf,
  unknownState,
} from '../../../domain/platform-state.ts'
import type { CallBudget, CallPermit } from '../../../ports/platform.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import type { Tables } from '../tables.ts'

export function createCallBudget({ read, write, timeOf }: Engine): CallBudget {
  const queries = prepareQueries({
    recent: ({ after, before }: ReturnType<typeof windowOf>) => sql<Tables['platform_call']>`
      select at, caller, requester from platform_call
      where at > ${after} and at < ${before} order by at`,

    forget: ({ after, before }: ReturnType<typeof windowOf>) =>
      sql`delete from platform_call where at <= ${after} or at >= ${before}`,

    refund: ({ id }: { id: number }) => sql`delete from platform_call where id = ${id}`,

    answered: ({ id, at }: { id: number; at: number }) => sql<Tables['platform_call']>`
      update platform_call set at = ${at} where id = ${id} returning caller, requester`,

    mark: ({ id, requester }: { id: number; requester: string }) =>
      sql`update platform_call set requester = ${requester} where id = ${id}`,

    state: () => sql<{ state: string }>`select state from platform_state`,

    keepState: ({ state }: { state: string }) => sql`
      insert into platform_state (id, state) values (1, ${state})
      on conflict (id) do update set state = excluded.state`,
  })

  async function recentCalls(tx: Db, time: number): Promise<readonly PastCall[]> {
    const rows = await queries.recent(tx, windowOf(time))
    return rows.map(({ at, caller, requester }) => ({ at, caller: requester ?? caller }))
  }

  async function stateOf(tx: Db): Promise<PlatformState> {
    const [row] = await queries.state(tx, {})
    return row === undefined ? unknownState : (JSON.parse(row.state) as PlatformState)
  }

  const keepState = (tx: Db, state: PlatformState) =>
    queries.keepState(tx, { state: JSON.stringify(state) })

  async function decide(
    tx: Db,
    state: PlatformState,
    request: CallRequest,
    isForToken: boolean,
  ): Promise<CallPermit> {
    const { caller } = request
    const time = await timeOf(tx, request.now)
    const recent = await recentCalls(tx, time)
    const mayBeginAt = callMayBeginAt(recent, { ...request, now: time })
    const stop = stopOf(state, caller, isForToken, time)
    const retryAt = Math.max(stop?.until ?? time, mayBeginAt)
    if (retryAt > time) {
      const own = isOfOwnShare(recent, request) && { isOfOwnShare: true as const }
      const refusal = { granted: false, retryAt: retryAt - time + request.now, ...own } as const
      return stop === null ? refusal : { ...refusal, pausedBy: stop.by }
    }
    const pause = pauseAt(state, time)
    return { granted: true, calls: [], ...(pause !== null && { pause: pause.since }) }
  }

  const change = (now: number, next: (state: PlatformState, time: number) => PlatformState) =>
    write('calls', async (tx) => keepState(tx, next(await stateOf(tx), await timeOf(tx, now))))

  return {
    take: (caller, now, calls = 1, spare = 0, isForToken = false) =>
      write('calls', async (tx) => {
        const state = await stateOf(tx)
        const leave = await decide(tx, state, { caller, calls, spare, now }, isForToken)
        if (!leave.granted) return leave
        const at = await timeOf(tx, now)
        await queries.forget(tx, windowOf(at))
        const kind = callerKind(caller)
        const row = { at, caller: kind, requester: isCallerKind(caller) ? null : caller }
        const rows = Array.from({ length: calls }, () => row)
        const taken = await tx.insertInto('platform_call').values(rows).returning('id').execute()
        const pause = kind === 'sign-in' ? null : pauseAt(state, at)
        if (pause !== null) await keepState(tx, afterProbe(state, pause, at))
        return { ...leave, calls: taken.map(({ id }) => id) }
      }),

    async refund(id) {
      await write('calls', (tx) => queries.refund(tx, { id }))
    },

    async answered(id, now, isRefusedCode = false) {
      await write('calls', async (tx) => {
        const [row] = await queries.answered(tx, { id, at: await timeOf(tx, now) })
        if (row === undefined || !isRefusedCode) return
        await queries.mark(tx, { id, requester: refusedCaller(row.requester ?? row.caller) })
      })
    },

    look: (spare, now) =>
      read(async (tx) => {
        const request = { caller: 'background', calls: 1, spare, now } as const
        return decide(tx, await stateOf(tx), request, false)
      }),

    async fail(failure, now, stops = null) {
      await change(now, (state, time) => {
        const askedUntil = stops?.askedUntil ?? null
        const own = stops && { ...stops, askedUntil: askedUntil && askedUntil - now + time }
        return afterFailure(state, failure, own, time)
      })
    },

    async succeed(caller, now, pause) {
      await change(now, (state, time) => afterSuccess(state, caller, pause ?? null, time))
    },

    resume: (now) =>
      write('calls', async (tx) => {
        const state = await stateOf(tx)
        const time = await timeOf(tx, now)
        await keepState(tx, afterResume(state, time))
        const { pause, tokensStoppedAt } = reportAt(state, [], time)
        return pause !== null || tokensStoppedAt !== null
      }),

    left: (now) =>
      read(async (tx) => {
        const time = await timeOf(tx, now)
        if (pauseAt(await stateOf(tx), time) !== null) return 0
        return Math.max(0, CALLS_PER_WINDOW - (await recentCalls(tx, time)).length)
      }),

    report: (now) =>
      read(async (tx) => {
        const time = await timeOf(tx, now)
        return reportAt(await stateOf(tx), await recentCalls(tx, time), time)
      }),
  }
}

/** A clock that was set back by less than the window must not forget what was just called. */
const windowOf = (now: number) => ({ after: now - CALL_WINDOW_MS, before: now + CALL_WINDOW_MS })
