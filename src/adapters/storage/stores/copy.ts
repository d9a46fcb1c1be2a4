import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Rows that go over at once: engines bound how many values a query takes. */
const PORTION = 500
/** Stands in a store, before all others of its table, until it holds all that is to come. */
const UNFINISHED = '!unfinished'

/** What a table holds: how many rows, and SHA-256 over all of them in the order of their keys. */
export type Sum = { readonly table: string; readonly rows: number; readonly hash: string }

/** Does the store hold only a part of what is to be copied to it? */
export const isUnfinished = async (db: Db): Promise<boolean> => {
  const mark = db.selectFrom('shared_number').select('value').where('name', '=', UNFINISHED)
  return (await mark.executeTakeFirst()) !== undefined
}

/** @throws when the store holds only a part of what is to be copied to it. */
export const refuseUnfinished = async (db: Db): Promise<void> => {
  if (!(await isUnfinished(db))) return
  throw new Error(
    'a copy to this store was broken off: run mapcrate-server copy again to finish it',
  )
}

/** Has nobody ever kept anything here? */
export const isEmpty = async (db: Db): Promise<boolean> => {
  const accounts = keptTables.find(({ name }) => name === 'account')
  return accounts !== undefined && (await countRows(db, accounts)) <= 1
}

/** Rows that a store holds. */
export const countAll = async (db: Db): Promise<number> => {
  let all = 0
  for (const table of keptTables) all += await countRows(db, table)
  return all
}

/**
 * Copies all that a store keeps to one that is empty, or goes on where this was broken off: rows go
 * over in the order of their keys.
 *
 * @param from one state of the store, for as long as this takes.
 * @param onRows hears of each portion; of the rows that were there already too.
 */
export const copyRows = async (
  from: Db,
  to: Pick<Engine, 'db' | 'write'>,
  onRows: (rows: number) => void = () => {},
): Promise<void> => {
  if (!(await isUnfinished(to.db))) await to.write('packs', makeRoom)
  for (const table of keptTables) {
    let last = await lastRow(to.db, table)
    onRows(await countRows(to.db, table))
    for (;;) {
      const rows = await readRows(from, table, last, PORTION)
      await to.write('packs', (tx) => put(tx, table, rows))
      onRows(rows.length)
      if (rows.length < PORTION) break
      last = rows.at(-1)
    }
  }
}

/** All is there: the store may be used. */
export const finishCopy = async (to: Pick<Engine, 'write'>): Promise<void> => {
  await to.write('packs', (tx) =>
    tx.deleteFrom('shared_number').where('name', '=', UNFINISHED).execute(),
  )
}

/** What a store holds, table by table; the same in each engine. */
export const sumRows = async (
  db: Db,
  onRows: (rows: number) => void = () => {},
): Promise<readonly Sum[]> => {
  const sums: Sum[] = []
  for (const table of keptTables) sums.push(await sumTable(db, table, onRows))
  return sums
}

/** What every new store holds comes from the other one. */
const makeRoom = async (tx: Db): Promise<void> => {
  for (const { name } of keptTables.toReversed()) await tx.deleteFrom(name).execute()
  await tx.insertInto('shared_number').values({ name: UNFINISHED, value: 1 }).execute()
}

const put = async (tx: Db, { name }: KeptTable, rows: readonly Row[]): Promise<void> => {
  // The tables have the same columns in every engine.
  if (rows.length > 0) await tx.insertInto(name).values(rows).execute()
}

const sumTable = async (db: Db, table: KeptTable, onRows: (rows: number) => void): Promise<Sum> => {
  const hash = createHash('sha256')
  let count = 0
  let last: Row | undefined
  for (;;) {
    const rows = await readRows(db, table, last, PORTION)
    for (const row of rows) {
      if (table.name === 'shared_number' && row['name'] === UNFINISHED) continue
      count += 1
      hash.update(textOf(row))
    }
    onRows(rows.length)
    if (rows.length < PORTION) break
    last = rows.at(-1)
  }
  return { table: table.name, rows: count, hash: hash.digest('base64url') }
}

/** Columns stand in another order where migrations made them so. */
const textOf = (row: Row): string =>
  JSON.stringify(
    Object.keys(row)
      .toSorted()
      .map((column) => [column, row[column]]),
  )

/** A row as engines give it, whichever table it is from. */
type Row = Readonly<Record<string, unknown>>

/** A table that is kept, with the columns of its key. */
type KeptTable = { readonly name: keyof Tables; readonly key: readonly string[] }

/**
 * Every table, those first that others refer to. What only the processes of the moment share is not
 * kept: counters, turns, the index as it is served and the page files.
 */
const keptTables: readonly KeptTable[] = [
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
const countRows = async (db: Db, { name }: KeptTable): Promise<number> => {
  const { rows } = await db
    .selectFrom(name)
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return rows
}

/** The row with the greatest key; undefined when there is none. */
const lastRow = async (db: Db, table: KeptTable): Promise<Row | undefined> => {
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
const readRows = async (
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
