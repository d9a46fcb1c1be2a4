import { PAGE_SIZE } from '../contract/bounds.ts'
import { refuseOthers } from '../domain/moderating.ts'
import type { Session } from '../domain/session.ts'
import type { ModeratedRow, ModerationFilter, PackStore } from '../ports/pack-store.ts'

/** One page of the packs that moderators see, never private ones (D-30); `forbidden` for others. */
export const listModerated = async (
  { packs }: { packs: PackStore },
  viewer: Session,
  { query, only }: ModerationFilter,
  page: number,
): Promise<{ readonly rows: readonly ModeratedRow[]; readonly total: number }> => {
  refuseOthers(viewer)
  return packs.listModerated({ query: query.trim(), only }, page, PAGE_SIZE)
}
