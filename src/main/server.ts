import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance, FastifyServerOptions } from 'fastify'
import type { ServiceName } from '../contract/services.ts'
import { createServiceApp } from '../http/service-app.ts'
import type { Config } from './config.ts'
import { drain } from './drain.ts'
import { listen } from './listen.ts'
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

/**
 * Makes both services listen. Throws `Trouble` when an address cannot be had; nothing listens then.
 *
 * @param logger Fastify's `logger` option.
 */
export const startServer = async (
  config: Config,
  ports: Ports,
  logger: FastifyServerOptions['logger'],
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
    })
  const apps = { packs: createApp('packs'), pools: createApp('pools') }

  // Asked anew each time: port 0 is known only once the service listens.
  const urlOf = (service: ServiceName): string => {
    const bound = apps[service].server.address() as AddressInfo | null
    return config.publicUrls[service] ?? localUrl(config, bound?.port ?? config.ports[service])
  }
  const stop = async () => {
    isDraining = true
    await drain(Object.values(apps))
  }

  try {
    await listen(apps.packs, 'packs', config)
    await listen(apps.pools, 'pools', config)
  } catch (error) {
    await stop()
    throw error
  }
  return { urls: { packs: urlOf('packs'), pools: urlOf('pools') }, log: apps.packs.log, stop }
}
