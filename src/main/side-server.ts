import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Registry } from 'prom-client'
import { addHealth } from '../door/handlers/description.ts'
import type { StoreCare } from '../ports/store.ts'
import type { Config } from './config.ts'
import { listen, localUrl, portOf } from './listen.ts'

/** What is served beside the services, listening. */
export type SideServer = { readonly url: string; readonly close: () => Promise<void> }

export type SideParts = {
  readonly care: StoreCare
  readonly isDraining: () => boolean
  readonly log: FastifyBaseLogger
  /** What `/metrics` gives; left out: there is no such path. */
  readonly registry?: Pick<Registry, 'contentType' | 'metrics'>
}

const METRICS_PATH = '/metrics'

/**
 * Serves `/healthz` and `/readyz`, and the metrics where there are any, in plain HTTP on the port that
 * `name` sets. `StartupError` says why it cannot.
 */
export const startSideServer = async (
  { host }: Pick<Config, 'host'>,
  { name, port }: { readonly name: 'METRICS_PORT' | 'HEALTH_PORT'; readonly port: number },
  parts: SideParts,
): Promise<SideServer> => {
  const app = createSideApp(parts)
  await listen(app, { name, host, port })
  return {
    url: localUrl({ host, tls: null }, portOf(app) ?? 0),
    close: () => app.close(),
  }
}

/** The address of the metrics on a side server. */
export const metricsUrl = ({ url }: SideServer): string => url + METRICS_PATH

const createSideApp = ({ care, isDraining, log, registry }: SideParts): FastifyInstance => {
  const app = fastify({
    forceCloseConnections: true,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  })
  addHealth(app, care, isDraining)
  const paths = ['/healthz', '/readyz', ...(registry ? [METRICS_PATH] : [])].join(', ')
  app.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).type('text/plain').send(`What there is: ${paths}.\n`),
  )
  if (registry === undefined) return app
  app.setErrorHandler(async (error, _request, reply) => {
    log.error({ err: error }, 'the metrics could not be gathered')
    return reply
      .code(500)
      .type('text/plain')
      .send('The metrics could not be gathered; see the log.\n')
  })
  app.get(METRICS_PATH, async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics()),
  )
  return app
}
