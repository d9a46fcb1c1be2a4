// Prints, as JSON, which files of src/ some journeys through the house execute. See `Journeys`.
import { mkdtemp, rm } from 'node:fs/promises'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { createClient } from '../src/client/packs.ts'
import type { SearchReply } from '../src/contract/search.ts'
import type { SavedPack } from '../src/domain/packs.ts'
import { packWords } from '../src/domain/search.ts'
import type { ServiceName } from '../src/contract/services.ts'
import { readImport } from '../src/formats/import/read-import.ts'
import { allRoles, loadConfig } from '../src/main/config.ts'
import { openLogStream } from '../src/adapters/system.ts'
import { startServer } from '../src/main/server.ts'
import { openPlatform, openPorts } from '../src/main/wire.ts'
import { issueKey } from '../src/operations/keys.ts'
import { OperatorWatch } from '../src/operations/operator.ts'
import { PublishedIndexCache } from '../src/operations/search-index.ts'
import { completePool } from '../src/pool/checks.ts'
import { openAssetStore } from '../src/site/assets/assets.ts'
import { createStandin } from '../src/standin/create-standin.ts'
import { defaultClient } from '../src/standin/state.ts'
import { createStatsRun } from '../src/worker/stats.ts'

/**
 * The files, by their path below `src/`, of which the runtime executed a function for a journey: the
 * loading of a module does not count, nor does the stand-in platform.
 *
 * Both services run as `serve` wires them, over real HTTP and a new SQLite file, without the workers.
 * Everything has been asked for before, so that what is loaded or filled once is no part of it. A
 * request's journey lasts until its answer has arrived whole. Each is made five times, well apart, and
 * only what all five executed counts: what a timer does for an earlier one falls out.
 */
export type Journeys = {
  /** `GET /packs/{slug}` with a key, of a pack that is in memory. */
  readonly read: readonly string[]
  /** `POST /packs` of ten slots. */
  readonly create: readonly string[]
  /** `PATCH …/slots` of one slot of a tournament of one round. */
  readonly slots: readonly string[]
  /** `GET /p/{slug}` by somebody who is not signed in, when another pack has been saved since the last time. */
  readonly page: readonly string[]
  /** A pasted sheet, read and completed, until the client hands its request body to `fetch`. */
  readonly paste: readonly string[]
  /** `GET /session/search` of a visitor, for words in the name of a pack that the search has taken over. */
  readonly search: readonly string[]
  /** From the platform's answer about a new pack's beatmaps until the stats are in the pack's row. */
  readonly stats: readonly string[]
}

const TIMES = 5
/** Longer than anything that is put off for the sake of a batch. */
const APART_MS = 300

const src = fileURLToPath(new URL('../src/', import.meta.url))
/** They must have been built: those of `build-web.mjs`. */
const pages = fileURLToPath(new URL('../build/web', import.meta.url))

async function makeJourneys(): Promise<Journeys> {
  const coverage = new Coverage()
  const paste = await coverage.of(pasteSheet)
  const house = await openHouse()
  try {
    const { slug } = (await house.ask('POST', '/packs', aPack())).pack
    const read = await coverage.of(() => house.ask('GET', `/packs/${slug}`))
    const create = await coverage.of(() => house.ask('POST', '/packs', aPack()))
    await house.work()
    const page = await coverage.of(async (restart) => {
      await house.askOther('POST', '/packs', aPack())
      await house.work()
      await pause(APART_MS)
      restart()
      await house.open(`/p/${slug}`)
    })
    const { tournament } = await house.askPools('POST', '/tournaments', { name: 'Harbour Cup' })
    const rounds = `/tournaments/${tournament.slug}/rounds`
    const { round } = await house.askPools('POST', rounds, { name: 'Finals' })
    const slots = await coverage.of(() =>
      house.askPools('PATCH', `${rounds}/${round.id}/slots`, aSlotChange()),
    )
    const stats = await coverage.of(async (restart) => {
      await house.askThird('POST', '/packs', aPack())
      await pause(APART_MS)
      house.onPlatformAnswer(restart)
      await house.work(1)
      house.onPlatformAnswer(() => {})
    })
    await house.takeOver()
    const search = await coverage.of(() => house.search('finals'))
    return {
      read,
      create,
      slots,
      page,
      paste,
      search,
      stats: stats.filter((file) => !file.startsWith('standin/')),
    }
  } finally {
    await house.close()
  }
}

/** The runtime's own count of how often each function was called. */
class Coverage {
  readonly #session = new Session()

  constructor() {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** @param journey is made once more than it is counted; what it did until it calls `restart` is not. */
  async of(journey: (restart: () => void) => Promise<unknown>): Promise<string[]> {
    const rounds: string[][] = []
    for (let time = 0; time <= TIMES; time += 1) {
      await pause(APART_MS)
      this.#take()
      await journey(() => this.#take())
      rounds.push(this.#take())
    }
    const [, first = [], ...others] = rounds
    return first.filter((file) => others.every((round) => round.includes(file)))
  }

  /** The files of `src/` with a function that was called since this was asked before. */
  #take(): string[] {
    let files: string[] = []
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) throw error
      files = result
        .filter(({ functions }) =>
          // What begins where the file does is the module itself.
          functions.some(({ ranges: [own] }) => own && own.startOffset > 0 && own.count > 0),
        )
        .filter(({ url }) => url.startsWith('file:'))
        .map(({ url }) => fileURLToPath(url))
        .filter((path) => path.startsWith(src))
        .map((path) => relative(src, path))
    })
    return files.toSorted()
  }
}

async function openHouse() {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-journeys-'))
  let onPlatformAnswer = (): void => {}
  const standin = createStandin({ clock: () => Date.now(), perMinute: null })
  standin.addHook('onSend', async ({ url }) => {
    if (/\/beatmaps(\?|$)/.test(url)) onPlatformAnswer()
  })
  const platformUrl = await listen(standin)
  const config = loadConfig({
    DATA_DIR: folder,
    PORT: '0',
    POOLS_PORT: '0',
    PLATFORM_URL: platformUrl,
    PLATFORM_CLIENT_ID: defaultClient.id,
    PLATFORM_CLIENT_SECRET: defaultClient.secret,
  })
  const stores = await openPorts(config, 'make', 'short')
  const platform = openPlatform(config.platform!, stores.callBudget, null)
  const ports = { ...stores, platform }
  const server = await startServer(config, ports, {
    logger: { level: config.logLevel, stream: openLogStream() },
    indexCache: new PublishedIndexCache(),
    coversUrl: `${platformUrl}/assets`,
    cookieSecret: defaultClient.secret,
    assets: await openAssetStore(pages, config.installation),
    roles: allRoles,
    operator: new OperatorWatch(stores.operatorState),
  })
  const turn = createStatsRun(ports, server.log)

  const request = async (address: string, init: RequestInit = {}): Promise<string> => {
    const response = await fetch(address, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${init.method} ${address}: ${response.status} ${text}`)
    return text
  }
  /** Calls of the API with a key of one player, who has quotas of their own. */
  const callerOf = async (service: ServiceName, gameId: number) => {
    const player = { gameId, username: `player ${gameId}` }
    const key = await issueKey(ports, { service, keyPrefix: service, ...player })
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
    return async (method: string, path: string, body?: object): Promise<any> => {
      const type = body && { 'content-type': 'application/json' }
      const headers = { authorization: `Bearer ${key}`, ...type }
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      return JSON.parse(await request(`${server.urls[service]}/api/v1${path}`, init))
    }
  }

  return {
    ask: await callerOf('packs', 4711),
    askOther: await callerOf('packs', 4712),
    askThird: await callerOf('packs', 4713),
    askPools: await callerOf('pools', 4711),
    open: (path: string) => request(server.urls.packs + path),
    async search(words: string): Promise<void> {
      const { packs } = JSON.parse(
        await request(`${server.urls.packs}/session/search?q=${words}`),
      ) as SearchReply
      if (packs.length === 0) throw new Error(`The search finds no ${words}`)
    },
    /** Has the search take over what was saved. */
    async takeOver(): Promise<void> {
      const take = (pack: SavedPack) => packWords(pack, pack.ownerId, new Map())
      while ((await ports.searchUpdates.update(100, take)) > 0);
    },
    /** Has the worker take its turn so often; left out: until nothing is due. */
    async work(turns = Infinity): Promise<void> {
      for (let made = 0; made < turns && (await turn()) > 0; made += 1);
    },
    onPlatformAnswer(listener: () => void): void {
      onPlatformAnswer = listener
    },
    async close(): Promise<void> {
      await server.stop()
      await stores.care.close()
      await standin.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function listen(app: FastifyInstance): Promise<string> {
  return app.listen({ host: '127.0.0.1', port: 0 })
}

let beatmaps = 1000

/** A pool of ten beatmaps that no other has. */
function aPack() {
  const slot = (mod: string, index: number) => ({ mod, index, beatmapId: (beatmaps += 1) })
  const slots = [1, 2, 3, 4, 5].flatMap((index) => [slot('NM', index), slot('HD', index)])
  return { name: 'Finals', visibility: 'public', slots }
}

let changedTo: number | null = null

/** Another beatmap in NM1, from what the change before has put there. */
function aSlotChange() {
  const from = changedTo === null ? 'none' : { beatmapId: changedTo }
  changedTo = beatmaps += 1
  return { changes: [{ mod: 'NM', index: 1, from, to: { beatmapId: changedTo } }] }
}

const SHEET = 'Slot\tBeatmap\nNM1\t129891\nNM2\t75\nHD1\t1001\nTB\t1002\n'

/** Resolves when `fetch` is called; the call ends after that. */
async function pasteSheet(): Promise<void> {
  const ending = new AbortController()
  const sent = Promise.withResolvers<unknown>()
  const [{ draft } = { draft: { name: '', slots: [] } }] = readImport(SHEET, {
    into: { name: 'Finals', slots: [] },
  }).pools
  const client = createClient({
    baseUrl: 'http://127.0.0.1:1',
    key: `packs_${'a'.repeat(43)}`,
    signal: ending.signal,
    fetch: async (_address, init) => {
      sent.resolve(init?.body)
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('ended')))
      })
    },
  })
  const call = client.createPack({ ...completePool(draft), visibility: 'unlisted' })
  call.catch(() => {})
  await Promise.race([sent.promise, call])
  setImmediate(() => ending.abort())
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await makeJourneys())}\n`)
