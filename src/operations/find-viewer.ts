import type { ServiceName } from '../contract/services.ts'
import { isSeenAnew, isToken, type Session, sessionLimits } from '../domain/sessions.ts'
import type { SessionStore } from '../ports/sessions.ts'
import type { Clock, Hasher } from '../ports/system.ts'

/**
 * Who is signed in to this service with this token; null when nobody is. Using a session keeps it
 * alive for another 30 days, up to 90 in all.
 */
export const findViewer = async (
  { sessions, clock, hasher }: { sessions: SessionStore; clock: Clock; hasher: Hasher },
  service: ServiceName,
  token: string | null,
): Promise<Session | null> => {
  if (token === null || !isToken(token)) return null
  const now = clock.now()
  const session = await sessions.find(hasher.sha256(token), sessionLimits(now))
  // Browsers send cookies to every port of a host: this one may have come from the other service.
  if (session?.service !== service) return null
  if (isSeenAnew(session, now)) await sessions.touch(session.hash, now)
  return session
}
