import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { FastifyBaseLogger } from 'fastify'
import { API_PREFIX } from '../contract/endpoint.ts'
import { OperatorWatch } from '../operations/operator.ts'
import { PublishedIndexCache } from '../operations/search-index.ts'
import { openAssetStore } from '../site/assets/assets.ts'
import { publishPages, withPublished } from '../site/assets/published-assets.ts'
import { SIGN_IN_CALLBACK } from '../site/sign-in/sign-in.ts'
import { MODERATOR_ID } from '../standin/state.ts'
import { startAnnouncementLoop } from '../worker/announcements.ts'
import { startCleanUp } from '../worker/clean-up.ts'
import { withinStopTime } from '../worker/loop.ts'
import { startOperatorLoop } from '../worker/operator.ts'
import { startRatingLoop } from '../worker/ratings.ts'
import { startReleaseLoop } from '../worker/releases.ts'
import { startIndexLoop } from '../worker/search-index.ts'
import { startSearchLoop } from '../worker/search.ts'
import { startStatsLoop, wakeOnSave } from '../worker/stats.ts'
import { allRoles, type Config, loadConfig, misspelt, type Role } from './config.ts'
import { demonstrationPlayer, isDemonstration, setUpDemonstration } from './demonstration.ts'
import { loggerOf, openLog, startServer, startSideServer } from './server.ts'
import { describeError, StartupError } from './startup-error.ts'
import {
  becomeServer,
  openChat,
  openIndexDir,
  openPlatform,
  openPorts,
  publicSitesOf,
  storePlaceOf,
} from './wire.ts'

/** What `npm run build` writes. */
const BUILT_PAGES = fileURLToPath(new URL('../../build/web', import.meta.url))

/**
 * By how much the heap of each thread may grow over what is in use until that is looked for again. Where a machine has
 * much memory, the engine takes four times as much, most of it garbage.
 */
const HEAP_GROWTH_PERCENT = 60

/** Runs the given roles until a signal ends the process. Log lines (JSON) go to stderr. */
export async function serve(roles: ReadonlySet<Role> = allRoles): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  const config = loadConfig()
  for (const [name, setting] of misspelt()) {
    openLog(config.logLevel).warn(`${name} is not a setting; is it ${setting}?`)
  }
  if (roles.size < allRoles.size && config.databaseUrl === null) {
    throw new StartupError(
      '--role needs DATABASE_URL: a store in a file is for one process that does all',
    )
  }
  const hasIndex = roles.has('worker') || roles.has('site')
  if (hasIndex && config.indexDir !== null) await openIndexDir(config.indexDir)
  await using opened = new AsyncDisposableStack()
  opened.defer(await becomeServer(config))
  // Most processes need neither metrics nor a stand-in: their modules are loaded on demand.
  const metrics = config.metricsPort === null ? null : await import('./metrics.ts')
  const stores = await openPorts(config, 'make', 'short', metrics?.observer, (err) =>
    openLog(config.logLevel).warn(
      { err },
      'the database allows no more connections; trying again every two seconds',
    ),
  )
  opened.defer(() => stores.care.close())
  // After the last save, so that a step back to the version before, which counts only what it saves
  // itself, finds the public list complete.
  opened.defer(() => withinStopTime(stores.publicIndex.version().catch(() => {})))

  const standin = config.platform
    ? null
    : await import('./standin.ts').then(({ startStandin }) => startStandin(config))
  if (standin) opened.defer(standin.close)
  const platformConfig = config.platform ?? standin!.platform
  const callBudget = metrics?.measureBudget(stores.callBudget) ?? stores.callBudget
  const reached = openPlatform(
    platformConfig,
    callBudget,
    config.publicUrls.site ?? config.publicUrls.packs,
  )
  const platform = metrics?.measurePlatform(reached) ?? reached
  let wakeWorker = (): void => {}
  const ports = wakeOnSave({ ...stores, callBudget, platform }, () => wakeWorker())

  const own = await openAssetStore(BUILT_PAGES, config.installation)
  const hasPages = roles.has('site') || roles.has('pools')
  const publication = await publishPages(hasPages ? own.files : [], stores.pageFiles, stores.clock)
  opened.defer(publication.stop)
  const operator = new OperatorWatch(stores.operatorState)
  // Before the first request: a restart does not end what was decided.
  await operator.look()
  const indexCache = new PublishedIndexCache()
  const server = await startServer(config, ports, {
    logger: loggerOf(config.logLevel),
    onAnswer: metrics?.onAnswer,
    indexCache,
    coversUrl: platformConfig.coversUrl,
    cookieSecret: platformConfig.clientSecret,
    assets: withPublished(own, stores.pageFiles),
    roles,
    operator,
  })
  opened.defer(server.stop)
  const { log, lifecycle } = server
  publication.logTo(log)
  for (const origin of server.siteOrigins) standin?.allowReturn(origin + SIGN_IN_CALLBACK)
  metrics?.measureProcess(config, lifecycle)
  metrics?.measureStore(stores, config)
  metrics?.measureIndex(indexCache)
  const openSide = async (
    name: 'METRICS_PORT' | 'HEALTH_PORT',
    port: number | null,
    registry?: NonNullable<typeof metrics>['registry'],
  ) => {
    if (port === null) return undefined
    const side = { name, host: config.host, port, care: stores.care, lifecycle, log, registry }
    const { url, close } = await startSideServer(side)
    opened.defer(close)
    return url
  }
  const metricsUrl = await openSide('METRICS_PORT', config.metricsPort, metrics?.registry)
  const healthUrl = await openSide('HEALTH_PORT', config.healthPort)

  const isWorker = roles.has('worker')
  const stats = isWorker ? startStatsLoop(ports, log) : null
  const { poolsOwnerName, indexDir: directory } = config
  const releases = isWorker ? startReleaseLoop(ports, operator, log) : null
  const index = hasIndex
    ? startIndexLoop(ports, { indexCache, poolsOwnerName, directory, isWorker }, log)
    : null
  const chat = openChat(config, standin?.platform.url ?? null)
  const announcing = { operator, log, sites: publicSitesOf(config) }
  const announcements =
    isWorker && config.sendsToDiscord
      ? startAnnouncementLoop({ ...ports, chat }, { ...announcing, onAttempt: metrics?.onAttempt })
      : null
  const cleanUp = isWorker ? startCleanUp(ports, operator, log) : null
  const ratings = isWorker ? startRatingLoop(ports, log) : null
  const search = isWorker ? startSearchLoop(ports, poolsOwnerName, log) : null
  wakeWorker = () => {
    stats?.wake()
    search?.wake()
  }
  const following = startOperatorLoop(operator, log)
  const loops = [stats, ratings, releases, announcements, index, search, cleanUp, following].filter(
    (loop) => loop !== null,
  )
  const stopWork = async () => void (await Promise.all(loops.map((loop) => loop.stop())))
  opened.defer(stopWork)

  // It takes a while, in which requests are answered: signals count from here on.
  const demonstration = setUpDemonstration(ports, config)
  const settled = demonstration.catch(() => null)
  const rest = opened.move()
  watchProcess({
    log,
    drain: server.drain,
    stop: async () => void (await Promise.all([server.stop(), stopWork(), settled])),
    close: () => rest.disposeAsync(),
  })
  const demonstrationKey = await demonstration.catch(async (error: unknown) => {
    await rest.disposeAsync()
    throw error
  })
  const { urls } = server
  const standinUrl = standin && standin.platform.url
  // The services serve, whether or not anybody can read where.
  process.stdout.on('error', (err) =>
    log.warn({ err }, 'the addresses could not be written to stdout'),
  )
  process.stdout.write(
    greeting({ config, roles, urls, standinUrl, metricsUrl, healthUrl, demonstrationKey }),
  )
}

type Ending = {
  readonly log: Pick<FastifyBaseLogger, 'info' | 'fatal'>
  /** Keeps serving until load balancers send requests elsewhere. */
  readonly drain: () => Promise<void>
  /** Lets requests in progress finish. */
  readonly stop: () => Promise<void>
  /** Closes everything else that is open, the store last. */
  readonly close: () => Promise<void>
}

/**
 * Signals within this time count as one: a terminal or a supervisor signals npm, which passes it on,
 * and this process, too.
 */
const SAME_SIGNAL_MS = { SIGINT: 500, SIGTERM: 50 }

/**
 * Ends the process in order. SIGTERM drains, then lets requests in progress finish, and exits 0 (D-54);
 * SIGINT, which a person sends, does not drain. A second signal exits at once. An uncaught error is
 * logged and exits 1. The store is closed unless a second signal comes.
 */
export function watchProcess(
  { log, drain, stop, close }: Ending,
  { on, exit, now }: Watched = thisProcess,
): void {
  let firstSignalAt: number | null = null

  async function end(code: number, before?: () => Promise<void>) {
    try {
      await before?.()
      await close()
    } catch (error) {
      log.fatal({ err: error }, 'could not end in order')
      exit(1)
    }
    exit(code)
  }

  function onSignal(signal: 'SIGTERM' | 'SIGINT') {
    if (firstSignalAt === null) {
      firstSignalAt = now()
      log.info({ signal }, 'shutting down')
      void end(0, async () => {
        if (signal === 'SIGTERM') await drain()
        await stop()
      })
    } else if (now() - firstSignalAt > SAME_SIGNAL_MS[signal]) {
      exit(1)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) on(signal, () => onSignal(signal))

  function onFault(error: unknown) {
    log.fatal({ err: error }, 'an uncaught error')
    void end(1)
  }
  on('uncaughtException', onFault)
  on('unhandledRejection', onFault)
}

/** What is watched of a process: its own events, by a clock that only goes forward. */
type Watched = {
  readonly on: (event: string, listener: (what: unknown) => void) => unknown
  readonly exit: (code: number) => void
  readonly now: () => number
}

const thisProcess: Watched = {
  on: (event, listener) => process.on(event, listener),
  exit: (code) => process.exit(code),
  now: () => performance.now(),
}

type Running = Pick<Awaited<ReturnType<typeof startServer>>, 'urls'> & {
  readonly config: Config
  readonly roles: ReadonlySet<Role>
  /** null when a platform is configured. */
  readonly standinUrl: string | null
  readonly metricsUrl: string | undefined
  readonly healthUrl: string | undefined
  readonly demonstrationKey: string | null
}

/** As it is called in a clone, or where the package is installed: `docs/deploy.md` puts it into the PATH. */
const COMMAND = import.meta.filename.endsWith('.ts') ? 'npx mapcrate-server' : 'mapcrate-server'

/** The text for people that is printed when the server has started. */
function greeting(running: Running): string {
  const { config, roles, urls, standinUrl, metricsUrl, healthUrl } = running
  const platform = standinUrl
    ? `${standinUrl}  (a stand-in with made-up values; docs/operations.md)`
    : (config.platform?.url ?? '')
  const lines: readonly (readonly [string, string] | false)[] = [
    roles.has('site') && ['site', config.publicUrls.site ?? urls.packs],
    roles.has('api') && ['packs service', urls.packs + API_PREFIX],
    roles.has('pools') && ['tournament-pools service', urls.pools + API_PREFIX],
    !roles.has('worker') && [
      'no worker',
      'another process computes stats, builds the index and releases rounds',
    ],
    ['game platform', platform],
    ['store', storePlaceOf(config)],
    metricsUrl !== undefined && ['metrics', `${metricsUrl}/metrics`],
    healthUrl !== undefined && ['health', healthUrl],
  ]
  return `Mapcrate is ready.
${lines.map((line) => (line ? `  ${line[0].padEnd(24)}  ${line[1]}\n` : '')).join('')}
${firstSteps(running)}${standinUrl === null ? '' : moderatorStep}`
}

function firstSteps({ config, urls, demonstrationKey }: Running): string {
  if (demonstrationKey === null) {
    const player = { gameId: 'N', username: 'NAME' }
    const { gameId, username } = isDemonstration(config) ? demonstrationPlayer : player
    return `Make an API key (it replaces the one that the player has):
  ${COMMAND} key --service packs --game-id ${gameId} --username ${username}
`
  }
  return `This is a demonstration: a made-up player with three packs and a tournament. The API key is shown this once:
  ${demonstrationKey}
Read the packs with it:
  curl -H 'Authorization: Bearer ${demonstrationKey}' ${urls.packs}${API_PREFIX}/me/packs
`
}

const moderatorStep = `
On the site, sign in as any of the stand-in's players. This makes one of them a moderator:
  ${COMMAND} moderator --game-id ${MODERATOR_ID}
`

// At the end, where the constants above are initialized.
if (import.meta.main) {
  try {
    await serve()
  } catch (error) {
    process.stderr.write(`mapcrate-server: ${describeError(error)}\n`)
    process.exit(1)
  }
}
