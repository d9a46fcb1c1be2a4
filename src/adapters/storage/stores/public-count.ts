import { sql } from 'kysely'
import type { IndexVersion } from '../../../ports/search.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import {
  type Block,
  countedVersion,
  createPublicList,
  currentVersion,
  type ListKey,
  type ListState,
  nextMark,
  publicMoves,
} from './public-list.ts'

/**
 * A process of the version before splits a block at twice this size, and would miscount one with pending
 * changes: it must not come to that.
 */
const LARGEST_BLOCK = 512
/** Changes that are counted in one transaction, which is over in time however many are pending. */
const COUNTED_AT_ONCE = 10_000
/** Changes that are kept once they are counted, for those who read what has changed. */
const KEPT_CHANGES = 10_000
/** And those that the search has not taken over yet; of more, it begins again. */
const KEPT_FOR_SEARCH = 100_000

type CounterOptions = {
  /** The size beyond which a block is split; two neighbours that fit in half of it are joined. */
  readonly largest?: number
  readonly atOnce?: number
}

/** Counts the changes of the public list. */
export function createChangeCounter(
  { db, write, tryWrite }: Pick<Engine, 'db' | 'write' | 'tryWrite'>,
  { largest = LARGEST_BLOCK, atOnce = COUNTED_AT_ONCE }: CounterOptions = {},
) {
  const { readState } = createPublicList()
  const queries = countQueries()
  /** The oldest change that was pending when counting was refused last. */
  let refused: number | null = null

  const isDue = ({ pending, newestSize }: ListState) => pending > 0 || newestSize > largest

  /** Counts the pending changes that came first; returns the version with all, or null when some are left. */
  async function count(tx: Db): Promise<IndexVersion | null> {
    const before = await readState(tx)
    const [portion] = await queries.portion(tx, { atOnce })
    const { changes = 0, marks = 0, upTo = 0 } = portion ?? {}
    if (changes > 0) {
      const after = { value: before.value + changes, mark: nextMark(before.mark, marks) }
      await queries.addMoves(tx, { upTo })
      await queries.number(tx, { value: before.value, mark: before.mark ?? '', upTo })
      await queries.advance(tx, after)
      await queries.prune(tx, {
        upTo: after.value - KEPT_CHANGES,
        all: after.value - KEPT_FOR_SEARCH,
      })
    }
    // Where a block is split is found by the packs that there are, with all changes.
    if (changes < before.pending) return null
    for (const block of await queries.largerThan(tx, { largest })) await split(tx, block)
    await joinNeighbours(tx)
    return currentVersion(before)
  }

  /** Most packs come at the newer end: the older parts stay fuller. */
  async function split(tx: Db, { size, ...start }: Block): Promise<void> {
    const part = Math.ceil(largest * 0.75)
    const starts = await queries.starts(tx, { ...start, size, part })
    if (starts.length !== Math.ceil(size / part) - 1) {
      throw new Error('A block of the public list is smaller than its size')
    }
    await queries.setSize(tx, { ...start, size: part })
    for (const [at, next] of starts.entries()) {
      await queries.insert(tx, { ...next, size: Math.min(part, size - (at + 1) * part) })
    }
  }

  async function joinNeighbours(tx: Db): Promise<void> {
    for (;;) {
      const [pair] = await queries.pairWithin(tx, { size: Math.floor(largest / 2) })
      if (pair === undefined) return
      await queries.remove(tx, { updatedAt: pair.nextUpdatedAt, id: pair.nextId })
      await queries.setSize(tx, { ...pair, size: pair.size + pair.nextSize })
    }
  }

  return {
    /** In a transaction during which packs are not written by any other. */
    count,

    /** Counts what is pending, after the writes before it. */
    async countInTurn(): Promise<void> {
      if (isDue(await readState(db))) await write('packs', count)
    },

    /** The version of the list, counted unless another process is at work: then with what is pending. */
    async version(): Promise<IndexVersion> {
      const state = await readState(db)
      if (!isDue(state)) return countedVersion(state)
      // Refused again and again, it takes its turn among the writes.
      const isStuck = refused !== null && refused === state.oldest
      const counted = await (isStuck ? write('packs', count) : tryWrite(count))
      refused = counted === null ? state.oldest : null
      return counted ?? currentVersion(state)
    },
  }
}

/** Pending changes, the sum of their marks, and the id of the last. */
type Portion = { readonly changes: number; readonly marks: number; readonly upTo: number }

function countQueries() {
  const isStart = ({ updatedAt, id }: ListKey) =>
    sql`(first_updated_at, first_id) = (${updatedAt}, ${id})`
  const startOf = (column: 'first_updated_at' | 'first_id') => sql`(
    select ${sql.ref(column)} from public_block
    where (first_updated_at, first_id) <= (moved."updatedAt", moved.id)
    order by first_updated_at desc, first_id desc limit 1)`

  return prepareQueries({
    portion: ({ atOnce }: { atOnce: number }) => sql<Portion>`
      select count(*) as changes, coalesce(sum(mark), 0) as marks, coalesce(max(id), 0) as "upTo"
      from (
        select id, mark from public_change where seq is null order by id limit ${atOnce}
      ) as oldest`,

    /** A key belongs to the block with the greatest start at or before it. */
    addMoves: ({ upTo }: { upTo: number }) => sql`
      with moved as (${publicMoves(upTo)}), placed as (
        select step, ${startOf('first_updated_at')} as start_at, ${startOf('first_id')} as start_id
        from moved
      ), added as (
        select start_at, start_id, sum(step) as packs from placed
        group by start_at, start_id having sum(step) <> 0
      )
      update public_block set size = size + added.packs from added
      where first_updated_at = start_at and first_id = start_id`,

    largerThan: ({ largest }: { largest: number }) => sql<Block>`
      select first_updated_at as "updatedAt", first_id as id, size from public_block
      where size > ${largest}`,

    /** The keys of a block that each so many packs end with, the last ones left out; oldest first. */
    starts: ({ updatedAt, id, size, part }: Block & { part: number }) => sql<ListKey>`
      select "updatedAt", id from (
        select "updatedAt", id, row_number() over (order by "updatedAt", id) as place from (
          select updated_at as "updatedAt", id from pack
          where visibility = 'public' and hidden_at is null
            and (updated_at, id) >= (${updatedAt}, ${id})
          order by updated_at, id limit ${size}
        ) as member
      ) as numbered
      where place > 1 and place % ${part} = 1 order by place`,

    /** Two blocks that follow each other and together are not larger. */
    pairWithin: ({ size }: { size: number }) => sql<
      Block & { nextUpdatedAt: number; nextId: number; nextSize: number }
    >`
      select * from (
        select first_updated_at as "updatedAt", first_id as id, size,
          lead(first_updated_at) over oldest as "nextUpdatedAt",
          lead(first_id) over oldest as "nextId",
          lead(size) over oldest as "nextSize"
        from public_block window oldest as (order by first_updated_at, first_id)
      ) as pair
      where size + "nextSize" <= ${size} limit 1`,

    insert: ({ updatedAt, id, size }: Block) => sql`
      insert into public_block (first_updated_at, first_id, size)
      values (${updatedAt}, ${id}, ${size})`,

    setSize: (block: Block) =>
      sql`update public_block set size = ${block.size} where ${isStart(block)}`,

    remove: (key: ListKey) => sql`delete from public_block where ${isStart(key)}`,

    // Joined with their places, many changes would each be compared with each where a plan expects few.
    number: (before: { value: number; mark: string; upTo: number }) => sql`
      insert into public_change (
        id, slug, pack_id, from_updated_at, to_updated_at, mark, seq, mark_before
      )
      select id, slug, pack_id, from_updated_at, to_updated_at, mark, ${before.value} + place,
        case when place = 1 then cast(${before.mark} as text) end
      from (
        select *, row_number() over (order by id) as place
        from public_change where seq is null and id <= ${before.upTo}
      ) as numbered
      where place > 0
      on conflict (id) do update set seq = excluded.seq, mark_before = excluded.mark_before`,

    advance: ({ value, mark }: { value: number; mark: string }) => sql`
      update shared_number set value = ${value}, mark = ${mark} where name = 'index_version'`,

    /** All up to one, and up to another what the search has taken over. */
    prune: ({ upTo, all }: { upTo: number; all: number }) => sql`
      delete from public_change where seq <= (
        select case when value > ${upTo} then ${upTo} when value < ${all} then ${all} else value end
        from shared_number where name = 'search_seq')`,
  })
}
