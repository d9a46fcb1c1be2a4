import { PAGE_SIZE } from '../contract/bounds.ts'
import type { PackList, PackStore } from '../ports/packs.ts'

/** One page of the public packs, most recently updated first; pins do not count here (spec 4.1). */
export const listPacks = ({ packs }: { packs: PackStore }, page: number): Promise<PackList> =>
  packs.listPublic(page, PAGE_SIZE)
