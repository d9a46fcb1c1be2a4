import type { SitePack } from '../contract/site-pack.ts'
import { presentPack } from './present-pack.ts'
import type { SavedPack } from './saved-pack.ts'
import type { Session } from './session.ts'

/** A pack as the site shows it to somebody who may see it; `viewer` null: nobody is signed in. */
export const presentSitePack = (
  pack: SavedPack,
  viewer: Pick<Session, 'accountId' | 'isModerator'> | null,
  poolsOwnerName: string,
): SitePack => {
  const isMine = viewer?.accountId === pack.ownerId
  const knowsWhy = isMine || viewer?.isModerator === true
  return {
    ...presentPack(pack, poolsOwnerName),
    isMine,
    isPinned: pack.pinnedRank !== null,
    ...(knowsWhy && pack.hiddenReason !== null && { hiddenReason: pack.hiddenReason }),
  }
}
