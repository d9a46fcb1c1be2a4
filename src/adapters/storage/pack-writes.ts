import type { SavedPack } from '../../domain/saved-pack.ts'
import type { PackStore } from '../../ports/pack-store.ts'
import type { Db, Engine } from './engine.ts'
import { type ListKey, publicKey } from './list-key.ts'
import type { packQueries } from './pack-queries.ts'
import { type PackRow, toSavedPack, toStateColumns } from './pack-row.ts'
import type { PublicList } from './public-list.ts'
import { sharedNumbers } from './shared-number.ts'
import type { PackStateColumns } from './tables.ts'

type PackWrites = Pick<PackStore, 'create' | 'replace' | 'remove' | 'moderate'>

/** Changing packs; each change counts in the lists in the same transaction. */
export const packWrites = (
  engine: Engine,
  queries: ReturnType<typeof packQueries>,
  publicList: PublicList,
): PackWrites => {
  const numbers = sharedNumbers(engine.db)

  /** Keeps the lists true that the pack is in, or was. */
  const move = async (tx: Db, from: ListKey | null, to: ListKey | null): Promise<void> => {
    await publicList.move(tx, from, to)
    if (from !== null || to !== null) await numbers.bumpIndex(tx)
  }

  const update = async (
    tx: Db,
    write: typeof queries.update,
    before: PackRow,
    change: Partial<PackStateColumns>,
  ): Promise<SavedPack> => {
    const after = { ...before, ...change }
    await write(tx, after)
    await move(tx, publicKey(before), publicKey(after))
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
        await move(tx, null, publicKey(saved))
        const [owner] = await queries.username(tx, pack)
        const owner_username = owner?.username ?? null
        return { outcome: 'created', pack: toSavedPack({ ...saved, owner_username }) }
      }),

    replace: (slug, ownerId, change) =>
      engine.write(async (tx) => {
        const [row] = await queries.bySlugAndOwner(tx, { slug, ownerId })
        return row ? update(tx, queries.save, row, toStateColumns(change(toSavedPack(row)))) : null
      }),

    remove: (slug, ownerId) =>
      engine.write(async (tx) => {
        const [row] = await queries.remove(tx, { slug, ownerId })
        if (row !== undefined) await move(tx, publicKey(row), null)
        return row !== undefined
      }),

    moderate: (slug, change) =>
      engine.write(async (tx) => {
        const [row] = await queries.bySlug(tx, { slug })
        if (row === undefined) return null
        const pinned = await queries.pinnedWithout(tx, row)
        const { hiddenAt, pinnedRank } = change(toSavedPack(row), pinned.map(toSavedPack))
        return update(tx, queries.update, row, { hidden_at: hiddenAt, pinned_rank: pinnedRank })
      }),
  }
}
