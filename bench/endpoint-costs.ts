import { inputAt } from '../scripts/seed/made-up-packs.ts'
import { cpuMs } from './cpu-time.ts'
import type { Database } from './database.ts'
import { load, rawRequest, warmUp } from './load.ts'
import { startService, stop } from './processes.ts'
import { atMost, median, report } from './report.ts'
import { type Sized, spread } from './sizes.ts'

const CONNECTIONS = 4
const ROUNDS = 3
const ROUND_MS = 700
const WARM_UP_MS = 1_000
const PAGE_SIZE = 50
/** More pages than are remembered. */
const PAGES = 100
/** Until the index is built. */
const SETTLE_MS = 3_000

type Requests = readonly Buffer[]
type Endpoint = {
  readonly name: string
  readonly requests: (store: Sized) => Requests
  /** What it may cost with most packs, in parts of what it costs with fewest. */
  readonly most?: number
  /** Each request can be made once. */
  readonly isOnce?: boolean
}

const forEachKey = (
  { keys }: Sized,
  method: string,
  path: (at: number) => string,
  body?: (at: number) => unknown,
): Requests =>
  keys.map((key, at) =>
    rawRequest(method, `/api/v1${path(at)}`, key, body && JSON.stringify(body(at))),
  )

const endpoints: readonly Endpoint[] = [
  { name: 'GET /me/packs', requests: (store) => forEachKey(store, 'GET', () => '/me/packs') },
  {
    name: 'GET /packs/{slug}',
    requests: (store) => {
      const slugs = spread(store, store.keys.length)
      return forEachKey(store, 'GET', (at) => `/packs/${slugs[at]}`)
    },
    most: 1.3,
  },
  {
    name: 'GET /packs, the first pages',
    requests: (store) => forEachKey(store, 'GET', (at) => `/packs?page=${1 + (at % PAGES)}`),
  },
  {
    name: 'GET /packs, the last pages',
    requests: (store) =>
      forEachKey(store, 'GET', (at) => {
        const pages = store.packs / PAGE_SIZE
        return `/packs?page=${pages - (at % Math.min(PAGES, pages))}`
      }),
  },
  {
    name: 'POST /packs',
    requests: (store) =>
      forEachKey(
        store,
        'POST',
        () => '/packs',
        (at) => inputAt(at),
      ),
    most: 1.3,
  },
  {
    name: 'PUT /packs/{slug}',
    requests: (store) =>
      forEachKey(
        store,
        'PUT',
        (at) => `/packs/${store.own[at]}`,
        (at) => inputAt(at + 1),
      ),
  },
  {
    name: 'DELETE /packs/{slug}',
    requests: (store) => forEachKey(store, 'DELETE', (at) => `/packs/${store.own[at]}`),
    isOnce: true,
  },
]

type Running = { readonly store: Sized; readonly port: number; readonly pid: number }

/**
 * What each endpoint costs in stores of several sizes, round by round: µs of a core for each
 * request, those of the server and those of the database. The work behind a save is in it.
 */
export const benchSizes = async (
  engine: string,
  database: Database | null,
  stores: readonly Sized[],
): Promise<void> => {
  const children = await Promise.all(stores.map(({ place }) => startService(place)))
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    const running = stores.map((store, at): Running => {
      const { port = 0, child } = children[at] ?? {}
      return { store, port, pid: child?.pid ?? 0 }
    })
    for (const { store, port } of running) {
      const all = forEachKey(store, 'GET', () => '/me')
      let sent = 0
      await warmUp(port, CONNECTIONS, all.length, () => all[sent++ % all.length] as Buffer)
    }
    for (const endpoint of endpoints) {
      reportCosts(engine, endpoint, await compareSizes(endpoint, running, database))
    }
  } finally {
    await Promise.all(children.map(({ child }) => stop(child)))
  }
}

/** µs of a core for a request. */
type Cost = { readonly server: number; readonly database: number }

const compareSizes = async (
  { name, requests, isOnce = false }: Endpoint,
  running: readonly Running[],
  database: Database | null,
): Promise<readonly Cost[]> => {
  const costs: Cost[][] = running.map(() => [])
  const cycles = running.map(({ store }) => {
    const all = requests(store)
    let sent = 0
    return () => all[sent++ % all.length] as Buffer
  })
  const busy = (pid: number): Cost => ({ server: cpuMs(pid), database: database?.cpuMs() ?? 0 })
  for (let round = isOnce ? 1 : 0; round <= ROUNDS; round++) {
    for (const [at, { port, pid }] of running.entries()) {
      const before = busy(pid)
      const ms = round === 0 ? WARM_UP_MS : isOnce ? ROUND_MS / 4 : ROUND_MS
      const next = cycles[at] ?? (() => Buffer.of())
      const { answered, refused } = await load(port, CONNECTIONS, ms, next)
      // Whatever a first request has to wait for is no matter here.
      if (round > 0 && refused > 0)
        throw new Error(`${name} was refused ${refused} times of ${answered}`)
      const after = busy(pid)
      const each = (of: keyof Cost) => (1000 * (after[of] - before[of])) / answered
      if (round > 0) costs[at]?.push({ server: each('server'), database: each('database') })
    }
  }
  return costs.map((rounds) => ({
    server: median(rounds.map((cost) => cost.server)),
    database: median(rounds.map((cost) => cost.database)),
  }))
}

const reportCosts = (engine: string, { name, most }: Endpoint, costs: readonly Cost[]): void => {
  const what = `${engine}: ${name}`
  const all = costs.map(({ server, database }) => server + database)
  const texts = costs.map(({ server, database }) =>
    database === 0 ? server.toFixed(0) : `${server.toFixed(0)} + ${database.toFixed(0)}`,
  )
  const ratio = (all.at(-1) ?? Number.NaN) / (all[0] ?? Number.NaN)
  const detail = `${texts.join(', ')} µs`
  if (most === undefined) report(what, `${ratio.toFixed(2)}  (${detail})`, '', true)
  else atMost(what, ratio, most, detail)
}
