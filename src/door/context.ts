import type { PackChange } from '../contract/changes.ts'
import type { RoundReply } from '../contract/rounds.ts'
import type { ServiceName } from '../contract/services.ts'
import type { Installation } from '../domain/installation.ts'
import type { TournamentChange } from '../contract/tournament-feed.ts'
import { changeFor, type PackFeedEntry } from '../domain/changes.ts'
import { SerialFlight, SingleFlight } from '../domain/loading.ts'
import { tournamentChangeFor, type TournamentFeedEntry } from '../domain/tournament-feed.ts'
import { savedRound } from '../domain/tournament-views.ts'
import { RecentFailures } from '../operations/beatmaps.ts'
import { ChangeHub } from '../operations/changes.ts'
import { CompressedAnswers } from '../operations/compression.ts'
import { WorkspaceHub } from '../operations/workspaces.ts'
import type { CurrentOperatorState } from '../ports/store.ts'
import type { Ports } from '../ports/ports.ts'
import { jsonBody } from './answer.ts'
import type { Lifecycle } from './wire.ts'

export type DoorPorts = Omit<Ports, 'sharedIndex'>

/** Public URLs are origins: scheme, host and port, without a slash at the end. */
export type Settings = {
  /** Public address that this service's own site is reached at. */
  readonly ownUrl: string
  /** Public address of this service's own API, without `/api/v1`. */
  readonly ownApiUrl: string
  /** Public address of the site with the packs. */
  readonly siteUrl: string
  /** Public address of the packs service. */
  readonly apiUrl: string
  /** Public address of the tournament-pools service. */
  readonly poolsUrl: string
  /** The other service is neither in this process nor configured with an address. */
  readonly isAlone?: boolean
  /** The part of the addresses of beatmap covers before `/beatmaps/`; may have a path. */
  readonly coversUrl: string
  /** The part of the keys of each service before `_`. */
  readonly keyPrefixes: Readonly<Record<ServiceName, string>>
  /** The owner label of tournament pools (D-28). */
  readonly poolsOwnerName: string
  /** What its visitors see as its own (D-102). */
  readonly installation: Installation
  /** Whether releases are announced on Discord (D-98); left out: they are not. */
  readonly sendsToDiscord?: boolean
  /** Addresses of sets of beatmaps, with `{set}` in place of the id; browsers try them in turn. */
  readonly mirrors: readonly string[]
  /** Signs cookies that are kept nowhere else; the same in all processes. */
  readonly cookieSecret: string
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is trusted (D-6). */
  readonly trustedProxies: readonly string[]
}

export type ServiceParts = {
  readonly service: ServiceName
  readonly ports: DoorPorts
  readonly settings: Settings
  /** Left out: the process never shuts down. */
  readonly lifecycle?: Lifecycle | undefined
  /** The operator's notice and read-only mode; left out: neither is ever set. */
  readonly operator?: CurrentOperatorState | undefined
}

const undecided: CurrentOperatorState = { current: { notice: null, readOnly: null } }

/** A service, and what its requests share. */
export type Context = ServiceParts & {
  readonly operator: CurrentOperatorState
  readonly compressed: CompressedAnswers
  readonly failures: RecentFailures
  /** Look-ups of beatmaps for pages. */
  readonly lookUps: SingleFlight<number>
  /** Large responses: one at a time per account. */
  readonly builds: SerialFlight
  readonly packChanges: ChangeHub<PackFeedEntry, PackChange>
  readonly tournamentChanges: ChangeHub<TournamentFeedEntry, TournamentChange>
  readonly workspaceHub: WorkspaceHub
}

export function createContext({
  service,
  ports,
  settings,
  lifecycle,
  operator = undecided,
}: ServiceParts): Context {
  // What serves all readers is charged to none of them, not even to the first.
  const afterMs = (ms: number, work: () => void): (() => void) => {
    const timer = setTimeout(() => ports.work.run(() => {}, work), ms)
    return () => clearTimeout(timer)
  }
  const { changes, tournamentChanges: feed, clock } = ports
  const packChanges = new ChangeHub({ feed: changes, changeFor, clock }, afterMs)
  const tournamentChanges = new ChangeHub({ feed, changeFor: tournamentChangeFor, clock }, afterMs)
  const workspaceHub = new WorkspaceHub(ports, afterMs, tagOfRound)
  lifecycle?.draining.addEventListener('abort', () => {
    packChanges.stop()
    tournamentChanges.stop()
    workspaceHub.stop()
  })
  return {
    service,
    ports,
    settings,
    operator,
    compressed: new CompressedAnswers(ports.compressor, ports.work),
    failures: new RecentFailures(),
    lookUps: new SingleFlight(),
    builds: new SerialFlight(),
    packChanges,
    tournamentChanges,
    workspaceHub,
  }
}

const tagOfRound = (reply: RoundReply): string => jsonBody(reply, savedRound(reply.round)).etag
