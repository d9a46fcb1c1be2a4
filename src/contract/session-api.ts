import type { TSchema } from 'typebox'
import * as accounts from './accounts.ts'
import { AnnouncementsReply } from './announcements.ts'
import * as beatmaps from './beatmaps.ts'
import { ChecksReply } from './checks.ts'
import { Discussion } from './discussion.ts'
import {
  type DeclaredEndpoint,
  type Endpoint,
  type EndpointTable,
  isWrite,
  type PublishedEndpoint,
  routed,
} from './endpoint.ts'
import type { SiteErrorStatus } from './errors.ts'
import * as history from './history.ts'
import * as keys from './keys.ts'
import { MyData } from './my-data.ts'
import * as moderation from './moderation.ts'
import * as packs from './packs.ts'
import { tournamentApi } from './pools-api.ts'
import { poolsSessionRoutes } from './pools-routes.ts'
import { sessionRoutes } from './routes.ts'
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

/** What no page calls, because another endpoint answers it with the rest that the page shows. */
type ApiOnly =
  | 'listMyTournaments'
  | 'getMember'
  | 'listCandidates'
  | 'getCandidate'
  | 'listRemarks'
  | 'getRemark'
  | 'getRoundChecks'
const apiOnly: ReadonlySet<string> = new Set<ApiOnly>([
  'listMyTournaments',
  'getMember',
  'listCandidates',
  'getCandidate',
  'listRemarks',
  'getRemark',
  'getRoundChecks',
])

const nothing = { status: 204, schema: null } as const

const verdict = <S extends TSchema>(body: S) =>
  moderating({ body, success: ok(moderation.ModeratedPackReply), refusals: [409] })
const suspension = moderating({
  body: moderation.ReasonedVerdict,
  success: ok(moderation.ModeratedPlayerReply),
})
const tournamentVerdict = moderating({
  body: moderation.ReasonedVerdict,
  success: ok(moderation.ModeratedTournamentReply),
})

/** What everybody reads of public tournaments. */
type OpenToAll = 'listTournaments' | 'getTournament' | 'getRound'
const openToAll: ReadonlySet<string> = new Set<OpenToAll>([
  'listTournaments',
  'getTournament',
  'getRound',
])

/** The endpoints of the pages of both services. */
export const accountApi = routed(sessionRoutes, {
  /** Who is signed in, and what they have left. */
  getSession: open({ success: ok(accounts.SessionReply) }),
  signOut: changing({ worksReadOnly: true, body: accounts.SignOutInput, success: nothing }),
  /** The language of the pages, wherever the account is signed in (D-106). */
  setLanguage: changing({ body: accounts.LanguageChoice, success: nothing }),
  /** The account's live sessions on both services, most recently begun first. */
  listSessions: reading({ success: ok(accounts.SessionsReply) }),
  endSession: changing({
    worksReadOnly: true,
    body: accounts.SessionEnding,
    success: nothing,
    refusals: [404],
  }),
  endOtherSessions: changing({ worksReadOnly: true, success: nothing }),
  /** The account's API key for this service, or null. */
  getKey: reading({ success: ok(keys.KeyReply) }),
  /** A new API key in place of the one before (D-41); with `shown`, in place of no other than that one. */
  makeKey: changing({ query: keys.KeyBefore, success: created(keys.NewKeyReply), refusals: [409] }),
  /** With `shown`, that key alone. */
  revokeKey: changing({ query: keys.KeyChoice, success: nothing, refusals: [404] }),
})

/** The session endpoints of the packs service: everything that its pages do. */
export const sessionApi = {
  ...accountApi,
  ...routed(sessionRoutes, {
    /** My packs of any visibility, most recently updated first, 50 a page. */
    listMyPacks: reading({ cost: 'list', paged: true, success: ok(packs.PackPage) }),
    createPack: saving({
      idempotencyKey: true,
      body: packs.PackInput,
      success: created(packs.SitePackReply),
      refusals: [409],
    }),
    /** One pack as the viewer may see it. */
    getPack: open({ success: ok(packs.SitePackReply) }),
    /** Replace a pack, unless it has changed since the edit began. */
    replacePack: saving({
      body: packs.PackEdit,
      success: ok(packs.SitePackReply),
      refusals: [409],
    }),
    deletePack: saving({ success: nothing }),
    /** Record a magnet link (D-43). */
    recordMagnet: saving({
      body: packs.MagnetInput,
      success: created(packs.SitePackReply),
      refusals: [409],
    }),
    removeMagnet: saving({ body: packs.MagnetRemoval, success: ok(packs.SitePackReply) }),
    /** What saves have made of a pack, newest first, 50 a page, as far as the viewer may read it (D-70). */
    getHistory: open({ cost: 'list', paged: true, success: ok(history.HistoryPage) }),
    getVersion: open({ success: ok(history.VersionReply) }),
    /** Let others read the history, or its owner alone. */
    setHistoryPublic: saving({ body: history.HistorySwitch, success: nothing }),
    /** What is known of some beatmaps; POST for its body, it changes nothing. */
    lookAtBeatmaps: open({
      cost: 'lookUp',
      proof: 'page',
      worksReadOnly: true,
      body: beatmaps.BeatmapLook,
      success: ok(beatmaps.BeatmapLookReply),
    }),
    /** Where beatmaps were pooled (D-67); on the site of the tournament-pools service, in the viewer's drafts, too. */
    lookUpUsage: open({
      cost: 'lookUp',
      query: usage.UsageLook,
      success: ok(usage.UsageLookReply),
    }),
    /** Public packs by words, ids and links, a few at a time. */
    searchPacks: open({
      cost: 'list',
      query: SearchQuery,
      success: ok(SearchReply),
    }),
    /** Everything that is kept about the account, as a file. */
    getMyData: reading({ cost: 'export', download: 'my-data.json', success: ok(MyData) }),
    /** Delete the account with its packs, keys and sessions. */
    deleteAccount: changing({ body: accounts.AccountDeletion, success: nothing }),
    /** Find public and unlisted packs, 50 a page. */
    listModerated: inspecting({
      cost: 'list',
      paged: true,
      query: moderation.ModerationSearch,
      success: ok(moderation.ModeratedPage),
    }),
    /** Hide a pack from everyone but its owner. */
    hidePack: verdict(moderation.ReasonedVerdict),
    unhidePack: verdict(moderation.ReasonedVerdict),
    /** Pin a public pack at the end of the row. */
    pinPack: verdict(moderation.PlainVerdict),
    unpinPack: verdict(moderation.PlainVerdict),
    orderPins: moderating({ body: moderation.PinOrder, success: nothing, refusals: [409] }),
    /** Find players, or those who are suspended, 50 a page. */
    findPlayers: inspecting({
      cost: 'list',
      paged: true,
      query: moderation.PlayerSearch,
      success: ok(moderation.PlayerPage),
    }),
    /** Stop a player until it is lifted: no sign-in, no key, nothing of theirs for others (D-76). */
    suspendPlayer: suspension,
    unsuspendPlayer: suspension,
    /** Who did what when, newest first, 50 a page. */
    readModerationLog: inspecting({ cost: 'list', paged: true, success: ok(moderation.LogPage) }),
  }),
}

/** The session endpoints of the tournament-pools service: those of its API, and what else its pages need. */
export const poolsSessionApi = {
  ...accountApi,
  lookAtBeatmaps: sessionApi.lookAtBeatmaps,
  lookUpUsage: sessionApi.lookUpUsage,
  readModerationLog: sessionApi.readModerationLog,
  ...mirrored(tournamentApi),
  ...routed(poolsSessionRoutes, {
    /** A tournament, its marks, and who has its workspace open: for its staff. */
    getWorkspace: reading({ success: ok(workspace.Workspace) }),
    /** Marks and who is here, now and whenever they change: for the staff, for as long as they are. */
    followWorkspace: reading({
      query: workspace.WorkspaceQuery,
      hasEvents: true,
      success: ok(workspace.WorkspaceEvent),
      refusals: [503],
    }),
    /** All that is said of a round: for the staff. */
    getDiscussion: reading({ success: ok(Discussion) }),
    /** What everybody reads of a round, to compare its draft with; 404 while it is not released. For the staff. */
    getReleased: reading({ success: ok(RoundReply) }),
    /** What was announced in the tournament's channel of Discord, the last first, for hosts. */
    listAnnouncements: reading({ success: ok(AnnouncementsReply), refusals: [403] }),
    /** Sends a trial message; what was switched off is switched on by that. */
    sendTrial: editing({ success: ok(AnnouncementsReply), refusals: [409] }),
    /** Sends an announcement once more. */
    sendAgain: editing({ success: ok(AnnouncementsReply), refusals: [409] }),
    /** Those that are open, for hosts. */
    listInvitations: reading({ success: ok(staff.InvitationsReply), refusals: [403] }),
    makeInvitation: editing({
      body: staff.RoleInput,
      success: created(staff.NewInvitationReply),
      refusals: [409],
    }),
    withdrawInvitation: editing({ success: nothing }),
    /** What a link invites to. */
    getInvitation: reading({ success: ok(staff.InvitationReply) }),
    /** Join the staff by a link; the answer has the role that one has now. */
    acceptInvitation: editing({ success: ok(staff.InvitationReply), refusals: [409] }),
    /** Find public tournaments, hidden ones too, 50 a page. */
    listModeratedTournaments: inspecting({
      cost: 'list',
      paged: true,
      query: moderation.ModeratedTournamentSearch,
      success: ok(moderation.ModeratedTournamentPage),
    }),
    /** Hide a tournament from all but its staff. */
    hideTournament: tournamentVerdict,
    unhideTournament: tournamentVerdict,
  }),
}

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
  const entries = Object.entries(api).flatMap(([id, endpoint]) =>
    apiOnly.has(id) ? [] : [[id, mirror(id, endpoint)]],
  )
  return Object.fromEntries(entries) as {
    readonly [Id in Exclude<keyof T, ApiOnly>]: Mirrored<T[Id], Id>
  }
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

function ok<S extends TSchema>(schema: S) {
  return { status: 200, schema } as const
}

function created<S extends TSchema>(schema: S) {
  return { status: 201, schema } as const
}

type Details = Omit<DeclaredEndpoint, 'auth' | Access>

type Access = 'who' | 'proof' | 'spendsWrite' | 'spendsEdit'

/** Returns a function that declares endpoints with the same access. */
function endpointsFor<const A extends Pick<Endpoint, Access>>(access: A) {
  return <const D extends Details>(details: D) =>
    ({ auth: 'session', ...access, ...details }) as const
}
