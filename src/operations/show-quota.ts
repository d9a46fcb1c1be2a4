import type { SiteQuota } from '../contract/accounts.ts'
import type { ServiceName } from '../contract/services.ts'
import { presentQuota } from '../domain/quotas.ts'
import type { QuotaStore } from '../ports/quotas.ts'
import type { Clock } from '../ports/system.ts'

/** What the account may still do on a service in this minute; looking spends nothing. */
export const showQuota = async (
  { quotas, clock }: { quotas: QuotaStore; clock: Clock },
  service: ServiceName,
  accountId: string,
): Promise<SiteQuota> => {
  const { resetMs, ...spent } = await quotas.spent(service, accountId, clock.now())
  return presentQuota(spent, resetMs)
}
