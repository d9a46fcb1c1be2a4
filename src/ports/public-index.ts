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
