import type { Awaitable } from '../domain/loading.ts'
import type { PackHistory } from '../domain/history.ts'
import type { ModerationChange, ModerationNote, ModerationSubject } from '../domain/moderation.ts'
import type { NewPack, PackState, SavedExport, SavedPack } from '../domain/packs.ts'
import type { IdempotencyToken, Page } from './store.ts'

/** Most recently updated first, newest created first among equals (D-16). */
export type PackList = Page<SavedPack>

/**
 * How creating a pack ended. `repeated`: it was made before, and this is what it was then, whatever
 * has become of it. `full`: the owner has `limit` packs. `slug_taken`: try another slug.
 * `key_taken`: the owner made another pack under this key. `no_owner`: there is no such account.
 */
export type Creation =
  | { readonly outcome: 'created' | 'repeated'; readonly pack: SavedPack }
  | { readonly outcome: 'full' | 'slug_taken' | 'key_taken' | 'no_owner' }

/** A pack as moderators see it. */
export type ModeratedRow = {
  readonly pack: SavedPack
  /** The owner's id on the platform; null for the system account. */
  readonly ownerGameId: number | null
  /** The moderator who hid it last; null when it is not hidden, or the operator or an unknown moderator did. */
  readonly hiddenBy: string | null
  /** It is hidden because its owner is suspended, or because the hosts of its tournament are. */
  readonly isSuspended: boolean
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
  readonly subject: ModerationSubject
  readonly slug: string
  /** The name then; of a pack, empty when its owner's account was deleted. */
  readonly packName: string
}

/**
 * The packs. Each method is one whole transaction, and what it changes is in the feed of changes with it.
 * What a `change` throws is passed on, and nothing is written; nothing comes between the pack that it is
 * called with and the writing.
 */
export interface PackStore {
  /** The pack for any caller: access is the caller's rule. The object is never changed later. */
  read(slug: string): Awaitable<SavedPack | null>

  /** Public packs that are not hidden. `page` counts from 1; past the end it has no packs. */
  listPublic(page: number, pageSize: number): Awaitable<PackList>

  /** All packs of one owner, hidden ones included. */
  listOwned(ownerId: string, page: number, pageSize: number): Promise<PackList>

  /** Those of an owner that are public and not hidden. */
  listOwnedPublic(ownerId: string, page: number, pageSize: number): Promise<PackList>

  /** The owner's pack of exactly this name, the newest created of several. */
  findOwned(ownerId: string, name: string): Promise<SavedPack | null>

  /**
   * Stores a new pack unless its owner already has `limit` (null: none), exact under concurrent calls
   * (D-28). With `once`, the same owner, key and fingerprint make one pack however often it is called,
   * at the limit too; calls that made none are not stored.
   */
  create(pack: NewPack, limit: number | null, once?: IdempotencyToken | null): Promise<Creation>

  /** Saves the state that `change` returns. null when the pack is missing or not the owner's. */
  replace(
    slug: string,
    ownerId: string,
    change: (saved: SavedPack) => PackState,
  ): Promise<SavedPack | null>

  /**
   * Deletes the pack after `check`, called as a `change` is. false when missing or not the owner's.
   *
   * @param now ms since the epoch.
   */
  remove(
    slug: string,
    ownerId: string,
    now: number,
    check?: (saved: SavedPack) => void,
  ): Promise<boolean>

  /** As `replace`, but saves the magnet links alone: `updatedAt` and stats stay as they are. */
  changeExports(
    slug: string,
    ownerId: string,
    change: (saved: SavedPack) => readonly SavedExport[],
  ): Promise<SavedPack | null>

  /**
   * The pack with the versions that are kept of it; null when there is no such pack. The same object while
   * the pack is read often and has not changed.
   */
  readHistory(slug: string): Promise<PackHistory | null>

  /**
   * Opens or closes the history of the owner's pack (D-70); `updatedAt` stays. false when the pack is
   * missing or not the owner's. `check` is called as a `change` is.
   */
  setHistoryPublic(
    slug: string,
    ownerId: string,
    isPublic: boolean,
    check?: (history: PackHistory) => void,
  ): Promise<boolean>

  /**
   * Changes what a moderator may change, and logs the note. null when there is no such pack. `change`
   * is also called with the other packs of the pinned row, lowest rank first. A pack that a suspension hides stays
   * hidden: `change` is called with it as it will be afterwards, and with `isSuspended`.
   */
  moderate(
    slug: string,
    change: (
      saved: SavedPack,
      pinned: readonly SavedPack[],
      isSuspended: boolean,
    ) => ModerationChange,
  ): Promise<SavedPack | null>

  /** The pinned row in its order (D-30). */
  listPinned(): Awaitable<readonly SavedPack[]>

  /**
   * Sorts the pinned row into this order, and logs a note for each pack that moves. false, and nothing
   * is written, when `slugs` are not exactly the pinned packs, each once.
   */
  setPins(slugs: readonly string[], note: Omit<ModerationNote, 'action'>): Promise<boolean>

  /** A public or unlisted pack (D-30). */
  readModerated(slug: string): Promise<ModeratedRow | null>

  /** Public and unlisted packs, most recently updated first; with `only` pinned, in the row's order. */
  listModerated(
    filter: ModerationFilter,
    page: number,
    pageSize: number,
  ): Promise<Page<ModeratedRow>>

  /** The moderation log, newest first. */
  readLog(page: number, pageSize: number): Promise<Page<LoggedNote>>

  /** Everything in the log about packs that this account owned, newest first. */
  readLogAbout(ownerId: string): Promise<readonly LoggedNote[]>
}
