import { REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import type { ServiceName } from '../../contract/services.ts'
import { batch } from '../../domain/batch.ts'
import type { Admission, QuotaStore } from '../../ports/quotas.ts'
import { ADMIT, ADMIT_ALL, type Run, SPEND } from './quota-statements.ts'

type Knock = {
  readonly service: ServiceName
  /** A key's hash. */
  readonly hash: string
  readonly isWrite: boolean
  /** null: the time that the database's clock says. */
  readonly now: number | null
}

type SpentRow = { account_id: string; spent: number; writes: number; resetMs: number }

const QUOTAS = [REQUESTS_PER_MINUTE, WRITES_PER_MINUTE] as const
const MOST_TOGETHER = 16

/** Always as many: PostgreSQL plans for a number of places, and anew for each that is smaller. */
const places = <T>(values: readonly T[]): (T | null)[] =>
  Array.from({ length: MOST_TOGETHER }, (_, at) => values[at] ?? null)

const isSame = (a: Pick<Knock, 'service' | 'hash'>, b: Pick<Knock, 'service' | 'hash'>): boolean =>
  a.hash === b.hash && a.service === b.service

/** Counts requests in the table that all processes share; those that come at once in one statement. */
export const postgresAdmissions = (
  run: Run,
  timeOf: (now: number) => number | null,
): Pick<QuotaStore, 'admit' | 'spend'> => {
  const spendOne = async (
    statement: string,
    { service, hash: who, isWrite, now }: Knock,
  ): Promise<Admission | null> => {
    const values = [...QUOTAS, now, service, who, isWrite ? 1 : 0]
    const [row] = await run<SpentRow>(statement, values)
    return row === undefined ? null : toAdmission(row, isWrite)
  }

  const admitAll = (knocks: readonly Knock[]) =>
    run<SpentRow & Pick<Knock, 'service' | 'hash'>>(ADMIT_ALL, [
      ...QUOTAS,
      knocks[0]?.now ?? null,
      places(knocks.map(({ service }) => service)),
      places(knocks.map(({ hash }) => hash)),
      places(knocks.map(({ isWrite }) => (isWrite ? 1 : 0))),
    ])

  const admit = batch(
    (knocks: readonly Knock[]): Promise<Admission | null>[] => {
      // One statement counts a key once: a key that comes twice is counted by one more.
      const firsts = knocks.filter(
        (knock, at) =>
          knock.now === knocks[0]?.now && knocks.findIndex((each) => isSame(each, knock)) === at,
      )
      const rows = firsts.length > 1 ? admitAll(firsts) : null
      return knocks.map(async (knock) => {
        if (rows === null || !firsts.includes(knock)) return spendOne(ADMIT, knock)
        const row = (await rows).find((each) => isSame(each, knock))
        return row === undefined ? null : toAdmission(row, knock.isWrite)
      })
    },
    MOST_TOGETHER,
    setImmediate,
  )

  return {
    admit: (service, hash, isWrite, now) => admit({ service, hash, isWrite, now: timeOf(now) }),

    async spend(service, accountId, isWrite, now) {
      const wish = { service, hash: accountId, isWrite, now: timeOf(now) }
      const admission = await spendOne(SPEND, wish)
      if (admission === null) throw new Error('The database has not counted')
      return admission
    },
  }
}

/** A count of one over its quota is told as the quota. */
export const capped = ({ spent, writes }: Pick<SpentRow, 'spent' | 'writes'>) => ({
  requests: Math.min(spent, REQUESTS_PER_MINUTE),
  writes: Math.min(writes, WRITES_PER_MINUTE),
})

const toAdmission = (row: SpentRow, isWrite: boolean): Admission => {
  const refusedWrite = isWrite && row.writes > WRITES_PER_MINUTE
  return {
    accountId: row.account_id,
    spent: capped(row),
    resetMs: row.resetMs,
    refused: row.spent > REQUESTS_PER_MINUTE ? 'requests' : refusedWrite ? 'writes' : null,
  }
}
