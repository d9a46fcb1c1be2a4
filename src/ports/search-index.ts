import type { IndexedPack } from '../domain/search-index.ts'

/**
 * Names one state of what the search index and the public list show. Equal versions mean equal
 * content, also when the store was restored or has lost commits in between; no version says which of
 * two is the newer one.
 */
export type IndexVersion = string

/** What the search index is made from. */
export interface PublicIndex {
  /** Changes whenever something that the index shows has changed, by whichever process. */
  version(): Promise<IndexVersion>

  /**
   * Public packs that are not hidden, newest created first, in portions: call again with the last
   * one's place until a portion is short.
   *
   * @param after null for the first portion.
   */
  readPortion(
    after: { readonly createdAt: number; readonly slug: string } | null,
    limit: number,
  ): Promise<readonly IndexedPack[]>
}

/** The search index as one process has built it, compressed. */
export type SharedBuild = {
  /** What `version` was before the packs were read. */
  readonly version: IndexVersion
  /** ms since the epoch. */
  readonly builtAt: number
  readonly packs: number
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
}

/** The search index as processes share it: one builds it, all serve it. */
export interface SharedIndex {
  /**
   * What was published last, unless it has this version; null then, and when there is nothing.
   *
   * @param known null to read it whatever it is.
   */
  readOther(known: IndexVersion | null): Promise<SharedBuild | null>

  /**
   * Whether it is this process's turn to build, for the next `forMs`: it had the turn before, or
   * nobody has it any more. One process at a time, as the store's clock counts.
   *
   * @param holder tells this process from all others.
   */
  takeLease(holder: string, forMs: number): Promise<boolean>

  /**
   * Publishes a build in place of the one before. false, and nothing is published, when another
   * process has taken the turn since: what that one builds is newer.
   *
   * @param holder as given to `takeLease`.
   */
  publish(build: SharedBuild, holder: string): Promise<boolean>
}
