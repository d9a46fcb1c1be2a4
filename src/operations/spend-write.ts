import type { Failure } from '../contract/errors.ts'
import { type QuotaReport, reportAccount } from '../domain/quotas.ts'
import type { QuotaStore } from '../ports/quotas.ts'
import type { Clock } from '../ports/system.ts'
import { quotaFailure } from './quota-failure.ts'

/**
 * Spends what saving on the site costs: a request and a write of the account on the packs service
 * (spec 8, D-8). `failure` is null when the request may go on.
 */
export const spendWrite = async (
  { quotas, clock }: { quotas: QuotaStore; clock: Clock },
  accountId: string,
): Promise<{ readonly quota: QuotaReport; readonly failure: Failure | null }> => {
  const spending = await quotas.spend('packs', accountId, true, clock.now())
  const { spent, refused, resetMs } = spending
  return { quota: reportAccount(spent, true, resetMs), failure: refused && quotaFailure(refused) }
}
