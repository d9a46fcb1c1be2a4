import { mayRead, type SavedPack } from '../domain/packs.ts'
import type { PackStore } from '../ports/packs.ts'
import { packNotFound } from './pack-not-found.ts'

/** A pack that the account may read; `not_found` otherwise (spec 4.1 rule 6). */
export const getPack = async (
  { packs }: { packs: PackStore },
  accountId: string,
  slug: string,
): Promise<SavedPack> => {
  const pack = await packs.read(slug)
  if (pack === null || !mayRead(pack, accountId)) throw packNotFound()
  return pack
}
