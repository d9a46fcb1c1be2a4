import type { Db } from './engine.ts'
import type { ListKey } from './list-key.ts'
import { createPublicList, type PublicList } from './public-list.ts'
import { sharedNumbers } from './shared-number.ts'

/** Keeps the lists true that packs are in. */
export type ListKeeper = {
  /**
   * A pack has come (`from` null), gone (`to` null), moved or changed. Runs in the transaction that
   * changed the pack's row, behind that change.
   */
  move(tx: Db, from: ListKey | null, to: ListKey | null): Promise<void>
}

export const createListKeeper = (
  db: Db,
  publicList: PublicList = createPublicList(db),
): ListKeeper => {
  const numbers = sharedNumbers(db)
  return {
    async move(tx, from, to) {
      await publicList.move(tx, from, to)
      if (from !== null || to !== null) await numbers.bumpIndex(tx)
    },
  }
}
