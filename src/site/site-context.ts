import type { Body } from '../door/answer.ts'
import type { Context, ServiceParts } from '../door/context.ts'
import type { PublishedIndexCache } from '../operations/search-index.ts'
import type { AssetStore } from './assets/assets.ts'
import type { PictureCache, PictureRenderer } from './preview/renderer.ts'
import type { Scene } from './preview/scene.ts'
import type { VersionCache } from './version-cache.ts'

export type SiteParts = ServiceParts & {
  readonly assets: AssetStore
  /** null on a site without packs. */
  readonly indexCache: PublishedIndexCache | null
}

/** What every part of the site gets. */
export type SiteContext = Context &
  SiteParts & {
    readonly pages: VersionCache<CachedPage>
    /** The bytes of pages, by their keys. */
    readonly payloads: VersionCache<Body['payload']>
    /** Atom feeds, by path. */
    readonly feeds: VersionCache<Body>
    /** By slug. */
    readonly scenes: VersionCache<TaggedScene>
    readonly renderer: PictureRenderer
    readonly pictures: PictureCache
  }

/**
 * A page as it is for viewers who are not signed in: it contains nothing of a viewer. Most readers need only its
 * tag, by which its compressed form is kept; its payload may be rendered again when somebody needs it.
 */
export type CachedPage = Body & {
  /** Its content security policy; left out: the one of every response of the site. */
  readonly policy?: string | undefined
}

/** What the picture of a pack shows; an equal scene has an equal tag. */
export type TaggedScene = { readonly scene: Scene; readonly tag: string }

export const SITE_NAME = 'Mapcrate'
