import {
  FAILURES_PER_MINUTE,
  HOUR_MS,
  MINUTE_MS,
  NEW_KEYS_PER_HOUR,
} from '../../contract/quotas.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { Count, QuotaStore, Resetting } from '../../ports/quotas.ts'
import { capped, postgresAdmissions } from './postgres-admissions.ts'
import { COUNT, FORGET, LOOK, type Run, SETTLE } from './quota-statements.ts'
import { type Settled, ShareCounter, shareWindowsMs, type Spending } from './share-counter.ts'

type SpentRow = Resetting & { readonly spent: number; readonly writes: number }

/** How the counters are kept when not as usual. */
export type PostgresQuotaOptions = {
  /** Whose clock windows are counted by; left out: the database's, which all processes share (D-53). */
  readonly clock?: 'database' | 'caller'
}

const windowsMs = { requests: MINUTE_MS, failures: MINUTE_MS, new_keys: HOUR_MS } as const
type Kind = keyof typeof windowsMs

const FORGET_EACH_MS = 10 * MINUTE_MS
/** So few that a statement never takes long. */
const FORGOTTEN_AT_ONCE = 5_000

/**
 * Quotas counted in a table that all processes share. One statement at most serves each call, and
 * one row has all there is about a name: exact, whoever asks at once.
 */
export const createPostgresQuotaStore = (
  run: Run,
  { clock = 'database' }: PostgresQuotaOptions = {},
): QuotaStore => {
  const timeOf = (now: number): number | null => (clock === 'caller' ? now : null)
  const admissions = postgresAdmissions(run, timeOf)
  let forgotAt: number | null = null

  const forget = async (now: number): Promise<void> => {
    for (let gone = FORGOTTEN_AT_ONCE; gone === FORGOTTEN_AT_ONCE;) {
      const values = [FORGOTTEN_AT_ONCE, timeOf(now)]
      const [counted] = await run<{ gone: number }>(FORGET, values)
      gone = counted?.gone ?? 0
    }
  }

  /** Rows of windows that have passed mean nothing any more; nobody waits until they are gone. */
  const forgetSometimes = (now: number): void => {
    if (forgotAt !== null && Math.abs(now - forgotAt) < FORGET_EACH_MS) return
    forgotAt = now
    // Another process does it as well; if not, the next time.
    forget(now).catch(() => {})
  }

  const count = async (
    kind: Kind,
    service: ServiceName,
    name: string,
    quota: number,
    now: number,
  ): Promise<Count> => {
    const values = [kind, service, name, windowsMs[kind], quota + 1, timeOf(now)]
    const [row] = await run<SpentRow>(COUNT, values)
    if (row === undefined) throw new Error('The database has not counted')
    return { count: row.spent, resetMs: row.resetMs }
  }

  const look = async (
    kind: Kind,
    service: ServiceName,
    name: string,
    now: number,
  ): Promise<SpentRow> => {
    const values = [kind, service, name, windowsMs[kind], timeOf(now)]
    const [row] = await run<SpentRow>(LOOK, values)
    if (row === undefined) throw new Error('The database has not looked')
    return row
  }

  const settle = (spendings: readonly Spending[], now: number): Promise<readonly Settled[]> =>
    run<Settled>(SETTLE, [
      timeOf(now),
      spendings.map(({ kind }) => kind),
      spendings.map(({ service }) => service),
      spendings.map(({ name }) => name),
      spendings.map(({ kind }) => shareWindowsMs[kind]),
      spendings.map(({ spent }) => spent),
    ])
  const shares = new ShareCounter(settle)

  return {
    admit(service, keyHash, isWrite, now) {
      forgetSometimes(now)
      return admissions.admit(service, keyHash, isWrite, now)
    },

    spend(service, accountId, isWrite, now) {
      forgetSometimes(now)
      return admissions.spend(service, accountId, isWrite, now)
    },

    async spent(service, accountId, now) {
      const row = await look('requests', service, accountId, now)
      return { ...capped(row), resetMs: row.resetMs }
    },

    countNewKey: (service, accountId, now) =>
      count('new_keys', service, accountId, NEW_KEYS_PER_HOUR, now),

    async newKeys(service, accountId, now) {
      const { spent, resetMs } = await look('new_keys', service, accountId, now)
      return { count: Math.min(spent, NEW_KEYS_PER_HOUR), resetMs }
    },

    countFailure: (service, address, now) =>
      count('failures', service, address, FAILURES_PER_MINUTE, now),

    async failures(service, address, now) {
      const { spent, resetMs } = await look('failures', service, address, now)
      return { count: spent, resetMs }
    },

    spendShare(share, cost, limit, now) {
      forgetSometimes(now)
      return shares.spend(share, cost, limit, now)
    },
  }
}
