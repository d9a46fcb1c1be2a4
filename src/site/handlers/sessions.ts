import { Failure } from '../../contract/errors.ts'
import type { siteApi } from '../../contract/session-api.ts'
import { presentSession, sessionId, sessionLimits } from '../../domain/sessions.ts'
import { dropSession } from '../session/session-cookie.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleListSessions: SiteHandler<typeof siteApi.listSessions> = async (
  { ports },
  { viewer },
) => {
  const all = await ports.sessions.list(viewer.accountId, sessionLimits(ports.clock.now()))
  return { json: { sessions: all.map((session) => presentSession(session, viewer.hash)) } }
}

export const handleEndSession: SiteHandler<typeof siteApi.endSession> = async (
  context,
  { viewer, body: { id } },
) => {
  if (!(await context.ports.sessions.endById(viewer.accountId, id))) {
    throw new Failure('not_found', 'there is no such session any more; read the list again')
  }
  return id === sessionId(viewer.hash) ? { cookies: [dropSession(context)] } : {}
}

export const handleEndOtherSessions: SiteHandler<typeof siteApi.endOtherSessions> = async (
  { ports },
  { viewer },
) => {
  await ports.sessions.endAll(viewer.accountId, viewer.hash)
  return {}
}
