import type { DraftVersion, WholeDraftVersion } from '../contract/draft-history.ts'
import { compareDrafts } from '../pool/draft-comparison.ts'
import { roundFields } from '../pool/round-fields.ts'
import { UNKNOWN_PLAYER } from './accounts.ts'
import { timestamp } from './quotas.ts'
import type { RoundDraft } from './tournaments.ts'

/** A state of a round's draft. */
export type SavedDraft = {
  readonly version: number
  /** ms since the epoch. */
  readonly savedAt: number
  /** null when no account did, or when it has been removed. */
  readonly savedBy: { readonly accountId: string; readonly username: string | null } | null
  readonly content: RoundDraft
}

/** @param before the version before it; undefined if there is none any more. */
export const presentDraft = (
  { version, savedAt, savedBy, content }: SavedDraft,
  before: SavedDraft | undefined,
): DraftVersion => ({
  version,
  savedAt: timestamp(savedAt),
  ...(savedBy !== null && { savedBy: savedBy.username ?? UNKNOWN_PLAYER }),
  name: content.name,
  changes: before === undefined ? [] : compareDrafts(before.content, content),
})

/** As `presentDraft`, with all that the draft was. */
export function presentWholeDraft(
  draft: SavedDraft,
  before: SavedDraft | undefined,
): WholeDraftVersion {
  const { slots, buckets } = draft.content
  return {
    ...presentDraft(draft, before),
    slots: [...slots],
    ...(buckets !== null && { buckets: [...buckets] }),
    ...roundFields.sent(draft.content),
  }
}
