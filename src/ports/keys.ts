import type { Awaitable } from '../domain/awaitable.ts'
import type { ServiceName } from '../contract/services.ts'

/** An API key as it is kept: nothing here opens anything (D-40). */
export type StoredKey = {
  /** SHA-256 of the whole key, 43 characters of base64url. */
  readonly hash: string
  /** The first four characters behind the prefix. */
  readonly shown: string
  /** ms since the epoch. */
  readonly createdAt: number
}

/** A key, and when it was last used. */
export type KnownKey = StoredKey & {
  /** Whole days since the epoch; null before the first use. */
  readonly lastUsedDay: number | null
}

/** A use of a key, on a day counted from the epoch. */
export type KeyUse = {
  readonly service: ServiceName
  readonly hash: string
  readonly day: number
}

/** The API keys: one for each account and service. Each method is one whole transaction. */
export interface ApiKeyStore {
  /** Sets the account's key. The one before stops working before this returns, in every process. */
  replace(accountId: string, service: ServiceName, key: StoredKey): Promise<void>

  /** Deletes the account's key; it stops working before this returns. false when there was none. */
  revoke(accountId: string, service: ServiceName): Promise<boolean>

  /** The account's key, or null when it has none. */
  read(accountId: string, service: ServiceName): Promise<KnownKey | null>

  /** Whose live key has this hash: the account's id, or null. */
  findOwner(service: ServiceName, hash: string): Awaitable<string | null>

  /** Notes that keys were used; a later day stays, keys that are no more are left out. */
  noteUses(uses: readonly KeyUse[]): Promise<void>
}
