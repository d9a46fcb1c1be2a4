import { PAGE_SIZE } from '../contract/bounds.ts'
import { Failure } from '../contract/errors.ts'
import { refuseOthers } from '../domain/moderation.ts'
import type { Session } from '../domain/sessions.ts'
import type { ModeratedRow, ModerationFilter, PackStore } from '../ports/packs.ts'

/**
 * One page of the packs that moderators see, never private ones (D-30). Throws `forbidden` for
 * others, `bad_request` for a search that no store takes (D-18).
 */
export const listModerated = async (
  { packs }: { packs: PackStore },
  viewer: Session,
  { query, only }: ModerationFilter,
  page: number,
): Promise<{ readonly rows: readonly ModeratedRow[]; readonly total: number }> => {
  refuseOthers(viewer)
  if (query.includes('\0') || !query.isWellFormed()) {
    throw new Failure('bad_request', 'query must not contain lone surrogates or U+0000')
  }
  return packs.listModerated({ query: query.trim(), only }, page, PAGE_SIZE)
}
