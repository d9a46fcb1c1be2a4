import type { Lines } from '../client/request.ts'
import type { poolsSessionApi, sessionApi } from '../contract/session-api.ts'
import { type Caller, caller, type TaggedCaller, taggedCaller } from './api.ts'

/** What the packs site does not have; events are followed, not called. */
type Api = Omit<typeof poolsSessionApi, keyof typeof sessionApi | 'followWorkspace'>

/** Where each endpoint is. The compiler compares it with the contract. */
const lines: Lines<Api> = {
  listTournaments: 'GET /session/tournaments',
  listMyTournaments: 'GET /session/me/tournaments',
  createTournament: 'POST /session/tournaments',
  getTournament: 'GET /session/tournaments/{slug}',
  updateTournament: 'PATCH /session/tournaments/{slug}',
  deleteTournament: 'DELETE /session/tournaments/{slug}',
  createRound: 'POST /session/tournaments/{slug}/rounds',
  replaceRounds: 'PUT /session/tournaments/{slug}/rounds',
  getRound: 'GET /session/tournaments/{slug}/rounds/{round}',
  replaceRound: 'PUT /session/tournaments/{slug}/rounds/{round}',
  deleteRound: 'DELETE /session/tournaments/{slug}/rounds/{round}',
  changeSlots: 'PATCH /session/tournaments/{slug}/rounds/{round}/slots',
  releaseRound: 'PUT /session/tournaments/{slug}/rounds/{round}/release',
  getDraftHistory: 'GET /session/tournaments/{slug}/rounds/{round}/history',
  getDraftVersion: 'GET /session/tournaments/{slug}/rounds/{round}/history/{version}',
  listStaff: 'GET /session/tournaments/{slug}/staff',
  setRole: 'PUT /session/tournaments/{slug}/staff/{gameId}',
  removeMember: 'DELETE /session/tournaments/{slug}/staff/{gameId}',
  listCandidates: 'GET /session/tournaments/{slug}/rounds/{round}/candidates',
  proposeCandidate: 'POST /session/tournaments/{slug}/rounds/{round}/candidates',
  voteOnCandidate: 'PUT /session/tournaments/{slug}/rounds/{round}/candidates/{id}/vote',
  removeCandidate: 'DELETE /session/tournaments/{slug}/rounds/{round}/candidates/{id}',
  listRemarks: 'GET /session/tournaments/{slug}/rounds/{round}/remarks',
  addRemark: 'POST /session/tournaments/{slug}/rounds/{round}/remarks',
  updateRemark: 'PATCH /session/tournaments/{slug}/rounds/{round}/remarks/{id}',
  removeRemark: 'DELETE /session/tournaments/{slug}/rounds/{round}/remarks/{id}',
  getTournamentChecks: 'GET /session/tournaments/{slug}/checks',
  getRoundChecks: 'GET /session/tournaments/{slug}/rounds/{round}/checks',
  getDiscussion: 'GET /session/tournaments/{slug}/rounds/{round}/discussion',
  getReleased: 'GET /session/tournaments/{slug}/rounds/{round}/released',
  getWorkspace: 'GET /session/tournaments/{slug}/workspace',
  listInvitations: 'GET /session/tournaments/{slug}/invitations',
  makeInvitation: 'POST /session/tournaments/{slug}/invitations',
  withdrawInvitation: 'DELETE /session/tournaments/{slug}/invitations/{id}',
  getInvitation: 'GET /session/invitations/{token}',
  acceptInvitation: 'POST /session/invitations/{token}',
  listModeratedTournaments: 'GET /session/moderation/tournaments',
  hideTournament: 'POST /session/moderation/tournaments/{slug}/hide',
  unhideTournament: 'POST /session/moderation/tournaments/{slug}/unhide',
}

/** Calls an endpoint of the tournament-pools site, as `call` does one of both sites or of the packs site. */
export const poolsCall: Caller<Api> = caller(lines)

/** As `poolsCall`, with the ETag of the answer, for `If-Match`. */
export const poolsCallTagged: TaggedCaller<Api> = taggedCaller(lines)
