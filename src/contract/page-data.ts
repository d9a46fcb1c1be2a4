import type { Viewer } from './accounts.ts'
import type { SitePack } from './packs.ts'
import type { ServiceName } from './services.ts'

/**
 * What a page's head carries for the browser application, as JSON in
 * `<script type="application/json" id="page-data">`. Addresses have no slash at the end.
 */
export type PageData = {
  readonly siteName: string
  readonly page: string
  readonly service: ServiceName
  /** The part before `_` in the keys of this service. */
  readonly keyPrefix: string
  /** null when nobody is signed in. */
  readonly viewer: Viewer | null
  /** Slugs of the pinned row in its order; on the pages that show it (D-30). */
  readonly pinned?: readonly string[]
  /** On the pages of one pack. */
  readonly pack?: SitePack
  /**
   * On the page of a pack: how often it has changed since the first version that others may read, for
   * those who may read its history (D-70).
   */
  readonly changes?: number
  /** Public address of the packs service. */
  readonly apiUrl: string
  /** Public address of the tournament-pools service. */
  readonly poolsUrl: string
  readonly siteUrl: string
  /** Covers are below it: `/beatmaps/{setId}/covers/list.jpg`. */
  readonly coversUrl: string
}

export const PAGE_DATA_ID = 'page-data'

/** Pages of the packs site in every header: label and path. */
export const headerLinks = [
  ['Browse', '/packs'],
  ['Open a key', '/k'],
  ['New pack', '/new'],
  ['My packs', '/me'],
  ['Docs', '/docs'],
] as const
