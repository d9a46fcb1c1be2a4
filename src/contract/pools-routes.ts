import type { Routes } from './endpoint.ts'

// As routes.ts; apart from it, because the pages of the packs service need none of these.

/** Tournaments, on the tournament-pools service; for sessions below `/session`, too. */
export const tournamentRoutes = {
  listTournaments: 'GET /tournaments',
  listMyTournaments: 'GET /me/tournaments',
  createTournament: 'POST /tournaments',
  getTournament: 'GET /tournaments/{slug}',
  updateTournament: 'PATCH /tournaments/{slug}',
  deleteTournament: 'DELETE /tournaments/{slug}',
  createRound: 'POST /tournaments/{slug}/rounds',
  replaceRounds: 'PUT /tournaments/{slug}/rounds',
  getRound: 'GET /tournaments/{slug}/rounds/{round}',
  replaceRound: 'PUT /tournaments/{slug}/rounds/{round}',
  deleteRound: 'DELETE /tournaments/{slug}/rounds/{round}',
  changeSlots: 'PATCH /tournaments/{slug}/rounds/{round}/slots',
  releaseRound: 'PUT /tournaments/{slug}/rounds/{round}/release',
  getDraftHistory: 'GET /tournaments/{slug}/rounds/{round}/history',
  getDraftVersion: 'GET /tournaments/{slug}/rounds/{round}/history/{version}',
  listDeletedRounds: 'GET /tournaments/{slug}/deleted-rounds',
  restoreRound: 'POST /tournaments/{slug}/deleted-rounds/{round}/restore',
  listStaff: 'GET /tournaments/{slug}/staff',
  getMember: 'GET /tournaments/{slug}/staff/{gameId}',
  setRole: 'PUT /tournaments/{slug}/staff/{gameId}',
  removeMember: 'DELETE /tournaments/{slug}/staff/{gameId}',
  listCandidates: 'GET /tournaments/{slug}/rounds/{round}/candidates',
  proposeCandidate: 'POST /tournaments/{slug}/rounds/{round}/candidates',
  getCandidate: 'GET /tournaments/{slug}/rounds/{round}/candidates/{id}',
  voteOnCandidate: 'PUT /tournaments/{slug}/rounds/{round}/candidates/{id}/vote',
  moveCandidate: 'PATCH /tournaments/{slug}/rounds/{round}/candidates/{id}',
  removeCandidate: 'DELETE /tournaments/{slug}/rounds/{round}/candidates/{id}',
  listRemarks: 'GET /tournaments/{slug}/rounds/{round}/remarks',
  addRemark: 'POST /tournaments/{slug}/rounds/{round}/remarks',
  getRemark: 'GET /tournaments/{slug}/rounds/{round}/remarks/{id}',
  updateRemark: 'PATCH /tournaments/{slug}/rounds/{round}/remarks/{id}',
  removeRemark: 'DELETE /tournaments/{slug}/rounds/{round}/remarks/{id}',
  getTournamentChecks: 'GET /tournaments/{slug}/checks',
  getRoundChecks: 'GET /tournaments/{slug}/rounds/{round}/checks',
} as const satisfies Routes

/** Where beatmaps were pooled, on the tournament-pools service (D-67). */
export const usageRoutes = {
  getBeatmapUsage: 'GET /beatmaps/{id}/usage',
  listBeatmapUsage: 'GET /beatmaps/usage',
} as const satisfies Routes

/** What happens to tournaments, on the tournament-pools service (D-89). */
export const followRoutes = {
  getChanges: 'GET /changes',
} as const satisfies Routes

/** The session endpoints that only the tournament-pools service has, but for those of its API. */
export const poolsSessionRoutes = {
  getWorkspace: 'GET /session/tournaments/{slug}/workspace',
  followWorkspace: 'GET /session/tournaments/{slug}/events',
  getDiscussion: 'GET /session/tournaments/{slug}/rounds/{round}/discussion',
  getReleased: 'GET /session/tournaments/{slug}/rounds/{round}/released',
  listAnnouncements: 'GET /session/tournaments/{slug}/announcements',
  sendTrial: 'POST /session/tournaments/{slug}/announcements',
  sendAgain: 'POST /session/tournaments/{slug}/announcements/{id}/send',
  listInvitations: 'GET /session/tournaments/{slug}/invitations',
  makeInvitation: 'POST /session/tournaments/{slug}/invitations',
  withdrawInvitation: 'DELETE /session/tournaments/{slug}/invitations/{id}',
  getInvitation: 'GET /session/invitations/{token}',
  acceptInvitation: 'POST /session/invitations/{token}',
  listModeratedTournaments: 'GET /session/moderation/tournaments',
  hideTournament: 'POST /session/moderation/tournaments/{slug}/hide',
  unhideTournament: 'POST /session/moderation/tournaments/{slug}/unhide',
} as const satisfies Routes
