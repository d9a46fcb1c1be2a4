import {
  AccountDeletion,
  MyData,
  SessionEnding,
  SessionReply,
  SessionsReply,
  SignOutInput,
} from './accounts.ts'
import { BeatmapLook, BeatmapLookReply } from './beatmaps.ts'
import { KeyReply, NewKeyReply } from './keys.ts'
import {
  LogPage,
  ModeratedPackReply,
  ModeratedPage,
  ModerationSearch,
  PinOrder,
  PlainVerdict,
  ReasonedVerdict,
} from './moderation.ts'
import {
  MagnetInput,
  MagnetRemoval,
  PackEdit,
  PackInput,
  PackPage,
  SitePackReply,
} from './packs.ts'
import type { ServiceName } from './services.ts'
import type { Endpoint, EndpointTable } from './endpoint.ts'

const reading = { auth: 'session', who: 'signed in' } as const
const changing = { ...reading, proof: 'token' } as const
const saving = { ...changing, spendsWrite: true } as const
const moderating = { auth: 'session', who: 'moderators', proof: 'token' } as const

const nothing = (description: string) => ({ status: 204, description, schema: null }) as const

const packNow = {
  status: 200,
  description: 'The pack as it is now.',
  schema: SitePackReply,
} as const

/** What the pages of both services ask for. */
const accountApi = {
  getSession: {
    method: 'GET',
    path: '/session',
    summary: 'Who is signed in, and what they have left',
    auth: 'session',
    who: 'anyone',
    success: { status: 200, description: 'The viewer, or null.', schema: SessionReply },
    errors: [429, 500],
  },
  signOut: {
    method: 'POST',
    path: '/session/sign-out',
    summary: 'Sign out here or everywhere',
    ...changing,
    body: SignOutInput,
    success: nothing('Signed out.'),
    errors: [400, 401, 403, 413, 415, 429, 500],
  },
  listSessions: {
    method: 'GET',
    path: '/session/sessions',
    summary: "The account's sessions on both services, most recently begun first",
    ...reading,
    success: { status: 200, description: 'All that are live.', schema: SessionsReply },
    errors: [401, 429, 500],
  },
  endSession: {
    method: 'DELETE',
    path: '/session/sessions',
    summary: "End one of the account's sessions",
    ...changing,
    body: SessionEnding,
    success: nothing('The session has ended.'),
    errors: [400, 401, 403, 404, 413, 415, 429, 500],
  },
  endOtherSessions: {
    method: 'POST',
    path: '/session/sessions/end-others',
    summary: "End all of the account's sessions but this one",
    ...changing,
    success: nothing('The other sessions have ended.'),
    errors: [401, 403, 429, 500],
  },
  getKey: {
    method: 'GET',
    path: '/session/key',
    summary: "The account's API key for this service",
    ...reading,
    success: { status: 200, description: 'The key, or null.', schema: KeyReply },
    errors: [401, 429, 500],
  },
  makeKey: {
    method: 'POST',
    path: '/session/key',
    summary: 'A new API key in place of the one before (D-41)',
    ...changing,
    success: { status: 201, description: 'The new key.', schema: NewKeyReply },
    errors: [401, 403, 429, 500],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/session/key',
    summary: 'Delete the API key',
    ...changing,
    success: nothing('The key is gone.'),
    errors: [401, 403, 404, 429, 500],
  },
} as const satisfies EndpointTable

const verdict = <const A extends string>(action: A, summary: string) => {
  const needsReason = action === 'hide' || action === 'unhide'
  return {
    method: 'POST',
    path: `/session/moderation/packs/{slug}/${action}`,
    summary,
    ...moderating,
    body: (needsReason ? ReasonedVerdict : PlainVerdict) as A extends 'hide' | 'unhide'
      ? typeof ReasonedVerdict
      : typeof PlainVerdict,
    success: {
      status: 200,
      description: 'The pack as it is now.',
      schema: ModeratedPackReply,
    },
    errors: [400, 401, 403, 404, 409, 413, 415, 429, 500],
  } as const satisfies Endpoint
}

/** The session endpoints of the packs service: everything that its pages do. */
export const sessionApi = {
  ...accountApi,
  listMyPacks: {
    method: 'GET',
    path: '/session/packs',
    summary: 'My packs of any visibility, most recently updated first, 50 a page',
    ...reading,
    cost: 'list',
    paged: true,
    success: { status: 200, description: 'One page.', schema: PackPage },
    errors: [400, 401, 429, 500],
  },
  createPack: {
    method: 'POST',
    path: '/session/packs',
    summary: 'Save a new pack',
    ...saving,
    idempotencyKey: true,
    body: PackInput,
    success: { status: 201, description: 'The new pack, without stats.', schema: SitePackReply },
    errors: [400, 401, 403, 409, 413, 415, 429, 500],
  },
  getPack: {
    method: 'GET',
    path: '/session/packs/{slug}',
    summary: 'One pack as the viewer may see it',
    auth: 'session',
    who: 'anyone',
    success: { status: 200, description: 'The pack.', schema: SitePackReply },
    errors: [404, 429, 500],
  },
  replacePack: {
    method: 'PUT',
    path: '/session/packs/{slug}',
    summary: 'Replace a pack, unless it has changed since the edit began',
    ...saving,
    body: PackEdit,
    success: packNow,
    errors: [400, 401, 403, 404, 409, 413, 415, 429, 500],
  },
  deletePack: {
    method: 'DELETE',
    path: '/session/packs/{slug}',
    summary: 'Delete a pack for good',
    ...saving,
    success: nothing('The pack is gone.'),
    errors: [401, 403, 404, 429, 500],
  },
  recordMagnet: {
    method: 'POST',
    path: '/session/packs/{slug}/magnets',
    summary: 'Record a magnet link (D-43)',
    ...saving,
    body: MagnetInput,
    success: { ...packNow, status: 201 },
    errors: [400, 401, 403, 404, 409, 413, 415, 429, 500],
  },
  removeMagnet: {
    method: 'DELETE',
    path: '/session/packs/{slug}/magnets',
    summary: 'Remove a recorded magnet link',
    ...saving,
    body: MagnetRemoval,
    success: packNow,
    errors: [400, 401, 403, 404, 413, 415, 429, 500],
  },
  lookAtBeatmaps: {
    method: 'POST',
    path: '/session/beatmaps',
    summary: 'What is known of some beatmaps; POST for its body, it changes nothing',
    auth: 'session',
    who: 'anyone',
    cost: 'lookUp',
    proof: 'page',
    body: BeatmapLook,
    success: { status: 200, description: 'What is known.', schema: BeatmapLookReply },
    errors: [400, 403, 413, 415, 429, 500],
  },
  getMyData: {
    method: 'GET',
    path: '/session/my-data',
    summary: 'Everything that is kept about the account, as a file',
    ...reading,
    cost: 'export',
    download: 'my-data.json',
    success: { status: 200, description: 'All of it.', schema: MyData },
    errors: [401, 429, 500],
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/session/account',
    summary: 'Delete the account with its packs, keys and sessions',
    ...changing,
    body: AccountDeletion,
    success: nothing('The account is gone.'),
    errors: [400, 401, 403, 413, 415, 429, 500],
  },
  listModerated: {
    method: 'GET',
    path: '/session/moderation/packs',
    summary: 'Find public and unlisted packs, 50 a page',
    auth: 'session',
    who: 'moderators',
    cost: 'list',
    paged: true,
    query: ModerationSearch,
    success: { status: 200, description: 'One page.', schema: ModeratedPage },
    errors: [400, 401, 403, 429, 500],
  },
  hidePack: verdict('hide', 'Hide a pack from everyone but its owner'),
  unhidePack: verdict('unhide', 'Show a hidden pack again'),
  pinPack: verdict('pin', 'Pin a public pack at the end of the row'),
  unpinPack: verdict('unpin', 'Take a pack out of the pinned row'),
  orderPins: {
    method: 'PUT',
    path: '/session/moderation/pins',
    summary: 'Put the pinned row into another order',
    ...moderating,
    body: PinOrder,
    success: nothing('The row stands as asked.'),
    errors: [400, 401, 403, 409, 413, 415, 429, 500],
  },
  readModerationLog: {
    method: 'GET',
    path: '/session/moderation/log',
    summary: 'Who did what when, newest first, 50 a page',
    auth: 'session',
    who: 'moderators',
    cost: 'list',
    paged: true,
    success: { status: 200, description: 'One page.', schema: LogPage },
    errors: [400, 401, 403, 429, 500],
  },
} as const satisfies EndpointTable

/** The session endpoints of the tournament-pools service: its account page alone. */
export const poolsSessionApi = accountApi

/** What each service's site answers to. */
export const sessionEndpointsOf: Readonly<Record<ServiceName, EndpointTable>> = {
  packs: sessionApi,
  pools: poolsSessionApi,
}
