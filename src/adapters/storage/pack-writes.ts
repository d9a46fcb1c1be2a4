import type { SavedPack } from '../../domain/saved-pack.ts'
import type { PackStore } from '../../ports/pack-store.ts'
import type { Db, Engine } from './engine.ts'
import { publicKey } from './list-key.ts'
import type { packQueries } from './pack-queries.ts'
import { type PackRow, toSavedPack, toStateColumns } from './pack-row.ts'
import type { PublicList } from './public-list.ts'
import type { PackStateColumns } from './tables.ts'

type PackWrites = Pick<PackStore, 'create' | 'replace' | 'remove' | 'moderate'>

/** Changing packs; each change counts in the public list in the same transaction. */
export const packWrites = (
  engine: Engine,
  queries: ReturnType<typeof packQueries>,
  publicList: PublicList,
): PackWrites => {
  const update = async (
    tx: Db,
    before: PackRow,
    change: Partial<PackStateColumns>,
  ): Promise<SavedPack> => {
    const after = { ...before, ...change }
    await queries.update(tx, after)
    await publicList.move(tx, publicKey(before), publicKey(after))
    return toSavedPack(after)
  }

  return {
    create: (pack, limit) =>
      engine.write(async (tx) => {
        if (limit !== null) {
          const [count] = await queries.countOwned(tx, pack)
          if (count === undefined || count.packs >= limit) return { outcome: 'full' }
        }
        const row = {
          ...toStateColumns(pack),
          slug: pack.slug,
          owner_id: pack.ownerId,
          created_at: pack.createdAt,
        }
        const [inserted] = await queries.insert(tx, row)
        if (inserted === undefined) return { outcome: 'slug_taken' }
        const saved = { ...row, id: inserted.id }
        await publicList.move(tx, null, publicKey(saved))
        const [owner] = await queries.username(tx, pack)
        const owner_username = owner?.username ?? null
        return { outcome: 'created', pack: toSavedPack({ ...saved, owner_username }) }
      }),

    replace: (slug, ownerId, change) =>
      engine.write(async (tx) => {
        const [row] = await queries.bySlugAndOwner(tx, { slug, ownerId })
        return row ? update(tx, row, toStateColumns(change(toSavedPack(row)))) : null
      }),

    remove: (slug, ownerId) =>
      engine.write(async (tx) => {
        const [row] = await queries.remove(tx, { slug, ownerId })
        if (row !== undefined) await publicList.move(tx, publicKey(row), null)
        return row !== undefined
      }),

    moderate: (slug, change) =>
      engine.write(async (tx) => {
        const [row] = await queries.bySlug(tx, { slug })
        if (row === undefined) return null
        const pinned = await queries.pinnedWithout(tx, row)
        const { hiddenAt, pinnedRank } = change(toSavedPack(row), pinned.map(toSavedPack))
        return update(tx, row, { hidden_at: hiddenAt, pinned_rank: pinnedRank })
      }),
  }
}
