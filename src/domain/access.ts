import type { SavedPack } from './saved-pack.ts'

/**
 * May this account read the pack (spec 3)? Public and unlisted packs are open to every valid key;
 * private and hidden ones to their owner alone, moderators included in everyone else.
 */
export const mayRead = (pack: SavedPack, accountId: string): boolean =>
  pack.ownerId === accountId || (pack.visibility !== 'private' && pack.hiddenAt === null)
