import {
  type CompiledQuery,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from 'kysely'
import { chunksOf } from '../../domain/loading.ts'
import { plainDigits } from '../../pool/text.ts'
import type { Page } from '../../ports/store.ts'
import type { Db, Engine } from './engine.ts'

/** Takes the place of a value while a query is compiled. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A query of the builder, or one in SQL where that says more plainly what is asked. */
export type Query<R> = { compile(on: Db): CompiledQuery<R> }
type Prepared<P, R> = (on: Db, values: P) => Promise<R[]>

/** What a prepared query returns a list of. */
export type RowOf<Q> = Q extends Prepared<never, infer R> ? R : never

/**
 * Compiles a query when it first runs and never again, because building it costs more than running it.
 * `build` sees placeholders for the named values, whose names are the same in each call.
 */
export function prepareQuery<P extends object, R>(build: (values: P) => Query<R>): Prepared<P, R> {
  let compiled: CompiledQuery<R> | undefined
  return async (on, values) => {
    compiled ??= build(placeholdersFor(values)).compile(on)
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof P] : parameter,
    )
    return (await on.executeQuery<R>({ ...compiled, parameters })).rows
  }
}

export function prepareQueries<B extends Record<string, (values: never) => Query<unknown>>>(
  builders: B,
): {
  readonly [K in keyof B]: B[K] extends (values: infer P) => Query<infer R> ? Prepared<P, R> : never
} {
  const entries = Object.entries(builders) as [string, (values: object) => Query<unknown>][]
  const prepared = entries.map(([name, build]) => [name, prepareQuery(build)])
  return Object.fromEntries(prepared) as ReturnType<typeof prepareQueries<B>>
}

/** The same for a query over a list: compiled once for each length, of which there must be few. */
export function prepareByLength<V, R>(
  build: (values: readonly V[]) => Query<R>,
): Prepared<readonly V[], R> {
  const byLength = new Map<number, Prepared<readonly V[], R>>()
  return (on, values) => {
    const prepared = byLength.get(values.length) ?? prepareQuery(build)
    byLength.set(values.length, prepared)
    return prepared(on, values)
  }
}

function placeholdersFor<P extends object>(values: P): P {
  const placeholders = Object.keys(values).map((name) => [name, new Placeholder(name)] as const)
  return Object.assign(Array.isArray(values) ? [] : {}, Object.fromEntries(placeholders)) as P
}

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

/** In any case, with its digits as they are and as 0 to 9. */
export function textContains(column: string, text: string): RawBuilder<SqlBool> {
  const plain = plainDigits(text)
  if (plain === text) return contains(column, text)
  return sql<SqlBool>`(${contains(column, text)} or ${contains(column, plain)})`
}

/** `fold` lowers the letters of every script, and costs ten times what `lower` does. */
function contains(column: string, text: string): RawBuilder<SqlBool> {
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
