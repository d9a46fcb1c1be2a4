import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { IndexVersion } from '../../../ports/search-index.ts'
import type { Db } from '../engine.ts'
import { prepareQuery } from '../query.ts'
import type { PackTable, Tables } from '../tables.ts'
import { sharedNumbers } from './shared-numbers.ts'

/** Where a page of the public list begins. */
export type PublicPlace = {
  /** Packs on all pages. */
  readonly total: number
  /** The page is among the keys under this one, … */
  readonly under: ListKey
  /** … behind this many of them. Bounded by a block's size; null when the page is past the end. */
  readonly skip: number | null
}

/** The public list counted in blocks, so that its total and its last page cost what the first does. */
export type PublicList = {
  /**
   * Counts a pack that has come (`from` null), gone (`to` null) or moved. Runs in the transaction
   * that changed the pack's row, behind that change.
   */
  move(tx: Db, from: ListKey | null, to: ListKey | null): Promise<void>

  /**
   * Finds the place behind `offset` packs.
   *
   * @param version of the list, read in the same transaction: blocks that were read at this version
   *   are not read again. Left out: they are.
   */
  locate(tx: Db, offset: number, version?: IndexVersion): Promise<PublicPlace>
}

type BlockRow = ListKey & { readonly size: number }

type Block = { readonly start: ListKey; readonly size: number }

const LARGEST_BLOCK = 1024

/** @param largest size at which a block is split; two neighbours that fit in half of it are joined. */
export const createPublicList = (db: Db, largest: number = LARGEST_BLOCK): PublicList => {
  const queries = publicBlockQueries(db)

  const setSize = (tx: Db, start: ListKey, size: number) => queries.setSize(tx, { ...start, size })

  const blockOf = async (tx: Db, key: ListKey): Promise<Block> => {
    const [block] = await queries.at(tx, key)
    if (block === undefined) throw new Error('The public list has lost its first block')
    return asBlock(block)
  }

  const enter = async (tx: Db, { start, size }: Block): Promise<void> => {
    if (size < largest) return void (await setSize(tx, start, size + 1))
    const older = Math.floor((size + 1) / 2)
    const [middle] = await queries.keyBehind(tx, { ...start, skip: older })
    if (middle === undefined) throw new Error('A block of the public list is smaller than its size')
    await setSize(tx, start, older)
    await queries.insert(tx, { ...middle, size: size + 1 - older })
  }

  /** Joins `newer` to `older` when both are sparse enough; says what is there now. */
  const join = async (tx: Db, older: Block, newer: Block): Promise<Block | null> => {
    const size = older.size + newer.size
    if (size > largest / 2) return null
    await queries.remove(tx, newer.start)
    await setSize(tx, older.start, size)
    return { start: older.start, size }
  }

  const leave = async (tx: Db, { start, size }: Block): Promise<void> => {
    let block: Block = { start, size: size - 1 }
    await setSize(tx, block.start, block.size)
    if (block.size > largest / 4) return
    const [older] = await queries.before(tx, block.start)
    if (older !== undefined) block = (await join(tx, asBlock(older), block)) ?? block
    const [newer] = await queries.after(tx, block.start)
    if (newer !== undefined) await join(tx, block, asBlock(newer))
  }

  let known: { readonly version: IndexVersion; readonly blocks: readonly BlockRow[] } | null = null
  /** Of a large list there are thousands: more than the page that is asked for. */
  const readBlocks = async (
    tx: Db,
    version: IndexVersion | undefined,
  ): Promise<readonly BlockRow[]> => {
    if (known !== null && known.version === version) return known.blocks
    const blocks = await queries.newestFirst(tx, {})
    if (version !== undefined) known = { version, blocks }
    return blocks
  }

  return {
    async move(tx, from, to) {
      const source = from && (await blockOf(tx, from))
      const target = to && (await blockOf(tx, to))
      if (source && target && isSameKey(source.start, target.start)) return
      if (source) await leave(tx, source)
      // Joining may have replaced the block that was to be entered.
      if (to) await enter(tx, source ? await blockOf(tx, to) : (target as Block))
    },

    async locate(tx, offset, version) {
      const blocks = await readBlocks(tx, version)
      const total = blocks.reduce((sum, block) => sum + block.size, 0)
      let under = ABOVE_ALL
      let skip = offset
      for (const block of blocks) {
        if (skip < block.size) return { total, under, skip }
        skip -= block.size
        under = block
      }
      return { total, under, skip: null }
    },
  }
}

const asBlock = ({ updatedAt, id, size }: BlockRow): Block => ({
  start: { updatedAt, id },
  size,
})

type Blocks = ExpressionBuilder<Tables, 'public_block'>

/** The queries behind the public list's blocks, compiled once. */
export const publicBlockQueries = (db: Db) => {
  const blocks = db
    .selectFrom('public_block')
    .select(['first_updated_at as updatedAt', 'first_id as id', 'size'])
  const start = (eb: Blocks) => eb.refTuple('first_updated_at', 'first_id')
  const newestFirst = blocks.orderBy('first_updated_at', 'desc').orderBy('first_id', 'desc')
  const oldestFirst = blocks.orderBy('first_updated_at').orderBy('first_id')

  return {
    newestFirst: prepareQuery(() => newestFirst),

    /** The block that a key belongs to. */
    at: prepareQuery((key: ListKey) =>
      newestFirst.where((eb) => eb(start(eb), '<=', eb.tuple(key.updatedAt, key.id))).limit(1),
    ),

    /** The next older block. */
    before: prepareQuery((key: ListKey) =>
      newestFirst.where((eb) => eb(start(eb), '<', eb.tuple(key.updatedAt, key.id))).limit(1),
    ),

    /** The next newer block. */
    after: prepareQuery((key: ListKey) =>
      oldestFirst.where((eb) => eb(start(eb), '>', eb.tuple(key.updatedAt, key.id))).limit(1),
    ),

    insert: prepareQuery((block: ListKey & { size: number }) =>
      db.insertInto('public_block').values({
        first_updated_at: block.updatedAt,
        first_id: block.id,
        size: block.size,
      }),
    ),

    setSize: prepareQuery((block: ListKey & { size: number }) =>
      db
        .updateTable('public_block')
        .set('size', block.size)
        .where('first_updated_at', '=', block.updatedAt)
        .where('first_id', '=', block.id),
    ),

    remove: prepareQuery((key: ListKey) =>
      db
        .deleteFrom('public_block')
        .where('first_updated_at', '=', key.updatedAt)
        .where('first_id', '=', key.id),
    ),

    /** The key that stands `skip` places behind a block's start, oldest first. */
    keyBehind: prepareQuery((from: ListKey & { skip: number }) =>
      db
        .selectFrom('pack')
        .select(['updated_at as updatedAt', 'id'])
        .where('visibility', '=', sql.lit('public'))
        .where('hidden_at', 'is', null)
        .where((eb) => eb(eb.refTuple('updated_at', 'id'), '>=', eb.tuple(from.updatedAt, from.id)))
        .orderBy('updated_at')
        .orderBy('id')
        .limit(1)
        .offset(from.skip),
    ),
  }
}

/** A pack's place in a list: most recently updated first, newest created first among equals (D-16). */
export type ListKey = { readonly updatedAt: number; readonly id: number }

/** Behind every key there can be. */
export const ABOVE_ALL: ListKey = {
  updatedAt: Number.MAX_SAFE_INTEGER,
  id: Number.MAX_SAFE_INTEGER,
}

const isSameKey = (a: ListKey, b: ListKey): boolean => a.updatedAt === b.updatedAt && a.id === b.id

/** The pack's place in the public list, or null when it is not in it. */
export const publicKey = (
  row: Pick<Selectable<PackTable>, 'id' | 'visibility' | 'hidden_at' | 'updated_at'>,
): ListKey | null =>
  row.visibility === 'public' && row.hidden_at === null
    ? { updatedAt: row.updated_at, id: row.id }
    : null

/** Keeps the lists true that packs are in. */
export type ListKeeper = {
  /**
   * A pack has come (`from` null), gone (`to` null), moved or changed. Runs in the transaction that
   * changed the pack's row, behind that change.
   */
  move(tx: Db, from: ListKey | null, to: ListKey | null): Promise<void>
}

export const createListKeeper = (
  db: Db,
  publicList: PublicList = createPublicList(db),
): ListKeeper => {
  const numbers = sharedNumbers(db)
  return {
    async move(tx, from, to) {
      await publicList.move(tx, from, to)
      if (from !== null || to !== null) await numbers.bumpIndex(tx)
    },
  }
}
