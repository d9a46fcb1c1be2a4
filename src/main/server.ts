import { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import type { Registry } from 'prom-client'
import type { ServiceName } from '../contract/services.ts'
import { originsOf, type Settings } from '../door/context.ts'
import { addHealth } from '../door/handlers/description.ts'
import { type Answered, createServiceApp } from '../door/service-app.ts'
import type { PublishedIndexCache } from '../operations/search-index.ts'
import type { Ports } from '../ports/ports.ts'
import type { AssetStore } from '../site/assets/assets.ts'
import { createSite } from '../site/create-site.ts'
import type { Config, Role } from './config.ts'
import { listen, localUrl, portOf } from './listen.ts'

export type ServerOptions = {
  readonly logger: FastifyServerOptions['logger']
  readonly onAnswer?: ((service: ServiceName, answered: Answered) => void) | undefined
  readonly indexCache: PublishedIndexCache
  readonly coversUrl: string
  readonly assets: AssetStore
  readonly roles: ReadonlySet<Role>
}

/** How long a connection that was opened just before the end may take to send its request. */
const LAST_REQUESTS_MS = 500

/** Starts both services, as far as `roles` has them. Throws `StartupError` when one cannot listen. */
export async function startServer(
  config: Config,
  ports: Ports,
  { logger, onAnswer, indexCache, coversUrl, assets, roles }: ServerOptions,
) {
  let isDraining = false
  const apps = { packs: createApp('packs'), pools: createApp('pools') }

  function createApp(service: ServiceName): FastifyInstance {
    const settings: Settings = {
      keyPrefixes: config.keyPrefixes,
      poolsOwnerName: config.poolsOwnerName,
      trustedProxies: config.trustedProxies,
      coversUrl,
      get ownUrl() {
        return service === 'packs' ? siteUrl() : urlOf('pools')
      },
      get siteUrl() {
        return siteUrl()
      },
      get apiUrl() {
        return urlOf('packs')
      },
      get poolsUrl() {
        return urlOf('pools')
      },
    }
    const isPools = service === 'pools'
    const parts = { service, ports, settings }
    const site = { ...parts, assets, indexCache: isPools ? null : indexCache }
    return createServiceApp({
      ...parts,
      tls: config.tls ?? undefined,
      logger,
      isDraining: () => isDraining,
      hasApi: isPools || roles.has('api'),
      site: isPools || roles.has('site') ? createSite(site) : undefined,
      onAnswer: onAnswer && ((answered) => onAnswer(service, answered)),
    })
  }

  // Not a constant: port 0 is known only once the service listens.
  function urlOf(service: ServiceName): string {
    const port = portOf(apps[service]) ?? config.ports[service]
    return config.publicUrls[service] ?? localUrl(config, port)
  }
  function siteUrl(): string {
    return config.publicUrls.site ?? urlOf('packs')
  }

  async function stop(): Promise<void> {
    isDraining = true
    await closeApps(Object.values(apps))
  }

  try {
    const { host, ports: own } = config
    if (roles.has('api') || roles.has('site')) {
      await listen(apps.packs, { name: 'PORT', host, port: own.packs })
    }
    if (roles.has('pools')) await listen(apps.pools, { name: 'POOLS_PORT', host, port: own.pools })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    /** The public addresses of the services, without a slash at the end. */
    urls: { packs: urlOf('packs'), pools: urlOf('pools') },
    /** All origins of both sites. */
    siteOrigins: [siteUrl(), urlOf('pools')].flatMap(originsOf),
    log: apps.packs.log,
    /**
     * From now on `/readyz` answers 503 and each response closes its connection, while everything is
     * served; resolves after `DRAIN_SECONDS`, at once where this process listens nowhere (D-54).
     */
    drain: async (): Promise<void> => {
      isDraining = true
      const isListening = Object.values(apps).some(({ server }) => server.listening)
      if (!isListening || config.drainSeconds === 0) return
      await pause(config.drainSeconds * 1000)
      await stopAccepting(Object.values(apps), LAST_REQUESTS_MS)
    },
    isDraining: () => isDraining,
    /** Stops accepting, lets requests in flight finish, and cuts the rest after ten seconds. */
    stop,
  }
}

export type SideServerOptions = {
  readonly name: 'METRICS_PORT' | 'HEALTH_PORT'
  readonly host: string
  readonly port: number
  readonly care: Ports['care']
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

/**
 * Closes the listening sockets and nothing else. A load balancer may just have connected to send a
 * request: `graceMs` is how long it has.
 */
export async function stopAccepting(
  apps: readonly FastifyInstance[],
  graceMs: number,
): Promise<void> {
  // An HTTP server's own `close` would also close connections that wait for their first request.
  for (const { server } of apps) if (server.listening) NetServer.prototype.close.call(server)
  await pause(graceMs)
}

/** Stops accepting, waits for requests in flight, and cuts those that take longer than `limitMs`. */
export async function closeApps(apps: readonly FastifyInstance[], limitMs = 10_000): Promise<void> {
  // A connection whose last request has just been answered would be kept alive for more.
  const sweep = setInterval(() => {
    for (const { server } of apps) server.closeIdleConnections()
  }, 50)
  const limit = setTimeout(() => {
    for (const { server } of apps) server.closeAllConnections()
  }, limitMs)
  try {
    await Promise.all(apps.map((app) => app.close()))
  } finally {
    clearInterval(sweep)
    clearTimeout(limit)
  }
}
