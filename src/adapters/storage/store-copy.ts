import { type RawBuilder, sql } from 'kysely'
import type { Db } from './engine.ts'
import type { Tables } from './tables.ts'

type TableName = keyof Tables

/**
 * Every table with the columns of its key, those first that others refer to. What only the processes
 * of the moment share is not kept: counters, leases and the index as it is served.
 */
const tables = [
  ['account', ['id']],
  ['moderator', ['game_id']],
  ['api_key', ['account_id', 'service']],
  ['session', ['hash']],
  ['pack', ['id']],
  ['public_block', ['first_updated_at', 'first_id']],
  ['shared_number', ['name']],
  ['beatmap', ['id']],
  ['rating', ['beatmap_id', 'ruleset', 'mods']],
  ['platform_call', ['id']],
  ['moderation_log', ['id']],
] as const satisfies readonly (readonly [TableName, readonly string[]])[]

/** Rows that go over at once: engines bound how many values a query takes. */
const PORTION = 500

type Row = Readonly<Record<string, unknown>>

/** Rows behind the one with this key, in the order of the keys. */
const portionOf = async (
  from: Db,
  table: TableName,
  key: readonly string[],
  last: Row | undefined,
): Promise<readonly Row[]> => {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const behind: RawBuilder<unknown> =
    last === undefined
      ? sql``
      : sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`
  const { rows } = await sql<Row>`select * from ${sql.table(table)} ${behind}
    order by ${columns} limit ${sql.lit(PORTION)}`.execute(from)
  return rows
}

/**
 * Puts all that a store keeps in the place of all that another one keeps, row by row.
 *
 * @param from one state of the store, for as long as this takes.
 * @param to the other store, in a transaction.
 * @param onRows hears how many rows have gone over.
 */
export const copyTables = async (
  from: Db,
  to: Db,
  onRows: (rows: number) => void = () => {},
): Promise<void> => {
  for (const [table] of tables.toReversed()) await to.deleteFrom(table).execute()
  for (const [table, key] of tables) {
    let last: Row | undefined
    for (;;) {
      const rows = await portionOf(from, table, key, last)
      // The tables have the same columns in every engine.
      if (rows.length > 0) await to.insertInto(table).values(rows).execute()
      onRows(rows.length)
      if (rows.length < PORTION) break
      last = rows.at(-1)
    }
  }
}
