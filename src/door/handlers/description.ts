import { buildOpenapi } from '../../contract/openapi/document.ts'
import type { poolsApi } from '../../contract/services.ts'
import { getMe } from '../../operations/accounts.ts'
import { type JsonBody, jsonBody } from '../answer.ts'
import type { Context } from '../context.ts'
import type { HandlerTable } from '../handler.ts'

const documents = new WeakMap<Context, JsonBody<object>>()

/** The endpoints of both services (spec 4). */
export const descriptionHandlers: HandlerTable<Pick<typeof poolsApi, 'getMe' | 'getOpenapi'>> = {
  async getMe({ ports }, { accountId }) {
    return { json: jsonBody({ user: await getMe(ports, accountId) }) }
  },

  getOpenapi(context) {
    const json = documents.get(context) ?? jsonBody(describeService(context))
    documents.set(context, json)
    return { json }
  },
}

function describeService(context: Context): object {
  const { service, settings } = context
  return buildOpenapi(service, {
    apiUrl: settings.ownApiUrl,
    siteUrl: settings.siteUrl,
    keyPrefix: settings.keyPrefixes[service],
  })
}
