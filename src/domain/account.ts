/** Someone who owns keys and packs: a player, or the one system account. */
export type Account = {
  /** Account identifier (spec 2.1). */
  readonly id: string
  /** The player's id on the game platform; null for the system account. */
  readonly gameId: number | null
  /** null while no name is known. */
  readonly username: string | null
  /** Did the operator name them (spec 1)? */
  readonly isModerator: boolean
  /** ms since the epoch; 0 for the system account. */
  readonly createdAt: number
}

/** The account that owns the tournament pools (D-28). */
export const SYSTEM_ACCOUNT_ID = 'tournament-pools'

/** What stands for a name that is not known (spec 2.2). */
export const UNKNOWN_PLAYER = 'Unknown player'
