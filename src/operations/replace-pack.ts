import { Failure } from '../contract/errors.ts'
import type { PackInput } from '../contract/packs.ts'
import { contentOf, laterSave, type SavedPack } from '../domain/packs.ts'
import type { Precondition } from '../domain/reading/requests.ts'
import { timestamp } from '../domain/time.ts'
import type { PackStore } from '../ports/packs.ts'
import type { Clock } from '../ports/system.ts'
import { packNotFound } from './pack-not-found.ts'

/**
 * Replaces the account's own pack whole (spec 4.1 rule 3). Throws `bad_request` for an invalid
 * input, then `not_found` when the pack is missing or not theirs (D-3), then what `check` throws.
 *
 * @param check throws unless the pack may be replaced in its current state; nothing comes between
 *   it and the write (D-48). Called with null when the pack is missing or not theirs.
 */
export const replacePack = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  ownerId: string,
  slug: string,
  input: PackInput,
  check?: Precondition<SavedPack>,
): Promise<SavedPack> => {
  const content = contentOf(input)
  const pack = await packs.replace(slug, ownerId, (saved) => {
    check?.(saved)
    return laterSave(saved, content, clock.now())
  })
  if (pack !== null) return pack
  check?.(null)
  throw packNotFound()
}

/**
 * The check of an edit on the site: `conflict` when the pack was saved again after the edit began.
 *
 * @param updatedAt of the state that the edit began from, as it went over the wire.
 */
export const savedLast =
  (updatedAt: string): Precondition<SavedPack> =>
  (saved) => {
    if (saved === null || updatedAt === timestamp(saved.updatedAt)) return
    throw new Failure(
      'conflict',
      'the pack was changed after you started editing; nothing was saved',
    )
  }
