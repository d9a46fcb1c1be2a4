import { createCipheriv, createDecipheriv } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { FeedEntry } from '../../../domain/changes.ts'
import type { Feed, FeedPortion } from '../../../ports/changes.ts'
import type { Db, Engine, FeedTable } from '../engine.ts'
import { prepareQueries } from '../query.ts'

/** Where an entry is in the feed. Lost commits may bring another one there, which has another mark. */
type Position = { readonly seq: number; readonly mark: number }

/** A feed of changes, and how its entries are read. */
type FeedSource<Row, Entry> = {
  readonly table: FeedTable
  /** The shared number that keeps the key of its cursors. */
  readonly key: 'change_cursor' | 'tournament_change_cursor'
  /** Of a row, the ids of the accounts that may know of it, each between spaces; null for everybody. */
  readonly readers: RawBuilder<string | null>
  /** May the account know of a row? */
  readonly isFor: (accountId: string) => RawBuilder<unknown>
  /** The columns of rows besides their position. */
  readonly columns: RawBuilder<unknown>
  readonly toEntry: (row: Row, cursor: string) => Entry
}

const NUMBERED_AT_ONCE = 10_000
const FORGOTTEN_AT_ONCE = 1_000
/** How often to wait while another process is numbering, before this one takes its turn among the writes. */
const ATTEMPTS = 10
const PAUSE_MS = 20

/**
 * Entries get their place in the order of commits when they are written, if one transaction writes at a
 * time; otherwise later, in the order of their ids, by one process at a time. So none ever comes before
 * one that was read.
 */
export function createFeed<Row, Entry extends FeedEntry>(
  { db, write, tryWrite }: Engine,
  source: FeedSource<Row, Entry>,
): Feed<Entry> {
  const { key, toEntry } = source
  const queries = feedQueries(source)

  async function readState(): Promise<FeedState> {
    const [state] = await queries.state(db, { name: key })
    if (state === undefined) throw new Error(`The store has lost its ${key}`)
    return state
  }

  const number = (tx: Db) => queries.number(tx, { atOnce: NUMBERED_AT_ONCE })

  /** The feed once every entry has its place that was committed before the call. */
  async function readNumbered(): Promise<FeedState> {
    const before = await readState()
    let state = before
    for (let refused = 0; state.pending > 0 && state.oldestPending <= before.lastPending;) {
      const isStuck = refused === ATTEMPTS
      const numbered = await (isStuck ? write('packs', number) : tryWrite(number))
      refused = numbered === null ? refused + 1 : 0
      if (numbered === null) await pause(PAUSE_MS)
      state = await readState()
    }
    return state
  }

  /** The last entry from before a time that the account may know, or could; that of the empty feed without any. */
  async function lastFor(accountId: string, before = Number.MAX_SAFE_INTEGER): Promise<Position> {
    const kept = await queries.lastFor(db, { accountId, before })
    const forgotten = await queries.forgottenFor(db, { accountId })
    return kept[0] ?? forgotten[0] ?? START
  }

  return {
    async read(after, limit) {
      const state = await readNumbered()
      const cursors = cursorsOf(state.key)
      const newest = cursors.seal({ seq: state.newestSeq, mark: state.newestMark })
      if (after === null) return { outcome: 'read', entries: [], newest }
      const place = cursors.open(after)
      if (place === null) return { outcome: 'malformed' }
      if (place.seq > state.newestSeq) return { outcome: 'future' }
      const gone = (): FeedPortion<Entry> => ({
        outcome: 'gone',
        oldest: cursors.seal({ seq: state.oldestSeq, mark: state.oldestMark }),
      })
      // The newest entry is never deleted: entries are missing after the empty feed only if they were old.
      if (place.seq === 0 && state.oldestSeq > 1) return gone()
      if (after === newest) return { outcome: 'read', entries: [], newest }
      const range = { from: place.seq, to: state.newestSeq, rows: limit + 1 }
      const rows = await queries.range(db, range)
      if (place.seq > 0 && !isSamePosition(rows.shift(), place)) return gone()
      const entries = rows.slice(0, limit).map((row) => toEntry(row, cursors.seal(row)))
      return { outcome: 'read', entries, newest }
    },

    async readFor(accountId, after, limit, since) {
      const state = await readNumbered()
      const cursors = cursorsOf(state.key)
      const place = cursors.open(after)
      if (place === null) return { outcome: 'malformed' }
      if (place.seq > state.newestSeq) return { outcome: 'future' }
      const range = { accountId, after: place.seq, to: state.newestSeq, limit }
      const entries = (await queries.rangeFor(db, range)).map((row) =>
        toEntry(row, cursors.seal(row)),
      )
      // After the entries: what was forgotten meanwhile is missing among them.
      const [forgotten = START] = await queries.forgottenFor(db, { accountId })
      const [there = place] = await queries.at(db, { seq: place.seq })
      const isOld = forgotten.seq > place.seq || (entries[0]?.at ?? since) < since
      if (isOld || !isSamePosition(there, place)) {
        return { outcome: 'gone', oldest: cursors.seal(await lastFor(accountId, since)) }
      }
      const newest = cursors.seal({ seq: state.newestSeq, mark: state.newestMark })
      return { outcome: 'read', entries, newest }
    },

    async endFor(accountId) {
      const { key } = await readNumbered()
      return cursorsOf(key).seal(await lastFor(accountId))
    },

    async readLast(limit) {
      const { key, oldestSeq, newestSeq, newestMark } = await readNumbered()
      const cursors = cursorsOf(key)
      // The place before the first entry of all is that of the empty feed.
      const from = Math.max(oldestSeq === 1 ? 0 : oldestSeq, newestSeq - limit)
      const rows = await queries.range(db, { from, to: newestSeq, rows: limit + 1 })
      const first = from === 0 ? START : (rows.shift() ?? START)
      return {
        entries: rows.map((row) => toEntry(row, cursors.seal(row))),
        before: cursors.seal(first),
        newest: cursors.seal(rows.at(-1) ?? { seq: newestSeq, mark: newestMark }),
      }
    },

    async forget(before) {
      // Where the feed is not read, nothing else numbers it.
      await readNumbered()
      const work = async (tx: Db) => {
        const oldest = await queries.oldest(tx, { rows: FORGOTTEN_AT_ONCE + 1 })
        const young = oldest.findIndex(({ at }) => at >= before)
        const kept = oldest.at(young < 0 ? -1 : Math.max(0, young - 1))
        if (kept === undefined || kept === oldest[0]) return false
        for (const [reader, place] of newestByReader(oldest, kept.seq)) {
          await queries.noteForgotten(tx, { reader, seq: place.seq, mark: place.mark })
        }
        await queries.prune(tx, { from: kept.seq })
        return true
      }
      return write('packs', work, null)
    },
  }
}

/** The place before the first entry of all. */
const START: Position = { seq: 0, mark: 0 }

/** @param rows in their order; those from `end` on are left out. */
function newestByReader(rows: readonly (Position & { readers: string | null })[], end: number) {
  const newest = new Map<string, Position>()
  for (const { readers, ...place } of rows) {
    if (place.seq >= end) break
    const ids = readers?.split(' ').filter((id) => id !== '') ?? [EVERYBODY]
    for (const id of ids) newest.set(id, place)
  }
  return newest
}

const EVERYBODY = ''

/** Makes the query by which a feed forgets what an account that is gone could know. */
export const forgetReader =
  (feed: FeedTable) =>
  ({ id }: { id: string }) =>
    sql`delete from forgotten_change where feed = ${feed} and reader = ${id}`

function isSamePosition(row: Position | undefined, { seq, mark }: Position): boolean {
  return row?.seq === seq && row.mark === mark
}

/** The places of the empty feed are 0. */
type FeedState = {
  /** 128 bits in hex. */
  readonly key: string
  readonly oldestSeq: number
  readonly oldestMark: number
  readonly newestSeq: number
  readonly newestMark: number
  /** Entries without a place, and the ids of the first and the last of them; 0 without any. */
  readonly pending: number
  readonly oldestPending: number
  readonly lastPending: number
}

function feedQueries<Row, Entry>({ table, readers, isFor, columns }: FeedSource<Row, Entry>) {
  const feed = sql.table(table)
  return prepareQueries({
    // With a value, so that engines keep it prepared.
    state: ({ name }: { name: string }) => sql<FeedState>`
      select shared_number.mark as key, waiting.*,
        coalesce(oldest.seq, 0) as "oldestSeq", coalesce(oldest.mark, 0) as "oldestMark",
        coalesce(newest.seq, 0) as "newestSeq", coalesce(newest.mark, 0) as "newestMark"
      from shared_number
      cross join (
        select count(*) as pending, coalesce(min(id), 0) as "oldestPending",
          coalesce(max(id), 0) as "lastPending"
        from ${feed} where seq is null
      ) as waiting
      left join ${feed} as oldest on oldest.seq = (select min(seq) from ${feed})
      left join ${feed} as newest on newest.seq = (select max(seq) from ${feed})
      where name = ${name}`,

    number: ({ atOnce }: { atOnce: number }) => sql`
      update ${feed}
      set seq = place + coalesce((select max(seq) from ${feed}), 0)
      from (
        select id as pending_id, row_number() over (order by id) as place
        from ${feed} where seq is null order by id limit ${atOnce}
      ) as pending
      where id = pending_id`,

    range: ({ from, to, rows }: { from: number; to: number; rows: number }) => sql<Position & Row>`
      select seq, mark, ${columns}
      from ${feed} where seq between ${from} and ${to} order by seq limit ${rows}`,

    rangeFor: (range: { accountId: string; after: number; to: number; limit: number }) =>
      sql<Position & Row>`
      select seq, mark, ${columns}
      from ${feed} where seq > ${range.after} and seq <= ${range.to} and ${isFor(range.accountId)}
      order by seq limit ${range.limit}`,

    lastFor: ({ accountId, before }: { accountId: string; before: number }) => sql<Position>`
      select seq, mark from ${feed} where seq is not null and at < ${before} and ${isFor(accountId)}
      order by seq desc limit 1`,

    at: ({ seq }: { seq: number }) =>
      sql<Position>`select seq, mark from ${feed} where seq = ${seq}`,

    forgottenFor: ({ accountId }: { accountId: string }) => sql<Position>`
      select seq, mark from forgotten_change
      where feed = ${table} and reader in (${EVERYBODY}, ${accountId}) order by seq desc limit 1`,

    noteForgotten: (place: Position & { reader: string }) => sql`
      insert into forgotten_change (feed, reader, seq, mark)
      values (${table}, ${place.reader}, ${place.seq}, ${place.mark})
      on conflict (feed, reader) do update set seq = excluded.seq, mark = excluded.mark`,

    oldest: ({ rows }: { rows: number }) =>
      sql<Position & { at: number; readers: string | null }>`
      select seq, mark, at, ${readers} as readers
      from ${feed} where seq is not null order by seq limit ${rows}`,

    prune: ({ from }: { from: number }) => sql`delete from ${feed} where seq < ${from}`,
  })
}

const BLOCK_BYTES = 16
const SEQ_BYTES = 6
const MARK_BYTES = 4

/**
 * A cursor is a place, encrypted as one block of AES: it reveals no count, and the zero bytes that fill the
 * block show whether it was made here.
 */
export function cursorsOf(keyInHex: string) {
  const key = Buffer.from(keyInHex, 'hex')

  return {
    seal({ seq, mark }: Position): string {
      const block = Buffer.alloc(BLOCK_BYTES)
      block.writeUIntBE(seq, 0, SEQ_BYTES)
      block.writeUInt32BE(mark, SEQ_BYTES)
      const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
      return cipher.update(block).toString('base64url')
    },

    open(cursor: string): Position | null {
      const sealed = Buffer.from(cursor, 'base64url')
      // Other characters, and bits that say nothing, are another spelling of the same bytes.
      const isCanonical = sealed.toString('base64url') === cursor
      if (sealed.length !== BLOCK_BYTES || !isCanonical) return null
      const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)
      const block = decipher.update(sealed)
      if (block.subarray(SEQ_BYTES + MARK_BYTES).some((byte) => byte !== 0)) return null
      return { seq: block.readUIntBE(0, SEQ_BYTES), mark: block.readUInt32BE(SEQ_BYTES) }
    },
  }
}
