import type { IndexedPack } from '../domain/index-entry.ts'

/** What the search index is made from. */
export interface PublicIndex {
  /** Changes whenever something that the index shows has changed, by whichever process. */
  version(): Promise<number>

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
  readonly version: number
  /** ms since the epoch. */
  readonly builtAt: number
  readonly packs: number
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
}

/** The search index as processes share it: one builds it, all serve it. */
export interface SharedIndex {
  /** What was published last when its version is above `known`; null otherwise. */
  readNewer(known: number): Promise<SharedBuild | null>

  /**
   * Whether it is this process's turn to build, for the next `forMs`: it had the turn before, or
   * nobody has it any more. One process at a time, as the store's clock counts.
   *
   * @param holder tells this process from all others.
   */
  takeTurn(holder: string, forMs: number): Promise<boolean>

  /** Publishes a build in place of the one before, unless that is newer. */
  publish(build: SharedBuild): Promise<void>
}
