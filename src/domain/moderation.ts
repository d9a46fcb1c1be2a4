import { MAX_PINNED, REASON_LENGTH } from '../contract/bounds.ts'
import { AppError, refusal } from '../contract/errors.ts'
import type { LogEntry, ModeratedPack, ModerationAction } from '../contract/moderation.ts'
import { checkText } from '../pool/text.ts'
import { UNKNOWN_PLAYER } from './accounts.ts'
import { type PackState, presentSitePack, type SavedPack } from './packs.ts'
import type { Session } from './sessions.ts'
import { timestamp } from './time.ts'

/** Who moderates, and why. */
export type Moderator = {
  /** The account; null for the operator. */
  readonly moderatorId: string | null
  /** null when there is none to tell. */
  readonly reason: string | null
}

/** Something that a moderator did, as the log keeps it. */
export type ModerationNote = Moderator & {
  readonly action: ModerationAction
  /** ms since the epoch. */
  readonly at: number
}

/** What a moderator decides about a pack; `updatedAt` does not move. */
export type ModerationChange = Pick<PackState, 'hiddenAt' | 'pinnedRank'> & {
  /** Left out: null. */
  readonly hiddenReason?: string | null
  /** For the log; left out when all stays as it was. */
  readonly note?: ModerationNote
}

/**
 * Takes the pack away from everyone but its owner, and its pin with it. A hidden one keeps its first
 * time, and its reason until another is given.
 */
export function hide(pack: SavedPack, by: Moderator, now: number): ModerationChange {
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
export const unhide = (pack: SavedPack, by: Moderator, now: number): ModerationChange =>
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
 * @throws AppError `conflict` when the pack is not public, is hidden, or the row is full (D-30).
 */
export function pin(
  pack: SavedPack,
  row: readonly SavedPack[],
  by: Moderator,
  now: number,
): ModerationChange {
  if (seen(pack).visibility !== 'public') {
    throw new AppError('conflict', 'only public packs can be pinned; this pack is unlisted')
  }
  if (pack.hiddenAt !== null) {
    throw new AppError('conflict', 'a hidden pack cannot be pinned; unhide it first')
  }
  if (pack.pinnedRank !== null) return asItIs(pack)
  if (row.length >= MAX_PINNED) {
    throw new AppError('conflict', `${MAX_PINNED} packs are already pinned; unpin one first`)
  }
  return {
    hiddenAt: null,
    hiddenReason: null,
    pinnedRank: (row.at(-1)?.pinnedRank ?? 0) + 1,
    note: { ...by, action: 'pin', at: now },
  }
}

/** Takes the pack out of the row; one that is not in it stays out. */
export const unpin = (pack: SavedPack, by: Moderator, now: number): ModerationChange =>
  seen(pack).pinnedRank === null
    ? asItIs(pack)
    : { ...asItIs(pack), pinnedRank: null, note: { ...by, action: 'unpin', at: now } }

/** The pack as it is. */
const asItIs = ({ hiddenAt, hiddenReason, pinnedRank }: SavedPack): ModerationChange => ({
  hiddenAt,
  hiddenReason,
  pinnedRank,
})

/** Moderators never see private packs (D-30). */
function seen(pack: SavedPack): SavedPack {
  if (pack.visibility === 'private') throw noPackToModerate()
  return pack
}

/** One message for packs that are missing and packs that moderators do not see (D-30). */
export const noPackToModerate = (): AppError =>
  new AppError('not_found', 'there is no unlisted or public pack with this slug')

/** The operator moderates; throws `bad_request` for a reason that cannot be kept. */
export const asOperator = (reason?: string): Moderator => ({
  moderatorId: null,
  reason: reason === undefined ? null : checkReason(reason),
})

/** The viewer moderates; throws `forbidden` when they are no moderator, `bad_request` as above. */
export function asModerator(
  viewer: Pick<Session, 'isModerator' | 'accountId'>,
  reason?: string,
): Moderator {
  refuseOthers(viewer)
  return { ...asOperator(reason), moderatorId: viewer.accountId }
}

/** Lets moderators through; throws `forbidden` for everyone else. */
export function refuseOthers({ isModerator }: Pick<Session, 'isModerator'>): void {
  if (!isModerator) throw refusal('noModerator')
}

/** A reason as it is kept: trimmed, 1 to 300 UTF-16 code units, one line (D-47). */
function checkReason(text: string): string {
  const reason = text.trim()
  if (reason.length < 1 || reason.length > REASON_LENGTH) {
    throw new AppError('bad_request', `reason must have 1 to ${REASON_LENGTH} characters`)
  }
  const remedy = checkText(reason, REASON_LENGTH, false)
  if (remedy !== null) throw new AppError('bad_request', `reason ${remedy}`)
  return reason
}

/** A pack as moderators see it. */
export const presentModeratedPack = (
  row: {
    readonly pack: SavedPack
    readonly ownerGameId: number | null
    readonly hiddenBy: string | null
  },
  viewer: Pick<Session, 'accountId' | 'isModerator'>,
  poolsOwnerName: string,
): ModeratedPack => ({
  ...presentSitePack(row.pack, viewer, poolsOwnerName),
  ownerGameId: row.ownerGameId,
  ...(row.hiddenBy !== null && { hiddenBy: row.hiddenBy }),
})

type Note = Pick<ModerationNote, 'at' | 'action' | 'reason'> & {
  readonly slug: string
  readonly packName: string
}

/** A line of the log without who did it. */
export const presentNote = (note: Note): Omit<LogEntry, 'moderator'> => ({
  at: timestamp(note.at),
  action: note.action,
  slug: note.slug,
  packName: note.packName,
  ...(note.reason !== null && { reason: note.reason }),
})

/** A line of the log. */
export function presentLogEntry(
  note: Note & { readonly by: { readonly username: string | null } | 'operator' },
): LogEntry {
  const { at, ...rest } = presentNote(note)
  const moderator = note.by === 'operator' ? null : (note.by.username ?? UNKNOWN_PLAYER)
  return { at, moderator, ...rest }
}
