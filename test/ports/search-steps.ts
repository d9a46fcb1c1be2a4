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

/** The same numbers for the same seed. */
export function randomOf(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, oneOf: <T>(all: readonly T[]): T => all[below(all.length)]! }
}
