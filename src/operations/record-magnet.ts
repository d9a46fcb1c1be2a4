import type { MagnetInput } from '../contract/packs.ts'
import { canonicalMagnet, withExport } from '../domain/magnets.ts'
import type { SavedPack } from '../domain/packs.ts'
import type { PackStore } from '../ports/packs.ts'
import type { Clock } from '../ports/system.ts'
import { packNotFound } from './pack-not-found.ts'

/**
 * Records a magnet link of the account's own pack in its canonical form (D-43); `updatedAt` does not
 * move. Throws `bad_request` for a link that is none, then `not_found` when the pack is missing or
 * not theirs, then `conflict` for another pack key, the same link again, or an 11th.
 */
export const recordMagnet = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  ownerId: string,
  slug: string,
  input: MagnetInput,
): Promise<SavedPack> => {
  const link = { url: canonicalMagnet(input.url), packKey: input.packKey }
  const pack = await packs.changeExports(slug, ownerId, (saved) =>
    withExport(saved, link, clock.now()),
  )
  if (pack === null) throw packNotFound()
  return pack
}
