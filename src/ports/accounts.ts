import type { Account } from '../domain/accounts.ts'

/** The accounts. Each method is one whole transaction. */
export interface AccountStore {
  /** The account, or null when there is none. */
  read(id: string): Promise<Account | null>

  /** The account of this player, or null when there is none. */
  findByGameId(gameId: number): Promise<Account | null>

  /**
   * Makes the player's account with `newId`, or takes the name over into the one there is (D-42).
   * Exact under concurrent calls: one account for each `gameId`.
   *
   * @param now ms since the epoch, kept as the creation time of a new account.
   */
  ensurePlayer(
    player: { gameId: number; username: string },
    newId: string,
    now: number,
  ): Promise<Account>

  /** How many players there are; the system account, which is always there, does not count. */
  countPlayers(): Promise<number>

  /**
   * Makes this player a moderator or takes that away, at once in every process. There need not be
   * an account: it holds from the first sign-in on then. false when it was so already.
   *
   * @param now ms since the epoch, kept as the time since when.
   */
  setModerator(gameId: number, isModerator: boolean, now: number): Promise<boolean>

  /**
   * Deletes a player's account with its packs, keys and sessions, and what the operator made of
   * the player. The moderation log keeps what happened, without the names of the packs and of the
   * player. The lists that the packs were in stay true. false when there is no such player.
   */
  remove(id: string): Promise<boolean>
}
