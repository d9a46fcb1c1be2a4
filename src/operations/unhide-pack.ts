import { asOperator, type Moderating } from '../domain/moderating.ts'
import { noPackToModerate, unhide } from '../domain/moderation.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { Clock } from '../ports/system.ts'
import type { PackStore } from '../ports/pack-store.ts'

/** Gives a hidden pack back to those who could see it before (D-30). */
export const unhidePack = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  slug: string,
  by: Moderating = asOperator(),
): Promise<SavedPack> => {
  const pack = await packs.moderate(slug, (saved) => unhide(saved, by, clock.now()))
  if (pack === null) throw noPackToModerate()
  return pack
}
