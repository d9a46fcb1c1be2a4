import type { Beatmap, Rating, RatingKey } from '../domain/beatmaps.ts'
import type { Caller, SignInCaller } from '../domain/platform.ts'

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

  /** The platform's rating of a beatmap with these mods; `sharedBy` as above. */
  readRating(key: RatingKey, caller: Caller, sharedBy?: string): Promise<Rating>

  /** Where a player signs in; the platform sends them back with `state` and a code. */
  signInAddress(state: string, redirectUri: string): string

  /**
   * The player who came back with this code; null when the platform refuses the code, or it is none: the
   * mistake of whoever sent it (D-91). Throws `SetupError` when the platform does not take this application.
   *
   * @param caller left out: a sign-in of which no more is known.
   * @param spare calls that must be left for other sign-ins; left out: none.
   */
  readPlayer(
    code: string,
    redirectUri: string,
    caller?: SignInCaller,
    spare?: number,
  ): Promise<PlatformPlayer | null>
}

/** Whether a call may be made now, or when to ask again (ms since the epoch). */
export type CallPermit =
  | { readonly granted: true }
  | { readonly granted: false; readonly retryAt: number }

/**
 * Calls to the platform, counted in the store so that restarts and other processes count too: never
 * more than 50 in any 60 seconds. They are counted by the clock that all processes share, if there is
 * one (D-53); `now`, `until` and `retryAt` are by the caller's (ms since the epoch).
 */
export interface CallBudget {
  /**
   * Takes `calls` (1 if left out) out of the budget, all or none. A sign-in may have to leave `spare` calls
   * (0 if left out) of the 50 to other sign-ins. 18 are kept for sign-ins, which may
   * take any that is left, shared fairly: of all that are free, one network takes at most half. Of the others page views have at most 22, shared fairly: the visitor with
   * the fewest recent calls comes first. Background work has what is left, at least 10, and 40 while
   * no other caller has asked within the last minute (D-56).
   */
  take(caller: Caller, now: number, calls?: number, spare?: number): Promise<CallPermit>

  /** Returns the last call that was taken for this caller and not made. */
  refund(caller: Caller): Promise<void>

  /** Whether, or when, background work could take a call and leave itself `spare` more. Takes nothing. */
  look(spare: number, now: number): Promise<CallPermit>

  /**
   * No calls before `until`: the platform asked to wait. A shorter pause than the one set changes
   * nothing; one that was set later than `now`, by a clock that has been put right since, is ignored.
   */
  pause(until: number, now: number): Promise<void>

  /** How many calls are left now, 0 while paused. */
  left(now: number): Promise<number>
}
