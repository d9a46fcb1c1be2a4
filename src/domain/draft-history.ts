import type { DraftDifference, DraftVersion, WholeDraftVersion } from '../contract/draft-history.ts'
import { comparePacks } from '../pool/comparison.ts'
import { filledSlots, roundFields, slotFields } from '../pool/round-fields.ts'
import { slotLabel, slotsInPoolOrder } from '../pool/slots.ts'
import { UNKNOWN_PLAYER } from './accounts.ts'
import { timestamp } from './quotas.ts'
import type { RoundDraft } from './tournaments.ts'

/** A state of a round's draft. */
export type SavedDraft = {
  readonly version: number
  /** ms since the epoch. */
  readonly savedAt: number
  /** null when nobody did, or when they have no account any more. */
  readonly savedBy: { readonly accountId: string; readonly username: string | null } | null
  readonly content: RoundDraft
}

/**
 * What has changed between two states of a draft: name, facts, buckets, then beatmaps, placeholders and empty
 * slots in pool order.
 */
export function compareDrafts(before: RoundDraft, after: RoundDraft): DraftDifference[] {
  const found = comparePacks(poolOf(before), poolOf(after)) as DraftDifference[]
  const isName = ({ kind }: DraftDifference) => kind === 'name'
  return [
    ...found.filter(isName),
    ...(roundFields.differences(before, after) as DraftDifference[]),
    ...found.filter((difference) => !isName(difference)),
    ...slotDifferences(before, after),
  ]
}

const poolOf = ({ name, buckets, slots }: RoundDraft) => ({
  name,
  buckets,
  slots: filledSlots(slots),
})

/** What `comparePacks` does not see: what slots hold beside beatmaps, and slots without anything. */
function slotDifferences(before: RoundDraft, after: RoundDraft): DraftDifference[] {
  const [old, now] = [byLabel(before), byLabel(after)]
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((at): DraftDifference[] => {
    const [was, is] = [old.get(at), now.get(at)]
    const found = slotFields
      .differences({ ...was, beatmapId: null }, { ...is, beatmapId: null })
      .map(({ kind, ...sides }) => ({ kind, at, ...sides }) as DraftDifference)
    if (found.length > 0) return found
    if (was === undefined) return is?.beatmapId === undefined ? [{ kind: 'added', at }] : []
    return is === undefined && was.beatmapId === undefined ? [{ kind: 'removed', at }] : []
  })
}

const byLabel = (round: RoundDraft) =>
  new Map(slotsInPoolOrder(round).map((slot) => [slotLabel(slot), slot]))

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
