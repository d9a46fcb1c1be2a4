import type { Round, RoundInput, SlotChanges } from '../../contract/rounds.ts'
import { type RoundField, roundFields } from '../../pool/round-fields.ts'
import { isDefaultTable, slotsInPoolOrder } from '../../pool/slots.ts'
import { type Change, EMPTY, placeOfCell } from '../editing/changes.ts'
import { type LaneEdit, type LaneSlot, withLayout, withoutKey } from '../editing/lanes/lanes.ts'

/** What is set of a round beside its pool. */
export type RoundHead = Pick<Round, RoundField | 'name'>

/** A round while it is edited. */
export type RoundEdit = LaneEdit & RoundHead

const headOf = (round: RoundHead): RoundHead => ({ name: round.name, ...roundFields.sent(round) })

/** The round as it is saved. */
export const roundEditOf = (round: Round): RoundEdit =>
  withLayout(
    { ...headOf(round), buckets: [], slots: [] },
    { buckets: round.buckets ?? [], slots: round.slots },
  )

/** The body that replaces the round. */
export const roundInputOf = (edit: RoundEdit): RoundInput => ({
  ...headOf(edit),
  slots: slotsInPoolOrder(edit).map(withoutKey),
  ...(!isDefaultTable(edit.buckets) && { buckets: [...edit.buckets] }),
})

/** The changes as `changeSlots` takes them; null when some are of the structure. */
export function slotChangesOf(changes: readonly Change[]): SlotChanges['changes'] | null {
  const found = changes.flatMap(({ cell, from, to }) => {
    const place = placeOfCell(cell)
    return place === null || to === null
      ? []
      : [{ ...place, from: contentOf(from), to: contentOf(to) }]
  })
  return found.length === changes.length ? found : null
}

type Content = SlotChanges['changes'][number]['to']

const contentOf = (value: string | null): Content =>
  value === null || value === EMPTY ? null : (JSON.parse(value) as Content)

/** A value of a cell in words; null for nothing. */
export function valueWords(value: string | null, nameOf: (beatmapId: number) => string) {
  if (value === null) return null
  const parsed = JSON.parse(value) as Partial<LaneSlot> | string | number
  if (typeof parsed !== 'object') return String(parsed)
  if (parsed.beatmapId !== undefined) return nameOf(parsed.beatmapId)
  if (parsed.placeholder !== undefined) return parsed.placeholder
  return value === EMPTY ? 'empty' : value
}

/** The slots without a beatmap, in pool order: what keeps a round from its release. */
export const openSlots = (edit: LaneEdit): LaneSlot[] =>
  slotsInPoolOrder(edit).filter(({ beatmapId }) => beatmapId === undefined)
