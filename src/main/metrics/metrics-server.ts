import { fastify, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { listen, portOf } from '../listen.ts'
import { localUrl } from '../local-url.ts'

const METRICS_PATH = '/metrics'

/** The metrics, listening. */
export type MetricsServer = { readonly url: string; readonly close: () => Promise<void> }

/** Serves the metrics on `METRICS_PORT`, in plain HTTP; `Trouble` says why it cannot. */
export const startMetrics = async (
  { host, metricsPort }: Config,
  registry: Registry,
  log: FastifyBaseLogger,
): Promise<MetricsServer> => {
  const app = createMetricsApp(registry, log)
  await listen(app, { name: 'METRICS_PORT', host, port: metricsPort ?? 0 })
  const url = `${localUrl({ host, tls: null }, portOf(app) ?? 0)}${METRICS_PATH}`
  return { url, close: () => app.close() }
}

/** An app that gives the metrics at `/metrics`, in the Prometheus text format. */
const createMetricsApp = (registry: Registry, log: FastifyBaseLogger): FastifyInstance => {
  const app = fastify({ forceCloseConnections: true })
  app.setErrorHandler(async (error, _request, reply) => {
    log.error({ err: error }, 'the metrics could not be gathered')
    return reply
      .code(500)
      .type('text/plain')
      .send('The metrics could not be gathered; see the log.\n')
  })
  app.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).type('text/plain').send('The metrics are at /metrics.\n'),
  )
  app.get(METRICS_PATH, async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics()),
  )
  return app
}
