import type { RoundSlot } from './rounds.ts'
import type { Viewer } from './accounts.ts'
import type { OwnSite } from './own-site.ts'
import type { BeatmapAnswer, BeatmapDetails } from './beatmaps.ts'
import type { ForcedMod } from './mods.ts'
import type { SitePack, Stats } from './packs.ts'
import type { SearchReply } from './search.ts'
import type { IndexEntry } from './search-index.ts'
import type { ServiceName } from './services.ts'
import type { Tournament, TournamentPage, TournamentSummary } from './tournaments.ts'
import type { UsagePage } from './usage.ts'

/**
 * What a page's head carries for the browser application, as JSON in
 * `<script type="application/json" id="page-data">`. Addresses have no slash at the end.
 */
export type PageData = OwnSite & {
  readonly page: string
  /** Path and query of the page, as far as it depends on them. */
  readonly address: string
  /** Of the page's texts, as BCP 47 has it. */
  readonly language: string
  /** Paths of the pages of both sites that are in English, while this one is in another language (D-108). */
  readonly englishPages?: readonly string[]
  readonly service: ServiceName
  /** The part before `_` in the keys of this service. */
  readonly keyPrefix: string
  /** null without a session. */
  readonly viewer: Viewer | null
  /** The pinned row in its order; on the pages that show it (D-30). */
  readonly pinned?: readonly IndexEntry[]
  /** On the pages of one pack. */
  readonly pack?: SitePack
  /**
   * On the page of a pack: what has changed since the first version that others may read, for those who may read its
   * history (D-70).
   */
  readonly changes?: PackChanges
  /** On the page of a pack that a round of a public tournament made. */
  readonly round?: RoundOfPack
  /** On the pages of one tournament: as others than its staff see it, with the role of the viewer. */
  readonly tournament?: Tournament
  /** By the ids of its rounds: the stats of their packs, where they are known. */
  readonly roundStats?: Readonly<Record<string, Stats>>
  /** By the ids of its rounds: what has changed since their release (D-80). */
  readonly roundChanges?: Readonly<Record<string, PackChanges>>
  /** On the front page of the tournament-pools site: its first page. */
  readonly tournaments?: TournamentPage
  readonly highlights?: Highlights
  /** On the page of the viewer's own tournaments. */
  readonly myTournaments?: MyTournaments
  /** What is known already of the beatmaps that the page shows, with the mods of their slots. */
  readonly beatmaps?: readonly KnownSlot[]
  /** On the front page and in Browse: the first packs that the address asks for. */
  readonly found?: SearchReply
  /** On the page of a beatmap. */
  readonly map?: BeatmapPage
  /** On the page of an owner. */
  readonly owner?: OwnerPage
  /** On the page where one finds beatmaps. */
  readonly recentMaps?: readonly RecentMap[]
  /** On a page that says what happened. */
  readonly notice?: PageNotice
  /** Public address of the packs service. */
  readonly apiUrl: string
  /** Public address of the tournament-pools service. */
  readonly poolsUrl: string
  readonly siteUrl: string
  /** There is no other site: nothing links to one. */
  readonly isAlone?: true
  /** Covers are below it: `/beatmaps/{setId}/covers/list.jpg`. */
  readonly coversUrl: string
  /** Addresses of sets of beatmaps with `{set}` in them; left out where none is configured. */
  readonly mirrors?: readonly string[]
}

export const PAGE_DATA_ID = 'page-data'

/** What the owner of released rounds is called in the API where the operator has no name for it (D-28). Pages say it in their language. */
export const POOLS_OWNER = 'Tournament pools'

/** A notice page: what happened, and where to go next. */
export type PageNotice = {
  readonly title: string
  /** What happened, what was kept, what to do. */
  readonly text: string
  /** Links, the most likely first. */
  readonly ways: readonly { readonly label: string; readonly href: string }[]
  /** A link that can be opened again, where the address of the page works only once. */
  readonly again?: string
}

/** The pages of the header, the viewer's menu and the footer; each is a text of the catalogue. */
type LinkName =
  | 'browse'
  | 'tournaments'
  | 'maps'
  | 'newPackInHeader'
  | 'docs'
  | 'myPacks'
  | 'myTournaments'
  | 'account'
  | 'moderation'
  | 'openPackKey'
  | 'apiGuide'
  | 'packKeys'
  | 'apiReference'

/** A page of one site, or null: of both. */
export type SiteLink = readonly [name: LinkName, service: ServiceName | null, path: string]

/** The header of both sites. */
export const headerLinks = [
  ['browse', 'packs', '/packs'],
  ['tournaments', 'pools', '/'],
  ['maps', 'packs', '/maps'],
  ['newPackInHeader', 'packs', '/new'],
  ['docs', null, '/docs'],
] as const satisfies readonly SiteLink[]

/** What is the viewer's own, in the menu under their name. */
export const ownLinks: readonly SiteLink[] = [
  ['myPacks', 'packs', '/me'],
  ['myTournaments', 'pools', '/my'],
  ['account', null, '/account'],
]

export const moderationLink: SiteLink = ['moderation', null, '/moderation']

/** The footer of both sites. */
export const footerLinks: readonly SiteLink[] = [
  ['openPackKey', 'packs', '/k'],
  ['apiGuide', null, '/docs/api'],
  ['packKeys', null, '/docs/pack-keys'],
  ['apiReference', null, '/docs/reference'],
]

type Sites = Pick<PageData, 'service' | 'siteUrl' | 'poolsUrl' | 'isAlone'>

/** Those of these links that lead somewhere. */
export const linksOf = <L extends SiteLink>(from: Sites, links: readonly L[]): L[] =>
  links.filter(([, of]) => hasSite(from, of))

/** Whether there is a site with pages of this service, seen from a page of either. */
export const hasSite = (
  { service, isAlone }: Pick<Sites, 'service' | 'isAlone'>,
  of: SiteLink[1],
) => !isAlone || of === null || of === service

/** The address of a page, seen from a page of either site. */
export function siteHref(from: Sites, of: ServiceName | null, path: string): string {
  if (of === null || of === from.service) return path
  return (of === 'packs' ? from.siteUrl : from.poolsUrl) + path
}

/** As `siteHref`, for a page of the viewer's own: the other site signs them in first, where that is needed (D-96). */
export function ownHref(from: Sites, of: ServiceName | null, path: string): string {
  if (of === null || of === from.service) return path
  return siteHref(from, of, `/sign-in?from=${from.service}&return=${encodeURIComponent(path)}`)
}

type TournamentName = Pick<TournamentSummary, 'slug' | 'name' | 'shortName'>

/** A round that was released lately. */
export type RecentRound = {
  readonly tournament: TournamentName
  readonly id: string
  readonly name: string
  readonly releasedAt: string
  /** How many beatmaps its pack has. */
  readonly maps: number
  /** Where they are known. */
  readonly stars?: readonly [low: number, high: number]
}

/** An announced round whose release is scheduled. */
export type ComingRound = {
  readonly tournament: TournamentName
  readonly name: string
  readonly releaseAt: string
}

/** What is new in public tournaments: released last first, and coming soonest first. */
export type Highlights = {
  readonly released: readonly RecentRound[]
  readonly coming: readonly ComingRound[]
}

/** A page of the tournaments that the viewer is on the staff of, last updated first. */
export type MyTournaments = Omit<TournamentPage, 'tournaments'> & {
  readonly tournaments: readonly MyTournament[]
}

export type MyTournament = TournamentSummary & {
  readonly rounds: number
  readonly released: number
  /** The next scheduled release. */
  readonly next?: Pick<ComingRound, 'name' | 'releaseAt'>
}

/** What has changed of a pack. */
export type PackChanges = {
  /** How many saves changed something. */
  readonly count: number
  /** Of a released round: the slots with other beatmaps than before, and when each changed last; the last one first. */
  readonly slots: readonly ChangedSlot[]
}

export type ChangedSlot = {
  /** `NM1`. */
  readonly label: string
  /** ISO 8601. */
  readonly at: string
}

/** Where a pack belongs: its round, and those that were released of the rounds next to it. */
export type RoundOfPack = {
  readonly tournament: TournamentName
  readonly name: string
  readonly mapPackUrl?: string
  readonly showcaseUrl?: string
  /** The slots that were released without a beatmap (D-78). */
  readonly planned?: readonly RoundSlot[]
  /** The slots with a beatmap that the host has a link for, too (D-77). */
  readonly linked?: readonly RoundSlot[]
  readonly before?: NeighbourRound
  readonly after?: NeighbourRound
}

type NeighbourRound = { readonly name: string; readonly packSlug: string }

/** What is known of a beatmap, with the mods that a slot forces. */
export type KnownSlot = BeatmapAnswer & { readonly mods: readonly ForcedMod[] }

/** A beatmap of one of the newest public packs. */
export type RecentMap = Pick<
  BeatmapDetails,
  'id' | 'artist' | 'title' | 'difficulty' | 'mapper' | 'stars'
> & { readonly pack: { readonly slug: string; readonly name: string } }

/** A beatmap, and where it was pooled. */
export type BeatmapPage = {
  readonly id: number
  /** null: nothing is known of it. */
  readonly details: BeatmapDetails | 'gone' | null
  /** As it was played, without mods first. */
  readonly played: readonly PlayedMap[]
  readonly usage: UsagePage
  /** What the newest packs that hold it hold, too, most often first. */
  readonly pooledWith: readonly PooledWith[]
}

export type PlayedMap = {
  readonly mods: readonly ForcedMod[]
  /** null while that rating is not known. */
  readonly stars: number | null
  /** The platform has no rating with the mods: `stars` are those without (D-93). */
  readonly noRating?: true
}

export type PooledWith = {
  readonly id: number
  /** How many of these packs hold it. */
  readonly packs: number
  readonly title?: string
}

/** An owner's public packs, most recently updated first, and the public tournaments that they host. */
export type OwnerPage = {
  readonly name: string
  readonly packs: readonly IndexEntry[]
  readonly page: number
  readonly pageCount: number
  readonly total: number
  readonly tournaments: readonly TournamentSummary[]
}
