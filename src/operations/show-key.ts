import type { KeyReply } from '../contract/keys.ts'
import { NEW_KEYS_PER_HOUR } from '../contract/quotas.ts'
import type { ServiceName } from '../contract/services.ts'
import { presentKey } from '../domain/keys.ts'
import { hourResetSeconds } from '../domain/quotas.ts'
import type { ApiKeyStore } from '../ports/keys.ts'
import type { QuotaStore } from '../ports/quotas.ts'
import type { Clock } from '../ports/system.ts'

/** What the account page tells of the account's key, and how many new ones it may make (D-40, D-41). */
export const showKey = async (
  { apiKeys, quotas, clock }: { apiKeys: ApiKeyStore; quotas: QuotaStore; clock: Clock },
  service: ServiceName,
  accountId: string,
): Promise<KeyReply> => {
  const key = await apiKeys.read(accountId, service)
  const made = await quotas.newKeys(service, accountId, clock.now())
  return {
    key: key && presentKey(key),
    newKeysLeft: NEW_KEYS_PER_HOUR - made.count,
    newKeysResetSeconds: hourResetSeconds(made.resetMs),
  }
}
