import type { IndexedPack } from '../domain/search-index.ts'

/**
 * Names one state of what the search index and the public list show. Equal versions mean equal
 * content, also when the store was restored or has lost commits in between; versions have no order.
 */
export type IndexVersion = string

/** What has changed in the search index between two versions. */
export type IndexChanges = {
  /** What the index shows with these changes, at least. */
  readonly version: IndexVersion
  /** Packs that were added, or changed; each once, in no order. */
  readonly changed: readonly IndexedPack[]
  /** Slugs of packs that are no longer public, or hidden, or gone; perhaps of some that never were. */
  readonly gone: readonly string[]
}

/** What the search index is made from. */
export interface PublicIndex {
  /** Changes whenever anything that the index shows has changed, by whichever process. */
  version(): Promise<IndexVersion>

  /**
   * What has changed after `since`, a version that `version` or this returned. null when that is not
   * known, or more than `limit` packs have changed: the index must then be read whole.
   */
  readChanges(since: IndexVersion, limit: number): Promise<IndexChanges | null>

  /**
   * Public packs that are not hidden, newest created first, `after` the last pack of the portion before
   * (null: from the start). The last portion is shorter than `limit`.
   */
  readPortion(
    after: Pick<IndexedPack, 'createdAt' | 'slug'> | null,
    limit: number,
  ): Promise<readonly IndexedPack[]>
}

/** The search index as one process has built it, compressed; `builtAt` is ms since the epoch. */
export type SharedBuild = {
  /** What `version` was before the packs were read. */
  readonly version: IndexVersion
  readonly builtAt: number
  readonly packs: number
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
}

/** The search index as processes share it: one builds it, all serve it. */
export interface SharedIndex {
  /** The published build, unless there is none or it has the version `known`. */
  readOther(known: IndexVersion | null): Promise<SharedBuild | null>

  /**
   * Takes or renews the lease to build for the next `forMs` of the store's clock. false while another
   * process has it. `holder` names this process alone.
   */
  takeLease(holder: string, forMs: number): Promise<boolean>

  /**
   * Publishes a build in place of the one before. false, and nothing is published, when another
   * process has taken the lease since: its build is newer.
   */
  publish(build: SharedBuild, holder: string): Promise<boolean>
}
