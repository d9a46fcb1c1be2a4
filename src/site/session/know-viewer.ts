import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieSeconds, isSeenAnew, type Session } from '../../domain/sessions.ts'
import { findViewer } from '../../operations/find-viewer.ts'
import type { SiteContext } from '../site-context.ts'
import { keepSession, readSessionToken, setCookies } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; null when nobody is. Known behind `knowViewer` alone. */
    viewer: Session | null
  }
}

/** Finds out who asks: nothing is read for those who bring no session, one row for the others. */
export const knowViewer =
  (context: SiteContext) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { ports, service } = context
    const token = readSessionToken(request, context)
    const viewer = token === null ? null : await findViewer(ports, service, token)
    request.viewer = viewer
    // The cookie lives on with the session.
    const now = ports.clock.now()
    if (token !== null && viewer !== null && isSeenAnew(viewer, now)) {
      setCookies(reply, [keepSession(context, token, cookieSeconds(viewer, now))])
    }
  }
