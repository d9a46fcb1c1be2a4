import { AppError } from '../../contract/errors.ts'
import type { accountApi, sessionApi } from '../../contract/session-api.ts'
import { ofPrograms } from '../../pool/input-words.ts'
import { invalidInput } from '../../domain/invalid-input.ts'
import { isOffered, offeredLanguages } from '../../domain/language.ts'
import { presentSession, presentViewer, sessionId, sessionLimits } from '../../domain/sessions.ts'
import { deleteAccount, collectMyData } from '../../operations/accounts.ts'
import { showQuota } from '../../operations/admission.ts'
import { makeKey, revokeOwnKey, showKey } from '../../operations/keys.ts'
import { signOut } from '../../operations/sessions.ts'
import { jsonBody } from '../answer.ts'
import { dropKnownBrowser, dropSession } from '../cookies.ts'
import type { HandlerTable } from '../handler.ts'

/** Sessions and the key of an account, on either service. */
export const accountHandlers: HandlerTable<typeof accountApi> = {
  async getSession({ ports, service }, { viewer }) {
    if (viewer === null) return { json: jsonBody({ viewer: null, quota: null }) }
    const quota = await showQuota(ports, service, viewer.accountId)
    return { json: jsonBody({ viewer: presentViewer(viewer), quota }) }
  },

  async signOut(context, { viewer, body }) {
    await signOut(context.ports, viewer, body.everywhere ?? false)
    return { cookies: dropSession(context) }
  },

  async setLanguage({ ports }, { viewer, body: { language } }) {
    if (language !== null && !isOffered(language)) {
      const why = `must be one of ${offeredLanguages.join(', ')}, or null`
      throw invalidInput([{ place: 'language', ...ofPrograms(why) }])
    }
    await ports.accounts.setLanguage(viewer.accountId, language)
    return {}
  },

  async listSessions({ ports }, { viewer }) {
    const all = await ports.sessions.list(viewer.accountId, sessionLimits(ports.clock.now()))
    return {
      json: jsonBody({ sessions: all.map((session) => presentSession(session, viewer.hash)) }),
    }
  },

  async endSession(context, { viewer, body: { id } }) {
    if (!(await context.ports.sessions.endById(viewer.accountId, id))) {
      throw new AppError(
        'not_found:no_such_session',
        'there is no such session any more; read the list again',
      )
    }
    return id === sessionId(viewer.hash) ? { cookies: dropSession(context) } : {}
  },

  async endOtherSessions({ ports }, { viewer }) {
    await ports.sessions.endAll(viewer.accountId, viewer.hash)
    return {}
  },

  async getKey({ ports, service }, { viewer }) {
    return { json: jsonBody(await showKey(ports, service, viewer.accountId)) }
  },

  async makeKey({ ports, service, settings }, { viewer, query }) {
    const keyPrefix = settings.keyPrefixes[service]
    const { accountId } = viewer
    return { json: jsonBody(await makeKey(ports, { service, keyPrefix, accountId }, query.shown)) }
  },

  async revokeKey({ ports, service }, { viewer, query }) {
    await revokeOwnKey(ports, service, viewer.accountId, query.shown)
    return {}
  },
}

/** An account's data, and its deletion. */
export const ownDataHandlers: HandlerTable<Pick<typeof sessionApi, 'getMyData' | 'deleteAccount'>> =
  {
    async getMyData({ ports, settings, builds }, { viewer }) {
      const json = await builds.run(viewer.accountId, `my data ${viewer.hash}`, () =>
        collectMyData(ports, viewer, settings.poolsOwnerName),
      )
      return { json: jsonBody(json) }
    },

    async deleteAccount(context, { viewer, body }) {
      await deleteAccount(context.ports, viewer, body.username)
      return { cookies: [...dropSession(context), dropKnownBrowser(context)] }
    },
  }
