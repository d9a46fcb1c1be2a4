import { isAccount, type Requester } from './quotas.ts'

/** The platform could not be asked, or gave no reliable answer: unknown for now, never gone. */
export class PlatformError extends Error {
  /** When it is worth asking again, ms since the epoch; null when the platform did not say. */
  readonly retryAt: number | null
  /** Whether the platform was not reached: a code, for example, is still good. */
  readonly isUnasked: boolean

  /** @param message for the log: which call, what came back. Never a token or secret. */
  constructor(message: string, retryAt: number | null = null, isUnasked = false) {
    super(message)
    this.name = 'PlatformError'
    this.retryAt = retryAt
    this.isUnasked = isUnasked
  }
}

/** The platform does not take this application: its id, its secret or its redirect address. */
export class SetupError extends PlatformError {}

/** The worker, a visitor who waits for a page, or a sign-in. */
export type CallerKind = 'background' | 'visitor' | 'sign-in'

/** Somebody who signs in, by the network that they come from. */
export type SignInCaller = `sign-in ${string}`

/** Who makes a call. A kind alone is one of whom no more is known. */
export type Caller = CallerKind | SignInCaller | Requester

export function isCallerKind(caller: Caller): caller is CallerKind {
  return caller === 'background' || caller === 'visitor' || caller === 'sign-in'
}

export function callerKind(caller: Caller): CallerKind {
  if (isCallerKind(caller)) return caller
  return caller.startsWith('sign-in ') ? 'sign-in' : 'visitor'
}

/** Calls to the platform are counted in any 60 seconds, not in a clock's minute. */
export const CALL_WINDOW_MS = 60_000
/** Of the 60 that the platform allows; the rest is for what others ask in the application's name. */
export const CALLS_PER_WINDOW = 50
/** One for the token, one for the player. */
export const CALLS_PER_SIGN_IN = 2

/** For each code of an address that failed lately so many calls are left to the sign-ins of others. */
const SPARE_PER_FAILED_CODE = 4
const MOST_SPARE = 40

/** How many calls the next sign-in of an address must leave to others, by how many of its codes have failed (D-91). */
export function spareOfSignIn(failedCodes: number): number {
  return Math.min(failedCodes * SPARE_PER_FAILED_CODE, MOST_SPARE)
}

/** All but sign-in: 18 of the 50 are kept for those who sign in. */
const CALLS_OF_OTHERS = 32
/** Background work leaves 10 to sign-in while the site is unused: the next minute has the 18 again. */
const CALLS_OF_BACKGROUND_ALONE = 40
/** What page views have at most; the rest of the 32 is kept for background work. */
const VISITOR_CALLS = 22
const KEPT_FOR_BACKGROUND = CALLS_OF_OTHERS - VISITOR_CALLS
/** What background work leaves to page views while anybody uses the site. */
const KEPT_FOR_VISITORS = 12
/** What all visitors together have who are not signed in. */
const ANONYMOUS_CALLS = 16
/** Page views and background work each get so many even while people sign in without a pause. */
const FLOOR = 4
/** An address takes a call only while the visitors' share has more than 4 for each that it has taken. */
const ANONYMOUS_WEIGHT = 4

/** A call that was made; `at` in ms since the epoch. */
export type PastCall = { readonly at: number; readonly caller: Caller }

export type CallRequest = {
  readonly caller: Caller
  /** Taken together: all or none. */
  readonly calls: number
  /** How many calls must be left after these; of a sign-in: to those of others, whatever else is asked. */
  readonly spare: number
  /** ms since the epoch. */
  readonly now: number
}

/**
 * When calls may be made: `now` or earlier is at once; at the latest `now` plus a window.
 *
 * @param recent the calls within the window before `now`, oldest first.
 */
export function callMayBeginAt(recent: readonly PastCall[], request: CallRequest): number {
  const { now } = request
  for (let gone = 0; gone <= recent.length; gone += 1) {
    if (!isAllowed(recent.slice(gone), request)) continue
    const last = recent[gone - 1]
    return last === undefined ? now : Math.max(now, last.at + CALL_WINDOW_MS)
  }
  return now + CALL_WINDOW_MS
}

/**
 * Those who sign in have whatever is left of the 50, and each further call of one network needs more of these to be
 * free. Spare calls of theirs are counted against other sign-ins alone,
 * or background work would keep out whoever had one code refused. Visitors have at most 22; each further call of
 * one needs more of these to be free, so that those who have taken none find one. Background work
 * has the rest: at least 10; all but 12 for visitors while anybody uses the site; 40 otherwise.
 */
function isAllowed(
  calls: readonly PastCall[],
  { caller, calls: wanted, spare }: CallRequest,
): boolean {
  const total = calls.length + wanted + spare
  const kind = callerKind(caller)
  const ofKind = calls.filter((call) => callerKind(call.caller) === kind)
  const own = ofKind.length + wanted + spare
  if (kind === 'sign-in') {
    const left = CALLS_PER_WINDOW - calls.length
    return (
      wanted <= left &&
      own <= CALLS_PER_WINDOW &&
      (isCallerKind(caller) || ofCaller(ofKind, caller) < left)
    )
  }
  if (total > CALLS_PER_WINDOW) return false
  if (kind === 'background' && ofKind.length === calls.length) {
    return total <= CALLS_OF_BACKGROUND_ALONE
  }
  if (total > CALLS_OF_OTHERS && own > FLOOR) return false
  if (kind === 'visitor') {
    const left = Math.max(CALLS_OF_OTHERS - calls.length, FLOOR - ofKind.length)
    return isFairFor(caller, ofKind, left)
  }

  if (own <= KEPT_FOR_BACKGROUND) return true
  const visits = calls.filter((call) => callerKind(call.caller) === 'visitor').length
  return total + Math.max(0, KEPT_FOR_VISITORS - visits) <= CALLS_OF_OTHERS
}

function isFairFor(caller: Caller, visits: readonly PastCall[], left: number): boolean {
  const free = Math.min(VISITOR_CALLS - visits.length, left)
  const own = ofCaller(visits, caller)
  if (isAccount(caller)) return own < free
  const anonymous = visits.filter((call) => !isAccount(call.caller)).length
  return anonymous < ANONYMOUS_CALLS && own * ANONYMOUS_WEIGHT < free
}

function ofCaller(calls: readonly PastCall[], caller: Caller): number {
  return calls.filter((call) => call.caller === caller).length
}
