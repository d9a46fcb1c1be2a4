import type { DraftDifference } from '../contract/draft-history.ts'
import type { RoundSlot } from '../contract/rounds.ts'
import { comparePacks } from './comparison.ts'
import type { Layout } from './pool.ts'
import {
  draftFields,
  filledSlots,
  type RoundFields,
  roundFields,
  slotFields,
} from './round-fields.ts'
import { slotLabel, slotsInPoolOrder } from './slots.ts'

/** What of a round is drafted, as it is stored or as it is sent. */
export type DraftContent = Partial<RoundFields> &
  Pick<Layout, 'buckets'> & { readonly name: string; readonly slots: readonly RoundSlot[] }

/**
 * What has changed between two states of a draft: name, facts, buckets, then beatmaps, placeholders and empty
 * slots in pool order.
 */
export function compareDrafts(before: DraftContent, after: DraftContent): DraftDifference[] {
  const found = comparePacks(poolOf(before), poolOf(after)) as DraftDifference[]
  const isName = ({ kind }: DraftDifference) => kind === 'name'
  return [
    ...found.filter(isName),
    ...(roundFields.differences(draftFields(before), draftFields(after)) as DraftDifference[]),
    ...found
      .filter((difference) => !isName(difference))
      .map((difference) => withSlot(difference, before, after)),
    ...slotDifferences(before, after),
  ]
}

/** With what the slot of a beatmap that came held before, or holds since one went, if it is there then. */
function withSlot(
  difference: DraftDifference,
  before: DraftContent,
  after: DraftContent,
): DraftDifference {
  const { kind } = difference
  if (kind !== 'filled' && kind !== 'emptied') return difference
  const slot = byLabel(kind === 'filled' ? before : after).get(difference.at)
  if (slot === undefined) return difference
  const { beatmapId: _, ...held } = slotFields.sent(slot)
  return { ...difference, slot: held }
}

const poolOf = ({ name, buckets, slots }: DraftContent) => ({
  name,
  buckets,
  slots: filledSlots(slots),
})

/** What `comparePacks` does not see: what slots hold beside beatmaps, and slots without anything. */
function slotDifferences(before: DraftContent, after: DraftContent): DraftDifference[] {
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

const byLabel = (round: DraftContent) =>
  new Map(slotsInPoolOrder(round).map((slot) => [slotLabel(slot), slot]))
