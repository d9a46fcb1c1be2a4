import {
  MAX_BEATMAP_ID,
  MAX_CUSTOM_BUCKETS,
  MAX_SLOT_INDEX,
  MAX_SLOTS,
} from '../../contract/bounds.ts'
import type { Slot } from '../../contract/pools.ts'
import { isCode, isCustom, isDefaultTable, wholeTable } from '../../pool/buckets.ts'
import { addBucket, changeBucket, freeIndex } from '../../pool/edits.ts'
import { PackKeyError } from '../../pool/pack-key/layout.ts'
import { decodePackKey, findPackKey } from '../../pool/pack-key/pack-key.ts'
import type { Pool, PoolDraft } from '../../pool/pool.ts'
import { slotLabel } from '../../pool/slots.ts'
import { BucketCodes, type Label } from './labels.ts'
import type { RoundStart } from './round-names.ts'
import { type Reading, reasons, refused, type SlotReading } from './plain-line.ts'

/** A line, or a row of several lines, and what it says. */
export type Finding = {
  readonly line: number
  readonly text: string
  readonly reading: Reading
  /** The round that begins with it, after which no heading of before applies. */
  readonly round?: RoundStart
}

/**
 * The result of one line of a paste: `line`, where it begins, counted from 1, and its text without its line
 * break. A pack key has an entry for each of its slots; a row of a table may span several lines.
 */
export type PastedLine = { readonly line: number; readonly text: string } & Outcome

type Outcome =
  | {
      readonly outcome: 'slot'
      readonly mod: string | null
      /** The lowest free number where the line named none. */
      readonly index: number
      readonly beatmapId: number
    }
  /** Blank, a comment or a header. */
  | { readonly outcome: 'skipped' }
  /** `reason` says what is wrong and what to do. */
  | { readonly outcome: 'refused'; readonly reason: string }

export type Pasted = {
  readonly lines: readonly PastedLine[]
  /** The draft with all that was understood added; unchanged when nothing was. */
  readonly draft: PoolDraft
  /** The pack key in the text, when that is what was read. */
  readonly packKey: string | null
}

/** Where lines belong that name no place; `isCell` for a cell over empty ones, which is no line of its own. */
type Heading = Label & { readonly isCell: boolean }

const nowhere: Heading = { code: null, index: null, isCell: false }

/** Adds what was read to the draft, line by line; a heading applies to the lines below it. */
export function placeFindings(
  findings: readonly Finding[],
  into: PoolDraft,
  codes: BucketCodes,
): Pasted {
  let draft = into
  let heading: Heading = nowhere
  /** The heading of a single slot that has no beatmap yet. */
  let open: number | null = null
  const outcomes: Outcome[] = []
  for (const { reading, round } of findings) {
    let outcome: Outcome = { outcome: 'skipped' }
    if (round !== undefined) {
      if (open !== null) outcomes[open] = refuse(reasons.noBeatmap)
      heading = nowhere
      open = null
    }
    if (reading.kind === 'refused') {
      if (reading.endsHeading === true) heading = nowhere
      outcome = refuse(reading.reason)
    } else if (reading.kind === 'slot') {
      const label = labelUnder(heading, reading)
      if (reading.label === null) open = null
      heading = headingAfter(reading, heading, codes)
      const placed = placeSlot(draft, label, reading.beatmapId, codes)
      draft = placed.draft
      outcome = placed.outcome
    } else if (reading.kind === 'heading') {
      if (open !== null) outcomes[open] = refuse(reasons.noBeatmap)
      heading = { ...reading.label, isCell: false }
      open = heading.index === null ? null : outcomes.length
    }
    outcomes.push(outcome)
  }
  if (open !== null) outcomes[open] = refuse(reasons.noBeatmap)
  const lines = findings.map(({ line, text }, at) => ({ line, text, ...outcomes[at]! }))
  return { lines, draft, packKey: null }
}

function refuse(reason: string): Outcome {
  return { outcome: 'refused', reason }
}

/** A line that names no bucket belongs to the heading's; one that names no number gets its number. */
function labelUnder(heading: Heading, { label }: SlotReading): Label {
  if (label === null) return heading
  return label.code === null && !heading.isCell ? { ...heading, index: label.index } : label
}

/** `NM1:` ends after one beatmap, `NM` when a line names another bucket. */
function headingAfter(
  { label, isCell = false }: SlotReading,
  heading: Heading,
  codes: BucketCodes,
): Heading {
  if (label === null) return heading.index === null ? heading : nowhere
  if (isCell && label.code !== null && label.index === null) return { ...label, isCell }
  const known = (code: string | null) => code && (codes.find(code) ?? code)
  const isOther = label.code !== null && known(label.code) !== known(heading.code)
  return isOther || heading.isCell || heading.index !== null ? nowhere : heading
}

/**
 * Adds a beatmap to a draft: in the bucket that its label names, ignoring case, or in a new one, which is
 * added to `codes`; at the number that it names, or at the lowest that is free.
 */
function placeSlot(
  draft: PoolDraft,
  { code, index }: Label,
  beatmapId: number,
  codes: BucketCodes,
): { draft: PoolDraft; outcome: Outcome } {
  const mod = code === null ? null : (codes.find(code) ?? code)
  const newCode = mod !== null && codes.find(mod) === null ? mod : null
  const reason = whyNot(draft, { mod, index, beatmapId }, newCode)
  if (reason !== null) return { draft, outcome: refuse(reason) }
  if (newCode !== null) codes.add(newCode)
  const grown = newCode === null ? draft : addBucket(draft, newCode)
  const slot = { mod, index: index ?? freeIndex(draft.slots, mod), beatmapId }
  const slots = [...grown.slots, slot]
  return { draft: { ...grown, slots }, outcome: { outcome: 'slot', ...slot } }
}

/** Why a slot cannot be added, and what to do; null when it can. */
function whyNot(
  draft: PoolDraft,
  { mod, index, beatmapId }: Omit<Slot, 'index'> & Pick<Label, 'index'>,
  newCode: string | null,
): string | null {
  if (beatmapId < 1 || beatmapId > MAX_BEATMAP_ID) {
    return `The beatmap id must be from 1 to ${MAX_BEATMAP_ID}. Check the id.`
  }
  if (index !== null && (index < 1 || index > MAX_SLOT_INDEX)) {
    return `The slot number must be from 1 to ${MAX_SLOT_INDEX}.`
  }
  if (draft.slots.length >= MAX_SLOTS) {
    return `A pool can have at most ${MAX_SLOTS} slots. Remove one, then paste this line again.`
  }
  if (newCode !== null && !isCode(newCode)) {
    return `${newCode} is not a valid bucket code: use 1 to 12 letters or digits.`
  }
  if (newCode !== null && wholeTable(draft).filter(isCustom).length >= MAX_CUSTOM_BUCKETS) {
    return `${newCode} would exceed the limit of ${MAX_CUSTOM_BUCKETS} custom buckets. Use an existing bucket.`
  }
  const holder = draft.slots.find(
    (slot) =>
      slot.mod === mod && (index === null ? slot.beatmapId === beatmapId : slot.index === index),
  )
  if (holder === undefined) return null
  const name = mod === null ? `Slot ${holder.index} without a bucket` : slotLabel(holder)
  return holder.beatmapId === beatmapId
    ? `${name} already has this beatmap. To add it twice, give this line another slot.`
    : `${name} already has beatmap ${holder.beatmapId}. Use another slot number.`
}

type OpenedKey = { readonly key: string; readonly pool: Pool; readonly finding: Finding }

/** The first pack key that opens; or the findings, with what is wrong with damaged keys. */
export function openPackKey(findings: readonly Finding[]): OpenedKey | Finding[] {
  const checked: Finding[] = []
  for (const finding of findings) {
    const key = keyIn(finding)
    try {
      if (key !== null) return { key, pool: decodePackKey(key), finding }
      checked.push(finding)
    } catch (error) {
      if (!(error instanceof PackKeyError)) throw error
      checked.push({ ...finding, reading: refused(error.message) })
    }
  }
  return checked
}

/**
 * What looks like a pack key on a line that was not understood, or that only looks like a comment: `#pk1.…` of a
 * link. A line that is a slot by itself holds none: titles may look like one.
 */
function keyIn({ text, reading }: Finding): string | null {
  const isComment = reading.kind === 'skipped' && /^\s*#pk[0-9]/.test(text)
  const mayHold = reading.kind === 'refused' || isComment
  return mayHold ? findPackKey(text) : null
}

/**
 * Adds the pool of a pack key to the draft. An empty draft becomes the pool, but keeps a name that it
 * has. Others get its slots, and those of its buckets that they lack, with their mods.
 */
export function placePool(
  { key, pool, finding: opened }: OpenedKey,
  findings: readonly Finding[],
  into: PoolDraft,
): Pasted {
  const { name, buckets, slots } = pool
  const isEmpty = into.slots.length === 0 && isDefaultTable(wholeTable(into))
  let draft = isEmpty ? { ...into, name: into.name.trim() ? into.name : name, buckets } : into
  const codes = new BucketCodes(draft)
  const placed = slots.map(({ mod, index, beatmapId }) => {
    const isNew = mod !== null && codes.find(mod) === null
    const next = placeSlot(draft, { code: mod, index }, beatmapId, codes)
    draft = isNew ? withModsOf(pool, mod, next.draft) : next.draft
    return next.outcome
  })
  const lines = findings.flatMap((finding): PastedLine[] => {
    const { line, text } = finding
    const outcomes = finding === opened && placed.length > 0 ? placed : [aside(finding, opened)]
    return outcomes.map((outcome) => ({ line, text, ...outcome }))
  })
  return { lines, draft, packKey: key }
}

function aside(finding: Finding, opened: Finding): Outcome {
  if (finding.reading.kind === 'slot') {
    return refuse(
      'A pack key in this text was opened and the rest was ignored. Paste this line by itself.',
    )
  }
  return finding !== opened && keyIn(finding) !== null
    ? refuse('Another pack key in this text was opened. Paste this one by itself.')
    : { outcome: 'skipped' }
}

function withModsOf(pool: Pool, code: string, draft: PoolDraft): PoolDraft {
  const [from, to] = [pool, draft].map(({ buckets }) =>
    buckets?.filter(isCustom).find((bucket) => bucket.code === code),
  )
  return from?.mods && to ? changeBucket(draft, code, { ...to, mods: from.mods }) : draft
}
