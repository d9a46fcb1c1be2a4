import type { NewPack, PackState, SavedPack } from '../domain/saved-pack.ts'

/** One page of a list, most recently updated first, newest created first among equals (D-16). */
export type PackList = {
  readonly packs: readonly SavedPack[]
  /** Packs on all pages. */
  readonly total: number
}

/** How creating a pack ended. `full`: the owner has `limit` packs. `slug_taken`: try another slug. */
export type Creation =
  | { readonly outcome: 'created'; readonly pack: SavedPack }
  | { readonly outcome: 'full' | 'slug_taken' }

/** The packs. Each method is one whole transaction; what it gives out is never changed later. */
export interface PackStore {
  /** The pack, whoever asks: access is the caller's rule. null when there is none. */
  read(slug: string): Promise<SavedPack | null>

  /** Public packs that are not hidden. `page` counts from 1; past the end it has no packs. */
  listPublic(page: number, pageSize: number): Promise<PackList>

  /** All packs of one owner, hidden ones included. */
  listOwned(ownerId: string, page: number, pageSize: number): Promise<PackList>

  /** The owner's pack of exactly this name, the newest created of several; null when there is none. */
  findOwned(ownerId: string, name: string): Promise<SavedPack | null>

  /**
   * Stores a new pack unless its owner already has `limit`; null is no limit.
   * Exact under concurrent calls (D-28).
   */
  create(pack: NewPack, limit: number | null): Promise<Creation>

  /**
   * Replaces what `change` returns for the pack as it is now; nothing comes between reading and
   * writing. null when the pack is missing or not the owner's; `change` is then not called.
   * What `change` throws is passed on, and nothing is written.
   */
  replace(
    slug: string,
    ownerId: string,
    change: (saved: SavedPack) => PackState,
  ): Promise<SavedPack | null>

  /** Deletes the owner's pack. false when it is missing or not the owner's. */
  remove(slug: string, ownerId: string): Promise<boolean>

  /**
   * Changes what a moderator may change, in one step with a look at the pinned row. `pinned` are
   * the packs of the row without this one, lowest rank first. null when there is no such pack.
   * What `change` throws is passed on, and nothing is written.
   */
  moderate(
    slug: string,
    change: (saved: SavedPack, pinned: readonly SavedPack[]) => Moderation,
  ): Promise<SavedPack | null>
}

/** What a moderator decides about a pack. `updatedAt` does not move. */
export type Moderation = Pick<PackState, 'hiddenAt' | 'pinnedRank'>
