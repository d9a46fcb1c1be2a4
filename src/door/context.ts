import type { ServiceName } from '../contract/services.ts'
import type { AccountStore } from '../ports/accounts.ts'
import type { ApiKeyStore } from '../ports/keys.ts'
import type { PackStore } from '../ports/packs.ts'
import type { QuotaStore } from '../ports/quotas.ts'
import type { StoreCare } from '../ports/store.ts'
import type { Clock, Compressor, Hasher, Random } from '../ports/system.ts'

/** What a service needs from outside. */
export type ServicePorts = {
  readonly packs: PackStore
  readonly accounts: AccountStore
  readonly apiKeys: Pick<ApiKeyStore, 'noteUses'>
  readonly quotas: QuotaStore
  readonly care: StoreCare
  readonly clock: Clock
  readonly random: Random
  readonly hasher: Hasher
  readonly compressor: Compressor
}

/** How a service presents itself. */
export type ServiceSettings = {
  /** What stands before `_` in this service's keys. */
  readonly keyPrefix: string
  /** What stands there in the keys of the other service. */
  readonly otherKeyPrefix: string
  /** Public address of this service, without `/api/v1` and without a slash at its end. */
  readonly apiUrl: string
  /** Public address of the site. */
  readonly siteUrl: string
  /** The owner label of tournament pools (D-28). */
  readonly poolsOwnerName: string
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed (D-6). */
  readonly trustedProxies: readonly string[]
}

/** Which service, with what, presented how. */
export type ServiceContext = {
  readonly service: ServiceName
  readonly ports: ServicePorts
  readonly settings: ServiceSettings
}
