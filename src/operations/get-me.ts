import type { User } from '../contract/accounts.ts'
import { UNKNOWN_PLAYER } from '../domain/accounts.ts'
import type { AccountStore } from '../ports/accounts.ts'
import { accountGone } from './account-gone.ts'

/** The account behind a key (spec 2.1). Throws `invalid_api_key` when it was deleted a moment ago. */
export const getMe = async (
  { accounts }: { accounts: AccountStore },
  accountId: string,
): Promise<User> => {
  const account = await accounts.read(accountId)
  // Keys belong to players only.
  if (account?.gameId == null) throw accountGone()
  return { id: account.id, gameId: account.gameId, username: account.username ?? UNKNOWN_PLAYER }
}
