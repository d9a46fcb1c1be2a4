import type { Context, ServiceParts } from '../door/context.ts'
import type { IndexShelf } from '../operations/search-index.ts'
import type { AssetShelf } from './assets/assets.ts'
import type { PicturePress } from './preview/renderer.ts'
import type { JunkCodes } from './sign-in/junk-codes.ts'

/** What a site is made of: all pages on the packs service, the account page alone on the other. */
export type SiteParts = ServiceParts & {
  readonly assets: AssetShelf
  /** Where the search index lies; null on a site without packs. */
  readonly shelf: IndexShelf | null
}

/** What every part of the site is given. */
export type SiteContext = Context &
  SiteParts & { readonly press: PicturePress; readonly junkCodes: JunkCodes }

export const SITE_NAME = 'Mapcrate'
