import type { Bucket } from '../contract/bucket.ts'
import type { Visibility } from '../contract/pack.ts'
import type { Slot } from '../contract/slot.ts'
import type { Stats } from '../contract/stats.ts'

/** A magnet link as it is kept; newest first in a pack. */
export type SavedExport = {
  readonly url: string
  /** ms since the epoch. */
  readonly createdAt: number
}

/** What the owner says of a pack; everything that a save sets. */
export type PackContent = {
  readonly name: string
  readonly visibility: Visibility
  /** null when the pack has none. */
  readonly description: string | null
  /** In the order they were sent (D-20). */
  readonly slots: readonly Slot[]
  /** The whole table; null when it is the default one (D-22). */
  readonly buckets: readonly Bucket[] | null
  /** Written from name, buckets and slots. */
  readonly packKey: string
}

/** What changes over a pack's life. */
export type PackState = PackContent & {
  readonly exports: readonly SavedExport[]
  /** When a moderator hid the pack, ms since the epoch; null when none did. */
  readonly hiddenAt: number | null
  /** Why it is hidden; null when it is not, or when nobody said. */
  readonly hiddenReason: string | null
  /** Position in the pinned row, lowest first; null when not pinned (D-30). */
  readonly pinnedRank: number | null
  /** null until they are computed. */
  readonly stats: Stats | null
  /** ms since the epoch; never goes back and changes with every save (D-26). */
  readonly updatedAt: number
}

/** A pack as the store holds it. Never changed in place: stores may hand the same object out again. */
export type SavedPack = PackState & {
  readonly slug: string
  readonly ownerId: string
  /** The owner's username now; null when none is known. */
  readonly ownerUsername: string | null
  /** ms since the epoch. */
  readonly createdAt: number
}

/** A pack about to be stored for the first time. */
export type NewPack = Omit<SavedPack, 'ownerUsername'>
