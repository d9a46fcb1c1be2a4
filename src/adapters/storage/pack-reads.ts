import type { SavedPack } from '../../domain/packs.ts'
import type { PackList, PackStore } from '../../ports/packs.ts'
import type { IndexVersion } from '../../ports/search-index.ts'
import type { Engine } from './engine.ts'
import { knownPacks } from './known-packs.ts'
import type { packQueries } from './pack-queries.ts'
import { toSavedPack } from './pack-row.ts'
import type { PublicList } from './public-list.ts'
import { remember } from './remember.ts'
import { sharedNumbers } from './shared-number.ts'

type PackReads = Pick<PackStore, 'read' | 'listPublic' | 'listOwned' | 'findOwned'>

const REMEMBERED_PACKS = 2000
const REMEMBERED_PAGES = 64

type PublicPage = { readonly version: IndexVersion; readonly list: PackList }

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
  const readPack = knownPacks(db)
  const knownPages = new Map<string, PublicPage>()

  const readPublicPage = (page: number, pageSize: number): Promise<PublicPage> =>
    engine.read(async (tx) => {
      const version = await numbers.indexVersion(tx)
      const { total, under, skip } = await publicList.locate(tx, (page - 1) * pageSize, version)
      const rows = skip === null ? [] : await queries.publicUnder(tx, { ...under, skip, pageSize })
      return { version, list: { packs: rows.map(toSavedPack), total } }
    })

  /** The page as it was read before, for as long as the list is what it was then. */
  const publicPage = async (page: number, pageSize: number): Promise<PackList> => {
    const key = `${page}/${pageSize}`
    const known = knownPages.get(key)
    if (known !== undefined && known.version === (await numbers.indexVersion(db))) {
      return known.list
    }
    const now = await readPublicPage(page, pageSize)
    remember(knownPages, REMEMBERED_PAGES, key, now)
    return now.list
  }

  const readOwnedPage = (ownerId: string, page: number, pageSize: number): Promise<PackList> =>
    engine.read(async (tx) => {
      const [count] = await queries.countOwned(tx, { ownerId })
      const skip = (page - 1) * pageSize
      const rows = await queries.owned(tx, { ownerId, skip, pageSize })
      return { packs: rows.map(toSavedPack), total: count?.packs ?? 0 }
    })

  return {
    read: (slug) => packs(slug, () => engine.asOne(() => readPack(slug))),

    listPublic: (page, pageSize) =>
      publicPages(`${page}/${pageSize}`, () => engine.asOne(() => publicPage(page, pageSize))),

    listOwned: (ownerId, page, pageSize) =>
      ownedPages(`${page}/${pageSize}/${ownerId}`, () => readOwnedPage(ownerId, page, pageSize)),

    async findOwned(ownerId, name) {
      const [row] = await queries.newestByName(db, { ownerId, name })
      return row === undefined ? null : toSavedPack(row)
    },
  }
}
