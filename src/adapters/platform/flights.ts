import type { Caller } from '../../domain/platform.ts'
import { BudgetSpent } from './budget-spent.ts'

/** Whoever asks for what is already being asked for gets the same answer. */
export type Flights<T> = (key: string, caller: Caller, start: () => Promise<T>) => Promise<T>

/** One flight per key: the next ask after an answer, good or bad, starts anew. */
export const createFlights = <T>(): Flights<T> => {
  const flying = new Map<string, { readonly caller: Caller; readonly landing: Promise<T> }>()

  const join: Flights<T> = (key, caller, start) => {
    const flight = flying.get(key)
    if (flight === undefined) {
      const landing = start().finally(() => flying.delete(key))
      flying.set(key, { caller, landing })
      return landing
    }
    if (flight.caller === caller) return flight.landing
    // The other kind of caller has a share of its own in the budget, which may not be spent.
    return flight.landing.catch((error: unknown) => {
      if (error instanceof BudgetSpent) return join(key, caller, start)
      throw error
    })
  }
  return join
}
