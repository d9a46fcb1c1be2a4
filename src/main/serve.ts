import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { StoreObserver } from '../adapters/storage/engine.ts'
import { PublishedIndexCache } from '../operations/search-index.ts'
import { openAssetStore } from '../site/assets/assets.ts'
import { withPublished } from '../site/assets/published-assets.ts'
import { startCleanUp } from '../worker/clean-up.ts'
import type { WorkerLog } from '../worker/loop.ts'
import {
  type IndexLoopOptions,
  type IndexLoopPorts,
  startIndexLoop,
} from '../worker/search-index.ts'
import { startStatsLoop, type StatsRunPorts, wakeOnSave } from '../worker/stats.ts'
import { allRoles, type Config, loadConfig, type Role } from './config.ts'
import { setUpDemonstration } from './demonstration.ts'
import { greeting } from './greeting.ts'
import type { Metrics } from './metrics.ts'
import { publishPages } from './publish-pages.ts'
import { startServer } from './server.ts'
import { metricsUrl, type SideParts, startSideServer } from './side-server.ts'
import type { Standin } from './standin.ts'
import { describeError, StartupError } from './startup-error.ts'
import { becomeServer, openPlatform, openPorts, type Ports, storeFileOf } from './wire.ts'

/** What `npm run build` writes. */
const BUILT_PAGES = fileURLToPath(new URL('../../build/web', import.meta.url))

/** Where the platform sends people back to who have signed in, on either site. */
const SIGN_IN_RETURN = '/sign-in/callback'

// Most processes need neither of these: they are loaded where they are used.

const openStandin = async (config: Config): Promise<Standin> => {
  const { startStandin } = await import('./standin.ts')
  return startStandin(config)
}

const openMetrics = async (config: Config, ports: Ports, indexCache: PublishedIndexCache) => {
  const { createMetrics } = await import('./metrics.ts')
  const store =
    config.databaseUrl === null
      ? { file: storeFileOf(config) }
      : { connections: config.databaseConnections }
  return createMetrics(ports, indexCache, store)
}

/** What is done beside answering: nothing of it where that is another process's. */
const startWork = (
  ports: StatsRunPorts & IndexLoopPorts,
  options: IndexLoopOptions,
  log: WorkerLog,
  roles: ReadonlySet<Role>,
) => {
  const isWorker = roles.has('worker')
  const stats = isWorker ? startStatsLoop(ports, log) : null
  const cleanUp = isWorker ? startCleanUp(ports, log) : null
  const index =
    isWorker || roles.has('site') ? startIndexLoop(ports, { ...options, isWorker }, log) : null
  return {
    wake: () => stats?.wake(),
    stop: async () => void (await Promise.all([stats?.stop(), index?.stop(), cleanUp?.stop()])),
  }
}

/**
 * Does what the roles say until a signal ends the process: all there is, when nothing is said. What
 * people read goes to stdout, log lines (JSON) go to stderr.
 */
export const serve = async (roles: ReadonlySet<Role> = allRoles): Promise<void> => {
  const config = loadConfig()
  if (roles.size < allRoles.size && config.databaseUrl === null) {
    throw new StartupError(
      '--role needs DATABASE_URL: a store in a file is for one process that does all',
    )
  }
  await using opened = new AsyncDisposableStack()
  opened.defer(await becomeServer(config))
  let metrics: Metrics | null = null
  const observer: StoreObserver | undefined =
    config.metricsPort === null
      ? undefined
      : {
          onStatement: (tookMs) => metrics?.observer.onStatement(tookMs),
          onLock: (scope, waitedMs) => metrics?.observer.onLock(scope, waitedMs),
        }
  const stores = await openPorts(config, 'make', 'short', observer)
  opened.defer(() => stores.care.close())

  const standin = config.platform ? null : await openStandin(config)
  if (standin) opened.defer(standin.close)
  const indexCache = new PublishedIndexCache()
  metrics = config.metricsPort === null ? null : await openMetrics(config, stores, indexCache)
  const callBudget = metrics?.watchBudget(stores.callBudget) ?? stores.callBudget
  const platformConfig = config.platform ?? standin!.platform
  const reached = openPlatform(platformConfig, callBudget)
  const platform = metrics?.watchPlatform(reached) ?? reached

  let work: ReturnType<typeof startWork> | null = null
  const packs = wakeOnSave(stores.packs, () => work?.wake())
  const ports = { ...stores, packs, callBudget, platform }

  const own = await openAssetStore(BUILT_PAGES)
  const hasPages = roles.has('site') || roles.has('pools')
  const publication = await publishPages(hasPages ? own.files : [], stores.pageFiles, stores.clock)
  opened.defer(publication.stop)
  const assets = withPublished(own, stores.pageFiles)
  const server = await startServer(config, ports, {
    logger: { level: config.logLevel, stream: openLogStream() },
    onAnswer: metrics?.onAnswer,
    indexCache,
    platform,
    coversUrl: platformConfig.coversUrl,
    assets,
    roles,
  })
  opened.defer(server.stop)
  publication.logTo(server.log)
  for (const origin of server.siteOrigins) standin?.allowReturn(origin + SIGN_IN_RETURN)
  metrics?.watchDraining(server.isDraining)
  const side = { care: stores.care, isDraining: server.isDraining, log: server.log }
  const { metricsPort, healthPort } = config
  const openSide = async (name: 'METRICS_PORT' | 'HEALTH_PORT', port: number, parts: SideParts) => {
    const started = await startSideServer(config, { name, port }, parts)
    opened.defer(started.close)
    return started
  }
  const metricsApp =
    metrics &&
    (await openSide('METRICS_PORT', metricsPort ?? 0, { ...side, registry: metrics.registry }))
  const healthApp = healthPort === null ? null : await openSide('HEALTH_PORT', healthPort, side)
  const { poolsOwnerName, indexDir: directory } = config
  const started = startWork(ports, { indexCache, poolsOwnerName, directory }, server.log, roles)
  work = started
  opened.defer(started.stop)

  const key = await setUpDemonstration(ports, config)
  const rest = opened.move()
  watchProcess({
    log: server.log,
    drain: server.drain,
    stop: async () => void (await Promise.all([server.stop(), started.stop()])),
    close: () => rest.disposeAsync(),
  })
  process.stdout.write(
    greeting(
      config,
      {
        server,
        standin,
        metricsUrl: metricsApp ? metricsUrl(metricsApp) : undefined,
        healthUrl: healthApp?.url,
        roles,
      },
      key,
    ),
  )
}

/** What is to be ended with the process. */
type Watched = {
  readonly log: FastifyBaseLogger
  /** Goes on serving until load balancers send requests elsewhere. */
  readonly drain: () => Promise<void>
  /** Lets requests in flight finish. */
  readonly stop: () => Promise<void>
  /** Closes all else that is open, the store last. */
  readonly close: () => Promise<void>
}

/**
 * Signals so close together are one: a terminal and npm both pass Ctrl+C on, and a supervisor that ends
 * a whole group of processes reaches us twice where npm started us.
 */
const SAME_SIGNAL_MS = { SIGINT: 500, SIGTERM: 50 }

/**
 * Ends the process in order. SIGTERM drains, then lets requests in flight finish, and exits 0 (D-54);
 * SIGINT, which a person sends, does not drain. A second signal exits at once. An error that nobody
 * caught is logged and exits 1. The store is closed in each case but that of a second signal.
 */
export const watchProcess = ({ log, drain, stop, close }: Watched): void => {
  let firstSignalAt: number | null = null

  const end = async (code: number, before: () => Promise<void>) => {
    try {
      await before()
      await close()
    } catch (error) {
      log.fatal({ err: error }, 'could not end in order')
      process.exit(1)
    }
    process.exit(code)
  }

  const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
    if (firstSignalAt === null) {
      firstSignalAt = performance.now()
      log.info({ signal }, 'shutting down')
      void end(0, async () => {
        if (signal === 'SIGTERM') await drain()
        await stop()
      })
    } else if (performance.now() - firstSignalAt > SAME_SIGNAL_MS[signal]) {
      process.exit(1)
    }
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)

  const onFault = (error: unknown) => {
    log.fatal({ err: error }, 'an error that nobody caught')
    void end(1, async () => {})
  }
  process.on('uncaughtException', onFault)
  process.on('unhandledRejection', onFault)
}

const GATHER_MS = 50
const GATHER_CHARACTERS = 65_536

/**
 * Takes log lines to stderr in batches: a write for each request would cost more than the request.
 * The last batch is written when the process exits; `kill -9` can lose 50 ms of lines.
 */
export const openLogStream = (): { write(line: string): void } => {
  let held = ''
  let timer: NodeJS.Timeout | null = null

  const flush = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const lines = held
    held = ''
    if (lines !== '') process.stderr.write(lines)
  }

  process.on('exit', flush)
  // Whoever read the log is gone: that is no reason to stop serving.
  process.stderr.on('error', () => {})
  return {
    write(line) {
      held += line
      if (held.length >= GATHER_CHARACTERS) flush()
      else timer ??= setTimeout(flush, GATHER_MS).unref()
    },
  }
}

// At the end: what is constant below would not be there yet.
if (import.meta.main) {
  try {
    await serve()
  } catch (error) {
    process.stderr.write(`mapcrate-server: ${describeError(error)}\n`)
    process.exit(1)
  }
}
