import { asOperator, type Moderating } from '../domain/moderating.ts'
import { noPackToModerate, unpin } from '../domain/moderation.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { Clock } from '../ports/system.ts'
import type { PackStore } from '../ports/pack-store.ts'

/** Takes a pack out of the pinned row (D-30). */
export const unpinPack = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  slug: string,
  by: Moderating = asOperator(),
): Promise<SavedPack> => {
  const pack = await packs.moderate(slug, (saved) => unpin(saved, by, clock.now()))
  if (pack === null) throw noPackToModerate()
  return pack
}
