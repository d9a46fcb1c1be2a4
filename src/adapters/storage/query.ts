import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { chunksOf } from '../../domain/loading.ts'
import type { Page } from '../../ports/store.ts'
import { type Db, type Engine, prepareByLength } from './engine.ts'

/** Engines bound how many values a query takes. */
const LONGEST = 500
/** Each length makes a prepared statement of its own, so there are few. */
const LENGTHS = [1, 4, 16, 64, 256, LONGEST] as const

/** Distinct values in lists for `in (…)`, of few lengths: shorter ones repeat their last value. */
export function valueLists<T extends string | number>(values: readonly T[]): T[][] {
  return chunksOf([...new Set(values)], LONGEST).map((list) => {
    const length = LENGTHS.find((room) => room >= list.length) ?? LONGEST
    return Array.from({ length }, (_, at) => list[at] ?? list.at(-1)!)
  })
}

/** A query over any number of values, which reads them in portions. */
export function prepareListQuery<V extends string | number, R>(
  build: Parameters<typeof prepareByLength<V, R>>[0],
): (on: Db, values: readonly V[]) => Promise<R[]> {
  const readPortion = prepareByLength(build)
  return async (on, values) => {
    const rows: R[] = []
    for (const portion of valueLists(values)) rows.push(...(await readPortion(on, portion)))
    return rows
  }
}

/** A page of what the query finds, each row converted. */
export function readPage<DB, TB extends keyof DB, R, T>(
  { read }: Pick<Engine, 'read'>,
  find: (tx: Db) => SelectQueryBuilder<DB, TB, R>,
  convert: (row: R) => T,
  page: number,
  pageSize: number,
): Promise<Page<T>> {
  return read(async (tx) => {
    const found = find(tx)
    const count = found
      .clearSelect()
      .clearOrderBy()
      .select(sql<number>`count(*)`.as('total'))
    const { total } = (await count.executeTakeFirstOrThrow()) as { total: number }
    const onPage = found.limit(pageSize).offset((page - 1) * pageSize)
    return { rows: (await onPage.execute()).map(convert), total }
  })
}

const ASCII = /^[ -~]*$/

/** In any case. `fold` lowers the letters of every script, and costs ten times what `lower` does. */
export function textContains(column: string, text: string): RawBuilder<SqlBool> {
  const fold = sql.raw(ASCII.test(text) ? 'lower' : 'fold')
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<SqlBool>`${fold}(${sql.ref(column)}) like ${pattern} escape ${sql.lit('\\')}`
}

/** Of a query that selects from `account`. */
export const isSuspended = sql<0 | 1>`
  case when exists (
    select at from suspension where suspension.game_id = account.game_id and is_lifted = 0
  ) then 1 else 0 end`

/** Why this account may begin nothing; null when it is not suspended. Under a lock that `suspend` takes, too. */
export async function suspendedFor(tx: Db, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ reason: string }>`
    select reason from suspension join account on account.game_id = suspension.game_id
    where account.id = ${accountId} and is_lifted = 0`.execute(tx)
  return rows[0]?.reason ?? null
}
