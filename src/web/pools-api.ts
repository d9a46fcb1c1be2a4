import { forSessions } from '../contract/endpoint.ts'
import { poolsSessionRoutes, tournamentRoutes } from '../contract/pools-routes.ts'
import type { poolsSessionApi, sessionApi } from '../contract/session-api.ts'
import { callers } from './api.ts'

/** What the packs site does not have; events are followed, not called. */
type Api = Omit<typeof poolsSessionApi, keyof typeof sessionApi | 'followWorkspace'>

const routes = { ...forSessions(tournamentRoutes), ...poolsSessionRoutes }

/** Call an endpoint of the tournament-pools site, as `call` does one of both sites or of the packs site. */
export const { call: poolsCall, callTagged: poolsCallTagged } = callers<Api>(routes, {
  createTournament: 'key',
  updateTournament: 'same',
  // Not found is also what is out of sight: the settings find out which.
  deleteTournament: 'same',
  createRound: 'key',
  deleteRound: 'not_found',
  restoreRound: 'key',
  setRole: 'same',
  removeMember: 'not_found',
  proposeCandidate: 'key',
  voteOnCandidate: 'same',
  moveCandidate: 'same',
  removeCandidate: 'not_found',
  addRemark: 'key',
  updateRemark: 'same',
  removeRemark: 'not_found',
  withdrawInvitation: 'not_found',
})
