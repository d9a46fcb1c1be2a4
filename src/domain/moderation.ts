import { MAX_PINNED } from '../contract/bounds.ts'
import { Failure } from '../contract/failure.ts'
import type { Moderating, ModerationNote } from './moderating.ts'
import type { PackState, SavedPack } from './saved-pack.ts'

/** What a moderator decides about a pack; `updatedAt` does not move. */
export type Verdict = Pick<PackState, 'hiddenAt' | 'pinnedRank'> & {
  /** Left out: null. */
  readonly hiddenReason?: string | null
  /** For the log; left out when all stays as it was. */
  readonly note?: ModerationNote
}

/** One message for packs that are missing and packs that moderators do not see (D-30). */
export const noPackToModerate = (): Failure =>
  new Failure('not_found', 'there is no unlisted or public pack with this slug')

/** Moderators never see private packs (D-30). */
const seen = (pack: SavedPack): SavedPack => {
  if (pack.visibility === 'private') throw noPackToModerate()
  return pack
}

/** The pack as it is. */
const asItIs = ({ hiddenAt, hiddenReason, pinnedRank }: SavedPack): Verdict => ({
  hiddenAt,
  hiddenReason,
  pinnedRank,
})

/**
 * Takes the pack away from everyone but its owner, and its pin with it. A hidden one keeps its first
 * time, and its reason until another is given.
 */
export const hide = (pack: SavedPack, by: Moderating, now: number): Verdict => {
  const { hiddenAt, hiddenReason } = seen(pack)
  const reason = by.reason ?? hiddenReason
  return {
    hiddenAt: hiddenAt ?? now,
    hiddenReason: reason,
    pinnedRank: null,
    ...((hiddenAt === null || reason !== hiddenReason) && {
      note: { ...by, action: 'hide', at: now },
    }),
  }
}

/** Gives a hidden pack back; a pin that it had does not return. */
export const unhide = (pack: SavedPack, by: Moderating, now: number): Verdict =>
  seen(pack).hiddenAt === null
    ? asItIs(pack)
    : {
        hiddenAt: null,
        hiddenReason: null,
        pinnedRank: pack.pinnedRank,
        note: { ...by, action: 'unhide', at: now },
      }

/**
 * Pins the pack at the end of the row; one that is pinned stays where it is.
 *
 * @param row the other pinned packs, lowest rank first.
 * @throws Failure `conflict` when the pack is not public, is hidden, or the row is full (D-30).
 */
export const pin = (
  pack: SavedPack,
  row: readonly SavedPack[],
  by: Moderating,
  now: number,
): Verdict => {
  if (seen(pack).visibility !== 'public') {
    throw new Failure('conflict', 'only public packs can be pinned; this pack is unlisted')
  }
  if (pack.hiddenAt !== null) {
    throw new Failure('conflict', 'a hidden pack cannot be pinned; unhide it first')
  }
  if (pack.pinnedRank !== null) return asItIs(pack)
  if (row.length >= MAX_PINNED) {
    throw new Failure('conflict', `${MAX_PINNED} packs are already pinned; unpin one first`)
  }
  return {
    hiddenAt: null,
    hiddenReason: null,
    pinnedRank: (row.at(-1)?.pinnedRank ?? 0) + 1,
    note: { ...by, action: 'pin', at: now },
  }
}

/** Takes the pack out of the row; one that is not in it stays out. */
export const unpin = (pack: SavedPack, by: Moderating, now: number): Verdict =>
  seen(pack).pinnedRank === null
    ? asItIs(pack)
    : { ...asItIs(pack), pinnedRank: null, note: { ...by, action: 'unpin', at: now } }
