import type { Caller } from '../domain/beatmap.ts'

/** Whether a call may be made now; when not, `retryAt` says when to ask again (ms since the epoch). */
export type Leave =
  | { readonly granted: true }
  | { readonly granted: false; readonly retryAt: number }

/**
 * Calls to the platform, counted in the store so that restarts and other processes count too.
 * Never more than 50 in any 60 seconds.
 */
export interface CallBudget {
  /**
   * Takes one call out of the budget. Page views have at most 30 of the 50, and all that they leave
   * goes to background work: 20 are kept for it from them, the rest while nobody else has asked
   * within the last minute. Signing in may take any call that is left.
   */
  take(caller: Caller, now: number): Promise<Leave>

  /**
   * Whether background work could take a call now and leave itself `spare` more. Takes nothing.
   * While it may not, `retryAt` is when it may, unless others take calls until then.
   */
  look(spare: number, now: number): Promise<Leave>

  /** No calls before `until`: the platform asked to wait. A shorter pause than the one set changes nothing. */
  pause(until: number): Promise<void>

  /** How many calls are left now, 0 while paused. */
  left(now: number): Promise<number>
}
