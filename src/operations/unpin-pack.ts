import { noPackToModerate, unpin } from '../domain/moderation.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { PackStore } from '../ports/pack-store.ts'

/** Takes a pack out of the pinned row (D-30). */
export const unpinPack = async (
  { packs }: { packs: PackStore },
  slug: string,
): Promise<SavedPack> => {
  const pack = await packs.moderate(slug, unpin)
  if (pack === null) throw noPackToModerate()
  return pack
}
