import type { Language } from '#texts/languages'
import type { Body } from '../door/answer.ts'
import type { Context, ServiceParts } from '../door/context.ts'
import type { PublishedIndexCache } from '../operations/search-index.ts'
import type { AssetStore } from './assets/assets.ts'
import type { PictureCache, PictureRenderer } from './preview/renderer.ts'
import type { PictureJob } from './preview/render-thread.ts'
import type { VersionCache } from './version-cache.ts'

export type SiteParts = ServiceParts & {
  readonly assets: AssetStore
  /** null on a site without packs. */
  readonly indexCache: PublishedIndexCache | null
}

/** What every part of the site gets. */
export type SiteContext = Context &
  SiteParts & {
    /** Those that there are pages in, English first. */
    readonly languages: readonly Language[]
    /** By language: paths of the pages that are in English in place of it. */
    readonly englishPages: ReadonlyMap<Language, readonly string[]>
    readonly pages: VersionCache<PageFacts>
    /** Atom feeds, by path. */
    readonly feeds: VersionCache<Body>
    /** By path. */
    readonly scenes: VersionCache<TaggedPicture>
    readonly renderer: PictureRenderer
    readonly pictures: PictureCache
  }

/**
 * What is kept of a page as it is for viewers who are not signed in. Its bytes are kept as they are sent, by its tag;
 * it is rendered again when they have not been requested lately.
 */
export type PageFacts = Pick<Body, 'etag' | 'length'> & {
  /** Its content security policy; left out: the one of every response of the site. */
  readonly policy?: string | undefined
}

/** What a picture shows; equal ones have equal tags. */
export type TaggedPicture = { readonly job: PictureJob; readonly tag: string }
