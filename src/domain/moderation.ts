import { MAX_PINNED } from '../contract/bounds.ts'
import { Failure } from '../contract/failure.ts'
import type { PackState, SavedPack } from './saved-pack.ts'

/** What a moderator may change about a pack; `updatedAt` does not move. */
export type Verdict = Pick<PackState, 'hiddenAt' | 'pinnedRank'>

/** One message for packs that are missing and packs that moderators do not see (D-30). */
export const noPackToModerate = (): Failure =>
  new Failure('not_found', 'there is no unlisted or public pack with this slug')

/** Moderators never see private packs (D-30). */
const seen = (pack: SavedPack): SavedPack => {
  if (pack.visibility === 'private') throw noPackToModerate()
  return pack
}

/** Takes the pack away from everyone but its owner, and its pin with it; it keeps its first time. */
export const hide = (pack: SavedPack, now: number): Verdict => ({
  hiddenAt: seen(pack).hiddenAt ?? now,
  pinnedRank: null,
})

/** Gives a hidden pack back; a pin that it had does not return. */
export const unhide = (pack: SavedPack): Verdict => ({
  hiddenAt: null,
  pinnedRank: seen(pack).pinnedRank,
})

/**
 * Pins the pack at the end of the row; one that is pinned stays where it is.
 *
 * @param row the other pinned packs, lowest rank first.
 * @throws Failure `conflict` when the pack is not public, is hidden, or the row is full (D-30).
 */
export const pin = (pack: SavedPack, row: readonly SavedPack[]): Verdict => {
  if (seen(pack).visibility !== 'public') {
    throw new Failure('conflict', 'only public packs can be pinned; this one is unlisted')
  }
  if (pack.hiddenAt !== null) {
    throw new Failure('conflict', 'a hidden pack cannot be pinned; unhide it first')
  }
  if (pack.pinnedRank !== null) return { hiddenAt: null, pinnedRank: pack.pinnedRank }
  if (row.length >= MAX_PINNED) {
    throw new Failure('conflict', `${MAX_PINNED} packs are pinned already; unpin one first`)
  }
  return { hiddenAt: null, pinnedRank: (row.at(-1)?.pinnedRank ?? 0) + 1 }
}

/** Takes the pack out of the row; one that is not in it stays out. */
export const unpin = (pack: SavedPack): Verdict => ({
  hiddenAt: seen(pack).hiddenAt,
  pinnedRank: null,
})
