import { Failure } from '../contract/failure.ts'
import type { PackInput } from '../contract/pack.ts'
import { newSlug } from '../domain/identifier.ts'
import { contentOf } from '../domain/pack-content.ts'
import { packLimitOf } from '../domain/pack-limit.ts'
import { firstSave } from '../domain/save-rule.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { Clock, Random } from '../ports/system.ts'
import type { PackStore } from '../ports/pack-store.ts'

/** Of 60 random bits, five collisions in a row are no accident. */
const SLUG_ATTEMPTS = 5

/**
 * Saves a new pack of the account (spec 3). Throws `bad_request` for an invalid input and
 * `conflict` when the owner already has as many packs as they may (D-28).
 */
export const createPack = async (
  { packs, clock, random }: { packs: PackStore; clock: Clock; random: Random },
  ownerId: string,
  input: PackInput,
): Promise<SavedPack> => {
  const content = contentOf(input)
  const limit = packLimitOf(ownerId)
  for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt++) {
    const pack = firstSave(content, { slug: newSlug(random), ownerId, now: clock.now() })
    const creation = await packs.create(pack, limit)
    if (creation.outcome === 'created') return creation.pack
    if (creation.outcome === 'full') {
      throw new Failure('conflict', `you already have ${limit} saved packs; delete one first`)
    }
  }
  throw new Error('no free slug found')
}
