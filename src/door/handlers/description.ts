import type { FastifyInstance } from 'fastify'
import { RETRY_AFTER_FAILURE } from '../../contract/errors.ts'
import { buildOpenapi } from '../../contract/openapi/document.ts'
import type { poolsApi } from '../../contract/services.ts'
import { getMe } from '../../operations/accounts.ts'
import { type StoreCare, StoreUnavailable } from '../../ports/store.ts'
import { type JsonBody, jsonBody } from '../answer.ts'
import type { Context } from '../context.ts'
import type { Lifecycle } from '../wire.ts'
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

/**
 * Health checks, outside `/api/v1` and without a key: `/healthz` responds while the process is alive;
 * `/readyz` responds 503, with the reason, while the store is not available or the process drains.
 */
export function addHealth(app: FastifyInstance, care: StoreCare, lifecycle: Lifecycle): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (request, reply) => {
    const refuse = (body: { readonly status: string }) =>
      reply.code(503).header('retry-after', String(RETRY_AFTER_FAILURE)).send(body)
    if (lifecycle.draining.aborted) {
      void reply.header('connection', 'close')
      return refuse({ status: 'draining' })
    }
    try {
      await care.check()
      return { status: 'ready' }
    } catch (error) {
      request.log.error({ requestId: request.id, err: error }, 'the store is not ready')
      const known = error instanceof StoreUnavailable ? { reason: error.reason } : {}
      return refuse({ status: 'store unavailable', ...known })
    }
  })
}
