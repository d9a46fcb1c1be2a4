import { collectDefaultMetrics, Registry } from 'prom-client'
import type { ServiceName } from '../../contract/services.ts'
import type { Answered } from '../../http/service-app.ts'
import type { IndexShelf } from '../../operations/published-index.ts'
import type { CallBudget } from '../../ports/call-budget.ts'
import type { Platform } from '../../ports/platform.ts'
import type { StatsWork } from '../../ports/stats-work.ts'
import type { Clock } from '../../ports/system.ts'
import { platformMetrics } from './platform-metrics.ts'
import { requestMetrics } from './request-metrics.ts'
import { indexMetrics, statsMetrics } from './work-metrics.ts'

/** What is measured of this process, and the hands that measure it. */
export type Metrics = {
  readonly registry: Registry
  readonly onAnswer: (service: ServiceName, answered: Answered) => void
  readonly watchBudget: (budget: CallBudget) => CallBudget
  readonly watchPlatform: (platform: Platform) => Platform
}

type MeasuredPorts = {
  readonly clock: Clock
  readonly callBudget: CallBudget
  readonly statsWork: StatsWork
}

export const createMetrics = (
  { clock, callBudget, statsWork }: MeasuredPorts,
  shelf: IndexShelf,
): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  statsMetrics(registry, clock, statsWork)
  indexMetrics(registry, clock, shelf)
  return {
    registry,
    onAnswer: requestMetrics(registry),
    ...platformMetrics(registry, clock, callBudget),
  }
}
