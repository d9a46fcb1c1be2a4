import type { Lines } from '../client/request.ts'
import type { tournamentApi } from '../contract/pools-api.ts'
import { type Caller, caller } from './api.ts'

type Api = Pick<typeof tournamentApi, 'listTournaments' | 'createTournament'>

/** Where each endpoint is. The compiler compares it with the contract. */
const lines = {
  listTournaments: 'GET /tournaments',
  createTournament: 'POST /tournaments',
} as Lines<Api>

/** Calls a session endpoint of the tournament-pools site, as `call` does. */
export const poolsCall: Caller<Api> = caller(lines)
