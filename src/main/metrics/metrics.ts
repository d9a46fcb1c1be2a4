import { Registry } from 'prom-client'
import type { StoreObserver } from '../../adapters/storage/engine.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { Answered } from '../../door/service-app.ts'
import type { IndexShelf } from '../../operations/published-index.ts'
import type { CallBudget, Platform } from '../../ports/platform.ts'
import type { StatsWork } from '../../ports/stats.ts'
import type { StoreCare } from '../../ports/store.ts'
import type { Clock } from '../../ports/system.ts'
import { platformMetrics } from './platform-metrics.ts'
import { processMetrics } from './process-metrics.ts'
import { requestMetrics } from './request-metrics.ts'
import { connectionMetrics, fileMetrics, storeMetrics } from './store-metrics.ts'
import { indexMetrics, statsMetrics } from './work-metrics.ts'

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
  shelf: IndexShelf,
  store: MeasuredStore,
): Metrics => {
  const registry = new Registry()
  const isFile = 'file' in store
  const { watchDraining } = processMetrics(registry, isFile ? 'sqlite' : 'postgresql', shelf)
  if (isFile) fileMetrics(registry, store.file)
  else connectionMetrics(registry, care, store.connections)
  statsMetrics(registry, clock, statsWork)
  indexMetrics(registry, clock, shelf)
  return {
    registry,
    watchDraining,
    observer: storeMetrics(registry),
    onAnswer: requestMetrics(registry),
    ...platformMetrics(registry, clock, callBudget),
  }
}
