import type { FastifyBaseLogger, FastifyInstance, FastifyServerOptions } from 'fastify'
import type { ServiceName } from '../contract/services.ts'
import { type Answered, createServiceApp } from '../http/service-app.ts'
import type { IndexShelf } from '../operations/published-index.ts'
import { searchIndexSite } from '../site/search-index-route.ts'
import type { Config } from './config.ts'
import { drain } from './drain.ts'
import { listen, portOf } from './listen.ts'
import { localUrl } from './local-url.ts'
import type { Ports } from './wire.ts'

/** Both services, listening. */
export type Server = {
  /** Where each answers, as its users see it: without a slash at the end. */
  readonly urls: Readonly<Record<ServiceName, string>>
  readonly log: FastifyBaseLogger
  /** Stops accepting, lets requests in flight finish, and cuts what is left after a while. */
  readonly stop: () => Promise<void>
}

export type ServerOptions = {
  /** Fastify's `logger` option. */
  readonly logger: FastifyServerOptions['logger']
  /** Hears of each answer; left out where nobody measures. */
  readonly onAnswer?: ((service: ServiceName, answered: Answered) => void) | undefined
  /** Where the search index lies. */
  readonly shelf: IndexShelf
}

/** Makes both services listen. Throws `Trouble` when an address cannot be had; nothing listens then. */
export const startServer = async (
  config: Config,
  ports: Ports,
  { logger, onAnswer, shelf }: ServerOptions,
): Promise<Server> => {
  let isDraining = false

  const createApp = (service: ServiceName): FastifyInstance =>
    createServiceApp({
      service,
      ports,
      settings: {
        keyPrefix: config.keyPrefixes[service],
        poolsOwnerName: config.poolsOwnerName,
        trustedProxies: config.trustedProxies,
        get apiUrl() {
          return urlOf(service)
        },
        get siteUrl() {
          return config.publicUrls.site ?? urlOf('packs')
        },
      },
      tls: config.tls ?? undefined,
      logger,
      isDraining: () => isDraining,
      site: service === 'packs' ? searchIndexSite(shelf) : undefined,
      onAnswer: onAnswer && ((answered) => onAnswer(service, answered)),
    })
  const apps = { packs: createApp('packs'), pools: createApp('pools') }

  // Asked anew each time: port 0 is known only once the service listens.
  const urlOf = (service: ServiceName): string => {
    const port = portOf(apps[service]) ?? config.ports[service]
    return config.publicUrls[service] ?? localUrl(config, port)
  }
  const stop = async () => {
    isDraining = true
    await drain(Object.values(apps))
  }

  try {
    await listen(apps.packs, { name: 'PORT', host: config.host, port: config.ports.packs })
    await listen(apps.pools, { name: 'POOLS_PORT', host: config.host, port: config.ports.pools })
  } catch (error) {
    await stop()
    throw error
  }
  return { urls: { packs: urlOf('packs'), pools: urlOf('pools') }, log: apps.packs.log, stop }
}
