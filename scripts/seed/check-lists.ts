import { sql } from 'kysely'
import { LAST_ID, publicMoves } from '../../src/adapters/storage/stores/public-list.ts'
import type { BulkStore } from './open-bulk-store.ts'

const LAST = sql.lit(Number.MAX_SAFE_INTEGER)

/**
 * Counts the public list by hand, block by block, as of the changes that are pending.
 *
 * @returns how many packs it has.
 * @throws when a block does not hold as many as it says.
 */
export const checkLists = async ({ engine }: Pick<BulkStore, 'engine'>): Promise<number> => {
  const { rows } = await sql<{ at: number; said: number; held: number }>`
    with block as (
      select first_updated_at as at, first_id as id, size,
        lead(first_updated_at, 1, ${LAST}) over (order by first_updated_at, first_id) as end_at,
        lead(first_id, 1, ${LAST}) over (order by first_updated_at, first_id) as end_id
      from public_block
    ), moved as (${publicMoves(LAST_ID)})
    select at, size + (
      select coalesce(sum(step), 0) from moved
      where ("updatedAt", moved.id) >= (block.at, block.id)
        and ("updatedAt", moved.id) < (block.end_at, block.end_id)
    ) as said, (
      select count(*) from pack
      where visibility = 'public' and hidden_at is null
        and (updated_at, id) >= (block.at, block.id)
        and (updated_at, id) < (block.end_at, block.end_id)
    ) as held
    from block`.execute(engine.db)
  const wrong = rows.find(({ said, held }) => said !== held)
  if (wrong !== undefined) {
    throw new Error(
      `The block of the public list from ${wrong.at} on holds ${wrong.held} packs and says ${wrong.said}`,
    )
  }
  return rows.reduce((sum, { held }) => sum + held, 0)
}
