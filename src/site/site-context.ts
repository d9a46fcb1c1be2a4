import type { ServiceName } from '../contract/services.ts'
import type { SerialFlight, SingleFlight } from '../domain/single-flight.ts'
import type { IndexShelf } from '../operations/published-index.ts'
import type { RecentTroubles } from '../operations/recent-troubles.ts'
import type { AccountStore } from '../ports/accounts.ts'
import type { BeatmapCache } from '../ports/beatmaps.ts'
import type { ApiKeyStore } from '../ports/keys.ts'
import type { PackStore } from '../ports/packs.ts'
import type { Platform } from '../ports/platform.ts'
import type { QuotaStore } from '../ports/quotas.ts'
import type { SessionStore } from '../ports/sessions.ts'
import type { Clock, Compressor, Hasher, Random } from '../ports/system.ts'
import type { AssetShelf } from './assets/asset-shelf.ts'
import type { PicturePress } from './preview/picture-press.ts'
import type { JunkCodes } from './sign-in/junk-codes.ts'

/** What the site needs from outside, the platform aside. */
export type SiteStores = {
  readonly packs: PackStore
  readonly accounts: AccountStore
  readonly apiKeys: ApiKeyStore
  readonly sessions: SessionStore
  readonly beatmapCache: BeatmapCache
  readonly quotas: QuotaStore
  readonly clock: Clock
  readonly random: Random
  readonly hasher: Hasher
  readonly compressor: Compressor
}

/** What the site needs from outside. */
export type SitePorts = SiteStores & { readonly platform: Platform }

/** How the site presents itself. Addresses are origins: scheme, host and port, no slash at the end. */
export type SiteSettings = {
  /** Public address that this site itself is reached at. */
  readonly ownUrl: string
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
}

/** What a site is made of. */
export type SiteParts = {
  /** Whose address it stands on: the packs service has all pages, the other its account page alone. */
  readonly service: ServiceName
  readonly ports: SiteStores
  readonly platform: Platform
  readonly settings: SiteSettings
  readonly assets: AssetShelf
  /** Where the search index lies; null on a site without packs. */
  readonly shelf: IndexShelf | null
}

/** What every part of the site is given. */
export type SiteContext = Omit<SiteParts, 'platform'> & {
  readonly ports: SitePorts
  readonly press: PicturePress
  /** What the platform failed to answer of late, whoever asked. */
  readonly troubles: RecentTroubles
  /** Look-ups of pages that are under way. */
  readonly looks: SingleFlight<number>
  /** What is large is built one at a time for an account. */
  readonly builds: SerialFlight
  readonly junkCodes: JunkCodes
}

export const SITE_NAME = 'Mapcrate'
