import { Failure } from '../contract/failure.ts'
import type { PackInput } from '../contract/pack.ts'
import { contentOf } from '../domain/pack-content.ts'
import { timestamp } from '../domain/present-pack.ts'
import { laterSave } from '../domain/save-rule.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { Clock } from '../ports/system.ts'
import type { PackStore } from '../ports/pack-store.ts'
import { packNotFound } from './pack-not-found.ts'

/**
 * Replaces the account's own pack whole (spec 4.1 rule 3). Throws `bad_request` for an invalid
 * input, then `not_found` when the pack is missing or not theirs (D-3), then `conflict` when it is
 * not the state that the edit began from.
 *
 * @param basedOn that state's `updatedAt` as it went over the wire; left out: whatever it is now.
 */
export const replacePack = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  ownerId: string,
  slug: string,
  input: PackInput,
  basedOn?: string,
): Promise<SavedPack> => {
  const content = contentOf(input)
  const pack = await packs.replace(slug, ownerId, (saved) => {
    if (basedOn !== undefined && basedOn !== timestamp(saved.updatedAt)) {
      throw new Failure('conflict', 'the pack has changed since this edit began; nothing was saved')
    }
    return laterSave(saved, content, clock.now())
  })
  if (pack === null) throw packNotFound()
  return pack
}
