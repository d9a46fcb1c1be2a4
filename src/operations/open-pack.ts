import { isSlug, maySee, type SavedPack } from '../domain/packs.ts'
import type { Session } from '../domain/sessions.ts'
import type { PackStore } from '../ports/packs.ts'
import { packNotFound } from './pack-not-found.ts'

/** A pack that the viewer may see on the site; `not_found` otherwise (D-29, D-30). */
export const openPack = async (
  { packs }: { packs: PackStore },
  viewer: Session | null,
  slug: string,
): Promise<SavedPack> => {
  const pack = isSlug(slug) ? await packs.read(slug) : null
  if (pack === null || !maySee(pack, viewer)) throw packNotFound()
  return pack
}
