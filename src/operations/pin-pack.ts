import { asOperator, type Moderating } from '../domain/moderating.ts'
import { noPackToModerate, pin } from '../domain/moderation.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { Clock } from '../ports/system.ts'
import type { PackStore } from '../ports/pack-store.ts'

/** Pins a public pack at the end of the row of at most six (D-30). */
export const pinPack = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  slug: string,
  by: Moderating = asOperator(),
): Promise<SavedPack> => {
  const pack = await packs.moderate(slug, (saved, row) => pin(saved, row, by, clock.now()))
  if (pack === null) throw noPackToModerate()
  return pack
}
