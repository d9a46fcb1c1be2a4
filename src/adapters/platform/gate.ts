import { type Caller, PlatformTrouble } from '../../domain/platform.ts'
import type { CallBudget } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'
import { createBackOff } from './back-off.ts'
import { BudgetSpent } from './budget-spent.ts'
import type { Exchange } from './exchange.ts'
import { readRetryAfter } from './retry-after.ts'
import { nameOf, type WireAnswer, type WireCall } from './wire-call.ts'

/**
 * Makes a call if the budget lets it. Every answer but a throttling one comes back.
 *
 * @throws PlatformTrouble when the budget is spent, nothing comes back, or the platform throttles.
 */
export type Gate = (call: WireCall, caller: Caller | typeof PAID) => Promise<WireAnswer>

/** In place of a caller: leave for the call has been taken before. */
export const PAID = 'paid'

type GateParts = {
  readonly budget: CallBudget
  readonly clock: Clock
  readonly exchange: Exchange
}

/**
 * The one way out. The platform counts tokens, sign-ins and repeated calls like any other, so each
 * takes from the budget here; what the platform says of waiting holds for all processes.
 */
export const createGate = ({ budget, clock, exchange }: GateParts): Gate => {
  const backOff = createBackOff()

  const pauseFor = async ({ status, retryAfter }: WireAnswer, call: WireCall, sentAt: number) => {
    const now = clock.now()
    const until = readRetryAfter(retryAfter, now) ?? backOff.grow(sentAt, now)
    await budget.pause(until, now)
    return new PlatformTrouble(`${nameOf(call)} answered ${status}: asked to wait`, until)
  }

  return async (call, caller) => {
    if (caller !== PAID) {
      const leave = await budget.take(caller, clock.now())
      if (!leave.granted) throw new BudgetSpent(call, leave.retryAt)
    }
    const sentAt = clock.now()
    const answer = await exchange(call)
    const isAwayForATime = answer.status === 503 && answer.retryAfter !== null
    if (answer.status === 429 || isAwayForATime) throw await pauseFor(answer, call, sentAt)
    if (answer.status < 500) backOff.calm(sentAt)
    return answer
  }
}
