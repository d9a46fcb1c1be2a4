import type { Session } from '../domain/sessions.ts'
import type { SessionStore } from '../ports/sessions.ts'

/** Ends the viewer's session, or all sessions of their account. */
export const signOut = async (
  { sessions }: { sessions: SessionStore },
  viewer: Session,
  everywhere: boolean,
): Promise<void> => {
  await (everywhere ? sessions.endAll(viewer.accountId, null) : sessions.end(viewer.hash))
}
