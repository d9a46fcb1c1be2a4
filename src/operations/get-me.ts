import type { User } from '../contract/user.ts'
import { UNKNOWN_PLAYER } from '../domain/account.ts'
import type { AccountStore } from '../ports/account-store.ts'

/** The account behind a key (spec 2.1). Keys belong to players only, so a live one has an account. */
export const getMe = async (
  { accounts }: { accounts: AccountStore },
  accountId: string,
): Promise<User> => {
  const account = await accounts.read(accountId)
  if (account?.gameId == null) throw new Error('a live key without a player')
  return { id: account.id, gameId: account.gameId, username: account.username ?? UNKNOWN_PLAYER }
}
