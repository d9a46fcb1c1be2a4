import type { EndpointTable } from './endpoint.ts'
import { getMe, getOpenapi } from './identity.ts'

/** The tournament-pools service (spec 4.2). */
export const poolsApi = { getMe, getOpenapi } as const satisfies EndpointTable
