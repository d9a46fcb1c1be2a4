import type { ModerationAction } from '../contract/moderation.ts'
import { asModerator, noPackToModerate } from '../domain/moderation.ts'
import type { Session } from '../domain/sessions.ts'
import type { ModeratedRow, PackStore } from '../ports/packs.ts'
import type { Clock } from '../ports/system.ts'
import { hidePack } from './hide-pack.ts'
import { pinPack } from './pin-pack.ts'
import { unhidePack } from './unhide-pack.ts'
import { unpinPack } from './unpin-pack.ts'

const acts = { hide: hidePack, unhide: unhidePack, pin: pinPack, unpin: unpinPack } as const

/**
 * Does what a moderator decided about one pack, and writes it down (D-30). Throws `forbidden` for
 * everyone else, `bad_request` for a reason that cannot be kept, `not_found` for missing and private
 * packs alike, `conflict` for a pin that cannot be.
 *
 * @param reason left out where there is none to tell.
 */
export const moderatePack = async (
  ports: { packs: PackStore; clock: Clock },
  viewer: Session,
  slug: string,
  action: Exclude<ModerationAction, 'move'>,
  reason?: string,
): Promise<ModeratedRow> => {
  await acts[action](ports, slug, asModerator(viewer, reason))
  const row = await ports.packs.readModerated(slug)
  // Its owner may have taken it back in this very moment.
  if (row === null) throw noPackToModerate()
  return row
}
