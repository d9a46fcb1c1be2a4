import {
  MAX_BEATMAP_ID,
  MAX_CUSTOM_BUCKETS,
  MAX_SLOT_INDEX,
  MAX_SLOTS,
} from '../../contract/bounds.ts'
import type { Slot } from '../../contract/pools.ts'
import { completeBuckets, isCode, isCustom } from '../../pool/buckets.ts'
import { addBucket, freeIndex } from '../../pool/edits.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { slotLabel } from '../../pool/slots.ts'
import type { KnownCodes, Label } from './label.ts'
import { type Finding, type PastedLine, reasons, type SlotReading } from './reading.ts'

/** Where lines stand that name no place themselves. */
type Heading = Label & {
  /** Whether it is a cell over empty ones, and no line of its own. */
  readonly isCell: boolean
}

const nowhere: Heading = { code: null, index: null, isCell: false }

/** Puts what was read into the draft, line after line, headings taking effect on what is below. */
export function settle(
  findings: readonly Finding[],
  into: PoolDraft,
  codes: KnownCodes,
): { lines: PastedLine[]; draft: PoolDraft } {
  let draft = into
  let heading: Heading = nowhere
  /** The heading of a single slot that has got no beatmap yet. */
  let open: number | null = null
  const lines: PastedLine[] = []
  const close = (): void => {
    const at = open ?? lines.length
    const line = lines[at]
    if (line !== undefined) lines[at] = refusal(line, reasons.noBeatmap)
    open = null
  }
  for (const { line, text, reading } of findings) {
    if (reading.kind === 'refused') {
      if (reading.endsHeading === true) heading = nowhere
      lines.push(refusal({ line, text }, reading.reason))
    } else if (reading.kind === 'slot') {
      const label = labelUnder(heading, reading)
      if (reading.label === null) open = null
      heading = headingAfter(reading, heading, codes)
      const placed = placeSlot(draft, label, reading.beatmapId, codes)
      draft = placed.draft ?? draft
      lines.push(
        placed.draft === null
          ? refusal({ line, text }, placed.reason)
          : { line, text, outcome: 'slot', ...placed.slot },
      )
    } else {
      if (reading.kind === 'heading') {
        close()
        heading = { ...reading.label, isCell: false }
        if (heading.index !== null) open = lines.length
      }
      lines.push({ line, text, outcome: 'skipped' })
    }
  }
  close()
  return { lines, draft }
}

function refusal({ line, text }: { line: number; text: string }, reason: string): PastedLine {
  return { line, text, outcome: 'refused', reason }
}

/** A line that names no bucket stands in the heading's; one that names no number takes its number. */
function labelUnder(heading: Heading, { label }: SlotReading): Label {
  if (label === null) return heading
  return label.code === null && !heading.isCell ? { ...heading, index: label.index } : label
}

/** `NM1:` is over after one beatmap, `NM` when a line names another bucket. */
function headingAfter(
  { label, isCell = false }: SlotReading,
  heading: Heading,
  codes: KnownCodes,
): Heading {
  if (label === null) return heading.index === null ? heading : nowhere
  if (isCell && label.code !== null && label.index === null) return { ...label, isCell }
  const isOther = label.code !== null && !isSame(label.code, heading.code, codes)
  return isOther || heading.isCell || heading.index !== null ? nowhere : heading
}

function isSame(code: string, other: string | null, codes: KnownCodes): boolean {
  return other !== null && (codes.find(code) ?? code) === (codes.find(other) ?? other)
}

/** The draft with the slot in it, or what is wrong and what to do. */
type Placed =
  | { readonly draft: PoolDraft; readonly slot: Slot }
  | { readonly draft: null; readonly reason: string }

/**
 * Puts a beatmap into a draft: into the bucket that its label names, ignoring case, or into a new
 * one; at the number that it names, or at the lowest that is free.
 *
 * @param codes of the draft; a new bucket's is added to it.
 */
export function placeSlot(
  draft: PoolDraft,
  { code, index }: Label,
  beatmapId: number,
  codes: KnownCodes,
): Placed {
  if (beatmapId < 1 || beatmapId > MAX_BEATMAP_ID) {
    return no(`The beatmap id must be from 1 to ${MAX_BEATMAP_ID}. Check the id.`)
  }
  if (index !== null && (index < 1 || index > MAX_SLOT_INDEX)) {
    return no(`The slot number must be from 1 to ${MAX_SLOT_INDEX}.`)
  }
  if (draft.slots.length >= MAX_SLOTS) {
    return no(`A pool can have at most ${MAX_SLOTS} slots. Remove one, then paste this line again.`)
  }
  const known = code === null ? null : codes.find(code)
  if (code !== null && known === null) {
    const reason = whyNoBucket(draft, code)
    if (reason !== null) return no(reason)
    codes.add(code)
    return placeIn(addBucket(draft, code), code, index, beatmapId)
  }
  return placeIn(draft, known, index, beatmapId)
}

function no(reason: string): Placed {
  return { draft: null, reason }
}

function placeIn(
  draft: PoolDraft,
  mod: string | null,
  wanted: number | null,
  beatmapId: number,
): Placed {
  const inBucket = draft.slots.filter((slot) => slot.mod === mod)
  const holder = inBucket.find((slot) =>
    wanted === null ? slot.beatmapId === beatmapId : slot.index === wanted,
  )
  if (holder?.beatmapId === beatmapId) {
    return no(
      `${nameOf(holder)} already has this beatmap. To add it twice, give this line another slot.`,
    )
  }
  if (holder !== undefined) {
    return no(`${nameOf(holder)} already has beatmap ${holder.beatmapId}. Use another slot number.`)
  }
  const slot = { mod, index: wanted ?? freeIndex(draft.slots, mod), beatmapId }
  return { draft: { ...draft, slots: [...draft.slots, slot] }, slot }
}

function whyNoBucket(draft: PoolDraft, code: string): string | null {
  if (!isCode(code)) return `${code} is not a valid bucket code: use 1 to 12 letters or digits.`
  const table = completeBuckets(draft.buckets ?? [], draft.slots)
  return table.filter(isCustom).length < MAX_CUSTOM_BUCKETS
    ? null
    : `${code} would exceed the limit of ${MAX_CUSTOM_BUCKETS} custom buckets. Use an existing bucket.`
}

function nameOf(slot: Slot): string {
  return slot.mod === null ? `Slot ${slotLabel(slot)} without a bucket` : slotLabel(slot)
}
