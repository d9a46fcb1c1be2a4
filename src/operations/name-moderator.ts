import type { Account } from '../domain/accounts.ts'
import type { AccountStore } from '../ports/accounts.ts'
import type { Clock } from '../ports/system.ts'

/**
 * Makes a player a moderator, or takes that away. It goes by the player's id on the platform and
 * needs no account: it holds from the first sign-in on then.
 *
 * @returns whether it was otherwise before, and the account, if there is one.
 */
export const nameModerator = async (
  { accounts, clock }: { accounts: AccountStore; clock: Clock },
  { gameId, isModerator }: { gameId: number; isModerator: boolean },
): Promise<{ readonly changed: boolean; readonly account: Account | null }> => ({
  changed: await accounts.setModerator(gameId, isModerator, clock.now()),
  account: await accounts.findByGameId(gameId),
})
