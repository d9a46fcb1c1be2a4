import type { Bucket } from '../../../contract/bucket.ts'
import type { Slot } from '../../../contract/slot.ts'
import { isCustom } from '../../../pool/buckets.ts'
import { slotLabel, slotsInPoolOrder } from '../../../pool/slots.ts'
import { colorNames } from '../colors.ts'
import type { Edit } from '../edit.ts'
import { visibilityWords } from '../visibilities.ts'

/** What one side has and the other has not, in words; null where a side has nothing. */
export type Difference = {
  /** `Name`, `Buckets`; empty for a slot. */
  readonly what: string
  /** Of a slot. */
  readonly beatmapId?: number
  readonly mine: string | null
  readonly theirs: string | null
}

const bucketText = (bucket: Bucket): string => {
  if (!isCustom(bucket) || bucket.mods === undefined) return bucket.code
  return `${bucket.code} (${bucket.mods.kind === 'free' ? 'free mods' : bucket.mods.set.join('')})`
}

/** Slots of `all` without one for each of `others`. */
const without = <S extends Slot>(
  all: readonly S[],
  others: readonly Slot[],
  isSame: (a: Slot, b: Slot) => boolean,
): S[] => {
  const left = [...others]
  return all.filter((slot) => {
    const at = left.findIndex((other) => isSame(slot, other))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const isSamePlace = (a: Slot, b: Slot): boolean =>
  a.mod === b.mod && a.index === b.index && a.beatmapId === b.beatmapId

const labelIn = (slot: Slot): string =>
  slot.mod === null ? `${slotLabel(slot)} (no bucket)` : slotLabel(slot)

const slotDifferences = (mine: Edit, theirs: Edit): Difference[] => {
  const [ours, others] = [slotsInPoolOrder(mine), slotsInPoolOrder(theirs)]
  const onlyMine = without(ours, others, isSamePlace)
  const onlyTheirs = without(others, ours, isSamePlace)
  const found: Difference[] = onlyMine.map((slot) => {
    const at = onlyTheirs.findIndex(({ beatmapId }) => beatmapId === slot.beatmapId)
    const [other] = at < 0 ? [] : onlyTheirs.splice(at, 1)
    return {
      what: '',
      beatmapId: slot.beatmapId,
      mine: labelIn(slot),
      theirs: other === undefined ? null : labelIn(other),
    }
  })
  const rest = onlyTheirs.map((slot) => ({
    what: '',
    beatmapId: slot.beatmapId,
    mine: null,
    theirs: labelIn(slot),
  }))
  return [...found, ...rest]
}

/** How two states of a pack differ, from the top of the page down; none when both are the same. */
export const differences = (mine: Edit, theirs: Edit): Difference[] => {
  const texts = (edit: Edit): readonly (readonly [what: string, text: string])[] => [
    ['Name', edit.name.trim()],
    ['Description', edit.description.trim()],
    ['Visibility', visibilityWords[edit.visibility][0]],
    ['Buckets', edit.buckets.map(bucketText).join(', ')],
    ['Colors', edit.buckets.filter(isCustom).map(colorText).join(', ')],
  ]
  const others = texts(theirs)
  const changed = texts(mine).flatMap(([what, text], at): Difference[] => {
    const other = others[at]?.[1] ?? ''
    return text === other ? [] : [{ what, mine: text || null, theirs: other || null }]
  })
  return [...changed, ...slotDifferences(mine, theirs)]
}

const colorText = ({ code, color }: { code: string; color: number }): string =>
  `${code} ${colorNames[color] ?? ''}`
