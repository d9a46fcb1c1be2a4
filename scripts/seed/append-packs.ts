import type { Db } from '../../src/adapters/storage/engine.ts'
import { toStateColumns } from '../../src/adapters/storage/stores/pack-queries.ts'
import {
  ABOVE_ALL,
  indexVersions,
  publicBlockQueries,
} from '../../src/adapters/storage/stores/public-list.ts'
import type { NewPack } from '../../src/domain/packs.ts'
import type { BulkStore } from './open-bulk-store.ts'

/** As in the list itself: a fuller block is split. */
const LARGEST_BLOCK = 1024
/** The part that keeps its start when a full block takes one more. */
const OLDER_PART = Math.floor((LARGEST_BLOCK + 1) / 2)

const rowOf = (pack: NewPack) => ({
  ...toStateColumns(pack),
  slug: pack.slug,
  owner_id: pack.ownerId,
  created_at: pack.createdAt,
  stats_due_at: pack.stats === null ? pack.updatedAt : null,
})

/** Counts so many packs that have come at the newer end of the public list. */
const countIn = async (tx: Db, count: number): Promise<void> => {
  const blocks = publicBlockQueries()
  const [newest] = await blocks.at(tx, ABOVE_ALL)
  if (newest === undefined) throw new Error('The public list has lost its first block')
  let { size, ...start } = { ...newest, size: newest.size + count }
  while (size > LARGEST_BLOCK) {
    const [middle] = await blocks.keyAfter(tx, { ...start, skip: OLDER_PART })
    if (middle === undefined) throw new Error('A block of the public list is smaller than its size')
    await blocks.setSize(tx, { ...start, size: OLDER_PART })
    size -= OLDER_PART
    start = { updatedAt: middle.updatedAt, id: middle.id }
    await blocks.insert(tx, { ...start, size })
  }
  await blocks.setSize(tx, { ...start, size })
}

/**
 * Stores packs as if each had been created, and settled if it has stats, one after the other. They
 * must be public, and newer than every public pack that is there. All come, or none.
 *
 * @param packs not more than 1,000: engines bound how many values a query takes.
 */
export const appendPacks = async (
  { engine }: Pick<BulkStore, 'engine'>,
  packs: readonly NewPack[],
): Promise<void> => {
  await engine.write('packs', async (tx) => {
    await tx.insertInto('pack').values(packs.map(rowOf)).execute()
    await countIn(tx, packs.length)
    const changes = packs.length + packs.filter(({ stats }) => stats !== null).length
    await indexVersions().bump(tx, changes)
  })
}
