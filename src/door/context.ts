import type { IncomingHttpHeaders } from 'node:http'
import type { ServiceName } from '../contract/services.ts'
import { SerialFlight, SingleFlight } from '../domain/single-flight.ts'
import { RecentFailures } from '../operations/beatmaps.ts'
import { CompressedAnswers } from '../operations/compression.ts'
import type { Ports } from '../ports/ports.ts'

/** What the door, and the site behind it, need from outside. */
export type DoorPorts = Pick<
  Ports,
  | 'packs'
  | 'accounts'
  | 'apiKeys'
  | 'sessions'
  | 'beatmapCache'
  | 'platform'
  | 'quotas'
  | 'care'
  | 'clock'
  | 'random'
  | 'hasher'
  | 'compressor'
>

/** How the services present themselves. Addresses are origins: scheme, host and port, no slash at the end. */
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
  /** Where beatmap covers come from: what stands before `/beatmaps/`; may have a path. */
  readonly coversUrl: string
  /** What stands before `_` in the keys of each service. */
  readonly keyPrefixes: Readonly<Record<ServiceName, string>>
  /** The owner label of tournament pools (D-28). */
  readonly poolsOwnerName: string
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed (D-6). */
  readonly trustedProxies: readonly string[]
}

/** `isDraining` is set when the process begins to shut down. */
export type Lifecycle = { readonly isDraining: boolean }

/** Which service, with what, presented how. */
export type ServiceParts = {
  readonly service: ServiceName
  readonly ports: DoorPorts
  readonly settings: Settings
}

/** What every handler is given: the service, and what its requests share. */
export type Context = ServiceParts & {
  readonly compressed: CompressedAnswers
  /** What the platform failed to answer of late, whoever asked. */
  readonly failures: RecentFailures
  /** Look-ups of pages that are under way. */
  readonly lookUps: SingleFlight<number>
  /** What is large is built one at a time for an account. */
  readonly builds: SerialFlight
}

export const createContext = ({ service, ports, settings }: ServiceParts): Context => ({
  service,
  ports,
  settings,
  compressed: new CompressedAnswers(ports.compressor),
  failures: new RecentFailures(),
  lookUps: new SingleFlight(),
  builds: new SerialFlight(),
})

/** Is this site reached over TLS, by us or by a proxy in front? */
export const isSecure = ({ ownUrl }: Pick<Settings, 'ownUrl'>): boolean =>
  ownUrl.startsWith('https://')

/** What one's own machine is called. */
const loopback = ['127.0.0.1', 'localhost', '[::1]'] as const

/**
 * Every origin that a site is reached at: its public address, and for a site on one's own machine
 * the other names of that machine, because people type any of them.
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

/** The origin that a request reached the site at; the public address when it names none of them. */
export function originOf({ host }: IncomingHttpHeaders, ownUrl: string): string {
  const origins = originsOf(ownUrl)
  const scheme = new URL(ownUrl).protocol
  return origins.find((origin) => origin === `${scheme}//${host}`) ?? origins[0]!
}
