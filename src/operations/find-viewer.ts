import { idleBefore, isSeenAnew, isToken, type Session } from '../domain/session.ts'
import type { SessionStore } from '../ports/session-store.ts'
import type { Clock, Hasher } from '../ports/system.ts'

/**
 * Who is signed in with this token; null when nobody is. Using a session keeps it alive for another
 * 30 days.
 */
export const findViewer = async (
  { sessions, clock, hasher }: { sessions: SessionStore; clock: Clock; hasher: Hasher },
  token: string | null,
): Promise<Session | null> => {
  if (token === null || !isToken(token)) return null
  const now = clock.now()
  const session = await sessions.find(hasher.sha256(token), idleBefore(now))
  if (session !== null && isSeenAnew(session, now)) await sessions.touch(session.hash, now)
  return session
}
