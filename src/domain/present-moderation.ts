import type { LogEntry, ModeratedPack } from '../contract/moderated-pack.ts'
import { UNKNOWN_PLAYER } from './account.ts'
import type { ModerationNote } from './moderating.ts'
import { timestamp } from './present-pack.ts'
import { presentSitePack } from './present-site-pack.ts'
import type { SavedPack } from './saved-pack.ts'
import type { Session } from './session.ts'

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
export const presentLogEntry = (
  note: Note & { readonly by: { readonly username: string | null } | 'operator' },
): LogEntry => {
  const { at, ...rest } = presentNote(note)
  const moderator = note.by === 'operator' ? null : (note.by.username ?? UNKNOWN_PLAYER)
  return { at, moderator, ...rest }
}
