import { asOperator, type Moderating } from '../domain/moderating.ts'
import { hide, noPackToModerate } from '../domain/moderation.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { Clock } from '../ports/system.ts'
import type { PackStore } from '../ports/pack-store.ts'

/** Hides a pack from everyone but its owner and removes its pin, in one step (D-30). */
export const hidePack = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  slug: string,
  by: Moderating = asOperator(),
): Promise<SavedPack> => {
  const pack = await packs.moderate(slug, (saved) => hide(saved, by, clock.now()))
  if (pack === null) throw noPackToModerate()
  return pack
}
