import type { PackStore } from '../../ports/packs.ts'
import type { Engine } from './engine.ts'
import { createListKeeper } from './list-keeper.ts'
import { moderationReads } from './moderation-reads.ts'
import { moderationWrites } from './moderation-writes.ts'
import { packQueries } from './pack-queries.ts'
import { packReads } from './pack-reads.ts'
import { packWrites } from './pack-writes.ts'
import { createPublicList } from './public-list.ts'

/** The packs in an SQL database. */
export const createPackStore = (engine: Engine): PackStore => {
  const queries = packQueries(engine.db)
  const publicList = createPublicList(engine.db)
  const lists = createListKeeper(engine.db, publicList)
  return {
    ...packReads(engine, queries, publicList),
    ...packWrites(engine, queries, lists),
    ...moderationReads(engine),
    ...moderationWrites(engine, lists),
  }
}
