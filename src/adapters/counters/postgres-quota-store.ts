import { FAILURES_PER_MINUTE, NEW_KEYS_PER_HOUR } from '../../contract/quotas.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { QuotaStore } from '../../ports/quota-store.ts'
import { capped, postgresAdmissions } from './postgres-admissions.ts'
import { COUNT, FORGET, LOOK, type Run } from './quota-statements.ts'

type SpentRow = { spent: number; writes: number }

const MINUTES_PER_HOUR = 60
/** Clocks of other machines may be behind this one by so much. */
const KEPT_MINUTES = 2
const FORGET_EACH_MINUTES = 10
/** So few that a statement never takes long. */
const FORGOTTEN_AT_ONCE = 5_000

/**
 * Quotas counted in a table that all processes share. One statement at most serves each call, and
 * one row tells all about a name: exact, whoever asks at once.
 */
export const createPostgresQuotaStore = (run: Run): QuotaStore => {
  const admissions = postgresAdmissions(run)
  let forgotAt: number | null = null

  const forget = async (minute: number): Promise<void> => {
    const hour = Math.floor((minute - KEPT_MINUTES) / MINUTES_PER_HOUR)
    for (let gone = FORGOTTEN_AT_ONCE; gone === FORGOTTEN_AT_ONCE;) {
      const values = [minute - KEPT_MINUTES, hour, FORGOTTEN_AT_ONCE]
      const [counted] = await run<{ gone: number }>(FORGET, values)
      gone = counted?.gone ?? 0
    }
  }

  /** Rows of windows that have passed mean nothing any more; nobody waits until they are gone. */
  const forgetSometimes = (minute: number): void => {
    if (forgotAt !== null && minute < forgotAt + FORGET_EACH_MINUTES) return
    forgotAt = minute
    // Another process does it as well; if not, the next time.
    forget(minute).catch(() => {})
  }

  const count = async (
    kind: 'failures' | 'new_keys',
    service: ServiceName,
    name: string,
    window: number,
    quota: number,
  ): Promise<number> => {
    const [row] = await run<SpentRow>(COUNT, [kind, service, name, window, quota + 1])
    return row?.spent ?? quota + 1
  }

  const look = async (
    kind: 'requests' | 'failures' | 'new_keys',
    service: ServiceName,
    name: string,
    window: number,
  ): Promise<SpentRow> => {
    const [row] = await run<SpentRow>(LOOK, [kind, service, name, window])
    return row ?? { spent: 0, writes: 0 }
  }

  return {
    admit(service, keyHash, isWrite, window) {
      forgetSometimes(window)
      return admissions.admit(service, keyHash, isWrite, window)
    },

    spend(service, accountId, isWrite, window) {
      forgetSometimes(window)
      return admissions.spend(service, accountId, isWrite, window)
    },

    async spent(service, accountId, window) {
      return capped(await look('requests', service, accountId, window))
    },

    countNewKey: (service, accountId, hour) =>
      count('new_keys', service, accountId, hour, NEW_KEYS_PER_HOUR),

    async newKeys(service, accountId, hour) {
      const { spent } = await look('new_keys', service, accountId, hour)
      return Math.min(spent, NEW_KEYS_PER_HOUR)
    },

    countFailure: (service, address, window) =>
      count('failures', service, address, window, FAILURES_PER_MINUTE),

    async failures(service, address, window) {
      return (await look('failures', service, address, window)).spent
    },
  }
}
