import type { DraftDifference, SlotDifference } from '../contract/draft-history.ts'
import type { RoundSlot } from '../contract/rounds.ts'
import { comparePacks } from './comparison.ts'
import type { Layout } from './pool.ts'
import {
  draftFields,
  filledSlots,
  type RoundFields,
  roundFields,
  slotContent,
  slotFields,
} from './round-fields.ts'
import { placeOf, slotLabel, slotsInPoolOrder, wholeTable } from './slots.ts'

/** What of a round is drafted, as it is stored or as it is sent. */
export type DraftContent = Partial<RoundFields> &
  Pick<Layout, 'buckets'> & { readonly name: string; readonly slots: readonly RoundSlot[] }

/**
 * What has changed between two states of a draft: name, facts, buckets, then slots in pool order. Of a slot there is
 * one difference, whatever of it has changed; none of one that is gone because it is in another place now.
 */
export function compareDrafts(before: DraftContent, after: DraftContent): DraftDifference[] {
  const found = comparePacks(poolOf(before), poolOf(after)) as DraftDifference[]
  return [
    ...found.filter(({ kind }) => kind === 'name'),
    ...(roundFields.differences(draftFields(before), draftFields(after)) as DraftDifference[]),
    ...found.filter(({ kind }) => kind === 'bucket'),
    ...slotDifferences(before, after),
  ]
}

/** Whether a difference is one of a slot. */
export const isOfSlot = (difference: { readonly kind: string }): difference is SlotDifference =>
  'before' in difference || 'after' in difference

const poolOf = ({ name, buckets, slots }: DraftContent) => ({
  name,
  buckets,
  slots: filledSlots(slots),
})

type BySlot<T> = ReadonlyMap<string, T>

function slotDifferences(before: DraftContent, after: DraftContent): SlotDifference[] {
  const [was, is] = [byLabel(before), byLabel(after)]
  const [old, now] = [textsOf(was), textsOf(is)]
  const table = new Map([after, before].flatMap(wholeTable).map((bucket) => [bucket.code, bucket]))
  const slots = [...new Map([...was, ...is]).values()]
  const changed = slotsInPoolOrder({ buckets: [...table.values()], slots })
    .map(slotLabel)
    .filter((at) => old.get(at) !== now.get(at))
  const moves = movesOf(changed, was, is)
  const left = new Set(moves.values())
  return changed
    .filter((at) => is.has(at) || !left.has(at))
    .map((at) => slotDifference(at, was.get(at), is.get(at), moves.get(at)))
}

const byLabel = ({ slots }: DraftContent): BySlot<RoundSlot> =>
  new Map(slots.map((slot) => [slotLabel(slot), slot]))

/** Equal for slots that hold the same. */
const textsOf = (slots: BySlot<RoundSlot>): BySlot<string> =>
  new Map([...slots].map(([at, slot]) => [at, JSON.stringify(slotFields.stored(slot))]))

/** Where the content of a slot was before: beatmaps with their details and links, within their bucket if possible. */
function movesOf(
  changed: readonly string[],
  was: BySlot<RoundSlot>,
  is: BySlot<RoundSlot>,
): BySlot<string> {
  const filled = (slots: BySlot<RoundSlot>) =>
    textsOf(new Map([...slots].filter(([, { beatmapId }]) => beatmapId !== undefined)))
  const [old, now] = [filled(was), filled(is)]
  const left = changed.filter((at) => old.has(at))
  const moves = new Map<string, string>()
  for (const isNear of [isSameBucket, () => true]) {
    for (const to of changed) {
      if (moves.has(to) || !now.has(to)) continue
      const at = left.findIndex((from) => old.get(from) === now.get(to) && isNear(from, to))
      if (at >= 0) moves.set(to, left.splice(at, 1)[0]!)
    }
  }
  // In a place where something else was, that was replaced, unless it has moved on.
  for (;;) {
    const moved = new Set(moves.values())
    const replaced = [...moves.keys()].filter((to) => !moved.has(to) && isHeld(was.get(to)))
    if (replaced.length === 0) return moves
    for (const to of replaced) moves.delete(to)
  }
}

const isSameBucket = (one: string, other: string): boolean =>
  placeOf(one).mod === placeOf(other).mod

const isHeld = (slot: RoundSlot | undefined): boolean =>
  slot !== undefined && slotContent(slot) !== null

/** @param from where it was; undefined: it did not move. */
function slotDifference(
  at: string,
  was: RoundSlot | undefined,
  is: RoundSlot | undefined,
  from: string | undefined,
): SlotDifference {
  const sides = {
    ...(was && { before: slotFields.sent(was) }),
    ...(is && { after: slotFields.sent(is) }),
  }
  if (from !== undefined) return { kind: 'moved', at, from, to: at, ...sides }
  const [old, now] = [was?.beatmapId, is?.beatmapId]
  if (old === now) {
    const [first] = slotFields.differences(was ?? {}, is ?? {})
    return { kind: was ? 'removed' : 'added', at, ...first, ...sides } as SlotDifference
  }
  if (old === undefined) {
    return { kind: 'filled', at, to: now!, ...(was && { slot: otherContent(was) }), ...sides }
  }
  if (now === undefined) {
    return { kind: 'emptied', at, from: old, ...(is && { slot: otherContent(is) }), ...sides }
  }
  return { kind: 'replaced', at, from: old, to: now, ...sides }
}

function otherContent(slot: RoundSlot) {
  const { beatmapId: _, ...content } = slotFields.sent(slot)
  return content
}
