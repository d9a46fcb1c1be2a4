import type { TSchema } from 'typebox'
import * as accounts from './accounts.ts'
import * as beatmaps from './beatmaps.ts'
import { ChecksReply } from './checks.ts'
import { Discussion } from './discussion.ts'
import {
  type Endpoint,
  type EndpointTable,
  isWrite,
  type Method,
  type PublishedEndpoint,
} from './endpoint.ts'
import type { SiteErrorStatus } from './errors.ts'
import * as history from './history.ts'
import * as keys from './keys.ts'
import { MyData } from './my-data.ts'
import * as moderation from './moderation.ts'
import * as packs from './packs.ts'
import { tournamentApi } from './pools-api.ts'
import { RoundReply } from './rounds.ts'
import { SearchQuery, SearchReply } from './search.ts'
import type { ServiceName } from './services.ts'
import * as staff from './staff.ts'
import * as usage from './usage.ts'
import * as workspace from './workspace.ts'

const open = endpointsFor({ who: 'anyone' })
const reading = endpointsFor({ who: 'signed in' })
const changing = endpointsFor({ who: 'signed in', proof: 'token' })
const saving = endpointsFor({ who: 'signed in', proof: 'token', spendsWrite: true })
const editing = endpointsFor({ who: 'signed in', proof: 'token', spendsEdit: true })
const inspecting = endpointsFor({ who: 'moderators' })
const moderating = endpointsFor({ who: 'moderators', proof: 'token' })

const nothing = { status: 204, schema: null } as const

/** What everybody reads of public tournaments. */
type OpenToAll = 'listTournaments' | 'getTournament' | 'getRound'
const openToAll: ReadonlySet<string> = new Set<OpenToAll>([
  'listTournaments',
  'getTournament',
  'getRound',
])

/** What is known of some beatmaps; POST for its body, it changes nothing. */
const lookAtBeatmaps = open('POST', '/session/beatmaps', {
  cost: 'lookUp',
  proof: 'page',
  body: beatmaps.BeatmapLook,
  success: ok(beatmaps.BeatmapLookReply),
})

/** Where beatmaps were pooled, on both sites (D-67). */
const usageSessionApi = {
  /** Of one beatmap, 50 uses a page. */
  getUsage: open('GET', '/session/beatmaps/{id}/usage', {
    cost: 'list',
    paged: true,
    success: ok(usage.UsagePage),
    refusals: [404],
  }),
  /** Of several beatmaps in short; on the site of the tournament-pools service, in the viewer's drafts, too. */
  lookUpUsage: open('GET', '/session/beatmaps/usage', {
    cost: 'lookUp',
    query: usage.UsageLook,
    success: ok(usage.UsageLookReply),
    refusals: [400],
  }),
} satisfies EndpointTable

/** The endpoints of the pages of both services. */
export const accountApi = {
  /** Who is signed in, and what they have left. */
  getSession: open('GET', '/session', { success: ok(accounts.SessionReply) }),
  signOut: changing('POST', '/session/sign-out', { body: accounts.SignOutInput, success: nothing }),
  /** The account's live sessions on both services, most recently begun first. */
  listSessions: reading('GET', '/session/sessions', { success: ok(accounts.SessionsReply) }),
  endSession: changing('DELETE', '/session/sessions', {
    body: accounts.SessionEnding,
    success: nothing,
    refusals: [404],
  }),
  endOtherSessions: changing('POST', '/session/sessions/end-others', { success: nothing }),
  /** The account's API key for this service, or null. */
  getKey: reading('GET', '/session/key', { success: ok(keys.KeyReply) }),
  /** A new API key in place of the one before (D-41). */
  makeKey: changing('POST', '/session/key', { success: created(keys.NewKeyReply) }),
  revokeKey: changing('DELETE', '/session/key', { success: nothing, refusals: [404] }),
}

/** What moderators read on both sites. */
const moderationLogApi = {
  /** Who did what when, newest first, 50 a page. */
  readModerationLog: inspecting('GET', '/session/moderation/log', {
    cost: 'list',
    paged: true,
    success: ok(moderation.LogPage),
  }),
} satisfies EndpointTable

/** The session endpoints of the packs service: everything that its pages do. */
export const sessionApi = {
  ...accountApi,
  /** My packs of any visibility, most recently updated first, 50 a page. */
  listMyPacks: reading('GET', '/session/packs', {
    cost: 'list',
    paged: true,
    success: ok(packs.PackPage),
  }),
  createPack: saving('POST', '/session/packs', {
    idempotencyKey: true,
    body: packs.PackInput,
    success: created(packs.SitePackReply),
    refusals: [409],
  }),
  /** One pack as the viewer may see it. */
  getPack: open('GET', '/session/packs/{slug}', { success: ok(packs.SitePackReply) }),
  /** Replace a pack, unless it has changed since the edit began. */
  replacePack: saving('PUT', '/session/packs/{slug}', {
    body: packs.PackEdit,
    success: ok(packs.SitePackReply),
    refusals: [409],
  }),
  deletePack: saving('DELETE', '/session/packs/{slug}', { success: nothing }),
  /** Record a magnet link (D-43). */
  recordMagnet: saving('POST', '/session/packs/{slug}/magnets', {
    body: packs.MagnetInput,
    success: created(packs.SitePackReply),
    refusals: [409],
  }),
  removeMagnet: saving('DELETE', '/session/packs/{slug}/magnets', {
    body: packs.MagnetRemoval,
    success: ok(packs.SitePackReply),
  }),
  /** What saves have made of a pack, newest first, 50 a page, as far as the viewer may read it (D-70). */
  getHistory: open('GET', '/session/packs/{slug}/history', {
    cost: 'list',
    paged: true,
    success: ok(history.HistoryPage),
  }),
  getVersion: open('GET', '/session/packs/{slug}/history/{version}', {
    success: ok(history.VersionReply),
  }),
  /** Let others read the history, or nobody but me. */
  setHistoryPublic: saving('PUT', '/session/packs/{slug}/history', {
    body: history.HistorySwitch,
    success: nothing,
  }),
  lookAtBeatmaps,
  ...usageSessionApi,
  /** Public packs by words, ids and links, a few at a time. */
  searchPacks: open('GET', '/session/search', {
    cost: 'list',
    query: SearchQuery,
    success: ok(SearchReply),
    refusals: [400],
  }),
  /** Everything that is kept about the account, as a file. */
  getMyData: reading('GET', '/session/my-data', {
    cost: 'export',
    download: 'my-data.json',
    success: ok(MyData),
  }),
  /** Delete the account with its packs, keys and sessions. */
  deleteAccount: changing('DELETE', '/session/account', {
    body: accounts.AccountDeletion,
    success: nothing,
  }),
  /** Find public and unlisted packs, 50 a page. */
  listModerated: inspecting('GET', '/session/moderation/packs', {
    cost: 'list',
    paged: true,
    query: moderation.ModerationSearch,
    success: ok(moderation.ModeratedPage),
  }),
  /** Hide a pack from everyone but its owner. */
  hidePack: verdict('hide', moderation.ReasonedVerdict),
  unhidePack: verdict('unhide', moderation.ReasonedVerdict),
  /** Pin a public pack at the end of the row. */
  pinPack: verdict('pin', moderation.PlainVerdict),
  unpinPack: verdict('unpin', moderation.PlainVerdict),
  orderPins: moderating('PUT', '/session/moderation/pins', {
    body: moderation.PinOrder,
    success: nothing,
    refusals: [409],
  }),
  /** Find players, or those who are suspended, 50 a page. */
  findPlayers: inspecting('GET', '/session/moderation/players', {
    cost: 'list',
    paged: true,
    query: moderation.PlayerSearch,
    success: ok(moderation.PlayerPage),
  }),
  /** Stop a player until it is lifted: no sign-in, no key, nothing of theirs for others (D-76). */
  suspendPlayer: suspension('suspend'),
  unsuspendPlayer: suspension('unsuspend'),
  ...moderationLogApi,
} satisfies EndpointTable

/** What the staff's workspace follows: its content has endpoints of its own. */
const workspaceApi = {
  /** A tournament, its marks, and who has its workspace open: for its staff. */
  getWorkspace: reading('GET', '/session/tournaments/{slug}/workspace', {
    success: ok(workspace.Workspace),
  }),
  /** Marks and who is here, now and whenever they change: for the staff, for as long as they are. */
  followWorkspace: reading('GET', '/session/tournaments/{slug}/events', {
    query: workspace.WorkspaceQuery,
    hasEvents: true,
    success: ok(workspace.WorkspaceEvent),
    refusals: [400, 503],
  }),
  /** All that is said of a round: for the staff. */
  getDiscussion: reading('GET', '/session/tournaments/{slug}/rounds/{round}/discussion', {
    success: ok(Discussion),
  }),
  /** What everybody reads of a round, to compare its draft with; 404 while it is not released. For the staff. */
  getReleased: reading('GET', '/session/tournaments/{slug}/rounds/{round}/released', {
    success: ok(RoundReply),
  }),
}

/** Links by which others join the staff (D-61). */
const invitationApi = {
  /** Those that are open, for hosts. */
  listInvitations: reading('GET', '/session/tournaments/{slug}/invitations', {
    success: ok(staff.InvitationsReply),
    refusals: [403],
  }),
  makeInvitation: editing('POST', '/session/tournaments/{slug}/invitations', {
    body: staff.RoleInput,
    success: created(staff.NewInvitationReply),
    refusals: [409],
  }),
  withdrawInvitation: editing('DELETE', '/session/tournaments/{slug}/invitations/{id}', {
    success: nothing,
  }),
  /** What a link invites to. */
  getInvitation: reading('GET', '/session/invitations/{token}', {
    success: ok(staff.InvitationReply),
    refusals: [404],
  }),
  /** Join the staff by a link; the answer has the role that one has now. */
  acceptInvitation: editing('POST', '/session/invitations/{token}', {
    success: ok(staff.InvitationReply),
    refusals: [404, 409],
  }),
}

/** What moderators do on the site of the tournament-pools service. */
const tournamentModerationApi = {
  ...moderationLogApi,
  /** Find public tournaments, hidden ones too, 50 a page. */
  listModeratedTournaments: inspecting('GET', '/session/moderation/tournaments', {
    cost: 'list',
    paged: true,
    query: moderation.ModeratedTournamentSearch,
    success: ok(moderation.ModeratedTournamentPage),
  }),
  /** Hide a tournament from all but its staff. */
  hideTournament: tournamentVerdict('hide'),
  unhideTournament: tournamentVerdict('unhide'),
}

/** The session endpoints of the tournament-pools service: those of its API, and what else its pages need. */
export const poolsSessionApi = {
  ...accountApi,
  lookAtBeatmaps,
  ...usageSessionApi,
  ...mirrored(tournamentApi),
  ...workspaceApi,
  ...invitationApi,
  ...tournamentModerationApi,
} satisfies EndpointTable

export const sessionEndpointsOf: Readonly<Record<ServiceName, EndpointTable>> = {
  packs: sessionApi,
  pools: poolsSessionApi,
}

/** The endpoint of the API for sessions: below `/session`, with the same input and the same answers. */
type Mirrored<E extends PublishedEndpoint, Id> = Omit<E, 'auth' | 'path' | 'errors'> & {
  readonly auth: 'session'
  readonly path: `/session${E['path']}`
  readonly who: Id extends OpenToAll ? 'anyone' : 'signed in'
  readonly tagged: true
} & Pick<Endpoint, 'errors' | 'proof' | 'spendsEdit' | 'cost'>

function mirrored<const T extends EndpointTable<PublishedEndpoint>>(api: T) {
  const entries = Object.entries(api).map(([id, endpoint]) => [id, mirror(id, endpoint)])
  return Object.fromEntries(entries) as { readonly [Id in keyof T]: Mirrored<T[Id], Id> }
}

function mirror(id: string, endpoint: PublishedEndpoint): Endpoint {
  const { method, path, errors } = endpoint
  const isOpen = openToAll.has(id)
  const proof = isWrite(method) ? ({ proof: 'token', spendsEdit: true } as const) : {}
  const statuses = new Set<SiteErrorStatus>(errors)
  if (isOpen) statuses.delete(401)
  if (isWrite(method)) statuses.add(403)
  return {
    ...endpoint,
    path: `/session${path}`,
    auth: 'session',
    who: isOpen ? 'anyone' : 'signed in',
    ...proof,
    ...(endpoint.paged && { cost: 'list' }),
    ...(endpoint.success.schema === ChecksReply && { cost: 'lookUp' }),
    tagged: true,
    errors: [...statuses].toSorted((a, b) => a - b),
  }
}

function verdict<const A extends string, S extends TSchema>(action: A, body: S) {
  return moderating('POST', `/session/moderation/packs/{slug}/${action}`, {
    body,
    success: ok(moderation.ModeratedPackReply),
    refusals: [409],
  })
}

function suspension<const A extends string>(action: A) {
  return moderating('POST', `/session/moderation/players/{gameId}/${action}`, {
    body: moderation.ReasonedVerdict,
    success: ok(moderation.ModeratedPlayerReply),
    refusals: [404],
  })
}

function tournamentVerdict<const A extends string>(action: A) {
  return moderating('POST', `/session/moderation/tournaments/{slug}/${action}`, {
    body: moderation.ReasonedVerdict,
    success: ok(moderation.ModeratedTournamentReply),
  })
}

function ok<S extends TSchema>(schema: S) {
  return { status: 200, schema } as const
}

function created<S extends TSchema>(schema: S) {
  return { status: 201, schema } as const
}

type Details = Pick<Endpoint, 'success'> &
  Partial<
    Pick<Endpoint, 'cost' | 'proof' | 'paged' | 'idempotencyKey' | 'query' | 'body' | 'hasEvents'>
  > & {
    readonly download?: string
    /** Error statuses that do not follow from what the endpoint takes. */
    readonly refusals?: readonly SiteErrorStatus[]
  }

/** Returns a function that declares endpoints with the same access. */
function endpointsFor<
  const A extends Pick<Endpoint, 'who' | 'proof' | 'spendsWrite' | 'spendsEdit'>,
>(access: A) {
  return <const M extends Method, const P extends string, const D extends Details>(
    method: M,
    path: P,
    details: D,
  ) => {
    const endpoint = { method, path, auth: 'session', ...access, ...details } as const
    return { ...endpoint, errors: errorsOf(endpoint, details.refusals) }
  }
}

function errorsOf(
  { who, proof, path, paged, body }: Omit<Endpoint, 'errors'>,
  refusals: readonly SiteErrorStatus[] = [],
): readonly SiteErrorStatus[] {
  const following: readonly (readonly [SiteErrorStatus, boolean])[] = [
    [400, body !== undefined || paged === true],
    [401, who !== 'anyone'],
    [403, proof !== undefined || who === 'moderators'],
    [404, path.includes('{slug}')],
    [413, body !== undefined],
    [415, body !== undefined],
    [429, true],
    [500, true],
  ]
  const errors = following.filter(([, applies]) => applies).map(([status]) => status)
  return [...errors, ...refusals].toSorted((a, b) => a - b)
}
