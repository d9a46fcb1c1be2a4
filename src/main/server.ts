import { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance, FastifyServerOptions } from 'fastify'
import type { ServiceName } from '../contract/services.ts'
import { originsOf, type ServiceParts } from '../door/context.ts'
import { type Answered, createServiceApp } from '../door/service-app.ts'
import type { PublishedIndexCache } from '../operations/search-index.ts'
import type { Platform } from '../ports/platform.ts'
import type { AssetStore } from '../site/assets/assets.ts'
import { createSite } from '../site/create-site.ts'
import type { Config, Role } from './config.ts'
import { listen, localUrl, portOf } from './listen.ts'
import type { Ports } from './wire.ts'

/** Both services, or what of them is this process's. */
export type Server = {
  /** Where each answers, as its users see it: without a slash at the end. */
  readonly urls: Readonly<Record<ServiceName, string>>
  /** Every origin that a site is reached at. */
  readonly siteOrigins: readonly string[]
  readonly log: FastifyBaseLogger
  /**
   * From now on `/readyz` says 503 and each answer closes its connection, while everything is served;
   * resolves after `DRAIN_SECONDS`, at once where this process listens nowhere (D-54).
   */
  readonly drain: () => Promise<void>
  /** Is the process about to end? */
  readonly isDraining: () => boolean
  /** Stops accepting, lets requests in flight finish, and cuts what is left after a while. */
  readonly stop: () => Promise<void>
}

export type ServerOptions = {
  /** Fastify's `logger` option. */
  readonly logger: FastifyServerOptions['logger']
  /** Hears of each answer; left out where nobody measures. */
  readonly onAnswer?: ((service: ServiceName, answered: Answered) => void) | undefined
  /** Where the search index lies. */
  readonly indexCache: PublishedIndexCache
  /** What the sites look beatmaps up with and sign people in by. */
  readonly platform: Platform
  readonly coversUrl: string
  /** The built pages. */
  readonly assets: AssetStore
  /** What this process does. */
  readonly roles: ReadonlySet<Role>
}

/** How long a connection that was made just before the end may take to bring its request. */
const LAST_REQUESTS_MS = 500

/** Makes both services listen, as far as the roles go. Throws `StartupError` when an address cannot be had; nothing listens then. */
export const startServer = async (
  config: Config,
  ports: Ports,
  { logger, onAnswer, indexCache, platform, coversUrl, assets, roles }: ServerOptions,
): Promise<Server> => {
  let isDraining = false

  const siteUrl = (): string => config.publicUrls.site ?? urlOf('packs')

  const partsOf = (service: ServiceName): ServiceParts => ({
    service,
    ports: { ...ports, platform },
    settings: {
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
    },
  })

  const createApp = (service: ServiceName): FastifyInstance => {
    const parts = partsOf(service)
    const hasSite = service === 'pools' || roles.has('site')
    return createServiceApp({
      ...parts,
      tls: config.tls ?? undefined,
      logger,
      isDraining: () => isDraining,
      hasApi: service === 'pools' || roles.has('api'),
      site: hasSite
        ? createSite({ ...parts, assets, indexCache: service === 'packs' ? indexCache : null })
        : undefined,
      onAnswer: onAnswer && ((answered) => onAnswer(service, answered)),
    })
  }
  const apps = { packs: createApp('packs'), pools: createApp('pools') }

  // Asked anew each time: port 0 is known only once the service listens.
  const urlOf = (service: ServiceName): string => {
    const port = portOf(apps[service]) ?? config.ports[service]
    return config.publicUrls[service] ?? localUrl(config, port)
  }
  const drain = async () => {
    isDraining = true
    const isListening = Object.values(apps).some(({ server }) => server.listening)
    if (!isListening || config.drainSeconds === 0) return
    await pause(config.drainSeconds * 1000)
    await stopAccepting(Object.values(apps), LAST_REQUESTS_MS)
  }
  const stop = async () => {
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
    urls: { packs: urlOf('packs'), pools: urlOf('pools') },
    siteOrigins: [siteUrl(), urlOf('pools')].flatMap(originsOf),
    log: apps.packs.log,
    drain,
    isDraining: () => isDraining,
    stop,
  }
}

/** How long requests in flight may take once the process shuts down. */
const LIMIT_MS = 10_000
const SWEEP_MS = 50

/**
 * Closes the listening sockets and nothing else. A load balancer may just have connected to send a
 * request: `graceMs` is how long it has.
 */
export const stopAccepting = async (
  apps: readonly FastifyInstance[],
  graceMs: number,
): Promise<void> => {
  // An HTTP server's own `close` would also close connections that wait for their first request.
  for (const { server } of apps) if (server.listening) NetServer.prototype.close.call(server)
  await pause(graceMs)
}

/** Stops accepting, waits for requests in flight, and cuts those that take too long. */
export const closeApps = async (
  apps: readonly FastifyInstance[],
  limitMs = LIMIT_MS,
): Promise<void> => {
  // A connection whose last request has just been answered would be kept alive for more.
  const sweep = setInterval(() => {
    for (const { server } of apps) server.closeIdleConnections()
  }, SWEEP_MS)
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
