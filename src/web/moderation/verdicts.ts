import type { ModeratedPack } from '../../contract/moderation.ts'

/** What a moderator can decide about one pack. */
export type Verdict = 'hide' | 'unhide' | 'pin' | 'unpin'

/** What each is called by the site. */
export const callOf = {
  hide: 'hidePack',
  unhide: 'unhidePack',
  pin: 'pinPack',
  unpin: 'unpinPack',
} as const satisfies Record<Verdict, string>

/** What was done, told of a pack: `Harbour Cup is hidden`. */
export const doneOf: Readonly<Record<Verdict, string>> = {
  hide: 'hidden',
  unhide: 'unhidden',
  pin: 'pinned',
  unpin: 'unpinned',
}

/** What was not done, told of a pack: `Harbour Cup was not pinned`. */
export const notDoneOf: Readonly<Record<Verdict, string>> = {
  hide: 'could not be hidden',
  unhide: 'could not be unhidden',
  pin: 'could not be pinned',
  unpin: 'could not be unpinned',
}

/** What can be changed about whether others see the pack. */
export const hidingOf = ({ hiddenAt }: ModeratedPack): 'hide' | 'unhide' =>
  hiddenAt === undefined ? 'hide' : 'unhide'

/** What can be changed about its pin. */
export const pinningOf = ({ isPinned }: ModeratedPack): 'pin' | 'unpin' =>
  isPinned ? 'unpin' : 'pin'

/** Could it stand in the pinned row (D-30)? Whether there is room, the site knows. */
export const mayBePinned = ({ visibility, hiddenAt }: ModeratedPack): boolean =>
  visibility === 'public' && hiddenAt === undefined
