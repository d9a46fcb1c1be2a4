import type { PackState, SavedPack } from '../../domain/packs.ts'
import type { PackStore } from '../../ports/packs.ts'
import type { Db, Engine } from './engine.ts'
import { keyedCreations } from './keyed-creations.ts'
import type { ListKeeper } from './list-keeper.ts'
import { publicKey } from './list-key.ts'
import type { packQueries } from './pack-queries.ts'
import { type PackRow, toSavedPack, toStateColumns } from './pack-row.ts'

type PackWrites = Pick<PackStore, 'create' | 'replace' | 'remove' | 'changeExports'>

/** What owners do to packs; each change counts in the lists in the same transaction. */
export const packWrites = (
  engine: Engine,
  queries: ReturnType<typeof packQueries>,
  lists: ListKeeper,
): PackWrites => {
  const keyed = keyedCreations(engine.db)

  const save = async (tx: Db, before: PackRow, state: PackState): Promise<SavedPack> => {
    const after = { ...before, ...toStateColumns(state) }
    await queries.save(tx, after)
    await lists.move(tx, publicKey(before), publicKey(after))
    return toSavedPack(after)
  }

  return {
    create: (pack, limit, once = null) =>
      engine.write('packs', async (tx) => {
        const before = once && (await keyed.find(tx, pack, once))
        if (before !== null) return before
        if (limit !== null) {
          const [count] = await queries.countOwned(tx, pack)
          if (count === undefined || count.packs >= limit) return { outcome: 'full' }
        }
        const [owner] = await queries.username(tx, pack)
        if (owner === undefined) return { outcome: 'no_owner' }
        const row = {
          ...toStateColumns(pack),
          slug: pack.slug,
          owner_id: pack.ownerId,
          created_at: pack.createdAt,
        }
        const [inserted] = await queries.insert(tx, row)
        if (inserted === undefined) return { outcome: 'slug_taken' }
        const saved = { ...row, id: inserted.id }
        await lists.move(tx, null, publicKey(saved))
        const created = toSavedPack({ ...saved, owner_username: owner.username })
        if (once !== null) await keyed.note(tx, created, once)
        return { outcome: 'created', pack: created }
      }),

    replace: (slug, ownerId, change) =>
      engine.write('packs', async (tx) => {
        const [row] = await queries.bySlugAndOwner(tx, { slug, ownerId })
        return row ? save(tx, row, change(toSavedPack(row))) : null
      }),

    remove: (slug, ownerId, check) =>
      engine.write('packs', async (tx) => {
        if (check !== undefined) {
          const [before] = await queries.bySlugAndOwner(tx, { slug, ownerId })
          if (before !== undefined) check(toSavedPack(before))
        }
        const [row] = await queries.remove(tx, { slug, ownerId })
        if (row !== undefined) await lists.move(tx, publicKey(row), null)
        return row !== undefined
      }),

    changeExports: (slug, ownerId, change) =>
      engine.write('packs', async (tx) => {
        const [row] = await queries.bySlugAndOwner(tx, { slug, ownerId })
        if (row === undefined) return null
        const after = { ...row, exports: JSON.stringify(change(toSavedPack(row))) }
        await queries.setExports(tx, after)
        await lists.move(tx, publicKey(row), publicKey(after))
        return toSavedPack(after)
      }),
  }
}
