import { SYSTEM_ACCOUNT_ID, UNKNOWN_PLAYER } from './account.ts'
import type { SavedPack } from './saved-pack.ts'

/** The name shown as a pack's owner (spec 2.2): tournament pools carry a configured label (D-28). */
export const ownerNameOf = (
  pack: Pick<SavedPack, 'ownerId' | 'ownerUsername'>,
  poolsOwnerName: string,
): string =>
  pack.ownerId === SYSTEM_ACCOUNT_ID ? poolsOwnerName : (pack.ownerUsername ?? UNKNOWN_PLAYER)
