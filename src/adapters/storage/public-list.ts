import type { IndexVersion } from '../../ports/search-index.ts'
import type { Db } from './engine.ts'
import { ABOVE_ALL, isSameKey, type ListKey } from './list-key.ts'
import { publicBlockQueries } from './public-block-queries.ts'

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
