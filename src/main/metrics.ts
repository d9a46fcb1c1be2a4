import { stat, statfs } from 'node:fs/promises'
import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client'
import type { StoreObserver } from '../adapters/storage/engine.ts'
import { systemClock } from '../adapters/system.ts'
import {
  ACCOUNT_POINTS_PER_MINUTE,
  ADDRESS_POINTS_PER_MINUTE,
  FAILURES_PER_MINUTE,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../contract/quotas.ts'
import { type ServiceName, serviceNames } from '../contract/services.ts'
import type { Awaitable } from '../domain/loading.ts'
import { callerKind, PlatformError, troubles } from '../domain/platform.ts'
import type { Lifecycle } from '../door/wire.ts'
import type { Answered } from '../door/service-app.ts'
import type { Attempt } from '../operations/announcement-sending.ts'
import type { PublishedIndexCache } from '../operations/search-index.ts'
import type { CallBudget, Platform } from '../ports/platform.ts'
import type { Config } from './config.ts'
import { type Metric, type MetricName, metricList } from './metric-list.ts'
import { ownVersion } from './version.ts'
import { type Ports, storeFileOf } from './wire.ts'

// Importing this module starts the measuring: a process without METRICS_PORT does not import it.

/** What `/metrics` serves. */
export const registry = register

collectDefaultMetrics()
// Gauges whose names end like those of counters; each is the sum of another one.
for (const what of ['handles', 'requests', 'resources']) {
  register.removeSingleMetric(`nodejs_active_${what}_total`)
}

function describe<N extends MetricName>(name: N) {
  const { help, labels = [] }: Metric = metricList[name]
  return { name, help, labelNames: labels }
}

const requests = new Counter(describe('mapcrate_requests_total'))
const requestSeconds = new Histogram({
  ...describe('mapcrate_request_seconds'),
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})
const quotaRefusals = new Counter(describe('mapcrate_quota_refusals_total'))
const quotaNames: Readonly<Record<number, string>> = {
  [REQUESTS_PER_MINUTE]: 'requests',
  [WRITES_PER_MINUTE]: 'writes',
  [FAILURES_PER_MINUTE]: 'failed_attempts',
  [ACCOUNT_POINTS_PER_MINUTE]: 'site_account',
  [ADDRESS_POINTS_PER_MINUTE]: 'site_address',
}

for (const service of serviceNames) {
  // A counter that begins with its first refusal would hide that one from rates.
  for (const quota of Object.values(quotaNames)) quotaRefusals.inc({ service, quota }, 0)
}

/** Counts an answer of a service. */
export function onAnswer(service: ServiceName, answered: Answered): void {
  const { method, route, status, ms, quota, isHeldUp } = answered
  const cause = isHeldUp ? 'read_only' : ''
  requests.inc({ service, method, route, status, cause })
  requestSeconds.observe({ service, method, route }, ms / 1000)
  if (status !== 429) return
  quotaRefusals.inc({ service, quota: quotaNames[quota?.limit ?? 0] ?? 'other' })
}

const storeBuckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
]
const statementSeconds = new Histogram({
  ...describe('mapcrate_database_seconds'),
  buckets: storeBuckets,
})
const lockSeconds = new Histogram({
  ...describe('mapcrate_write_lock_wait_seconds'),
  buckets: storeBuckets,
})

export const observer: StoreObserver = {
  onStatement: (tookMs) => statementSeconds.observe(tookMs / 1000),
  onLock: (scope, waitedMs) => lockSeconds.observe({ scope }, waitedMs / 1000),
}

/**
 * Adds gauges, each with its value in what `read` returns, which is called once for each scrape; an
 * undefined value leaves the gauge as it is.
 */
function addGauges<T>(
  read: () => Awaitable<T>,
  gauges: Readonly<Partial<Record<MetricName, (state: T) => number | undefined>>>,
): void {
  let reading: Promise<T> | null = null
  const readLater = async (): Promise<T> => read()
  for (const [name, valueIn] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({
      ...describe(name as MetricName),
      async collect() {
        reading ??= readLater().finally(() => (reading = null))
        const value = valueIn(await reading)
        if (value !== undefined) gauge.set(value)
      },
    })
  }
}

/** Adds what runs here, and whether it is being shut down. */
export function measureProcess({ databaseUrl }: Config, lifecycle: Lifecycle): void {
  const engine = databaseUrl === null ? 'sqlite' : 'postgresql'
  const info: Gauge = new Gauge(describe('mapcrate_build_info'))
  info.set({ version: ownVersion(), node: process.versions.node, engine }, 1)
  addGauges(() => lifecycle.draining.aborted, { mapcrate_draining: Number })
}

/** Adds the store, and what is the same in each process: backlogs of stats and search, and the calls left. */
export function measureStore(ports: Ports, config: Config): void {
  const { care, statsWork, ratingWatch, searchUpdates, callBudget, announcements } = ports
  // Before those that ask the database, whose own calls would be seen waiting.
  if (config.databaseUrl === null) measureFile(storeFileOf(config))
  else measureConnections(care, config.databaseConnections)
  addGauges(() => callBudget.report(systemClock.now()), {
    mapcrate_platform_budget_left: ({ pause, left }) => (pause === null ? left : 0),
    mapcrate_platform_paused: ({ pause }) => Number(pause !== null),
    mapcrate_platform_answer_age_seconds: ({ lastSuccessAt, now }) =>
      lastSuccessAt === null ? undefined : Math.max(0, now - lastSuccessAt) / 1000,
  })
  addGauges(() => statsWork.backlog(systemClock.now()), {
    mapcrate_stats_oldest_due_seconds: ({ oldestDueAt }) =>
      oldestDueAt === null ? 0 : secondsSince(oldestDueAt),
    mapcrate_stats_unfinished: ({ total }) => total,
    mapcrate_stats_due: ({ length }) => length,
  })
  addGauges(() => announcements.backlog(), {
    mapcrate_announcements_waiting: ({ waiting }) => waiting,
    mapcrate_announcements_oldest_due_seconds: ({ oldestAt }) =>
      oldestAt === null ? 0 : secondsSince(oldestAt),
  })
  addGauges(() => ratingWatch.lastChange(), {
    mapcrate_rating_change_age_seconds: (change) => (change === null ? 0 : secondsSince(change.at)),
  })
  addGauges(() => statsWork.leftToMark(), { mapcrate_recompute_packs_left: (packs) => packs })
  addGauges(() => searchUpdates.progress(), {
    mapcrate_search_packs: ({ packs }) => packs,
    mapcrate_search_pending: ({ pending }) => pending,
    mapcrate_search_rebuilding: ({ isRebuilding }) => Number(isRebuilding),
    mapcrate_search_rebuild_left: ({ rebuild }) =>
      rebuild === null ? 0 : rebuild.of - rebuild.done,
  })
}

const announcementEnds = new Counter(describe('mapcrate_announcements_total'))
for (const end of ['sent', 'postponed', 'failed', 'given-up', 'gone']) {
  announcementEnds.inc({ end }, 0)
}

/** Counts an attempt to announce something. */
export const onAttempt = ({ end }: Attempt): void => announcementEnds.inc({ end: end.kind })

function secondsSince(time: number): number {
  return Math.max(0, systemClock.now() - time) / 1000
}

function measureConnections(care: Ports['care'], limit: number): void {
  addGauges(() => care.connections(), {
    mapcrate_database_connections_open: (now) => now?.open,
    mapcrate_database_connections_in_use: (now) => now?.inUse,
    mapcrate_database_connections_limit: () => limit,
    mapcrate_database_calls_waiting: (now) => now?.waiting,
  })
}

function measureFile(file: string): void {
  addGauges(() => stat(file).catch(() => null), {
    mapcrate_store_bytes: (own) => own?.size ?? 0,
  })
  addGauges(() => stat(`${file}-wal`).catch(() => null), {
    mapcrate_store_wal_bytes: (log) => log?.size ?? 0,
  })
  addGauges(() => statfs(file).catch(() => null), {
    mapcrate_disk_free_bytes: (disk) => (disk ? disk.bavail * disk.bsize : undefined),
  })
}

/** Adds the search index that this process serves. */
export function measureIndex(indexCache: PublishedIndexCache): void {
  const bytes: Gauge = new Gauge({
    ...describe('mapcrate_index_bytes'),
    async collect() {
      const index = indexCache.current()
      if (index === null) return
      bytes.set({ coding: 'identity' }, index.files.identity.bytes.length)
      bytes.set({ coding: 'br' }, (await index.files.br()).bytes.length)
    },
  })
  addGauges(() => indexCache.current(), {
    mapcrate_index_builder: () => Number(indexCache.isBuiltHere),
    mapcrate_index_packs: (index) => index?.packs,
    mapcrate_index_age_seconds: (index) =>
      index ? secondsSince(indexCache.freshAt ?? index.builtAt) : undefined,
  })
}

const platformCalls = new Counter(describe('mapcrate_platform_calls_total'))
const budgetRefusals = new Counter(describe('mapcrate_platform_budget_refusals_total'))
const platformFailures = new Counter(describe('mapcrate_platform_failures_total'))

/** The budget, with the calls of this process counted. */
export function measureBudget(budget: CallBudget): CallBudget {
  for (const caller of ['background', 'visitor', 'sign-in']) {
    platformCalls.inc({ caller }, 0)
    budgetRefusals.inc({ caller }, 0)
  }
  return {
    ...budget,
    async take(caller, now, count = 1, spare = 0, isForToken = false) {
      const leave = await budget.take(caller, now, count, spare, isForToken)
      const counter = leave.granted ? platformCalls : budgetRefusals
      counter.inc({ caller: callerKind(caller) }, count)
      return leave
    },
  }
}

/** The platform, with its failures counted. */
export function measurePlatform(platform: Platform): Platform {
  for (const question of ['beatmaps', 'rating', 'player']) {
    for (const trouble of troubles) {
      if (trouble !== 'unasked') platformFailures.inc({ question, trouble }, 0)
    }
  }
  return {
    ...platform,
    readBeatmaps: (...asked) => countFailure('beatmaps', platform.readBeatmaps(...asked)),
    readRating: (...asked) => countFailure('rating', platform.readRating(...asked)),
    readPlayer: (...arrival) => countFailure('player', platform.readPlayer(...arrival)),
  }
}

async function countFailure<T>(question: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof PlatformError && error.trouble !== 'unasked') {
      platformFailures.inc({ question, trouble: error.trouble })
    }
    throw error
  }
}
