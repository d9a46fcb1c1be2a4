import { MINUTE_MS } from '../contract/quotas.ts'
import {
  type Caller,
  type CallerKind,
  callerKind,
  CALLS_PER_WINDOW,
  type PastCall,
  type Trouble,
} from './platform.ts'

/**
 * A pause of the platform (D-92): it asked to wait, is away, or takes nothing from this application. All times are ms
 * since the epoch.
 */
export type Pause = {
  /** When it began, which distinguishes it from others. */
  readonly since: number
  /** Why, as `PlatformError` says it. */
  readonly trouble: Trouble
  readonly reason: string
  /** Until when the platform asked to wait; null when it did not say. The service does not go by it. */
  readonly askedUntil: number | null
  /** When the last probe was let through, or the pause began. */
  readonly probedAt: number
}

export type Failure = {
  /** The call's name: method and path. */
  readonly call: string
  readonly trouble: Trouble
  /** Cause and remedy, for operators. */
  readonly reason: string
}

/** What a failure stops: every call but those of sign-in, or the application's own tokens alone. */
export type Stops = { readonly calls: 'all' | 'tokens'; readonly askedUntil: number | null }

/** How the platform has answered, shared by all processes. */
export type PlatformState = {
  readonly pause: Pause | null
  /** When the platform refused more tokens for a minute; null when it did not. */
  readonly tokensStoppedAt: number | null
  readonly lastFailure: (Failure & { readonly at: number }) | null
  /** To a minute. */
  readonly lastSuccessAt: number | null
  /** When an operator last ended what the platform's answers had stopped; left out: never. */
  readonly resumedAt?: number
}

export const unknownState: PlatformState = {
  pause: null,
  tokensStoppedAt: null,
  lastFailure: null,
  lastSuccessAt: null,
}

/** While the platform pauses, one call a minute of all processes finds out whether it is back (D-92). */
export const PROBE_EACH_MS = MINUTE_MS

/** The pause at this time; one that began later was noted by a clock that has been put right since (D-53). */
export function pauseAt({ pause }: PlatformState, now: number): Pause | null {
  return pause === null || pause.since > now ? null : pause
}

/** When the next probe is due. */
export function probeAt({ since, probedAt }: Pause, now: number): number {
  return (probedAt > now ? since : probedAt) + PROBE_EACH_MS
}

/** When the application may ask for a token of its own again: `now` or earlier is at once. */
export function tokenAt({ tokensStoppedAt: at }: PlatformState, now: number): number {
  return at === null || at > now ? now : at + MINUTE_MS
}

/**
 * What keeps this caller waiting, and until when; null when nothing does. Those who sign in never wait (D-92).
 *
 * @param isForToken whether the application asks for a token of its own first.
 */
export function stopOf(
  state: PlatformState,
  caller: Caller,
  isForToken: boolean,
  now: number,
): { readonly until: number; readonly by: Pick<Pause, 'trouble' | 'reason'> } | null {
  if (callerKind(caller) === 'sign-in') return null
  const pause = pauseAt(state, now)
  const until = pause === null ? now : probeAt(pause, now)
  if (pause !== null && until > now) {
    const { trouble, reason } = pause
    return { until, by: { trouble, reason } }
  }
  const tokensUntil = isForToken ? tokenAt(state, now) : now
  if (tokensUntil <= now) return null
  return { until: tokensUntil, by: { trouble: 'throttled', reason: TOKENS_STOPPED } }
}

const TOKENS_STOPPED = 'the platform gave out no more tokens less than a minute ago'

/** After a call was let through that is to find out whether the pause is over. */
export function afterProbe(state: PlatformState, pause: Pause, now: number): PlatformState {
  return { ...state, pause: { ...pause, probedAt: now } }
}

/** After a call has failed. A pause that goes on keeps its beginning and its next probe. */
export function afterFailure(
  state: PlatformState,
  failure: Failure,
  stops: Stops | null,
  now: number,
): PlatformState {
  const failed = { ...state, lastFailure: { ...failure, at: now } }
  if (stops?.calls === 'tokens') {
    return tokenAt(state, now) > now ? failed : { ...failed, tokensStoppedAt: now }
  }
  if (stops === null) return failed
  const { trouble, reason } = failure
  const { since, probedAt } = pauseAt(state, now) ?? { since: now, probedAt: now }
  return { ...failed, pause: { since, trouble, reason, askedUntil: stops.askedUntil, probedAt } }
}

/**
 * After a call was answered. It ends the pause in which it began; one of sign-in only a pause of a platform that was
 * away, since the token of a player is not the one that is throttled or refused.
 *
 * @param pause the beginning of the pause in which the call began; null when there was none.
 */
export function afterSuccess(
  state: PlatformState,
  caller: Caller,
  pause: number | null,
  now: number,
): PlatformState {
  const isOver =
    state.pause?.since === pause &&
    (callerKind(caller) !== 'sign-in' || state.pause?.trouble === 'down')
  return { ...state, lastSuccessAt: now, pause: isOver ? null : state.pause }
}

/** After an operator has ended what the platform's answers have stopped. */
export function afterResume(state: PlatformState, now: number): PlatformState {
  return { ...state, pause: null, tokensStoppedAt: null, resumedAt: now }
}

/** What operators may know of the platform and of the calls to it. */
export type PlatformReport = PlatformState & {
  /** By the clock of all other times. */
  readonly now: number
  /** Calls of the last 60 seconds, by who waited for them. */
  readonly taken: Readonly<Record<CallerKind, number>>
  /** How many are left of 50, whether or not there is a pause. */
  readonly left: number
}

/** @param recent the calls within the last 60 seconds. */
export function reportAt(
  state: PlatformState,
  recent: readonly PastCall[],
  now: number,
): PlatformReport {
  const taken = { background: 0, visitor: 0, 'sign-in': 0 }
  for (const { caller } of recent) taken[callerKind(caller)] += 1
  const { tokensStoppedAt } = state
  return {
    ...state,
    pause: pauseAt(state, now),
    tokensStoppedAt: tokenAt(state, now) > now ? tokensStoppedAt : null,
    now,
    taken,
    left: Math.max(0, CALLS_PER_WINDOW - recent.length),
  }
}
