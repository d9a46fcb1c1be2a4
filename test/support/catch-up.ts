import { ownerNameOf } from '../../src/domain/packs.ts'
import { packWords } from '../../src/domain/search.ts'
import type { Ports } from '../../src/ports/ports.ts'

/** Takes over into the search all that has changed, as the worker does within seconds. */
export const catchUp = async (
  { searchUpdates }: Pick<Ports, 'searchUpdates'>,
  poolsOwnerName = 'Tournament pools',
): Promise<void> => {
  for (;;) {
    const taken = await searchUpdates.update(100, (pack, beatmaps) =>
      packWords(pack, ownerNameOf(pack, poolsOwnerName), beatmaps),
    )
    if (taken === 0) return
  }
}
