import type { SavedPack } from '../domain/packs.ts'
import type { Precondition } from '../domain/reading/requests.ts'
import type { PackStore } from '../ports/packs.ts'
import { packNotFound } from './pack-not-found.ts'

/**
 * Deletes the account's own pack; `not_found` when it is missing or not theirs (spec 4.1 rule 5).
 *
 * @param check throws unless the pack may be deleted in its current state (D-48).
 */
export const deletePack = async (
  { packs }: { packs: PackStore },
  accountId: string,
  slug: string,
  check?: Precondition<SavedPack>,
): Promise<void> => {
  if (await packs.remove(slug, accountId, check)) return
  check?.(null)
  throw packNotFound()
}
