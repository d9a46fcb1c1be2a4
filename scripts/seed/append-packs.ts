import { toStateColumns } from '../../src/adapters/storage/stores/pack-queries.ts'
import { createChangeCounter } from '../../src/adapters/storage/stores/public-count.ts'
import { newMark } from '../../src/adapters/storage/stores/public-list.ts'
import type { NewPack } from '../../src/domain/packs.ts'
import type { BulkStore } from './open-bulk-store.ts'

const rowOf = (pack: NewPack) => ({
  ...toStateColumns(pack),
  slug: pack.slug,
  owner_id: pack.ownerId,
  created_at: pack.createdAt,
  stats_due_at: pack.stats === null ? pack.updatedAt : null,
})

/** That a public pack has come into the list, and then has got its stats, if it has. */
const changesOf = ({ slug, visibility, stats, updatedAt }: NewPack, id: number) => {
  if (visibility !== 'public') return []
  const change = { slug, pack_id: id, to_updated_at: updatedAt, mark: newMark() }
  const come = { ...change, from_updated_at: null }
  return stats === null ? [come] : [come, { ...change, from_updated_at: updatedAt }]
}

/**
 * Stores packs as if each had been created, and settled if it has stats, one after the other, and then
 * been counted. All come, or none.
 *
 * @param packs not more than 1,000: engines bound how many values a query takes.
 */
export const appendPacks = async (
  { engine }: Pick<BulkStore, 'engine'>,
  packs: readonly NewPack[],
): Promise<void> => {
  const { count } = createChangeCounter(engine)
  await engine.write('packs', async (tx) => {
    const rows = await tx
      .insertInto('pack')
      .values(packs.map(rowOf))
      .returning(['id', 'slug'])
      .execute()
    const ids = new Map(rows.map(({ id, slug }) => [slug, id]))
    const changes = packs.flatMap((pack) => changesOf(pack, ids.get(pack.slug) ?? 0))
    if (changes.length === 0) return
    await tx.insertInto('public_change').values(changes).execute()
    await count(tx)
  })
}
