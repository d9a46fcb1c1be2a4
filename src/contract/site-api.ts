import { BeatmapLook, BeatmapLookReply } from './beatmap-look.ts'
import {
  LogPage,
  ModeratedPackReply,
  ModeratedPage,
  ModerationSearch,
  PinOrder,
  PlainVerdict,
  ReasonedVerdict,
} from './moderated-pack.ts'
import { AccountDeletion, MyData } from './my-data.ts'
import { PackInput, PackPage } from './pack.ts'
import type { ServiceName } from './services.ts'
import type { SiteEndpoint, SiteEndpointTable } from './site-endpoint.ts'
import { KeyReply, NewKeyReply } from './site-key.ts'
import { MagnetInput, MagnetRemoval, PackEdit, SitePackReply } from './site-pack.ts'
import { SessionEnding, SessionReply, SessionsReply, SignOutInput } from './viewer.ts'

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
    who: 'anyone',
    success: { status: 200, description: 'The viewer, or null.', schema: SessionReply },
    errors: [429, 500],
  },
  signOut: {
    method: 'POST',
    path: '/session/sign-out',
    summary: 'Sign out here or everywhere',
    who: 'signed in',
    proof: 'token',
    body: SignOutInput,
    success: nothing('Signed out.'),
    errors: [400, 401, 403, 413, 415, 429, 500],
  },
  listSessions: {
    method: 'GET',
    path: '/session/sessions',
    summary: "The account's sessions on both services, most recently begun first",
    who: 'signed in',
    success: { status: 200, description: 'All that are live.', schema: SessionsReply },
    errors: [401, 429, 500],
  },
  endSession: {
    method: 'DELETE',
    path: '/session/sessions',
    summary: "End one of the account's sessions",
    who: 'signed in',
    proof: 'token',
    body: SessionEnding,
    success: nothing('The session has ended.'),
    errors: [400, 401, 403, 404, 413, 415, 429, 500],
  },
  endOtherSessions: {
    method: 'POST',
    path: '/session/sessions/end-others',
    summary: "End all of the account's sessions but this one",
    who: 'signed in',
    proof: 'token',
    success: nothing('The other sessions have ended.'),
    errors: [401, 403, 429, 500],
  },
  getKey: {
    method: 'GET',
    path: '/session/key',
    summary: "The account's API key for this service",
    who: 'signed in',
    success: { status: 200, description: 'The key, or null.', schema: KeyReply },
    errors: [401, 429, 500],
  },
  makeKey: {
    method: 'POST',
    path: '/session/key',
    summary: 'A new API key in place of the one before (D-41)',
    who: 'signed in',
    proof: 'token',
    success: { status: 201, description: 'The new key.', schema: NewKeyReply },
    errors: [401, 403, 429, 500],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/session/key',
    summary: 'Delete the API key',
    who: 'signed in',
    proof: 'token',
    success: nothing('The key is gone.'),
    errors: [401, 403, 404, 429, 500],
  },
} as const satisfies SiteEndpointTable

const verdict = <const A extends string>(action: A, summary: string) => {
  const needsReason = action === 'hide' || action === 'unhide'
  return {
    method: 'POST',
    path: `/session/moderation/packs/{slug}/${action}`,
    summary,
    who: 'moderators',
    proof: 'token',
    body: (needsReason ? ReasonedVerdict : PlainVerdict) as A extends 'hide' | 'unhide'
      ? typeof ReasonedVerdict
      : typeof PlainVerdict,
    success: {
      status: 200,
      description: 'The pack as it is now.',
      schema: ModeratedPackReply,
    },
    errors: [400, 401, 403, 404, 409, 413, 415, 429, 500],
  } as const satisfies SiteEndpoint
}

/** The session endpoints of the packs service: everything that its pages do. */
export const siteApi = {
  ...accountApi,
  listMyPacks: {
    method: 'GET',
    path: '/session/packs',
    summary: 'My packs of any visibility, most recently updated first, 50 a page',
    who: 'signed in',
    cost: 'list',
    paged: true,
    success: { status: 200, description: 'One page.', schema: PackPage },
    errors: [400, 401, 429, 500],
  },
  createPack: {
    method: 'POST',
    path: '/session/packs',
    summary: 'Save a new pack',
    who: 'signed in',
    proof: 'token',
    spendsWrite: true,
    idempotencyKey: true,
    body: PackInput,
    success: { status: 201, description: 'The new pack, without stats.', schema: SitePackReply },
    errors: [400, 401, 403, 409, 413, 415, 429, 500],
  },
  getPack: {
    method: 'GET',
    path: '/session/packs/{slug}',
    summary: 'One pack as the viewer may see it',
    who: 'anyone',
    success: { status: 200, description: 'The pack.', schema: SitePackReply },
    errors: [404, 429, 500],
  },
  replacePack: {
    method: 'PUT',
    path: '/session/packs/{slug}',
    summary: 'Replace a pack, unless it has changed since the edit began',
    who: 'signed in',
    proof: 'token',
    spendsWrite: true,
    body: PackEdit,
    success: packNow,
    errors: [400, 401, 403, 404, 409, 413, 415, 429, 500],
  },
  deletePack: {
    method: 'DELETE',
    path: '/session/packs/{slug}',
    summary: 'Delete a pack for good',
    who: 'signed in',
    proof: 'token',
    spendsWrite: true,
    success: nothing('The pack is gone.'),
    errors: [401, 403, 404, 429, 500],
  },
  recordMagnet: {
    method: 'POST',
    path: '/session/packs/{slug}/magnets',
    summary: 'Record a magnet link (D-43)',
    who: 'signed in',
    proof: 'token',
    spendsWrite: true,
    body: MagnetInput,
    success: { ...packNow, status: 201 },
    errors: [400, 401, 403, 404, 409, 413, 415, 429, 500],
  },
  removeMagnet: {
    method: 'DELETE',
    path: '/session/packs/{slug}/magnets',
    summary: 'Remove a recorded magnet link',
    who: 'signed in',
    proof: 'token',
    spendsWrite: true,
    body: MagnetRemoval,
    success: packNow,
    errors: [400, 401, 403, 404, 413, 415, 429, 500],
  },
  lookAtBeatmaps: {
    method: 'POST',
    path: '/session/beatmaps',
    summary: 'What is known of some beatmaps; POST for its body, it changes nothing',
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
    who: 'signed in',
    cost: 'export',
    download: 'my-data.json',
    success: { status: 200, description: 'All of it.', schema: MyData },
    errors: [401, 429, 500],
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/session/account',
    summary: 'Delete the account with its packs, keys and sessions',
    who: 'signed in',
    proof: 'token',
    body: AccountDeletion,
    success: nothing('The account is gone.'),
    errors: [400, 401, 403, 413, 415, 429, 500],
  },
  listModerated: {
    method: 'GET',
    path: '/session/moderation/packs',
    summary: 'Find public and unlisted packs, 50 a page',
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
    who: 'moderators',
    proof: 'token',
    body: PinOrder,
    success: nothing('The row stands as asked.'),
    errors: [400, 401, 403, 409, 413, 415, 429, 500],
  },
  readModerationLog: {
    method: 'GET',
    path: '/session/moderation/log',
    summary: 'Who did what when, newest first, 50 a page',
    who: 'moderators',
    cost: 'list',
    paged: true,
    success: { status: 200, description: 'One page.', schema: LogPage },
    errors: [400, 401, 403, 429, 500],
  },
} as const satisfies SiteEndpointTable

/** The session endpoints of the tournament-pools service: its account page alone. */
export const poolsSiteApi = accountApi

/** What each service's site answers to. */
export const siteEndpointsOf: Readonly<Record<ServiceName, SiteEndpointTable>> = {
  packs: siteApi,
  pools: poolsSiteApi,
}
