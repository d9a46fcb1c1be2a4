import { hash, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { SavedPack } from '../../../domain/packs.ts'
import type { IndexVersion } from '../../../ports/search.ts'
import type { Db } from '../engine.ts'
import { prepareQueries } from '../query.ts'

/** A pack's place in a list: most recently updated first, newest created first among equals (D-16). */
export type ListKey = { readonly updatedAt: number; readonly id: number }

/** After every id there can be. */
export const LAST_ID = Number.MAX_SAFE_INTEGER

/** After every key there can be. */
const MAX_KEY: ListKey = { updatedAt: Number.MAX_SAFE_INTEGER, id: LAST_ID }

export type PublicKeyRow = Pick<SavedPack, 'visibility' | 'hiddenAt' | 'updatedAt'> & { id: number }

/** The pack's place in the public list, or null when it is not in it. */
export function publicKey({ id, visibility, hiddenAt, updatedAt }: PublicKeyRow): ListKey | null {
  return visibility === 'public' && hiddenAt === null ? { updatedAt, id } : null
}

/** Where a page of the public list begins. */
type PublicPlace = {
  /** Packs on all pages. */
  readonly total: number
  /** The page is among the keys below this one, … */
  readonly under: ListKey
  /** … after this many of them, fewer than a block has; null when the page is past the end. */
  readonly skip: number | null
}

/** Packs of the list that follow each other: the first key in order of time, and their number. */
export type Block = ListKey & { readonly size: number }

/** A pack that a change has taken from a place of the list (-1) or brought there (1). */
type Move = ListKey & { readonly step: number }

/** The list as it was last counted, and the pending changes: those that have come since. */
export type ListState = {
  readonly value: number
  /** Random, new with each change of `value`: when commits are lost, it does not come again. */
  readonly mark: string | null
  readonly pending: number
  /** The sum of the random marks of the pending changes. */
  readonly marks: number
  /** The id of the pending change that came first; null without any. */
  readonly oldest: number | null
  /** The size of the block that new packs come to, without the pending changes. */
  readonly newestSize: number
}

/** The version up to the pending changes. */
export function countedVersion({ value, mark }: Pick<ListState, 'value' | 'mark'>): IndexVersion {
  return `${value}.${mark ?? ''}`
}

/** The version with the pending changes; the same when they are then counted at once. */
export function currentVersion({ value, mark, pending, marks }: ListState): IndexVersion {
  if (pending === 0) return countedVersion({ value, mark })
  return countedVersion({ value: value + pending, mark: nextMark(mark, marks) })
}

const MARK_LENGTH = 12

/** The mark after changes whose own marks have this sum. */
export function nextMark(mark: string | null, marks: number): string {
  return hash('sha256', `${mark ?? ''} ${marks}`, 'base64url').slice(0, MARK_LENGTH)
}

/** What a change adds to the mark of the list. */
export function newMark(): number {
  return randomInt(2 ** 31)
}

/** Where the pending changes up to this one have taken packs from, and brought them. */
export const publicMoves = (upTo: number) => sql<Move>`
  select from_updated_at as "updatedAt", pack_id as id, -1 as step from public_change
  where seq is null and public_change.id <= ${upTo} and from_updated_at is not null
  union all
  select to_updated_at, pack_id, 1 from public_change
  where seq is null and public_change.id <= ${upTo} and to_updated_at is not null`

export type PublicList = ReturnType<typeof createPublicList>

/**
 * The public list counted in blocks, so that its total and its last page cost what the first does. A
 * change is only appended to a table, so that no two wait for each other. It is added to the blocks later
 * (`public-count.ts`); until then, reads add it themselves.
 */
export function createPublicList() {
  const queries = publicListQueries()
  let cached: { readonly version: IndexVersion; readonly blocks: readonly Block[] } | null = null

  /** Of a large list there are thousands: more than one page. */
  async function readBlocks(tx: Db, version: IndexVersion): Promise<readonly Block[]> {
    if (cached?.version !== version) {
      cached = { version, blocks: await queries.newestFirst(tx, {}) }
    }
    return cached.blocks
  }

  /** As they are with the pending changes. */
  async function readSizes(tx: Db, blocks: readonly Block[], pending: number): Promise<number[]> {
    const sizes = blocks.map(({ size }) => size)
    for (const { step, ...key } of pending > 0 ? await queries.moves(tx, { upTo: LAST_ID }) : []) {
      const at = blocks.findIndex((block) => !isBefore(key, block))
      sizes[at] = (sizes[at] ?? 0) + step
    }
    return sizes
  }

  return {
    readState: queries.readState,

    /**
     * Counts a pack that has come (`from` null), gone (`to` null), moved or changed, in the transaction
     * that changed its row.
     */
    async move(tx: Db, slug: string, from: ListKey | null, to: ListKey | null): Promise<void> {
      const key = from ?? to
      if (key === null) return
      const places = { from: from && from.updatedAt, to: to && to.updatedAt }
      await queries.append(tx, { slug, id: key.id, ...places, mark: newMark() })
    },

    /** Counts that all public packs of an owner have changed. */
    async touchOwned(tx: Db, ownerId: string): Promise<void> {
      await queries.touchOwned(tx, { ownerId, mark: newMark() })
    },

    /** The place after `offset` packs; `state` is that of the same transaction. */
    async locate(tx: Db, offset: number, state: ListState): Promise<PublicPlace> {
      const blocks = await readBlocks(tx, countedVersion(state))
      const sizes = await readSizes(tx, blocks, state.pending)
      const total = sizes.reduce((sum, size) => sum + size, 0)
      let under = MAX_KEY
      let skip = offset
      for (const [at, block] of blocks.entries()) {
        const size = sizes[at] ?? 0
        if (skip < size) return { total, under, skip }
        skip -= size
        under = block
      }
      return { total, under, skip: null }
    },
  }
}

function isBefore(key: ListKey, other: ListKey): boolean {
  return key.updatedAt < other.updatedAt || (key.updatedAt === other.updatedAt && key.id < other.id)
}

function publicListQueries() {
  const newestFirst = sql`from public_block order by first_updated_at desc, first_id desc`

  const queries = prepareQueries({
    newestFirst: () => sql<Block>`
      select first_updated_at as "updatedAt", first_id as id, size ${newestFirst}`,

    moves: ({ upTo }: { upTo: number }) => publicMoves(upTo),

    // With a value, so that engines keep it prepared.
    state: ({ name }: { name: string }) => sql<ListState>`
      select value, mark, waiting.*, (select size ${newestFirst} limit 1) as "newestSize"
      from shared_number, (
        select count(*) as pending, coalesce(sum(mark), 0) as marks, min(id) as oldest
        from public_change where seq is null
      ) as waiting
      where name = ${name}`,

    append: (
      change: { slug: string; id: number; mark: number } & Record<'from' | 'to', number | null>,
    ) => sql`
      insert into public_change (slug, pack_id, from_updated_at, to_updated_at, mark)
      values (${change.slug}, ${change.id}, ${change.from}, ${change.to}, ${change.mark})`,

    touchOwned: ({ ownerId, mark }: { ownerId: string; mark: number }) => sql`
      insert into public_change (slug, pack_id, from_updated_at, to_updated_at, mark)
      select slug, id, updated_at, updated_at, ${mark} from pack
      where owner_id = ${ownerId} and visibility = 'public' and hidden_at is null`,
  })

  return {
    ...queries,
    readState: async (on: Db): Promise<ListState> => {
      const [state] = await queries.state(on, { name: 'index_version' })
      if (state === undefined) throw new Error('The store has lost its index_version')
      return state
    },
  }
}
