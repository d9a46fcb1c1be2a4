import type { Beatmap, Caller, Rating, RatingKey } from '../domain/beatmap.ts'

/** A player as the platform knows them at sign-in (D-42). */
export type PlatformPlayer = {
  readonly gameId: number
  readonly username: string
  readonly isRestricted: boolean
  readonly isDeleted: boolean
  readonly isBot: boolean
}

/**
 * The game platform. Every call passes one budget; a call that the budget, the network or the
 * platform does not let through throws `PlatformTrouble`.
 */
export interface Platform {
  /**
   * The beatmaps among these ids that exist, in no certain order: an id that is missing from the
   * answer is gone.
   *
   * @param ids at most 50, each once.
   */
  readBeatmaps(ids: readonly number[], caller: Caller): Promise<readonly Beatmap[]>

  /** What the platform rates a beatmap with these mods. */
  readRating(key: RatingKey, caller: Caller): Promise<Rating>

  /** Where a player signs in; the platform sends them back with `state` and a code. */
  signInAddress(state: string, redirectUri: string): string

  /** Who came back with this code; null when the code is not good (any more). */
  readPlayer(code: string, redirectUri: string): Promise<PlatformPlayer | null>
}
