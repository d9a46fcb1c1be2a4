import type { SavedPack } from './saved-pack.ts'
import type { Session } from './session.ts'

/**
 * May this account read the pack (spec 3)? Public and unlisted packs are open to every valid key;
 * private and hidden ones to their owner alone, moderators included in everyone else.
 */
export const mayRead = (pack: SavedPack, accountId: string): boolean =>
  pack.ownerId === accountId || (pack.visibility !== 'private' && pack.hiddenAt === null)

/**
 * May the viewer see the pack on the site? As above; nobody signed in sees what is open to all, and
 * moderators see hidden packs, too, but never private ones of others (D-30).
 */
export const maySee = (
  pack: SavedPack,
  viewer: Pick<Session, 'accountId' | 'isModerator'> | null,
): boolean =>
  mayRead(pack, viewer?.accountId ?? '') ||
  (viewer?.isModerator === true && pack.visibility !== 'private')
