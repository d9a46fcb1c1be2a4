import type { FastifyInstance } from 'fastify'
import { type StoreCare, StoreUnavailable } from '../ports/store.ts'

/**
 * What a supervisor asks, outside `/api/v1` and without a key: `/healthz`, is the process alive;
 * `/readyz`, should it get requests (503 with the reason while the store cannot serve, 503 while the
 * process drains).
 */
export const addHealth = (
  app: FastifyInstance,
  care: StoreCare,
  isDraining: () => boolean,
): void => {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (request, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'draining' })
    try {
      await care.check()
      return { status: 'ready' }
    } catch (error) {
      request.log.error({ requestId: request.id, err: error }, 'the store is not ready')
      const known = error instanceof StoreUnavailable ? { reason: error.reason } : {}
      return reply.code(503).send({ status: 'store unavailable', ...known })
    }
  })
}
