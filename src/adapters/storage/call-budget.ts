import { CALL_WINDOW_MS, CALLS_PER_WINDOW, callMayBeginAt } from '../../domain/call-leave.ts'
import type { CallWish } from '../../domain/call-leave.ts'
import type { CallBudget, Leave } from '../../ports/call-budget.ts'
import type { Db, Engine } from './engine.ts'
import { prepareQuery } from './prepared-query.ts'
import { sharedNumbers } from './shared-number.ts'

const PAUSE = 'platform_paused_until'

/** The budget of calls, counted in an SQL database. */
export const createCallBudget = ({ db, read, write }: Engine): CallBudget => {
  const numbers = sharedNumbers(db)
  // A clock that was set back by less than the window must not forget what was just called.
  const recent = prepareQuery((window: { after: number; before: number }) =>
    db
      .selectFrom('platform_call')
      .select(['at', 'caller'])
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

  const decide = async (tx: Db, wish: CallWish): Promise<Leave> => {
    const pausedUntil = await numbers.read(tx, PAUSE)
    const mayBeginAt = callMayBeginAt(await recent(tx, windowOf(wish.now)), wish)
    const retryAt = Math.max(pausedUntil, mayBeginAt)
    return retryAt <= wish.now ? { granted: true } : { granted: false, retryAt }
  }

  return {
    take: (caller, now) =>
      write('calls', async (tx) => {
        const leave = await decide(tx, { caller, spare: 0, now })
        if (!leave.granted) return leave
        await forget(tx, windowOf(now))
        await tx.insertInto('platform_call').values({ at: now, caller }).execute()
        return leave
      }),

    look: (spare, now) => read((tx) => decide(tx, { caller: 'background', spare, now })),

    async pause(until) {
      await write('calls', (tx) => numbers.raise(tx, PAUSE, until))
    },

    left: (now) =>
      read(async (tx) => {
        if (now < (await numbers.read(tx, PAUSE))) return 0
        const calls = await recent(tx, windowOf(now))
        return Math.max(0, CALLS_PER_WINDOW - calls.length)
      }),
  }
}
