import type { FastifyInstance } from 'fastify'
import { RETRY_AFTER_FAILURE } from '../../contract/errors.ts'
import { type StoreCare, StoreUnavailable } from '../../ports/store.ts'
import type { Lifecycle } from '../wire.ts'

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
