import type { ServiceName } from '../contract/services.ts'
import { type QuotaReport, reportAddress } from '../domain/quotas.ts'
import type { QuotaStore } from '../ports/quotas.ts'
import type { Clock } from '../ports/system.ts'

/** The failed-attempt quota of an address, for answers that belong to no account; spends nothing (D-10). */
export const describeAddress = async (
  { quotas, clock }: { quotas: QuotaStore; clock: Clock },
  service: ServiceName,
  address: string,
): Promise<QuotaReport> => {
  const { count, resetMs } = await quotas.failures(service, address, clock.now())
  return reportAddress(count, resetMs)
}
