import type { PackInput } from '../contract/pack.ts'
import { contentOf } from '../domain/pack-content.ts'
import { laterSave } from '../domain/save-rule.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { Clock } from '../ports/system.ts'
import type { PackStore } from '../ports/pack-store.ts'
import { packNotFound } from './pack-not-found.ts'

/**
 * Replaces the account's own pack whole (spec 4.1 rule 3). Throws `bad_request` for an invalid
 * input, then `not_found` when the pack is missing or not theirs (D-3).
 */
export const replacePack = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  ownerId: string,
  slug: string,
  input: PackInput,
): Promise<SavedPack> => {
  const content = contentOf(input)
  const pack = await packs.replace(slug, ownerId, (saved) => laterSave(saved, content, clock.now()))
  if (pack === null) throw packNotFound()
  return pack
}
