import { fileURLToPath } from 'node:url'
import type { StoreObserver } from '../adapters/storage/engine.ts'
import { IndexShelf } from '../operations/published-index.ts'
import { openAssetShelf } from '../site/assets/asset-shelf.ts'
import { withPublished } from '../site/assets/published-assets.ts'
import { startForgetLoop } from '../worker/forget-loop.ts'
import { type IndexLoopOptions, type IndexLoopPorts, startIndexLoop } from '../worker/index-loop.ts'
import { startStatsLoop } from '../worker/stats-loop.ts'
import type { StatsTurnPorts } from '../worker/stats-turn.ts'
import { wakeOnSave } from '../worker/wake-on-save.ts'
import type { WorkerLog } from '../worker/worker-log.ts'
import { type Config, loadConfig } from './config.ts'
import { setUpDemonstration } from './demonstration.ts'
import { greeting } from './greeting.ts'
import { openLogStream } from './log-stream.ts'
import type { Metrics } from './metrics/metrics.ts'
import { publishPages } from './publish-pages.ts'
import { allRoles, type Role } from './roles.ts'
import { startServer } from './server.ts'
import { metricsUrl, type SideParts, startSideServer } from './side-server.ts'
import type { Standin } from './standin.ts'
import { describeTrouble, Trouble } from './trouble.ts'
import { watchProcess } from './watch-process.ts'
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

const openMetrics = async (config: Config, ports: Ports, shelf: IndexShelf) => {
  const { createMetrics } = await import('./metrics/metrics.ts')
  const store =
    config.databaseUrl === null
      ? { file: storeFileOf(config) }
      : { connections: config.databaseConnections }
  return createMetrics(ports, shelf, store)
}

/** What is done beside answering: nothing of it where that is another process's. */
const startWork = (
  ports: StatsTurnPorts & IndexLoopPorts,
  options: IndexLoopOptions,
  log: WorkerLog,
  roles: ReadonlySet<Role>,
) => {
  const isWorker = roles.has('worker')
  const stats = isWorker ? startStatsLoop(ports, log) : null
  const forgetting = isWorker ? startForgetLoop(ports, log) : null
  const index =
    isWorker || roles.has('site') ? startIndexLoop(ports, { ...options, isWorker }, log) : null
  return {
    wake: () => stats?.wake(),
    stop: async () => void (await Promise.all([stats?.stop(), index?.stop(), forgetting?.stop()])),
  }
}

/**
 * Does what the roles say until a signal ends the process: all there is, when nothing is said. What
 * people read goes to stdout, log lines (JSON) go to stderr.
 */
export const serve = async (roles: ReadonlySet<Role> = allRoles): Promise<void> => {
  const config = loadConfig()
  if (roles.size < allRoles.size && config.databaseUrl === null) {
    throw new Trouble(
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
  const shelf = new IndexShelf()
  metrics = config.metricsPort === null ? null : await openMetrics(config, stores, shelf)
  const callBudget = metrics?.watchBudget(stores.callBudget) ?? stores.callBudget
  const platformConfig = config.platform ?? standin!.platform
  const reached = openPlatform(platformConfig, callBudget)
  const platform = metrics?.watchPlatform(reached) ?? reached

  let work: ReturnType<typeof startWork> | null = null
  const packs = wakeOnSave(stores.packs, () => work?.wake())
  const ports = { ...stores, packs, callBudget, platform }

  const own = await openAssetShelf(BUILT_PAGES)
  const hasPages = roles.has('site') || roles.has('pools')
  const publication = await publishPages(hasPages ? own.files : [], stores.pageFiles, stores.clock)
  opened.defer(publication.stop)
  const assets = withPublished(own, stores.pageFiles)
  const server = await startServer(config, ports, {
    logger: { level: config.logLevel, stream: openLogStream() },
    onAnswer: metrics?.onAnswer,
    shelf,
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
  const started = startWork(ports, { shelf, poolsOwnerName, directory }, server.log, roles)
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

if (import.meta.main) {
  try {
    await serve()
  } catch (error) {
    process.stderr.write(`mapcrate-server: ${describeTrouble(error)}\n`)
    process.exit(1)
  }
}
