import type { PageData } from '../contract/page-data.ts'

// What the build has for pages.

/** The pages in one language. */
export type PageBuild = {
  /** By name; null if the application has not been built. */
  readonly entries: ReadonlyMap<string, EntryFiles> | null
  /** By page; a page whose texts cannot be part of its HTML is not in it. */
  readonly inlined: ReadonlyMap<string, InlineFiles>
  /** null: not built. */
  readonly render: PageRenderer | null
}

/** The entry of the classic script that runs before anything is painted. */
export const EARLY_SCRIPT = 'theme'

/** What one page loads, as paths below the site's address without a leading slash. */
export type EntryFiles = {
  /** null: the page needs none. */
  readonly script: string | null
  readonly styles: readonly string[]
  /** What the script imports, so that browsers load it at once. */
  readonly preloads: readonly string[]
}

/** What a page needs before its first paint, as text for its HTML: one round trip less. */
export type InlineFiles = {
  readonly style: string
  readonly earlyScript: string
  /** What the content security policy of the page has to allow for them. */
  readonly sources: { readonly style: string; readonly script: string }
}

/** Renders the body of a page for viewers who are not signed in; of one that its script makes, what keeps its place. */
export type PageRenderer = (data: PageData) => string
