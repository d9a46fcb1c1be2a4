import { freeWork } from './free-work.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { Random, WorkMeter } from '../../src/ports/system.ts'
import { createPlatform } from '../../src/adapters/platform/platform.ts'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { systemCompressor, systemHasher, systemRandom } from '../../src/adapters/system.ts'
import type { PackInput } from '../../src/contract/packs.ts'
import type { ServiceName } from '../../src/contract/services.ts'
import type { DoorPorts, Settings } from '../../src/door/context.ts'
import type { Installation } from '../../src/domain/installation.ts'
import { fileTag } from '../../src/domain/reading/requests.ts'
import { originsOf } from '../../src/door/sessions.ts'
import { type Answered, createServiceApp } from '../../src/door/service-app.ts'
import { issueKey } from '../../src/operations/keys.ts'
import { OperatorWatch } from '../../src/operations/operator.ts'
import { createIndexBuilder, PublishedIndexCache } from '../../src/operations/search-index.ts'
import { type AssetStore, openAssetStore } from '../../src/site/assets/assets.ts'
import { withPublished } from '../../src/site/assets/published-assets.ts'
import { createSite } from '../../src/site/create-site.ts'
import { createStandin } from '../../src/standin/create-standin.ts'
import { Browser } from './browser.ts'
import { builtAssets } from './build-pages.ts'
import { Door } from './door.ts'
import { HandClock } from './hand-clock.ts'
import { Host } from './house.ts'
import { MemoryCallBudget } from './memory-call-budget.ts'
import { writeSiteAssets } from './site-assets.ts'
import { openTestStores } from './test-stores.ts'
import { plainInstallation } from './settings.ts'

const CLIENT = { id: '42', secret: 'shh' }

export type SiteHouseOptions = {
  /** Each site is without the other. */
  readonly isAlone?: boolean
  /** The addresses that a proxy with TLS in front of the services has; left out: plain HTTP. */
  readonly isSecure?: boolean
  /** false: nobody has built the pages. */
  readonly isBuilt?: boolean
  /** The pages as they really are, rather than one small script in place of each. */
  readonly hasRealPages?: boolean
  /** Those, also in the languages that are there for tests. */
  readonly isPseudo?: boolean
  /** What is served of them, and what renders them; left out: as they were built. */
  readonly withAssets?: (assets: AssetStore) => AssetStore
  /** Addresses of proxies that say where a request came from; left out: none. */
  readonly trustedProxies?: readonly string[]
  /** Puts something between the site and its ports, to make them fail or to count them. */
  readonly withPorts?: (ports: DoorPorts) => DoorPorts
  /** Left out: nobody is charged for CPU time. */
  readonly work?: WorkMeter
  readonly onAnswer?: (answered: Answered) => void
  /** Left out: the system's. */
  readonly random?: Random
  /** Left out: those of the stand-in. */
  readonly coversUrl?: string
  /** The mirrors that are configured; `own`: that of the stand-in. Left out: none. */
  readonly mirrors?: readonly string[] | 'own'
  /** Left out: one that was given nothing of its own. */
  readonly installation?: Installation
  /** Whether releases are announced on Discord; left out: they are not. */
  readonly sendsToDiscord?: boolean
  /** Gets each line of the log. */
  readonly onLog?: (line: string) => void
  /** Called with the path of each call that reaches the platform. */
  readonly onPlatformCall?: (path: string) => void
}

/** Both services with their sites on real HTTP, a stand-in platform, a real store, one hand-set clock. */
export const openSiteHouse = async ({
  isAlone = false,
  sendsToDiscord = false,
  isSecure = false,
  isBuilt = true,
  hasRealPages = false,
  isPseudo = false,
  withAssets = (assets) => assets,
  trustedProxies = [],
  withPorts = (ports) => ports,
  work = freeWork,
  onAnswer,
  random = systemRandom,
  coversUrl,
  mirrors = [],
  installation = plainInstallation,
  onLog,
  onPlatformCall = () => {},
}: SiteHouseOptions = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-site-'))
  const opened = await openTestStores(join(folder, 'mapcrate.db'), work)
  const { stores, quotas } = opened
  const clock = new HandClock()
  const redirectUris: string[] = []
  const standin = createStandin({
    clock: () => clock.now(),
    client: { ...CLIENT, redirectUris },
    perMinute: null,
  })
  standin.addHook('onRequest', async ({ url }) => onPlatformCall(url))
  const platformUrl = await listen(standin)
  const callBudget = new MemoryCallBudget()
  const platform = createPlatform({
    url: platformUrl,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    budget: callBudget,
    clock,
    // Of a busy machine, too, an answer comes.
    timeoutMs: 30_000,
  })
  const ports = {
    ...stores,
    quotas,
    clock,
    random,
    hasher: systemHasher,
    compressor: systemCompressor,
    work,
    platform,
  }
  const isReal = hasRealPages || isPseudo
  if (isBuilt && !isReal) await writeSiteAssets(join(folder, 'web'))
  const assets = await (isReal
    ? builtAssets(installation, isPseudo)
    : openAssetStore(join(folder, 'web'), installation))
  const indexCache = new PublishedIndexCache()
  const urls: Record<ServiceName, string> = { packs: '', pools: '' }

  const publicUrl = (service: ServiceName): string =>
    isSecure ? `https://${service}.test` : urls[service]

  const settingsOf = (service: ServiceName): Settings => ({
    get ownUrl() {
      return publicUrl(service)
    },
    get ownApiUrl() {
      return publicUrl(service)
    },
    get siteUrl() {
      return publicUrl('packs')
    },
    get apiUrl() {
      return publicUrl('packs')
    },
    get poolsUrl() {
      return publicUrl('pools')
    },
    coversUrl: coversUrl ?? `${platformUrl}/assets`,
    cookieSecret: CLIENT.secret,
    keyPrefixes: { packs: 'packs', pools: 'pools' },
    mirrors: mirrors === 'own' ? [`${platformUrl}/mirror/d/{set}`] : mirrors,
    poolsOwnerName: 'Tournament pools',
    installation,
    trustedProxies,
    isAlone,
    sendsToDiscord,
  })

  const buildIndex = createIndexBuilder(ports.publicIndex, 'Tournament pools')
  const operator = new OperatorWatch(stores.operatorState)
  const shutdown = new AbortController()
  const createApp = (service: ServiceName, own: DoorPorts = ports): FastifyInstance => {
    const parts = {
      service,
      settings: settingsOf(service),
      lifecycle: { draining: shutdown.signal },
      operator,
    }
    const seen = withPorts(own)
    return createServiceApp({
      ...parts,
      ports: own,
      onAnswer,
      ...(onLog && { logger: { level: 'warn', stream: { write: onLog } } }),
      site: createSite({
        ...parts,
        ports: seen,
        assets: withPublished(withAssets(assets), seen.pageFiles),
        indexCache: service === 'packs' ? indexCache : null,
      }),
    })
  }
  const apps = { packs: createApp('packs'), pools: createApp('pools') }
  const others: { app: FastifyInstance; stores: Stores }[] = []
  urls.packs = await listen(apps.packs)
  urls.pools = await listen(apps.pools)
  const sites = [publicUrl('packs'), publicUrl('pools')]
  redirectUris.push(...sites.flatMap(originsOf).map((origin) => `${origin}/sign-in/callback`))

  function callbackOf(service: ServiceName): string {
    return `${publicUrl(service)}/sign-in/callback`
  }

  /** A fresh browser before a service's site. */
  const browser = (service: ServiceName = 'packs'): Browser =>
    new Browser(urls[service], publicUrl(service))

  /** What the platform's page answers when this player, or nobody, agrees: a path with its query. */
  const agree = async (address: string, gameId: number | null): Promise<string> => {
    const { searchParams } = new URL(address)
    const choice = gameId === null ? { decision: 'deny' } : { player: String(gameId) }
    const answer = await fetch(`${platformUrl}/oauth/authorize`, {
      method: 'POST',
      body: new URLSearchParams({ ...Object.fromEntries(searchParams), ...choice }),
      redirect: 'manual',
    })
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    return pathname + search
  }

  /** Signs one of the stand-in's players in; the browser then knows who it is. */
  const signIn = async (from: Browser, gameId: number): Promise<Browser> => {
    const begun = await from.open('/sign-in')
    const ended = await from.open(await agree(begun.headers.get('location') ?? '', gameId))
    if (ended.status !== 302) throw new Error(`${ended.status} ${ended.text}`)
    await from.look()
    return from
  }

  /** A signed-in browser of one of the stand-in's players. */
  const signedIn = (gameId: number, service: ServiceName = 'packs'): Promise<Browser> =>
    signIn(browser(service), gameId)

  /** Makes a call of the platform fail, as the stand-in's README says. */
  const order = async (fault: Record<string, unknown>): Promise<void> => {
    await fetch(`${platformUrl}/standin/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    })
  }

  /** The platform knows this player by another name from now on. */
  const rename = async (id: number, username: string): Promise<void> => {
    await fetch(`${platformUrl}/standin/players`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, username }),
    })
  }

  /** A player with a key for the API of a service. */
  const hostOf = async (
    gameId: number,
    username: string,
    service: ServiceName = 'packs',
  ): Promise<Host> => {
    const wish = { service, keyPrefix: service, gameId, username }
    return new Host(new Door(urls[service]), gameId, username, await issueKey(ports, wish))
  }

  /** Saves a pack on the site; gives its slug. */
  const save = async (from: Browser, input: PackInput): Promise<string> => {
    const reply = await from.ask('POST', '/session/packs', input)
    if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`)
    return reply.json.pack.slug
  }

  /** Brings the search index up to date, as the worker does: until the first one, requests for it wait for seconds. */
  const publishIndex = async (): Promise<void> => {
    // Counts what has changed.
    await ports.publicIndex.version()
    const { version, parts, packs } = await buildIndex(async () => {})
    const bytes = Buffer.concat(parts)
    const tagOf = (form: string): string => fileTag(version.replaceAll('.', '-'), form)
    const files = {
      identity: { bytes, etag: tagOf('') },
      br: async () => ({ bytes: brotliCompressSync(bytes), etag: tagOf('br') }),
      gzip: async () => ({ bytes: gzipSync(bytes), etag: tagOf('gzip') }),
    }
    indexCache.put({ version, builtAt: clock.now(), packs, files })
  }

  /** Serves the tournament-pools site once more, as another process would, over the same store. */
  const another = async (): Promise<{ readonly url: string; readonly stores: Stores }> => {
    const stores = await opened.again()
    const app = createApp('pools', { ...ports, ...stores })
    others.push({ app, stores })
    return { url: await listen(app), stores }
  }

  /** What the first signal does to all of them. */
  const drain = (): void => shutdown.abort()

  const close = async (): Promise<void> => {
    drain()
    const { packs, pools } = apps
    await Promise.all(
      [packs, pools, standin, ...others.map(({ app }) => app)].map((app) => app.close()),
    )
    await Promise.all(others.map(({ stores }) => stores.care.close()))
    await opened.close()
    await rm(folder, { recursive: true, force: true })
  }

  return {
    folder,
    apps,
    clock,
    ports,
    operator,
    platform,
    callBudget,
    platformUrl,
    indexCache,
    urls,
    publicUrl,
    callbackOf,
    browser,
    agree,
    signIn,
    signedIn,
    order,
    rename,
    hostOf,
    save,
    publishIndex,
    another,
    drain,
    close,
  }
}

export type SiteHouse = Awaited<ReturnType<typeof openSiteHouse>>

const listen = async (app: FastifyInstance): Promise<string> => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}
