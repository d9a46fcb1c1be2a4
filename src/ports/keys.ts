import type { ServiceName } from '../contract/services.ts'
import type { Awaitable } from '../domain/loading.ts'

/** An API key as it is stored: nothing here opens anything (D-40). Times are ms since the epoch. */
export type StoredKey = {
  /** SHA-256 of the whole key, 43 characters of base64url. */
  readonly hash: string
  /** The first four characters after the prefix. */
  readonly shown: string
  readonly createdAt: number
}

/** A use of a key, on a day counted from the epoch. */
export type KeyUse = Pick<StoredKey, 'hash'> & {
  readonly service: ServiceName
  readonly day: number
}

/** The API keys: one for each account and service. Each method is one whole transaction. */
export interface ApiKeyStore {
  /**
   * Sets the account's key. The previous one stops working before this returns, in every process. false, and nothing
   * is written, if the account is suspended.
   */
  replace(accountId: string, service: ServiceName, key: StoredKey): Promise<boolean>

  /** Deletes the account's key; it stops working before this returns. false when there was none. */
  revoke(accountId: string, service: ServiceName): Promise<boolean>

  /** The account's key, and the day of its last use (days since the epoch; null before the first). */
  read(
    accountId: string,
    service: ServiceName,
  ): Promise<(StoredKey & { readonly lastUsedDay: number | null }) | null>

  /** The id of the account whose live key has this hash. */
  findOwner(service: ServiceName, hash: string): Awaitable<string | null>

  /** Notes that keys were used. The latest day is kept; keys that no longer exist are ignored. */
  noteUses(uses: readonly KeyUse[]): Promise<void>
}
