import { NEW_KEYS_PER_HOUR } from '../contract/quotas.ts'
import type { ServiceName } from '../contract/services.ts'
import type { KeyReply } from '../contract/site-key.ts'
import { presentKey } from '../domain/present-key.ts'
import { hourOf, secondsToNextHour } from '../domain/quota-report.ts'
import type { ApiKeyStore } from '../ports/api-key-store.ts'
import type { QuotaStore } from '../ports/quota-store.ts'
import type { Clock } from '../ports/system.ts'

/** What the account page tells of the account's key, and how many new ones it may make (D-40, D-41). */
export const showKey = async (
  { apiKeys, quotas, clock }: { apiKeys: ApiKeyStore; quotas: QuotaStore; clock: Clock },
  service: ServiceName,
  accountId: string,
): Promise<KeyReply> => {
  const now = clock.now()
  const key = await apiKeys.read(accountId, service)
  return {
    key: key && presentKey(key),
    newKeysLeft: NEW_KEYS_PER_HOUR - (await quotas.newKeys(service, accountId, hourOf(now))),
    newKeysResetSeconds: secondsToNextHour(now),
  }
}
