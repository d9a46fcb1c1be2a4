import { fastify, type FastifyBaseLogger, LogController } from 'fastify'
import type { Registry } from 'prom-client'
import { addHealth } from '../door/handlers/description.ts'
import type { StoreCare } from '../ports/store.ts'
import { listen, localUrl, portOf } from './listen.ts'

export type SideServerOptions = {
  readonly name: 'METRICS_PORT' | 'HEALTH_PORT'
  readonly host: string
  readonly port: number
  readonly care: StoreCare
  readonly isDraining: () => boolean
  readonly log: FastifyBaseLogger
  /** The metrics that `/metrics` serves; left out: there is no such path. */
  readonly registry?: Pick<Registry, 'contentType' | 'metrics'> | undefined
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics` in plain HTTP on a port of their own. Throws
 * `StartupError` when it cannot listen.
 */
export async function startSideServer({
  name,
  host,
  port,
  care,
  isDraining,
  log,
  registry,
}: SideServerOptions) {
  const app = fastify({
    forceCloseConnections: true,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  })
  addHealth(app, care, isDraining)
  const paths = `/healthz, /readyz${registry ? ', /metrics' : ''}`
  app.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).type('text/plain').send(`What there is: ${paths}.\n`),
  )
  if (registry) {
    app.setErrorHandler(async (error, _request, reply) => {
      log.error({ err: error }, 'the metrics could not be gathered')
      void reply.code(500).type('text/plain')
      return reply.send('The metrics could not be gathered; see the log.\n')
    })
    app.get('/metrics', async (_request, reply) => {
      const text = await registry.metrics()
      return reply.header('cache-control', 'no-store').type(registry.contentType).send(text)
    })
  }
  await listen(app, { name, host, port })
  return { url: localUrl({ host, tls: null }, portOf(app) ?? 0), close: () => app.close() }
}
