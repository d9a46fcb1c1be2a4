import type { Context, ServiceParts } from '../door/context.ts'
import type { PublishedIndexCache } from '../operations/search-index.ts'
import type { AssetStore } from './assets/assets.ts'
import type { PageCache } from './pages/page-cache.ts'
import type { PictureCache, PictureRenderer } from './preview/renderer.ts'
import type { InvalidCodeLimiter } from './sign-in/invalid-codes.ts'

export type SiteParts = ServiceParts & {
  readonly assets: AssetStore
  /** null on a site without packs. */
  readonly indexCache: PublishedIndexCache | null
}

/** What every part of the site gets. */
export type SiteContext = Context &
  SiteParts & {
    readonly pages: PageCache
    readonly renderer: PictureRenderer
    readonly pictures: PictureCache
    readonly invalidCodes: InvalidCodeLimiter
  }

export const SITE_NAME = 'Mapcrate'
