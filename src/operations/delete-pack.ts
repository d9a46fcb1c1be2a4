import type { PackStore } from '../ports/pack-store.ts'
import { packNotFound } from './pack-not-found.ts'

/** Deletes the account's own pack; `not_found` when it is missing or not theirs (spec 4.1 rule 5). */
export const deletePack = async (
  { packs }: { packs: PackStore },
  accountId: string,
  slug: string,
): Promise<void> => {
  if (!(await packs.remove(slug, accountId))) throw packNotFound()
}
