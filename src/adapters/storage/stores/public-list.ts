import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { SavedPack } from '../../../domain/packs.ts'
import type { IndexVersion } from '../../../ports/search-index.ts'
import type { Db } from '../engine.ts'
import { prepareQueries } from '../query.ts'

/** A pack's place in a list: most recently updated first, newest created first among equals (D-16). */
export type ListKey = { readonly updatedAt: number; readonly id: number }

/** After every key there can be. */
export const ABOVE_ALL: ListKey = {
  updatedAt: Number.MAX_SAFE_INTEGER,
  id: Number.MAX_SAFE_INTEGER,
}

export type PublicKeyRow = Pick<SavedPack, 'visibility' | 'hiddenAt' | 'updatedAt'> & { id: number }

/** The pack's place in the public list, or null when it is not in it. */
export function publicKey({ id, visibility, hiddenAt, updatedAt }: PublicKeyRow): ListKey | null {
  return visibility === 'public' && hiddenAt === null ? { updatedAt, id } : null
}

/** Where a page of the public list begins. */
export type PublicPlace = {
  /** Packs on all pages. */
  readonly total: number
  /** The page is among the keys below this one, … */
  readonly under: ListKey
  /** … after this many of them. Bounded by a block's size; null when the page is past the end. */
  readonly skip: number | null
}

/** Packs of the list that follow each other: the first key in order of time, and their number. */
type Block = ListKey & { readonly size: number }

const LARGEST_BLOCK = 1024

export type PublicList = ReturnType<typeof createPublicList>

/**
 * The public list counted in blocks, so that its total and its last page cost what the first does.
 *
 * @param largest size at which a block is split; two neighbours that fit in half of it are joined.
 */
export function createPublicList(largest: number = LARGEST_BLOCK) {
  const queries = publicBlockQueries()
  const versions = indexVersions()
  let cached: { readonly version: IndexVersion; readonly blocks: readonly Block[] } | null = null

  async function blockOf(tx: Db, key: ListKey): Promise<Block> {
    const [block] = await queries.at(tx, key)
    if (block === undefined) throw new Error('The public list has lost its first block')
    return block
  }

  async function enter(tx: Db, block: Block): Promise<void> {
    if (block.size < largest) {
      await queries.setSize(tx, { ...block, size: block.size + 1 })
      return
    }
    const older = Math.floor((block.size + 1) / 2)
    const [middle] = await queries.keyAfter(tx, { ...block, skip: older })
    if (middle === undefined) throw new Error('A block of the public list is smaller than its size')
    await queries.setSize(tx, { ...block, size: older })
    await queries.insert(tx, { ...middle, size: block.size + 1 - older })
  }

  /** Returns the joined block; null, and nothing is done, when both are not sparse enough. */
  async function join(tx: Db, older: Block, newer: Block): Promise<Block | null> {
    const joined = { ...older, size: older.size + newer.size }
    if (joined.size > largest / 2) return null
    await queries.remove(tx, newer)
    await queries.setSize(tx, joined)
    return joined
  }

  async function leave(tx: Db, left: Block): Promise<void> {
    let block: Block = { ...left, size: left.size - 1 }
    await queries.setSize(tx, block)
    if (block.size > largest / 4) return
    const [older] = await queries.before(tx, block)
    if (older !== undefined) block = (await join(tx, older, block)) ?? block
    const [newer] = await queries.after(tx, block)
    if (newer !== undefined) await join(tx, block, newer)
  }

  async function recount(tx: Db, from: ListKey | null, to: ListKey | null): Promise<void> {
    const source = from && (await blockOf(tx, from))
    const target = to && (await blockOf(tx, to))
    if (source && target && source.updatedAt === target.updatedAt && source.id === target.id) return
    if (source) await leave(tx, source)
    // Joining may have replaced the block that was to be entered.
    if (to && target) await enter(tx, source ? await blockOf(tx, to) : target)
  }

  /** Of a large list there are thousands: more than one page. */
  async function readBlocks(tx: Db, version?: IndexVersion): Promise<readonly Block[]> {
    if (cached !== null && cached.version === version) return cached.blocks
    const blocks = await queries.newestFirst(tx, {})
    if (version !== undefined) cached = { version, blocks }
    return blocks
  }

  return {
    /**
     * Counts a pack that has come (`from` null), gone (`to` null), moved or changed, in the transaction
     * that changed its row, after that change.
     */
    async move(tx: Db, from: ListKey | null, to: ListKey | null): Promise<void> {
      if (from === null && to === null) return
      await recount(tx, from, to)
      await versions.bump(tx)
    },

    /** The place after `offset` packs; blocks read at the same `version` of the list are cached. */
    async locate(tx: Db, offset: number, version?: IndexVersion): Promise<PublicPlace> {
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

export function publicBlockQueries() {
  const select = sql`select first_updated_at as "updatedAt", first_id as id, size from public_block`
  const start = sql`(first_updated_at, first_id)`
  const newestFirst = sql`order by first_updated_at desc, first_id desc`
  const isStart = ({ updatedAt, id }: ListKey) => sql`${start} = (${updatedAt}, ${id})`

  return prepareQueries({
    newestFirst: () => sql<Block>`${select} ${newestFirst}`,

    /** The block that a key belongs to. */
    at: ({ updatedAt, id }: ListKey) =>
      sql<Block>`${select} where ${start} <= (${updatedAt}, ${id}) ${newestFirst} limit 1`,

    /** The next older block. */
    before: ({ updatedAt, id }: ListKey) =>
      sql<Block>`${select} where ${start} < (${updatedAt}, ${id}) ${newestFirst} limit 1`,

    /** The next newer block. */
    after: ({ updatedAt, id }: ListKey) => sql<Block>`
      ${select} where ${start} > (${updatedAt}, ${id})
      order by first_updated_at, first_id limit 1`,

    insert: ({ updatedAt, id, size }: Block) => sql`
      insert into public_block (first_updated_at, first_id, size)
      values (${updatedAt}, ${id}, ${size})`,

    setSize: (block: Block) =>
      sql`update public_block set size = ${block.size} where ${isStart(block)}`,

    remove: (key: ListKey) => sql`delete from public_block where ${isStart(key)}`,

    /** The key `skip` places after a block's start, oldest first. */
    keyAfter: ({ updatedAt, id, skip }: ListKey & { skip: number }) => sql<ListKey>`
      select updated_at as "updatedAt", id from pack
      where visibility = 'public' and hidden_at is null and (updated_at, id) >= (${updatedAt}, ${id})
      order by updated_at, id limit 1 offset ${skip}`,
  })
}

/** The version of what the search index and the public list show. */
export function indexVersions() {
  const queries = prepareQueries({
    read: () => sql<{ value: number; mark: string | null }>`
      select value, mark from shared_number where name = 'index_version'`,

    bump: ({ changes, mark }: { changes: number; mark: string }) => sql`
      update shared_number set value = value + ${changes}, mark = ${mark}
      where name = 'index_version'`,
  })

  return {
    async read(on: Db): Promise<IndexVersion> {
      const [row] = await queries.read(on, {})
      if (row === undefined) throw new Error('The store has lost its index_version')
      return `${row.value}.${row.mark ?? ''}`
    },

    /**
     * Records, in the transaction that made them, changes of what is shown. The mark is random: when
     * commits are lost and the number is reached again, the version is still another.
     */
    async bump(tx: Db, changes = 1): Promise<void> {
      await queries.bump(tx, { changes, mark: randomBytes(9).toString('base64url') })
    },
  }
}
