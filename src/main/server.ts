import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import type { Registry } from 'prom-client'
import { openLogStream } from '../adapters/system.ts'
import { type ServiceName, serviceNames } from '../contract/services.ts'
import { otherService } from '../contract/visitor.ts'
import type { Settings } from '../door/context.ts'
import type { Lifecycle } from '../door/wire.ts'
import { originsOf } from '../door/sessions.ts'
import { addHealth } from '../door/handlers/health.ts'
import { type Answered, createServiceApp } from '../door/service-app.ts'
import type { PublishedIndexCache } from '../operations/search-index.ts'
import type { CurrentOperatorState } from '../ports/store.ts'
import type { Ports } from '../ports/ports.ts'
import type { AssetStore } from '../site/assets/assets.ts'
import { createSite } from '../site/create-site.ts'
import type { Config, Role } from './config.ts'
import { listen, localUrl, portOf } from './listen.ts'
import type { VariableName } from './variables.ts'

/** A turn of the event loop in which nothing came takes a few microseconds. */
const QUIET_TURN_MS = 0.02
const MAX_QUIET_WAIT_MS = 500

/** The file descriptor of the first socket that a supervisor has opened (sd_listen_fds(3)). */
const FIRST_INHERITED = 3

type ServerOptions = {
  readonly logger: FastifyServerOptions['logger']
  readonly onAnswer?: ((service: ServiceName, answered: Answered) => void) | undefined
  readonly indexCache: PublishedIndexCache
  readonly coversUrl: string
  readonly cookieSecret: string
  readonly assets: AssetStore
  readonly roles: ReadonlySet<Role>
  readonly operator: CurrentOperatorState
}

/** Pino takes whatever is logged as `err`, which need not be an error. */
type Logged = {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly [field: string]: unknown
}

/** An error as the log shows it: with all its causes, each said once. Errors of ours name theirs in their own messages. */
export function loggedError(error: Error): Logged {
  if (!(error instanceof Error)) return error
  const chain = chainOf(error)
  const message = chain.reduce((whole, { message: own }) => {
    if (whole.includes(own)) return whole
    return whole === '' ? own : `${whole}: ${own}`
  }, '')
  const stack = chain.map((each) => each.stack ?? each.message).join('\ncaused by: ')
  return {
    type: error.constructor.name,
    message,
    stack,
    ...(error instanceof AggregateError && { aggregateErrors: error.errors.map(briefly) }),
    ...Object.fromEntries(fieldsOf(error).map(([name, value]) => [name, briefly(value)])),
  }
}

const fieldsOf = (error: Error) => Object.entries(error).filter(([name]) => name !== 'cause')

/** An error within another one, without those within it: they may lead back to it. */
function briefly(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const own = fieldsOf(value).filter(([, field]) => !(field instanceof Error))
  return { message: value.message, ...Object.fromEntries(own) }
}

/** The error, what caused it, and so on. */
function chainOf(error: Error): readonly Error[] {
  const chain = new Set<Error>()
  for (let each: unknown = error; each instanceof Error && !chain.has(each); each = each.cause) {
    chain.add(each)
  }
  return [...chain]
}

export const loggerOf = (level: Config['logLevel']) => ({
  level,
  stream: openLogStream(),
  serializers: { err: loggedError },
})

/** The log while there is no server yet. */
export const openLog = (level: Config['logLevel']): FastifyBaseLogger =>
  fastify({ logger: loggerOf(level) }).log

/** Starts both services, as far as `roles` has them. Throws `StartupError` when one cannot listen. */
export async function startServer(
  config: Config,
  ports: Ports,
  { logger, onAnswer, indexCache, coversUrl, cookieSecret, assets, roles, operator }: ServerOptions,
) {
  const shutdown = new AbortController()
  const lifecycle: Lifecycle = { draining: shutdown.signal }
  const urls = { packs: urlOf('packs'), pools: urlOf('pools') }
  const settings = { packs: settingsOf('packs'), pools: settingsOf('pools') }
  const apps = { packs: createApp('packs'), pools: createApp('pools') }
  const inherited = Array.from({ length: config.inheritedSockets }, (_, at) => FIRST_INHERITED + at)

  function createApp(service: ServiceName): FastifyInstance {
    const isPools = service === 'pools'
    const parts = { service, ports, settings: settings[service], lifecycle, operator }
    const site = { ...parts, assets, indexCache: isPools ? null : indexCache }
    return createServiceApp({
      ...parts,
      tls: config.tls ?? undefined,
      logger,
      hasApi: isPools || roles.has('api'),
      site: isPools || roles.has('site') ? createSite(site) : undefined,
      onAnswer: onAnswer && ((answered) => onAnswer(service, answered)),
    })
  }

  function urlOf(service: ServiceName, port = config.ports[service]): string {
    return config.publicUrls[service] ?? localUrl(config, port)
  }

  function settingsOf(service: ServiceName): Settings {
    const { keyPrefixes, poolsOwnerName, installation, mirrors, trustedProxies, sendsToDiscord } =
      config
    const own = {
      keyPrefixes,
      poolsOwnerName,
      installation,
      mirrors,
      trustedProxies,
      sendsToDiscord,
      coversUrl,
      cookieSecret,
    }
    return {
      ...own,
      ...addressesOf(service),
      isAlone: !isServed(config, roles, otherService(service)),
    }
  }

  function addressesOf(service: ServiceName) {
    const siteUrl = config.publicUrls.site ?? urls.packs
    return {
      ownUrl: service === 'packs' ? siteUrl : urls.pools,
      ownApiUrl: urls[service],
      siteUrl,
      apiUrl: urls.packs,
      poolsUrl: urls.pools,
    }
  }

  async function listenAs(service: ServiceName, name: VariableName): Promise<void> {
    const port = config.ports[service]
    await listen(apps[service], { name, host: config.host, port, fd: inherited.shift() })
    // A port of 0 is known only now.
    urls[service] = urlOf(service, portOf(apps[service]) ?? undefined)
    for (const each of serviceNames) Object.assign(settings[each], addressesOf(each))
  }

  async function stop(): Promise<void> {
    shutdown.abort()
    await closeApps(Object.values(apps))
  }

  try {
    if (roles.has('api') || roles.has('site')) await listenAs('packs', 'PORT')
    if (roles.has('pools')) await listenAs('pools', 'POOLS_PORT')
  } catch (error) {
    await stop()
    throw error
  }
  return {
    /** The public addresses of the services, without a slash at the end. */
    urls,
    /** All origins of both sites. */
    siteOrigins: [settings.packs.siteUrl, urls.pools].flatMap(originsOf),
    log: apps.packs.log,
    /**
     * Makes `/readyz` answer 503 and each response close its connection, while everything is served;
     * resolves after `DRAIN_SECONDS`, at once where this process listens nowhere (D-54).
     */
    drain: async (): Promise<void> => {
      shutdown.abort()
      const isListening = Object.values(apps).some(({ server }) => server.listening)
      if (!isListening || config.drainSeconds === 0) return
      await pause(config.drainSeconds * 1000)
      await stopAccepting(Object.values(apps), 500)
    },
    lifecycle,
    /** Stops accepting, lets requests in progress finish, and cuts the rest after ten seconds. */
    stop,
  }
}

/** Whether the site of a service is served: by this process, or somewhere, as its configured address says. */
export function isServed(
  { publicUrls }: Pick<Config, 'publicUrls'>,
  roles: ReadonlySet<Role>,
  service: ServiceName,
): boolean {
  if (service === 'pools') return roles.has('pools') || publicUrls.pools !== null
  return roles.has('site') || (publicUrls.site ?? publicUrls.packs) !== null
}

type SideServerOptions = {
  readonly name: 'METRICS_PORT' | 'HEALTH_PORT'
  readonly host: string
  readonly port: number
  readonly care: Ports['care']
  readonly lifecycle: Lifecycle
  readonly log: FastifyBaseLogger
  /** The metrics that `/metrics` serves; left out: there is no such path. */
  readonly registry?: Pick<Registry, 'contentType' | 'metrics'> | undefined
}

/** Serves `/healthz`, `/readyz` and `/metrics` in plain HTTP. Throws `StartupError`. */
export async function startSideServer(options: SideServerOptions) {
  const { name, host, port, care, lifecycle, log, registry } = options
  const app = fastify({
    forceCloseConnections: true,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  })
  addHealth(app, care, lifecycle)
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

/** Closes the listening sockets alone; connections that just opened have `graceMs` to send a request. */
export async function stopAccepting(apps: readonly FastifyInstance[], graceMs: number) {
  await untilQuiet()
  // An HTTP server's own `close` would also close connections that wait for their first request.
  for (const { server } of apps) if (server.listening) NetServer.prototype.close.call(server)
  await pause(graceMs)
}

/**
 * Closing a socket resets what has arrived there since the event loop last polled: connections that are not
 * accepted, requests that are not read. Resolves right after it has polled, as soon as nothing else was to do;
 * under full load, after half a second.
 */
async function untilQuiet(): Promise<void> {
  // From here on, each turn begins after one that has polled.
  await nextTurn()
  const first = performance.now()
  for (let begun = first; begun - first < MAX_QUIET_WAIT_MS;) {
    await nextTurn()
    const ended = performance.now()
    if (ended - begun < QUIET_TURN_MS) return
    begun = ended
  }
}

/** Stops accepting, waits for requests in progress, and cuts those that take over `limitMs`. */
export async function closeApps(apps: readonly FastifyInstance[], limitMs = 10_000): Promise<void> {
  await untilQuiet()
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
