import type { Routes } from './endpoint.ts'

// Apart from the schemas, so that clients and pages load none of them.

/** Both services (spec 4, D-11). */
export const sharedRoutes = {
  getMe: 'GET /me',
  getOpenapi: 'GET /openapi.json',
} as const satisfies Routes

/** What reads packs; apart, for programs that do nothing else. */
export const packReadingRoutes = {
  listMyPacks: 'GET /me/packs',
  listPacks: 'GET /packs',
  getPack: 'GET /packs/{slug}',
} as const satisfies Routes

/** The packs service (spec 4.1). */
export const packsRoutes = {
  ...packReadingRoutes,
  createPack: 'POST /packs',
  replacePack: 'PUT /packs/{slug}',
  deletePack: 'DELETE /packs/{slug}',
  getHistory: 'GET /packs/{slug}/history',
  getVersion: 'GET /packs/{slug}/history/{version}',
  setHistoryPublic: 'PUT /packs/{slug}/history',
  getChanges: 'GET /changes',
} as const satisfies Routes

/** The session endpoints of the packs service; those of the account and of beatmaps are on both sites. */
export const sessionRoutes = {
  getSession: 'GET /session',
  signOut: 'POST /session/sign-out',
  setLanguage: 'PUT /session/language',
  listSessions: 'GET /session/sessions',
  endSession: 'DELETE /session/sessions',
  endOtherSessions: 'POST /session/sessions/end-others',
  getKey: 'GET /session/key',
  makeKey: 'POST /session/key',
  revokeKey: 'DELETE /session/key',
  listMyPacks: 'GET /session/packs',
  createPack: 'POST /session/packs',
  getPack: 'GET /session/packs/{slug}',
  replacePack: 'PUT /session/packs/{slug}',
  deletePack: 'DELETE /session/packs/{slug}',
  recordMagnet: 'POST /session/packs/{slug}/magnets',
  removeMagnet: 'DELETE /session/packs/{slug}/magnets',
  getHistory: 'GET /session/packs/{slug}/history',
  getVersion: 'GET /session/packs/{slug}/history/{version}',
  setHistoryPublic: 'PUT /session/packs/{slug}/history',
  lookAtBeatmaps: 'POST /session/beatmaps',
  lookUpUsage: 'GET /session/beatmaps/usage',
  searchPacks: 'GET /session/search',
  getMyData: 'GET /session/my-data',
  deleteAccount: 'DELETE /session/account',
  listModerated: 'GET /session/moderation/packs',
  hidePack: 'POST /session/moderation/packs/{slug}/hide',
  unhidePack: 'POST /session/moderation/packs/{slug}/unhide',
  pinPack: 'POST /session/moderation/packs/{slug}/pin',
  unpinPack: 'POST /session/moderation/packs/{slug}/unpin',
  orderPins: 'PUT /session/moderation/pins',
  findPlayers: 'GET /session/moderation/players',
  suspendPlayer: 'POST /session/moderation/players/{gameId}/suspend',
  unsuspendPlayer: 'POST /session/moderation/players/{gameId}/unsuspend',
  readModerationLog: 'GET /session/moderation/log',
} as const satisfies Routes
