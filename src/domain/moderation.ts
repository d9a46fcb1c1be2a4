import { MAX_PINNED, REASON_LENGTH } from '../contract/bounds.ts'
import { AppError, refusal } from '../contract/errors.ts'
import type {
  LogEntry,
  ModeratedPack,
  ModeratedPlayer,
  ModeratedTournament,
  ModerationAction,
} from '../contract/moderation.ts'
import { findInText, isolate } from '../pool/text.ts'
import { checkLine, UNKNOWN_PLAYER } from './accounts.ts'
import { type PackState, presentSitePack, type SavedPack } from './packs.ts'
import type { PackViewer, Session } from './sessions.ts'
import { timestamp } from './quotas.ts'
import type { SavedTournament } from './tournaments.ts'

/** Who moderates, and why. */
export type Moderator = {
  /** The account; null for the operator. */
  readonly moderatorId: string | null
  /** null when none was given. */
  readonly reason: string | null
}

/** `replaces`: whether the reason may replace that of an earlier decision; left out: it may. */
export type Deciding = Moderator & { readonly replaces?: boolean | undefined }

/** What is moderated. */
export type ModerationSubject = 'pack' | 'tournament' | 'player'

/** A moderator's action, as the log keeps it; `at` in ms since the epoch. */
export type ModerationNote = Moderator & { readonly action: ModerationAction; readonly at: number }

/** A suspension, or its end, as the log keeps it. */
export type SuspensionNote = ModerationNote & { readonly action: 'suspend' | 'unsuspend' }

/** What a moderator decides about a pack; `updatedAt` does not move. */
export type ModerationChange = Pick<PackState, 'hiddenAt' | 'pinnedRank'> & {
  /** Left out: null. */
  readonly hiddenReason?: string | null
  /** For the log; left out when nothing changes. */
  readonly note?: ModerationNote
}

/** Hides and unpins the pack. A hidden one keeps its time, and its reason unless one is given. */
export function hide(pack: SavedPack, by: Deciding, now: number): ModerationChange {
  const { hiddenAt, hiddenReason } = stateOf(pack)
  refuseToReplace('hidden', hiddenReason, by)
  const { moderatorId } = by
  const reason = by.reason ?? hiddenReason
  const isSame = hiddenAt !== null && reason === hiddenReason
  return {
    hiddenAt: hiddenAt ?? now,
    hiddenReason: reason,
    pinnedRank: null,
    ...(!isSame && { note: { moderatorId, reason: by.reason, action: 'hide', at: now } }),
  }
}

/**
 * Refuses to replace an earlier reason where the moderator has not asked for that (D-118): throws `conflict` with that
 * reason.
 *
 * @param standing null where there is none.
 */
export function refuseToReplace(
  state: 'hidden' | 'suspended',
  standing: string | null,
  { moderatorId, reason, replaces = true }: Deciding,
): void {
  if (moderatorId === null || replaces || standing === null) return
  if (reason === null || reason === standing) return
  throw new AppError(
    'conflict:decided_already',
    `already ${state}, with this reason: ${isolate(standing)}`,
  )
}

/** Shows a hidden pack again; a pin that it had does not return. */
export function unhide(pack: SavedPack, by: Moderator, now: number): ModerationChange {
  const state = stateOf(pack)
  if (state.hiddenAt === null) return state
  const note: ModerationNote = { ...by, action: 'unhide', at: now }
  return { ...state, hiddenAt: null, hiddenReason: null, note }
}

/**
 * Pins the pack at the end of `row`, the other pinned packs, lowest rank first; one that is pinned
 * keeps its rank. Throws `conflict` when the pack is not public, hidden, or the row is full (D-30, D-76).
 */
export function pin(
  pack: SavedPack,
  row: readonly SavedPack[],
  by: Moderator,
  now: number,
  isSuspended = false,
): ModerationChange {
  const state = stateOf(pack)
  if (isSuspended) {
    throw new AppError(
      'conflict:owner_suspended',
      'its owner is suspended; lift the suspension first',
    )
  }
  if (pack.visibility !== 'public') {
    throw new AppError(
      'conflict:not_public',
      'only public packs can be pinned; this pack is unlisted',
    )
  }
  if (state.hiddenAt !== null) {
    throw new AppError('conflict:pack_hidden', 'a hidden pack cannot be pinned; unhide it first')
  }
  if (state.pinnedRank !== null) return state
  if (row.length >= MAX_PINNED) {
    throw new AppError(
      'conflict:too_many_pins',
      `${MAX_PINNED} packs are already pinned; unpin one first`,
    )
  }
  const pinnedRank = (row.at(-1)?.pinnedRank ?? 0) + 1
  return { ...state, pinnedRank, note: { ...by, action: 'pin', at: now } }
}

/** Removes the pack from the row; one that is not in it stays out. */
export function unpin(pack: SavedPack, by: Moderator, now: number): ModerationChange {
  const state = stateOf(pack)
  if (state.pinnedRank === null) return state
  return { ...state, pinnedRank: null, note: { ...by, action: 'unpin', at: now } }
}

/** What moderators may change, as it is. They never see private packs (D-30). */
function stateOf({ visibility, hiddenAt, hiddenReason, pinnedRank }: SavedPack) {
  if (visibility === 'private') throw noPackToModerate()
  return { hiddenAt, hiddenReason, pinnedRank }
}

/** One message for packs that are missing and packs that moderators do not see (D-30). */
export const noPackToModerate = (): AppError =>
  new AppError('not_found:nothing_visible', 'there is no unlisted or public pack with this slug')

/** The operator as moderator; `bad_request` unless the reason is a line of 1 to 300 (D-47). */
export function asOperator(reason?: string): Moderator {
  if (reason === undefined) return { moderatorId: null, reason: null }
  return { moderatorId: null, reason: checkLine('reason', reason, REASON_LENGTH, findInText) }
}

/** As `asOperator`, with a reason; `bad_request` without. */
export function asOperatorFor(reason: string): Moderator & { readonly reason: string } {
  const by = asOperator(reason)
  return { ...by, reason: by.reason ?? '' }
}

/** The viewer as moderator; throws `forbidden` when they are none, `bad_request` as above. */
export function asModerator(viewer: PackViewer, reason?: string): Moderator {
  refuseOthers(viewer)
  return { ...asOperator(reason), moderatorId: viewer.accountId }
}

export function refuseOthers({ isModerator }: Pick<Session, 'isModerator'>): void {
  if (!isModerator) throw refusal('noModerator')
}

export const presentModeratedPack = (
  row: Pick<ModeratedPack, 'ownerGameId'> & {
    readonly pack: SavedPack
    readonly hiddenBy: string | null
    readonly isSuspended: boolean
  },
  viewer: PackViewer,
  poolsOwnerName: string,
): ModeratedPack => ({
  ...presentSitePack(row.pack, viewer, poolsOwnerName),
  ownerGameId: row.ownerGameId,
  ...(row.hiddenBy !== null && { hiddenBy: row.hiddenBy }),
  ...(row.isSuspended && { isSuspended: true as const }),
})

/** A tournament as moderators see it, after what they did. */
export const presentModeratedTournament = ({
  slug,
  name,
  hiddenAt,
  hiddenReason,
  isSuspended,
}: Pick<SavedTournament, 'slug' | 'name' | 'hiddenAt' | 'hiddenReason'> & {
  readonly isSuspended?: boolean
}): ModeratedTournament => ({
  slug,
  name,
  ...(hiddenAt !== null && { hiddenAt: timestamp(hiddenAt) }),
  ...(hiddenReason !== null && { hiddenReason }),
  ...(isSuspended === true && { isSuspended }),
})

type Note = Pick<ModerationNote, 'at' | 'action' | 'reason'> & {
  readonly subject: ModerationSubject
  /** Of a player, the id on the platform. */
  readonly slug: string
  readonly packName: string
}

/** A line of the log, without who did it. */
export const presentNote = (note: Note): Omit<LogEntry, 'moderator' | 'subject'> => ({
  at: timestamp(note.at),
  action: note.action,
  ...(note.subject === 'player'
    ? { gameId: Number(note.slug), ...(note.packName !== '' && { username: note.packName }) }
    : { slug: note.slug, packName: note.packName }),
  ...(note.reason !== null && { reason: note.reason }),
})

export function presentLogEntry(
  note: Note & { readonly by: { readonly username: string | null } | 'operator' },
): LogEntry {
  const { at, action, ...rest } = presentNote(note)
  const moderator = note.by === 'operator' ? null : (note.by.username ?? UNKNOWN_PLAYER)
  const { subject } = note
  return { at, moderator, action, ...(subject !== 'pack' && { subject }), ...rest }
}

/** A player as moderators see them. */
export const presentPlayer = ({
  gameId,
  username,
  isModerator,
  suspension,
}: {
  readonly gameId: number
  readonly username: string | null
  readonly isModerator: boolean
  readonly suspension: {
    readonly at: number
    readonly reason: string
    readonly by: { readonly username: string | null } | 'operator'
  } | null
}): ModeratedPlayer => ({
  gameId,
  ...(username !== null && { username }),
  isModerator,
  ...(suspension !== null && {
    suspendedAt: timestamp(suspension.at),
    reason: suspension.reason,
    ...(suspension.by !== 'operator' && { suspendedBy: suspension.by.username ?? UNKNOWN_PLAYER }),
  }),
})
