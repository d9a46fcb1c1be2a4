import { PAGE_SIZE } from '../contract/bounds.ts'
import { refuseOthers } from '../domain/moderation.ts'
import type { Session } from '../domain/sessions.ts'
import type { LoggedNote, PackStore } from '../ports/packs.ts'

/** One page of what moderators did, newest first; `forbidden` for others. */
export const readModerationLog = async (
  { packs }: { packs: PackStore },
  viewer: Session,
  page: number,
): Promise<{ readonly notes: readonly LoggedNote[]; readonly total: number }> => {
  refuseOthers(viewer)
  return packs.readLog(page, PAGE_SIZE)
}
