import { canonicalMagnet, withoutExport } from '../domain/magnets.ts'
import type { SavedPack } from '../domain/packs.ts'
import type { PackStore } from '../ports/packs.ts'
import { packNotFound } from './pack-not-found.ts'

/**
 * Removes a magnet link of the account's own pack, however it is spelt (D-43); `updatedAt` does not
 * move. Throws `bad_request` for a link that is none, `not_found` when the pack is missing or not
 * theirs, or has no such link.
 */
export const removeMagnet = async (
  { packs }: { packs: PackStore },
  ownerId: string,
  slug: string,
  url: string,
): Promise<SavedPack> => {
  const canonical = canonicalMagnet(url)
  const pack = await packs.changeExports(slug, ownerId, (saved) => withoutExport(saved, canonical))
  if (pack === null) throw packNotFound()
  return pack
}
