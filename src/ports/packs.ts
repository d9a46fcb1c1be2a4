import type { Awaitable } from '../domain/awaitable.ts'
import type { ModerationNote, ModerationChange } from '../domain/moderation.ts'
import type { NewPack, PackState, SavedExport, SavedPack } from '../domain/packs.ts'

/** One page of a list, most recently updated first, newest created first among equals (D-16). */
export type PackList = {
  readonly packs: readonly SavedPack[]
  /** Packs on all pages. */
  readonly total: number
}

/** What tells a creation that is tried again from another one. */
export type IdempotencyToken = {
  /** What the owner calls the creation; each owner has names of their own. */
  readonly key: string
  /** Of all that the owner asks for: equal ones make equal packs. */
  readonly fingerprint: string
  /** Creations before this are forgotten, ms since the epoch. */
  readonly since: number
}

/**
 * How creating a pack ended. `repeated`: it was made before, and this is what it was then, whatever
 * has become of it. `full`: the owner has `limit` packs. `slug_taken`: try another slug.
 * `key_taken`: the owner made another pack under this key. `no_owner`: there is no such account.
 */
export type Creation =
  | { readonly outcome: 'created' | 'repeated'; readonly pack: SavedPack }
  | { readonly outcome: 'full' | 'slug_taken' | 'key_taken' | 'no_owner' }

/** A pack with what moderators know besides. */
export type ModeratedRow = {
  readonly pack: SavedPack
  /** The owner's id on the platform; null for the system account. */
  readonly ownerGameId: number | null
  /**
   * The username of the moderator who hid it last; null when it is not hidden, when the operator
   * did, or when they have no account or no known name.
   */
  readonly hiddenBy: string | null
}

/** Which packs a moderator looks for. */
export type ModerationFilter = {
  /** A part of the name or of the owner's username in any case, or a whole slug; empty for all. */
  readonly query: string
  /** null for both and others. */
  readonly only: 'hidden' | 'pinned' | null
}

/** A line of the moderation log. */
export type LoggedNote = Omit<ModerationNote, 'moderatorId'> & {
  /** `operator`, or the moderator's username now; null when they have no account any more. */
  readonly by: { readonly username: string | null } | 'operator'
  readonly slug: string
  /** The pack's name then; empty when its owner's account was deleted. */
  readonly packName: string
}

/** The packs. Each method is one whole transaction; what it gives out is never changed later. */
export interface PackStore {
  /** The pack, whoever asks: access is the caller's rule. null when there is none. */
  read(slug: string): Awaitable<SavedPack | null>

  /** Public packs that are not hidden. `page` counts from 1; past the end it has no packs. */
  listPublic(page: number, pageSize: number): Awaitable<PackList>

  /** All packs of one owner, hidden ones included. */
  listOwned(ownerId: string, page: number, pageSize: number): Promise<PackList>

  /** The owner's pack of exactly this name, the newest created of several; null when there is none. */
  findOwned(ownerId: string, name: string): Promise<SavedPack | null>

  /**
   * Stores a new pack unless its owner already has `limit`; null is no limit.
   * Exact under concurrent calls (D-28).
   *
   * @param once with it, the same owner, key and fingerprint make one pack however often it is
   *   called, at the limit too; what made none is not remembered. Null for creations of no name.
   */
  create(pack: NewPack, limit: number | null, once?: IdempotencyToken | null): Promise<Creation>

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

  /**
   * Deletes the owner's pack. false when it is missing or not the owner's.
   *
   * @param check is called with the pack as it is now; nothing comes between it and the deletion.
   *   What it throws is passed on, and nothing is deleted.
   */
  remove(slug: string, ownerId: string, check?: (saved: SavedPack) => void): Promise<boolean>

  /**
   * Replaces the pack's magnet links by what `change` returns for the pack as it is now, in one
   * step; nothing else moves, `updatedAt` and stats included. null when the pack is missing or not
   * the owner's. What `change` throws is passed on, and nothing is written.
   */
  changeExports(
    slug: string,
    ownerId: string,
    change: (saved: SavedPack) => readonly SavedExport[],
  ): Promise<SavedPack | null>

  /**
   * Changes what a moderator may change, in one step with a look at the pinned row. `pinned` are
   * the packs of the row without this one, lowest rank first. The note goes into the log in the
   * same transaction. null when there is no such pack.
   * What `change` throws is passed on, and nothing is written.
   */
  moderate(
    slug: string,
    change: (saved: SavedPack, pinned: readonly SavedPack[]) => ModerationChange,
  ): Promise<SavedPack | null>

  /** The pinned row in its order (D-30). */
  listPinned(): Promise<readonly SavedPack[]>

  /**
   * Puts the pinned row into this order, and a note for each pack that moves into the log.
   * false when `slugs` are not exactly the pinned packs, each once; nothing is written then.
   */
  setPins(slugs: readonly string[], note: Omit<ModerationNote, 'action'>): Promise<boolean>

  /** A public or unlisted pack as moderators see it; null when there is no such pack (D-30). */
  readModerated(slug: string): Promise<ModeratedRow | null>

  /** Public and unlisted packs, most recently updated first; with `only` pinned, in the row's order. */
  listModerated(
    filter: ModerationFilter,
    page: number,
    pageSize: number,
  ): Promise<{ readonly rows: readonly ModeratedRow[]; readonly total: number }>

  /** The moderation log, newest first. */
  readLog(
    page: number,
    pageSize: number,
  ): Promise<{ readonly notes: readonly LoggedNote[]; readonly total: number }>

  /** All that the log holds about packs that this account owned, newest first. */
  readLogAbout(ownerId: string): Promise<readonly LoggedNote[]>
}
