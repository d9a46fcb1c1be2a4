import type { ServiceName } from '../contract/services.ts'
import { checkUsername, newAccountId } from '../domain/accounts.ts'
import type { AccountStore } from '../ports/accounts.ts'
import { type NewKeyPorts, setNewKey } from './set-new-key.ts'

/** What making a key takes from outside. */
export type IssueKeyPorts = NewKeyPorts & { readonly accounts: AccountStore }

/** Whose key for which service; `username` is taken over into an account that exists. */
export type KeyWish = {
  readonly service: ServiceName
  readonly keyPrefix: string
  readonly gameId: number
  readonly username: string
}

/**
 * Makes the player's account if there is none, and a new key for it; the key before stops working
 * at once (spec 5). Counts toward no limit of new keys (D-41).
 *
 * @returns the key, which nobody can be shown again: only its hash is kept (D-40).
 */
export const issueKey = async (
  ports: IssueKeyPorts,
  { service, keyPrefix, gameId, username }: KeyWish,
): Promise<string> => {
  const player = { gameId, username: checkUsername(username) }
  const newId = newAccountId(ports.random)
  const account = await ports.accounts.ensurePlayer(player, newId, ports.clock.now())
  const { key } = await setNewKey(ports, { service, keyPrefix, accountId: account.id })
  return key
}
