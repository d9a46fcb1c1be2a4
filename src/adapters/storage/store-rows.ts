import { sql } from 'kysely'
import type { Db } from './engine.ts'
import type { Tables } from './tables.ts'

/** A row as engines give it, whichever table it is from. */
export type Row = Readonly<Record<string, unknown>>

/** A table that is kept, with the columns of its key. */
export type KeptTable = { readonly name: keyof Tables; readonly key: readonly string[] }

/**
 * Every table, those first that others refer to. What only the processes of the moment share is not
 * kept: counters, turns, the index as it is served and the page files.
 */
export const keptTables: readonly KeptTable[] = [
  { name: 'account', key: ['id'] },
  { name: 'moderator', key: ['game_id'] },
  { name: 'api_key', key: ['account_id', 'service'] },
  { name: 'session', key: ['hash'] },
  { name: 'pack', key: ['id'] },
  { name: 'keyed_creation', key: ['account_id', 'idempotency_key'] },
  { name: 'public_block', key: ['first_updated_at', 'first_id'] },
  { name: 'shared_number', key: ['name'] },
  { name: 'beatmap', key: ['id'] },
  { name: 'rating', key: ['beatmap_id', 'ruleset', 'mods'] },
  { name: 'platform_call', key: ['id'] },
  { name: 'moderation_log', key: ['id'] },
]

const keyOf = ({ key }: KeptTable) => sql.join(key.map((column) => sql.ref(column)))

/** How many rows a table has. */
export const countRows = async (db: Db, { name }: KeptTable): Promise<number> => {
  const { rows } = await db
    .selectFrom(name)
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return rows
}

/** The row with the greatest key; undefined when there is none. */
export const lastRow = async (db: Db, table: KeptTable): Promise<Row | undefined> => {
  const backwards = sql.join(table.key.map((column) => sql`${sql.ref(column)} desc`))
  const { rows } =
    await sql<Row>`select * from ${sql.table(table.name)} order by ${backwards} limit 1`.execute(db)
  return rows[0]
}

/**
 * The rows of a table in the order of their keys, in portions: call again with the last one until a
 * portion is short.
 *
 * @param after undefined for the first portion.
 */
export const readRows = async (
  db: Db,
  table: KeptTable,
  after: Row | undefined,
  limit: number,
): Promise<readonly Row[]> => {
  const key = keyOf(table)
  const place = sql.join(table.key.map((column) => after?.[column]))
  const behind = after === undefined ? sql`` : sql`where (${key}) > (${place})`
  const { rows } = await sql<Row>`select * from ${sql.table(table.name)} ${behind}
    order by ${key} limit ${sql.lit(limit)}`.execute(db)
  return rows
}
