import type { Context, ServiceParts } from '../door/context.ts'
import type { PublishedIndexCache } from '../operations/search-index.ts'
import type { AssetStore } from './assets/assets.ts'
import type { PictureRenderer } from './preview/renderer.ts'
import type { InvalidCodeLimiter } from './sign-in/invalid-codes.ts'

/** What a site is made of: all pages on the packs service, the account page alone on the other. */
export type SiteParts = ServiceParts & {
  readonly assets: AssetStore
  /** Where the search index lies; null on a site without packs. */
  readonly indexCache: PublishedIndexCache | null
}

/** What every part of the site is given. */
export type SiteContext = Context &
  SiteParts & { readonly renderer: PictureRenderer; readonly invalidCodes: InvalidCodeLimiter }

export const SITE_NAME = 'Mapcrate'
