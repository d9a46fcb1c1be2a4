import { noPackToModerate, pin } from '../domain/moderation.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { PackStore } from '../ports/pack-store.ts'

/** Pins a public pack at the end of the row of at most six (D-30). */
export const pinPack = async (
  { packs }: { packs: PackStore },
  slug: string,
): Promise<SavedPack> => {
  const pack = await packs.moderate(slug, pin)
  if (pack === null) throw noPackToModerate()
  return pack
}
