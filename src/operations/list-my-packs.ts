import { PAGE_SIZE } from '../contract/bounds.ts'
import type { PackList, PackStore } from '../ports/packs.ts'

/** One page of the account's packs of any visibility, most recently updated first (spec 4.1). */
export const listMyPacks = (
  { packs }: { packs: PackStore },
  accountId: string,
  page: number,
): Promise<PackList> => packs.listOwned(accountId, page, PAGE_SIZE)
