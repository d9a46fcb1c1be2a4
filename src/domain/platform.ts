import { isAccount, type Requester } from './quotas.ts'

/**
 * Why the platform gave no answer that counts:
 *
 * - `unasked`: our own budget, or a pause, did not allow the call.
 * - `throttled`: it asked to wait (429).
 * - `down`: there was no answer, or one that says that it is away for now.
 * - `blocked`: a proxy in front of it refuses this server.
 * - `set-up`: the operator has to correct id, secret, redirect address, scope or address.
 * - `unexpected`: an answer that cannot be read, or that says that our request is wrong.
 */
export const troubles = ['unasked', 'throttled', 'down', 'blocked', 'set-up', 'unexpected'] as const

export type Trouble = (typeof troubles)[number]

/** The platform could not be asked, or gave no reliable answer: unknown for now, never gone. */
export class PlatformError extends Error {
  /** When it is worth asking again, ms since the epoch; null when that is not known. */
  readonly retryAt: number | null
  readonly trouble: Trouble

  /** @param message for the log: which call, what came back, what helps. Never a token, secret or code. */
  constructor(message: string, retryAt: number | null = null, trouble: Trouble = 'down') {
    super(message)
    this.name = 'PlatformError'
    this.retryAt = retryAt
    this.trouble = trouble
  }
}

/** The worker, a visitor who waits for a page, or a sign-in. */
export type CallerKind = 'background' | 'visitor' | 'sign-in'

/** Somebody who signs in: by the account that has signed in with this browser before, else by their network. */
export type SignInCaller = `sign-in ${string}`

const KNOWN_BROWSER_PREFIX = 'sign-in known '
const REFUSED = 'sign-in refused '

/**
 * @param network of the person who signs in, as quotas count it.
 * @param known the player who has signed in with this browser before; null: none.
 */
export function signInCaller(network: string, known: string | null): SignInCaller {
  return known === null ? `sign-in ${network}` : `${KNOWN_BROWSER_PREFIX}${known}`
}

/** The caller of a call whose code was refused. */
export function refusedCaller(caller: Caller): SignInCaller {
  return `${REFUSED}${caller.replace(/^sign-in ?/, '')}`
}

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

/** So many networks within the window whose codes were refused are an attack: people mistake one now and then. */
const NETWORKS_OF_AN_ATTACK = 6
/** Then, of the calls that others than sign-ins leave, browsers without an earlier sign-in have this part. */
const SHARE_OF_STRANGERS = 0.4
/** And of these, addresses whose codes were refused lately: so those come first that have sent none. */
const SHARE_OF_REFUSED = 0.2

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
 * When calls may be made: `now` or earlier is at once; at the latest `now` plus a window. During an attack that is when
 * a refused sign-in comes again: as spaced as they came, so that none takes the call that another was told of.
 *
 * @param recent the calls within the window before `now`, oldest first.
 */
export function callMayBeginAt(recent: readonly PastCall[], request: CallRequest): number {
  const { now } = request
  if (callerKind(request.caller) === 'sign-in' && isAttack(recent)) {
    return isAllowed(recent, request) ? now : now + CALL_WINDOW_MS
  }
  for (let gone = 0; gone <= recent.length; gone += 1) {
    if (!isAllowed(recent.slice(gone), request)) continue
    const last = recent[gone - 1]
    return last === undefined ? now : Math.max(now, last.at + CALL_WINDOW_MS)
  }
  return now + CALL_WINDOW_MS
}

/** Whether a refused sign-in waits for a share of its own: others could sign in now. */
export function isOfOwnShare(recent: readonly PastCall[], request: CallRequest): boolean {
  return (
    callerKind(request.caller) === 'sign-in' &&
    isAllowed(recent, { ...request, caller: KNOWN_BROWSER_PREFIX, spare: 0 })
  )
}

/**
 * Those who sign in have whatever is left of the 50, and each further call of one network needs more of these to be
 * free; during an attack, strangers have a part of it. Spare calls of theirs are counted against other sign-ins alone,
 * or background work would keep out a person who had one code refused. Visitors have at most 22; each further call of
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
    if (wanted > left || own > CALLS_PER_WINDOW) return false
    if (!isKnown(caller) && isAttack(ofKind)) {
      const part = spare > 0 ? SHARE_OF_REFUSED : SHARE_OF_STRANGERS
      const share = part * (CALLS_PER_WINDOW - calls.length + ofKind.length)
      const strangers = ofKind.filter((call) => !isKnown(call.caller)).length
      if (strangers + wanted + spare > share) return false
    }
    return isCallerKind(caller) || ofCaller(ofKind, caller) < left
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

function isKnown(caller: Caller): boolean {
  return caller.startsWith(KNOWN_BROWSER_PREFIX)
}

/** Whether codes from many networks were refused (D-91). */
function isAttack(calls: readonly PastCall[]): boolean {
  const refused = calls.filter(({ caller }) => caller.startsWith(REFUSED))
  return new Set(refused.map(({ caller }) => caller)).size >= NETWORKS_OF_AN_ATTACK
}

function ofCaller(calls: readonly PastCall[], caller: Caller): number {
  return calls.filter((call) => call.caller === caller || call.caller === refusedCaller(caller))
    .length
}
