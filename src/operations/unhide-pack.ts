import { noPackToModerate, unhide } from '../domain/moderation.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { PackStore } from '../ports/pack-store.ts'

/** Gives a hidden pack back to those who could see it before (D-30). */
export const unhidePack = async (
  { packs }: { packs: PackStore },
  slug: string,
): Promise<SavedPack> => {
  const pack = await packs.moderate(slug, unhide)
  if (pack === null) throw noPackToModerate()
  return pack
}
