import type { SavedPack } from '../../domain/saved-pack.ts'
import type { PackList, PackStore } from '../../ports/pack-store.ts'
import type { Engine } from './engine.ts'
import type { packQueries } from './pack-queries.ts'
import { toSavedPack } from './pack-row.ts'
import type { PublicList } from './public-list.ts'
import { sharedNumbers } from './shared-number.ts'

type PackReads = Pick<PackStore, 'read' | 'listPublic' | 'listOwned' | 'findOwned'>

const REMEMBERED_PACKS = 2000
const REMEMBERED_PAGES = 64

/** Reading packs. */
export const packReads = (
  engine: Engine,
  queries: ReturnType<typeof packQueries>,
  publicList: PublicList,
): PackReads => {
  const { db } = engine
  const numbers = sharedNumbers(db)
  const packs = engine.newShelf<SavedPack>(REMEMBERED_PACKS)
  const publicPages = engine.newShelf<PackList>(REMEMBERED_PAGES)
  const ownedPages = engine.newShelf<PackList>(REMEMBERED_PAGES)

  const readPack = async (slug: string): Promise<SavedPack | null> => {
    const [row] = await queries.bySlug(db, { slug })
    return row === undefined ? null : toSavedPack(row)
  }

  const readPublicPage = (page: number, pageSize: number): Promise<PackList> =>
    engine.read(async (tx) => {
      // It changes with every change of the list.
      const version = await numbers.read(tx, 'index_version')
      const { total, under, skip } = await publicList.locate(tx, (page - 1) * pageSize, version)
      if (skip === null) return { packs: [], total }
      const rows = await queries.publicUnder(tx, { ...under, skip, pageSize })
      return { packs: rows.map(toSavedPack), total }
    })

  const readOwnedPage = (ownerId: string, page: number, pageSize: number): Promise<PackList> =>
    engine.read(async (tx) => {
      const [count] = await queries.countOwned(tx, { ownerId })
      const skip = (page - 1) * pageSize
      const rows = await queries.owned(tx, { ownerId, skip, pageSize })
      return { packs: rows.map(toSavedPack), total: count?.packs ?? 0 }
    })

  return {
    read: (slug) => packs(slug, () => readPack(slug)),

    listPublic: (page, pageSize) =>
      publicPages(`${page}/${pageSize}`, () => readPublicPage(page, pageSize)),

    listOwned: (ownerId, page, pageSize) =>
      ownedPages(`${page}/${pageSize}/${ownerId}`, () => readOwnedPage(ownerId, page, pageSize)),

    async findOwned(ownerId, name) {
      const [row] = await queries.newestByName(db, { ownerId, name })
      return row === undefined ? null : toSavedPack(row)
    },
  }
}
