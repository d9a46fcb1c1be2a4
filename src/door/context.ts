import type { IncomingHttpHeaders } from 'node:http'
import type { ServiceName } from '../contract/services.ts'
import { SerialFlight, SingleFlight } from '../domain/loading.ts'
import { RecentFailures } from '../operations/beatmaps.ts'
import { ChangeHub } from '../operations/changes.ts'
import { CompressedAnswers } from '../operations/compression.ts'
import { WorkspaceHub } from '../operations/workspaces.ts'
import type { Ports } from '../ports/ports.ts'

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
  /** The part of the addresses of beatmap covers before `/beatmaps/`; may have a path. */
  readonly coversUrl: string
  /** The part of the keys of each service before `_`. */
  readonly keyPrefixes: Readonly<Record<ServiceName, string>>
  /** The owner label of tournament pools (D-28). */
  readonly poolsOwnerName: string
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is trusted (D-6). */
  readonly trustedProxies: readonly string[]
}

/** `draining` is aborted when the process begins to shut down. */
export type Lifecycle = { readonly draining: AbortSignal }

export type ServiceParts = {
  readonly service: ServiceName
  readonly ports: DoorPorts
  readonly settings: Settings
  /** Left out: the process never shuts down. */
  readonly lifecycle?: Lifecycle | undefined
}

/** A service, and what its requests share. */
export type Context = ServiceParts & {
  readonly compressed: CompressedAnswers
  readonly failures: RecentFailures
  /** Look-ups of beatmaps for pages. */
  readonly lookUps: SingleFlight<number>
  /** Large responses: one at a time per account. */
  readonly builds: SerialFlight
  readonly changeHub: ChangeHub
  readonly workspaceHub: WorkspaceHub
}

export function createContext({ service, ports, settings, lifecycle }: ServiceParts): Context {
  // What serves all readers is at nobody's expense, whoever of them came first.
  const afterMs = (ms: number, work: () => void): (() => void) => {
    const timer = setTimeout(() => ports.work.run(() => {}, work), ms)
    return () => clearTimeout(timer)
  }
  const changeHub = new ChangeHub(ports, afterMs)
  const workspaceHub = new WorkspaceHub(ports, afterMs)
  lifecycle?.draining.addEventListener('abort', () => {
    changeHub.stop()
    workspaceHub.stop()
  })
  return {
    service,
    ports,
    settings,
    compressed: new CompressedAnswers(ports.compressor, ports.work),
    failures: new RecentFailures(),
    lookUps: new SingleFlight(),
    builds: new SerialFlight(),
    changeHub,
    workspaceHub,
  }
}

/** Whether this site is reached over TLS, ours or a proxy's. */
export const isSecure = ({ ownUrl }: Pick<Settings, 'ownUrl'>): boolean =>
  ownUrl.startsWith('https://')

const loopback = ['127.0.0.1', 'localhost', '[::1]'] as const

/**
 * Every origin of a site: its public one, and if that is a loopback address, the other names of
 * the machine.
 */
export function originsOf(ownUrl: string): readonly string[] {
  const { origin, protocol, hostname, port } = new URL(ownUrl)
  if (!loopback.some((name) => name === hostname)) return [origin]
  const colonPort = port === '' ? '' : `:${port}`
  return [
    origin,
    ...loopback
      .filter((name) => name !== hostname)
      .map((name) => `${protocol}//${name}${colonPort}`),
  ]
}

/** The origin in the request's `Host`; the public one if it names none of the site's. */
export function originOf({ host }: IncomingHttpHeaders, ownUrl: string): string {
  const origins = originsOf(ownUrl)
  const scheme = new URL(ownUrl).protocol
  return origins.find((origin) => origin === `${scheme}//${host}`) ?? origins[0]!
}
