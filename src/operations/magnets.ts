import { refusal } from '../contract/errors.ts'
import type { MagnetInput } from '../contract/packs.ts'
import { canonicalMagnet, withExport, withoutExport } from '../domain/magnets.ts'
import type { SavedPack } from '../domain/packs.ts'
import type { Ports } from '../ports/ports.ts'

/**
 * Records a magnet link of the account's own pack in its canonical form (D-43); `updatedAt` does not
 * move. Throws `bad_request` for a link that is none, then `not_found` when the pack is missing or
 * not theirs, then `conflict` for another pack key, the same link again, or an 11th.
 */
export async function recordMagnet(
  { packs, clock }: Pick<Ports, 'packs' | 'clock'>,
  ownerId: string,
  slug: string,
  input: MagnetInput,
): Promise<SavedPack> {
  const link = { url: canonicalMagnet(input.url), packKey: input.packKey }
  const pack = await packs.changeExports(slug, ownerId, (saved) =>
    withExport(saved, link, clock.now()),
  )
  if (pack === null) throw refusal('packNotFound')
  return pack
}

/**
 * Removes a magnet link of the account's own pack, however it is spelt (D-43); `updatedAt` does not
 * move. Throws `bad_request` for a link that is none, `not_found` when the pack is missing or not
 * theirs, or has no such link.
 */
export async function removeMagnet(
  { packs }: Pick<Ports, 'packs'>,
  ownerId: string,
  slug: string,
  url: string,
): Promise<SavedPack> {
  const canonical = canonicalMagnet(url)
  const pack = await packs.changeExports(slug, ownerId, (saved) => withoutExport(saved, canonical))
  if (pack === null) throw refusal('packNotFound')
  return pack
}
