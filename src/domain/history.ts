import type { Visibility } from '../contract/packs.ts'
import type { SavedPack } from './packs.ts'

/** A state of a pack that a save made (D-71). */
export type SavedVersion = {
  readonly version: number
  /** ms since the epoch. */
  readonly savedAt: number
  readonly visibility: Visibility
  /** Whether the pack was hidden when it was saved. */
  readonly isHidden: boolean
  readonly description: string | null
  /** Holds name, buckets and slots. */
  readonly packKey: string
}

/** The version that a pack is. */
export const versionOf = (pack: SavedPack): SavedVersion => ({
  version: pack.version,
  savedAt: pack.versionAt,
  visibility: pack.visibility,
  isHidden: pack.versionHidden,
  description: pack.description,
  packKey: pack.packKey,
})

/** A pack and its newest versions, the newest first: that is the pack as it is. */
export type PackHistory = {
  readonly pack: SavedPack
  readonly versions: readonly SavedVersion[]
}
