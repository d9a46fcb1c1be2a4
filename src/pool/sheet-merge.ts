import type { RoundSlot, SlotContent, SlotChanges } from '../contract/rounds.ts'
import { NO_SLOT } from '../contract/bounds.ts'
import type { Layout, Place } from './pool.ts'
import {
  detailNames,
  isDrafted,
  type RoundField,
  roundFields,
  type SentRoundFields,
  slotContent,
  slotFields,
  type SlotFilling,
  slotWords,
} from './round-fields.ts'
import { postedWords } from './slot-details.ts'
import { foldCode, placeKey, slotsInPoolOrder } from './slots.ts'

// A sheet that comes again is merged with the draft that its reader was shown (D-83).

/**
 * A slot in a sheet, compared with the draft: the same; `kept`, what the draft knows and the sheet does not, such as
 * the beatmap of a row that says TBA; a slot that is new; other contents; nothing, of a slot that is missing in it; or
 * nothing yet, of one whose line is `unread`: refused, or with a question that is open.
 */
export type SheetDifference = Place & {
  readonly kind: 'same' | 'kept' | 'new' | 'changed' | 'missing' | 'unread'
  /** What the draft has, as it was shown. */
  readonly from: SlotContent
  /** What the slot is to hold if the difference is taken. */
  readonly to: SlotContent
}

/**
 * A slot that a line of a sheet is about, though nothing could be read of it. `code` is folded, '' for none, and null
 * for any; `index` is null where the line does not say it.
 */
export type UnreadPlace = { readonly code: string | null; readonly index: number | null }

type Slots = Pick<Layout, 'buckets'> & { readonly slots: readonly RoundSlot[] }
type SheetSlots = Slots & { readonly unread?: readonly UnreadPlace[] }

/** The differences of all slots of both, in the order of the sheet's pool, then those that it gives nothing for. */
export function sheetDifferences(draft: Slots, sheet: SheetSlots): SheetDifference[] {
  const shown = new Map(draft.slots.map((slot) => [placeKey(slot), slot]))
  const named = new Set(sheet.slots.map(placeKey))
  const missing = slotsInPoolOrder(draft).filter((slot) => !named.has(placeKey(slot)))
  return [
    ...slotsInPoolOrder(sheet).map((row) => differenceOf(row, shown.get(placeKey(row)))),
    ...missing.map(({ mod, index, ...filling }): SheetDifference => {
      const from = slotContent(filling)
      return isUnread({ mod, index }, sheet.unread ?? [])
        ? { mod, index, kind: 'unread', from, to: from }
        : { mod, index, kind: 'missing', from, to: NO_SLOT }
    }),
  ]
}

function isUnread({ mod, index }: Place, unread: readonly UnreadPlace[]): boolean {
  const code = foldCode(mod ?? '')
  return unread.some(
    (each) =>
      (each.code === null || each.code === code) && (each.index === null || each.index === index),
  )
}

function differenceOf(row: RoundSlot, shown: RoundSlot | undefined): SheetDifference {
  const { mod, index } = row
  const [from, to] = [slotContent(shown), slotContent(shown ? merged(row, shown) : row)]
  if (shown === undefined) return { mod, index, kind: 'new', from, to }
  // A sheet may cut the same words into other details: what there is to decide could not be seen.
  if (slotWords(fillingOf(from)) !== slotWords(fillingOf(to))) {
    return isPosted(row, shown)
      ? { mod, index, kind: 'same', from, to: from }
      : { mod, index, kind: 'changed', from, to }
  }
  const isSame = slotWords(row) === slotWords(shown) || isUnplanned(row, shown)
  return { mod, index, kind: isSame ? 'same' : 'kept', from, to: from }
}

/** Whether a row says what a post does of the slot, which cannot tell texts, songs and their parts from each other. */
function isPosted(row: RoundSlot, shown: RoundSlot): boolean {
  const hasBeatmap = row.beatmapId !== undefined || shown.beatmapId !== undefined
  if (hasBeatmap || ![undefined, shown.link].includes(row.link)) return false
  const own = wordsIn(postedWords(shown))
  const isText = shown.placeholder !== undefined
  // A sheet that knows more of the song corrects it.
  const knowsMore = detailNames.some((name) => row.details?.[name] && !shown.details?.[name])
  const isSaid = (text: string): boolean => {
    const words = wordsIn(text)
    return isText ? areSame(words.toSorted(), own.toSorted()) : areSame(words, own)
  }
  return (
    own.length > 0 &&
    (isText || !knowsMore) &&
    (isSaid(row.placeholder ?? '') || isSaid(postedWords(row)))
  )
}

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []
const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.join(' ') === others.join(' ')

/** What sheets write where nothing is planned. */
const UNPLANNED = /^tb[acd]$/i

/** Whether neither says anything of the slot. */
const isUnplanned = (row: RoundSlot, shown: RoundSlot): boolean =>
  [row, shown].every((slot) => slotContent(plannedOf(slot)) === null)

function plannedOf(slot: RoundSlot): SlotFilling {
  const { placeholder, ...row } = slotFields.sent(slot)
  const isPlanned = placeholder !== undefined && !UNPLANNED.test(placeholder.trim())
  return { ...row, ...(isPlanned && { placeholder }) }
}

/**
 * The row, with what the draft knows of the beatmap beside it. A row without a beatmap never takes one away, nor TBA a
 * plan.
 */
function merged(whole: RoundSlot, shown: RoundSlot): SlotFilling {
  const row = plannedOf(whole)
  if (row.beatmapId === undefined && shown.beatmapId !== undefined) return shown
  const { placeholder, ...known } = slotFields.sent(shown)
  const isOther = row.beatmapId !== undefined && shown.beatmapId !== undefined
  if (isOther && row.beatmapId !== shown.beatmapId) return row
  const isPlanned = row.beatmapId === undefined && row.placeholder === undefined
  return {
    ...known,
    ...(isPlanned && placeholder !== undefined && { placeholder }),
    ...slotFields.sent(row),
  }
}

const fillingOf = (content: SlotContent): SlotFilling =>
  content === NO_SLOT || content === null ? {} : content

/** Whether it is taken unless a person decides otherwise: what a sheet leaves out stays. */
export const isTakenAtFirst = ({ kind }: SheetDifference): boolean =>
  kind === 'new' || kind === 'changed'

/** The differences as changes of slots; those that change nothing are none. */
export const sheetChanges = (taken: readonly SheetDifference[]): SlotChanges['changes'] =>
  taken.flatMap(({ kind, mod, index, from, to }) =>
    isSettled(kind) ? [] : [{ mod, index, from, to }],
  )

/** Whether there is nothing to decide: the slot stays as it is. */
export const isSettled = (kind: SheetDifference['kind']): boolean =>
  kind === 'same' || kind === 'kept' || kind === 'unread'

/** A field that the sheet has and the round has not, or has otherwise. */
export type FieldDifference = {
  readonly [F in RoundField]: {
    readonly field: F
    readonly kind: 'new' | 'changed'
    readonly from: SentRoundFields[F] | undefined
    readonly to: NonNullable<SentRoundFields[F]>
  }
}[RoundField]

/** What the sheet leaves out stays, as slots do. */
export const fieldDifferences = (round: Fields, sheet: Fields): FieldDifference[] =>
  roundFields.names.flatMap((field) => {
    const [from, to] = [round[field], sheet[field]]
    const isSame = to === undefined || roundFields.isSame({ [field]: from }, { [field]: to })
    if (isSame) return []
    return [{ field, kind: from === undefined ? 'new' : 'changed', from, to } as FieldDifference]
  })

type Fields = { readonly [F in RoundField]?: SentRoundFields[F] | undefined }

/** Others than hosts set only what is drafted (D-61). */
export const maySetField = ({ field }: FieldDifference, isHost: boolean): boolean =>
  isHost || isDrafted(field)

/** Articles keep links that are no longer good: another one than is there is taken only by a person. */
export const isFieldTakenAtFirst = ({ field, kind }: FieldDifference): boolean =>
  kind === 'new' || isDrafted(field)

export const takenFields = (taken: readonly FieldDifference[]): SentRoundFields =>
  Object.fromEntries(taken.map(({ field, to }) => [field, to]))
