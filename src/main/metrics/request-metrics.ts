import { Counter, Histogram, type Registry } from 'prom-client'
import {
  ACCOUNT_POINTS_PER_MINUTE,
  ADDRESS_POINTS_PER_MINUTE,
  FAILURES_PER_MINUTE,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../../contract/quotas.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { Answered } from '../../door/service-app.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const quotaNames: Readonly<Record<number, string>> = {
  [REQUESTS_PER_MINUTE]: 'requests',
  [WRITES_PER_MINUTE]: 'writes',
  [FAILURES_PER_MINUTE]: 'failed_attempts',
  [ACCOUNT_POINTS_PER_MINUTE]: 'site_account',
  [ADDRESS_POINTS_PER_MINUTE]: 'site_address',
}

/** Counts what a service answers. */
export const requestMetrics = (
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
    buckets: SECONDS,
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
