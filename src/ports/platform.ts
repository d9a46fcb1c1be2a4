import type { Beatmap, Rating, RatingKey } from '../domain/beatmaps.ts'
import type { Caller, SignInCaller } from '../domain/platform.ts'
import type { Failure, Pause, PlatformReport, Stops } from '../domain/platform-state.ts'

/** A player as the platform knows them at sign-in (D-42). */
export type PlatformPlayer = {
  readonly gameId: number
  readonly username: string
  readonly isRestricted: boolean
  readonly isDeleted: boolean
  readonly isBot: boolean
}

/** The game platform. A call that its budget, the network or it does not allow throws `PlatformError`. */
export interface Platform {
  /**
   * Those of at most 50 different `ids` that exist, in no certain order: the others are gone.
   *
   * @param sharedBy those who ask the same at once in this name share one call, which costs one of them; left out: the
   * caller alone. An answer that others have asked for would show that they have (D-74).
   */
  readBeatmaps(
    ids: readonly number[],
    caller: Caller,
    sharedBy?: string,
  ): Promise<readonly Beatmap[]>

  /**
   * The platform's rating of a beatmap with these mods; `sharedBy` as above. 0 stars are what it answers where it has
   * stored none (D-93).
   */
  readRating(key: RatingKey, caller: Caller, sharedBy?: string): Promise<Rating>

  /** Where a player signs in; the platform sends them back with `state` and a code. */
  signInAddress(state: string, redirectUri: string): string

  /**
   * The player who came back with this code; null when the platform refuses the code, or it is none: the
   * mistake of the person who sent it (D-91); `disabled` when the platform has disabled that account (D-42).
   *
   * @param caller left out: a sign-in of which no more is known.
   * @param spare calls that must be left for other sign-ins; left out: none.
   */
  readPlayer(
    code: string,
    redirectUri: string,
    caller?: SignInCaller,
    spare?: number,
  ): Promise<PlatformPlayer | 'disabled' | null>
}

/** Whether a call may be made now, or when to ask again (ms since the epoch). */
export type CallPermit =
  | {
      readonly granted: true
      /** The calls that were taken, by numbers of their own, as `refund` and `answered` take them; none of a look. */
      readonly calls: readonly number[]
      /** The pause in which it was granted, as `succeed` takes it; left out when there is none. */
      readonly pause?: number
    }
  | {
      readonly granted: false
      readonly retryAt: number
      /** Whether others could sign in now, and the share of this network or of strangers is used up; left out: no. */
      readonly isOfOwnShare?: true
      /** The pause that is why; left out when the budget is. */
      readonly pausedBy?: Pick<Pause, 'trouble' | 'reason'>
    }

/**
 * Calls to the platform, counted in the store so that restarts and other processes count too: never
 * more than 50 in any 60 seconds. A call counts from when it was taken until 60 seconds after it was answered, since the
 * platform counts it from some time in between. They are counted by the clock that all processes share, if there is
 * one (D-53); `now`, `askedUntil` and `retryAt` are by the caller's (ms since the epoch).
 *
 * While the platform asks to wait, is away or takes nothing from us, all but sign-ins pause: one call a minute of all
 * processes is let through, until one is answered (D-92).
 */
export interface CallBudget {
  /**
   * Takes `calls` (1 if left out) out of the budget, all or none. A sign-in may have to leave `spare` calls
   * (0 if left out) of the 50 to other sign-ins. 18 are kept for sign-ins, which may
   * take any that is left, shared fairly: of all that are free, one network takes at most half. Of the others page views have at most 22, shared fairly: the visitor with
   * the fewest recent calls comes first. Background work has what is left, at least 10, and 40 while
   * no other caller has asked within the last minute (D-56).
   *
   * @param isForToken whether the first of the calls is for a token of the application; left out: it is not.
   */
  take(
    caller: Caller,
    now: number,
    calls?: number,
    spare?: number,
    isForToken?: boolean,
  ): Promise<CallPermit>

  /** Returns a call that was taken and not made. */
  refund(call: number): Promise<void>

  /**
   * Notes that a call was answered, or that no answer is waited for any more: it counts for 60 seconds from now.
   *
   * @param isRefusedCode whether the platform refused a code (D-91); left out: it did not. While it refuses codes of
   * six networks, browsers without an earlier sign-in have 40 % of the calls of sign-in (D-56).
   */
  answered(call: number, now: number, isRefusedCode?: boolean): Promise<void>

  /** Whether, or when, background work could take a call and leave itself `spare` more. Takes nothing. */
  look(spare: number, now: number): Promise<CallPermit>

  /** Notes that a call failed, and what it stops: left out or null, nothing. */
  fail(failure: Failure, now: number, stops?: Stops | null): Promise<void>

  /**
   * Notes that the platform answered a call, which ends the pause that the call was granted in.
   *
   * @param pause as `CallPermit` has it; left out: none.
   */
  succeed(caller: Caller, now: number, pause?: number): Promise<void>

  /** Ends what the platform's answers have stopped, at once, and notes when; returns whether the store knew of any. */
  resume(now: number): Promise<boolean>

  /** How many calls are left now, 0 while paused. */
  left(now: number): Promise<number>

  /** How the platform has answered and who has asked it, by the shared clock. */
  report(now: number): Promise<PlatformReport>
}
