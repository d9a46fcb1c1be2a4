import type { ServiceName } from '../contract/services.ts'
import { API_KEY_BYTES, makeApiKey, shownPart } from '../domain/keys.ts'
import type { ApiKeyStore, StoredKey } from '../ports/keys.ts'
import type { Clock, Hasher, Random } from '../ports/system.ts'

export type NewKeyPorts = {
  readonly apiKeys: ApiKeyStore
  readonly clock: Clock
  readonly random: Random
  readonly hasher: Hasher
}

/** Whose key for which service, and what stands before its underscore. */
export type NewKeyWish = {
  readonly service: ServiceName
  readonly keyPrefix: string
  readonly accountId: string
}

/**
 * Makes a new key for an account; the key before stops working at once (spec 5).
 *
 * @returns the key, which nobody can be shown again, and what is kept of it (D-40).
 */
export const setNewKey = async (
  { apiKeys, clock, random, hasher }: NewKeyPorts,
  { service, keyPrefix, accountId }: NewKeyWish,
): Promise<{ key: string; stored: StoredKey }> => {
  const key = makeApiKey(keyPrefix, random.bytes(API_KEY_BYTES))
  const stored = {
    hash: hasher.sha256(key),
    shown: shownPart(keyPrefix, key),
    createdAt: clock.now(),
  }
  await apiKeys.replace(accountId, service, stored)
  return { key, stored }
}
