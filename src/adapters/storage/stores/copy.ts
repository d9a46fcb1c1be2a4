import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Engine } from '../engine.ts'
import { FIND_READ_ONLY, UNFINISHED } from '../migrations.ts'
import type { Tables } from '../tables.ts'

/** Rows that are copied at once: engines bound how many values a query takes. */
const PORTION = 500
/** Is in the mark of a store (`UNFINISHED`) from when it has nothing but what is copied to it. */
const HAS_ROOM = 'has room'
/** Every table that is copied, those first that others refer to, with the columns of its key. */
export const keptTables = {
  account: ['id'],
  moderator: ['game_id'],
  suspension: ['game_id'],
  operator_state: ['name'],
  api_key: ['account_id', 'service'],
  session: ['hash'],
  pack: ['id'],
  pack_version: ['pack_id', 'version'],
  pack_change: ['id'],
  tournament: ['slug'],
  tournament_chat: ['tournament'],
  tournament_message: ['id'],
  tournament_round: ['tournament', 'id'],
  tournament_staff: ['tournament', 'account_id'],
  round_version: ['tournament', 'round_id', 'version'],
  tournament_invitation: ['id'],
  round_discussion: ['tournament', 'round_id'],
  candidate: ['tournament', 'round_id', 'id'],
  candidate_vote: ['tournament', 'round_id', 'candidate', 'account_id'],
  remark: ['tournament', 'round_id', 'id'],
  tournament_change: ['id'],
  forgotten_change: ['feed', 'reader'],
  keyed_creation: ['account_id', 'idempotency_key'],
  keyed_write: ['account_id', 'idempotency_key'],
  public_block: ['first_updated_at', 'first_id'],
  public_change: ['id'],
  shared_number: ['name'],
  beatmap: ['id'],
  rating: ['beatmap_id', 'ruleset', 'mods'],
  canary_rating: ['beatmap_id', 'ruleset', 'mods'],
  rating_change: ['id'],
  platform_call: ['id'],
  moderation_log: ['id'],
} as const satisfies { readonly [name in keyof Tables]?: readonly string[] }

type KeptTable = keyof typeof keptTables

const tableNames = Object.keys(keptTables) as KeptTable[]

/** A row of any table, as engines return it. */
type Row = Readonly<Record<string, unknown>>

/** Is called with how many more rows are done; what it returns is awaited. */
type OnRows = (rows: number) => unknown

/** How many rows a table holds, and SHA-256 over all of them in the order of their keys. */
export type Sum = { readonly table: string; readonly rows: number; readonly hash: string }

export async function countAll(db: Db): Promise<number> {
  let all = 0
  for (const table of tableNames) all += await countRows(db, table)
  return all
}

/**
 * Copies all rows, in the order of their keys, from one state of a store to one that is marked as being filled, or
 * continues where this was broken off.
 *
 * @param onRows is called with the size of each portion; of the rows that were there already too.
 */
export async function copyRows(
  from: Db,
  to: Pick<Engine, 'db' | 'write'>,
  onRows: OnRows = () => {},
): Promise<void> {
  if (!(await hasRoom(to.db))) await to.write('packs', makeRoom)
  for (const table of tableNames) {
    await onRows(await countRows(to.db, table))
    for await (const rows of portionsOf(from, table, await lastRow(to.db, table))) {
      // The tables have the same columns in every engine.
      await to.write('packs', (tx) => tx.insertInto<KeptTable>(table).values(rows).execute())
      await onRows(rows.length)
    }
  }
}

/** All is there: the store may be used. */
export async function finishCopy({ write }: Pick<Engine, 'write'>): Promise<void> {
  await write('packs', async (tx) => {
    await sql`update shared_number set value = 0
      where name in ('search_walk', 'search_packs')`.execute(tx)
    await sql`delete from migration where ${isMark}`.execute(tx)
  })
}

/** Whether nothing may be changed in a store. */
export async function isReadOnly(db: Db): Promise<boolean> {
  return (await sql.raw(FIND_READ_ONLY).execute(db)).rows.length > 0
}

/** What a store holds, table by table; the same in each engine. */
export async function sumRows(db: Db, onRows: OnRows = () => {}): Promise<readonly Sum[]> {
  const sums: Sum[] = []
  for (const table of tableNames) {
    const hash = createHash('sha256')
    let count = 0
    for await (const rows of portionsOf(db, table, undefined)) {
      for (const row of rows) {
        count += 1
        hash.update(textOf(row))
      }
      await onRows(rows.length)
    }
    sums.push({ table, rows: count, hash: hash.digest('base64url') })
  }
  return sums
}

const isMark = sql`name like ${`${UNFINISHED}%`}`

/** What every new store holds comes from the other one. */
async function makeRoom(tx: Db): Promise<void> {
  for (const table of tableNames.toReversed()) await tx.deleteFrom(table).execute()
  await sql`update migration set hash = ${HAS_ROOM} where ${isMark}`.execute(tx)
}

async function hasRoom(db: Db): Promise<boolean> {
  const mark = sql`select 1 from migration where ${isMark} and hash = ${HAS_ROOM}`
  return (await mark.execute(db)).rows.length > 0
}

/** The order of columns differs where migrations made them so. */
function textOf(row: Row): string {
  return JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

async function countRows(db: Db, table: KeptTable): Promise<number> {
  const counted = sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`
  return (await counted.execute(db)).rows[0]!.count
}

/** The row with the greatest key. */
async function lastRow(db: Db, table: KeptTable): Promise<Row | undefined> {
  const backwards = sql.join(keptTables[table].map((column) => sql`${sql.ref(column)} desc`))
  const { rows } =
    await sql<Row>`select * from ${sql.table(table)} order by ${backwards} limit 1`.execute(db)
  return rows[0]
}

/** The rows of a table after this one, in the order of their keys, in portions of which none is empty. */
async function* portionsOf(
  db: Db,
  table: KeptTable,
  first: Row | undefined,
): AsyncGenerator<readonly Row[]> {
  const key = sql.join(keptTables[table].map((column) => sql.ref(column)))
  for (let last = first; ;) {
    const place = sql.join(keptTables[table].map((column) => last?.[column]))
    const after = last === undefined ? sql`` : sql`where (${key}) > (${place})`
    const { rows } = await sql<Row>`select * from ${sql.table(table)} ${after}
      order by ${key} limit ${sql.lit(PORTION)}`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < PORTION) return
    last = rows.at(-1)
  }
}
