import { REASON_LENGTH } from '../contract/bounds.ts'
import { Failure } from '../contract/failure.ts'
import type { ModerationAction } from '../contract/moderated-pack.ts'
import { SiteFailure } from '../contract/site-errors.ts'
import { checkText } from '../pool/text.ts'
import type { Session } from './session.ts'

/** Who moderates, and why. */
export type Moderating = {
  /** The account; null for the operator. */
  readonly moderatorId: string | null
  /** null when there is none to tell. */
  readonly reason: string | null
}

/** Something that a moderator did, as the log keeps it. */
export type ModerationNote = Moderating & {
  readonly action: ModerationAction
  /** ms since the epoch. */
  readonly at: number
}

/** A reason as it is kept: trimmed, 1 to 300 UTF-16 code units, one line (D-47). */
const checkReason = (text: string): string => {
  const reason = text.trim()
  if (reason.length < 1 || reason.length > REASON_LENGTH) {
    throw new Failure('bad_request', `reason must have 1 to ${REASON_LENGTH} characters`)
  }
  const remedy = checkText(reason, REASON_LENGTH, false)
  if (remedy !== null) throw new Failure('bad_request', `reason ${remedy}`)
  return reason
}

/** The operator moderates; throws `bad_request` for a reason that cannot be kept. */
export const asOperator = (reason?: string): Moderating => ({
  moderatorId: null,
  reason: reason === undefined ? null : checkReason(reason),
})

/** Lets moderators through; throws `forbidden` for everyone else. */
export const refuseOthers = ({ isModerator }: Pick<Session, 'isModerator'>): void => {
  if (!isModerator) throw new SiteFailure('forbidden', 'only moderators can do this')
}

/** The viewer moderates; throws `forbidden` when they are no moderator, `bad_request` as above. */
export const asModerator = (
  viewer: Pick<Session, 'isModerator' | 'accountId'>,
  reason?: string,
): Moderating => {
  refuseOthers(viewer)
  return { ...asOperator(reason), moderatorId: viewer.accountId }
}
