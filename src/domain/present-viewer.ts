import type { Viewer } from '../contract/viewer.ts'
import { UNKNOWN_PLAYER } from './account.ts'
import type { Session } from './session.ts'

/** Who is signed in, as their own pages tell it. */
export const presentViewer = (session: Session): Viewer => ({
  id: session.accountId,
  gameId: session.gameId,
  username: session.username ?? UNKNOWN_PLAYER,
  isModerator: session.isModerator,
  csrf: session.csrf,
})
