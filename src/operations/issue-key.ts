import type { ServiceName } from '../contract/services.ts'
import { API_KEY_BYTES, makeApiKey, shownPart } from '../domain/api-key.ts'
import { newAccountId } from '../domain/identifier.ts'
import { checkUsername } from '../domain/username.ts'
import type { AccountStore } from '../ports/account-store.ts'
import type { ApiKeyStore } from '../ports/api-key-store.ts'
import type { Clock, Hasher, Random } from '../ports/system.ts'

/** What making a key takes from outside. */
export type IssueKeyPorts = {
  readonly accounts: AccountStore
  readonly apiKeys: ApiKeyStore
  readonly clock: Clock
  readonly random: Random
  readonly hasher: Hasher
}

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
export const issueKey = async (ports: IssueKeyPorts, wish: KeyWish): Promise<string> => {
  const { accounts, apiKeys, clock, random, hasher } = ports
  const { service, keyPrefix, gameId } = wish
  const username = checkUsername(wish.username)
  const now = clock.now()
  const account = await accounts.ensurePlayer({ gameId, username }, newAccountId(random), now)
  const key = makeApiKey(keyPrefix, random.bytes(API_KEY_BYTES))
  await apiKeys.replace(account.id, service, {
    hash: hasher.sha256(key),
    shown: shownPart(keyPrefix, key),
    createdAt: now,
  })
  return key
}
