import type { EndpointTable } from './endpoint.ts'
import { packsApi } from './packs-api.ts'
import { poolsApi } from './pools-api.ts'

/** The two services; each has its own keys and its own counters (D-7). */
export const serviceNames = ['packs', 'pools'] as const
export type ServiceName = (typeof serviceNames)[number]

/** What each service answers to. */
export const endpointsOf: Readonly<Record<ServiceName, EndpointTable>> = {
  packs: packsApi,
  pools: poolsApi,
}

/** What the services are called in messages. */
export const serviceTitles: Readonly<Record<ServiceName, string>> = {
  packs: 'packs service',
  pools: 'tournament-pools service',
}
