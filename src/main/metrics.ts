import { readFileSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { StoreObserver } from '../adapters/storage/engine.ts'
import {
  ACCOUNT_POINTS_PER_MINUTE,
  ADDRESS_POINTS_PER_MINUTE,
  FAILURES_PER_MINUTE,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../contract/quotas.ts'
import type { ServiceName } from '../contract/services.ts'
import type { Answered } from '../door/service-app.ts'
import type { PublishedIndexCache } from '../operations/search-index.ts'
import type { CallBudget, Platform } from '../ports/platform.ts'
import type { StatsWork } from '../ports/stats.ts'
import type { StoreCare } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'
import { indexMetrics, platformMetrics, statsMetrics } from './work-metrics.ts'

/** What is measured of this process, and the hands that measure it. */
export type Metrics = {
  readonly registry: Registry
  readonly onAnswer: (service: ServiceName, answered: Answered) => void
  readonly watchBudget: (budget: CallBudget) => CallBudget
  readonly watchPlatform: (platform: Platform) => Platform
  readonly watchDraining: (isDraining: () => boolean) => void
  /** What the store is to tell what it takes. */
  readonly observer: StoreObserver
}

type MeasuredPorts = {
  readonly clock: Clock
  readonly callBudget: CallBudget
  readonly statsWork: StatsWork
  readonly care: StoreCare
}

/** Where the store is: a file, or a database with so many connections at most. */
export type MeasuredStore = { readonly file: string } | { readonly connections: number }

export const createMetrics = (
  { clock, callBudget, statsWork, care }: MeasuredPorts,
  indexCache: PublishedIndexCache,
  store: MeasuredStore,
): Metrics => {
  const registry = new Registry()
  const isFile = 'file' in store
  const { watchDraining } = processMetrics(registry, isFile ? 'sqlite' : 'postgresql', indexCache)
  if (isFile) fileMetrics(registry, store.file)
  else connectionMetrics(registry, care, store.connections)
  statsMetrics(registry, clock, statsWork)
  indexMetrics(registry, clock, indexCache)
  return {
    registry,
    watchDraining,
    observer: storeMetrics(registry),
    onAnswer: requestMetrics(registry),
    ...platformMetrics(registry, clock, callBudget),
  }
}

/** Gauges whose names end as those of counters do; each is the sum of another one. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

const manifest = new URL('../../package.json', import.meta.url)

/** What this process is and what it is doing. */
const processMetrics = (
  registry: Registry,
  engine: 'sqlite' | 'postgresql',
  indexCache: PublishedIndexCache,
): { readonly watchDraining: (isDraining: () => boolean) => void } => {
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)

  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
  const build = new Gauge({
    name: 'mapcrate_build_info',
    help: 'Always 1; its labels say what runs.',
    labelNames: ['version', 'node', 'engine'],
    registers,
  })
  build.set({ version, node: process.versions.node, engine }, 1)

  const builder: Gauge = new Gauge({
    name: 'mapcrate_index_builder',
    help: '1 in the process that builds the search index, 0 in others.',
    registers,
    collect: () => builder.set(indexCache.isBuiltHere() ? 1 : 0),
  })

  let isDraining = () => false
  const draining: Gauge = new Gauge({
    name: 'mapcrate_draining',
    help: '1 from SIGTERM on, when no new requests should be sent here.',
    registers,
    collect: () => draining.set(isDraining() ? 1 : 0),
  })
  return {
    watchDraining: (ask) => {
      isDraining = ask
    },
  }
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const quotaNames: Readonly<Record<number, string>> = {
  [REQUESTS_PER_MINUTE]: 'requests',
  [WRITES_PER_MINUTE]: 'writes',
  [FAILURES_PER_MINUTE]: 'failed_attempts',
  [ACCOUNT_POINTS_PER_MINUTE]: 'site_account',
  [ADDRESS_POINTS_PER_MINUTE]: 'site_address',
}

/** Counts what a service answers. */
const requestMetrics = (
  registry: Registry,
): ((service: ServiceName, answered: Answered) => void) => {
  const registers = [registry]
  const requests = new Counter({
    name: 'mapcrate_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['service', 'method', 'route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'mapcrate_request_seconds',
    help: 'How long answers took, from the first byte of the request.',
    labelNames: ['service', 'method', 'route'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const refusals = new Counter({
    name: 'mapcrate_quota_refusals_total',
    help: 'Requests answered 429, by the quota that was used up.',
    labelNames: ['service', 'quota'],
    registers,
  })
  return (service, { method, route, status, ms, quota }) => {
    requests.inc({ service, method, route, status })
    seconds.observe({ service, method, route }, ms / 1000)
    if (status === 429) refusals.inc({ service, quota: quotaNames[quota?.limit ?? 0] ?? 'other' })
  }
}

const STORE_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
]

/** Measures what the store takes of this process's time. */
const storeMetrics = (registry: Registry): StoreObserver => {
  const registers = [registry]
  const statements = new Histogram({
    name: 'mapcrate_database_seconds',
    help: 'How long statements took, waiting for a connection not included.',
    buckets: STORE_SECONDS,
    registers,
  })
  const locks = new Histogram({
    name: 'mapcrate_write_lock_wait_seconds',
    help: 'How long writes waited for their lock, by what they write.',
    labelNames: ['scope'],
    buckets: STORE_SECONDS,
    registers,
  })
  return {
    onStatement: (tookMs) => statements.observe(tookMs / 1000),
    onLock: (scope, waitedMs) => locks.observe({ scope }, waitedMs / 1000),
  }
}

/** Measures the connections to a database, while there is one. */
const connectionMetrics = (
  registry: Registry,
  { connections }: Pick<StoreCare, 'connections'>,
  most: number,
): void => {
  if (connections() === null) return
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number): void => {
    const own: Gauge = new Gauge({ name, help, registers, collect: () => own.set(read()) })
  }
  const prefix = 'mapcrate_database_connections'
  gauge(`${prefix}_open`, 'Connections to the database.', () => connections()?.open ?? 0)
  gauge(`${prefix}_in_use`, 'Connections that work is done over.', () => connections()?.inUse ?? 0)
  gauge(
    'mapcrate_database_calls_waiting',
    'Calls that wait for a connection.',
    () => connections()?.waiting ?? 0,
  )
  gauge(`${prefix}_limit`, 'Connections that this process may have.', () => most)
}

/** Measures the file that holds the store and the disk that it is on. */
const fileMetrics = (registry: Registry, file: string): void => {
  const registers = [registry]
  const sizeOf = async (path: string): Promise<number> =>
    (await stat(path).catch(() => null))?.size ?? 0
  const bytes: Gauge = new Gauge({
    name: 'mapcrate_store_bytes',
    help: 'Size of the file that holds the store.',
    registers,
    collect: async () => bytes.set(await sizeOf(file)),
  })
  const log: Gauge = new Gauge({
    name: 'mapcrate_store_wal_bytes',
    help: 'Size of the write-ahead log of the store.',
    registers,
    collect: async () => log.set(await sizeOf(`${file}-wal`)),
  })
  const free: Gauge = new Gauge({
    name: 'mapcrate_disk_free_bytes',
    help: 'Bytes that the server may still write to the disk of the store.',
    registers,
    async collect() {
      const disk = await statfs(file).catch(() => null)
      if (disk !== null) free.set(disk.bavail * disk.bsize)
    },
  })
}
