import type { Stores } from '../../src/adapters/storage/stores.ts'
import type { PackFilter } from '../../src/contract/pack-filter.ts'
import { ownerNameOf } from '../../src/domain/packs.ts'
import { packWords } from '../../src/domain/search.ts'
import type { SearchUpdates } from '../../src/ports/search.ts'

export type Describe = Parameters<SearchUpdates['update']>[1]

export const describePack: Describe = (pack, beatmaps) =>
  packWords(pack, ownerNameOf(pack, 'Tournament pools'), beatmaps)

/** Takes over everything that has changed. */
export const updateAll = async (
  { searchUpdates }: Pick<Stores, 'searchUpdates'>,
  limit = 16,
): Promise<void> => {
  for (;;) {
    const looked = await searchUpdates.update(limit, describePack)
    const { pending, isRebuilding } = await searchUpdates.progress()
    if (looked === 0 && pending === 0 && !isRebuilding) return
  }
}

const open = [null, null] as const
export const noFilter: PackFilter = {
  stars: open,
  length: open,
  bpm: open,
  beatmaps: open,
  mods: [],
  rulesets: [],
  showsUnrated: false,
}
