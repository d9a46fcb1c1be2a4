import {
  MAX_BEATMAP_ID,
  MAX_CUSTOM_BUCKETS,
  MAX_SLOT_INDEX,
  MAX_SLOTS,
} from '../../contract/bounds.ts'
import type { BucketMods, Slot } from '../../contract/pools.ts'
import { foldCode, isCode, isCustom, slotLabel, wholeTable } from '../../pool/slots.ts'
import { addBucket, changeBucket, freeIndex } from '../../pool/edits.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { BucketCodes, type Label, modsOfCode } from './labels.ts'
import type { ResolvedFinding } from './questions.ts'
import {
  type Reading,
  reasons,
  type RefusedReading,
  type RuleId,
  type SlotReading,
  type Outcome,
  type Placed,
} from './readings.ts'

type Place = Pick<Slot, 'mod' | 'index'>

/** Where lines belong that name no place. */
type Heading = Label & {
  /** It is a cell over empty ones, and no line of its own. */
  readonly isCell: boolean
  /** The number that the list gives its first item; null until there is one. */
  readonly from: number | null
}

const nowhere: Heading = { code: null, index: null, isCell: false, from: null }

/** Adds what was read to the draft, line by line; a heading applies to the lines below it. */
export function placeFindings(findings: readonly ResolvedFinding[], into: PoolDraft): Placed {
  const placement = new Placement(into)
  const outcomes: Outcome[] = []
  /** The heading of a single slot that has no beatmap yet. */
  let open: number | null = null
  const closeHeading = (): void => {
    if (open !== null) outcomes[open] = refuse(reasons.noBeatmap)
    open = null
  }
  const next = findNext(findings)
  /** Whether the lines of the bucket have titles in front of their links. */
  let isTitled = false
  for (const [at, { text, reading, round, question }] of findings.entries()) {
    if (round !== undefined) {
      closeHeading()
      placement.heading = nowhere
    }
    if (reading.kind === 'heading') {
      closeHeading()
      isTitled = false
      placement.heading = { ...reading.label, isCell: false, from: null }
      open = reading.label.index === null || reading.isSoft === true ? null : outcomes.length
    } else if (reading.kind === 'slot' && reading.label === null) open = null
    if (reading.kind === 'slot') isTitled = reading.isTitled === true
    const following = next[at]
    const isEnd = reading.kind === 'refused' && reading.endsHeading === true
    // A title without a link among titles with one.
    const isItem =
      reading.kind === 'refused' &&
      / [-–—] /.test(text) &&
      (isTitled || following?.isTitled === true)
    const outcome =
      isEnd && !isItem && following?.label === null
        ? placement.endBucket(reading)
        : placement.place(isItem ? { ...reading, isItem } : reading, question)
    const isAnswered = question !== undefined && outcome.outcome !== 'asked'
    outcomes.push(isAnswered ? { ...outcome, question } : outcome)
  }
  closeHeading()
  const lines = findings.map(({ line, text }, at) => ({ line, text, ...outcomes[at]! }))
  return { lines, draft: placement.draft, packKey: null }
}

/** For each finding the next one that is not skipped, if that is a slot. */
function findNext(findings: readonly ResolvedFinding[]): (SlotReading | null)[] {
  const result: (SlotReading | null)[] = []
  let next: SlotReading | null = null
  for (const { reading } of findings.toReversed()) {
    result.push(next)
    if (reading.kind !== 'skipped') next = reading.kind === 'slot' ? reading : null
  }
  return result.toReversed()
}

export function refuse(reason: string): Outcome {
  return { outcome: 'refused', reason }
}

/** A draft that grows slot by slot, below headings. */
export class Placement {
  draft: PoolDraft
  heading: Heading = nowhere
  readonly #codes: BucketCodes
  readonly #mods: ReadonlyMap<string, BucketMods>
  /** Numbers of items that were refused or are asked: those that follow do not move up. */
  readonly #reserved: Place[] = []

  /** @param mods of the buckets that are new in it, by their code in any case. */
  constructor(into: PoolDraft, mods: ReadonlyMap<string, BucketMods> = new Map()) {
    this.draft = into
    this.#codes = new BucketCodes(into)
    this.#mods = new Map([...mods].map(([code, each]) => [foldCode(code), each]))
  }

  place(reading: Reading, question = ''): Outcome {
    switch (reading.kind) {
      case 'skipped':
      case 'heading':
        return { outcome: 'skipped' }
      case 'refused':
        return this.#placeRefused(reading)
      case 'asked':
        if (reading.choices.some(({ reading: each }) => needsNumber(each))) this.#reserve()
        return { outcome: 'asked', question }
      default:
        return this.#placeUnderHeading(reading)
    }
  }

  /** What may be the heading of a bucket that was not understood is said, unless it is the title in a block. */
  endBucket({ reason }: RefusedReading): Outcome {
    if (this.heading.index !== null) return { outcome: 'skipped' }
    this.heading = nowhere
    return refuse(reason)
  }

  /** Prose loses nothing, except as an item of a bucket's list, or where it ends the list. */
  #placeRefused({ reason, isItem, isProse, endsHeading }: RefusedReading): Outcome {
    const { code, index } = this.heading
    const isInBucket = code !== null && index === null
    if (isItem === true) this.#reserve()
    if (isProse === true && !(isItem === true && isInBucket)) {
      if (endsHeading === true && isInBucket) this.heading = nowhere
      return { outcome: 'skipped' }
    }
    if (endsHeading === true && isItem !== true) this.heading = nowhere
    return refuse(reason)
  }

  #reserve(): void {
    const { code, index } = this.heading
    if (code === null || index !== null) return
    const mod = this.#codes.find(code) ?? code
    this.#reserved.push({ mod, index: this.#freeIndex(mod) })
  }

  #freeIndex(mod: string | null): number {
    return freeIndex([...this.draft.slots, ...this.#reserved], mod)
  }

  #placeUnderHeading(reading: SlotReading): Outcome {
    if (reading.isTitled === true && this.heading.code === null && reading.label === null) {
      return refuse(reasons.unclearSlot)
    }
    const read = this.#isTitle(reading) ? { ...reading, label: null } : reading
    const label = this.#labelUnderHeading(read)
    const rule = read.label?.code == null ? this.#ruleOfHeading(read.rule) : read.rule
    this.#moveHeading(read)
    return this.#placeSlot(label, { ...read, rule })
  }

  /** Whether what may be a label is a part of a title: below a heading of another bucket, or at another place in its list. */
  #isTitle({ label, ordinal, isTitled }: SlotReading): boolean {
    const { code, index, from } = this.heading
    if (isTitled !== true || label?.code == null || code === null) return false
    const isOther = foldCode(label.code) !== foldCode(code)
    const isPlaced = ordinal === undefined || from === null || ordinal - from + 1 === label.index
    return isOther || index !== null || label.index === null || !isPlaced
  }

  #ruleOfHeading(own: RuleId): RuleId {
    const { code, index, isCell } = this.heading
    if (code === null || own === 'answer') return own
    return isCell ? 'merged' : index === null ? 'heading' : 'block'
  }

  /** A line that names no bucket belongs to the heading's; one that names no number gets its number. */
  #labelUnderHeading({ label, ordinal }: SlotReading): Label {
    const { heading } = this
    if (label === null) return { ...heading, index: heading.index ?? this.#countedIndex(ordinal) }
    return label.code === null ? { ...heading, index: label.index } : label
  }

  /** The place of an item in the list below a heading, by the list's own numbers, wherever they begin. */
  #countedIndex(ordinal: number | undefined): number | null {
    const { code, from } = this.heading
    if (code === null || ordinal === undefined) return null
    const first = this.#freeIndex(this.#codes.find(code) ?? code)
    if (from === null) {
      this.heading = { ...this.heading, from: ordinal - first + 1 }
      return null
    }
    const index = ordinal - from + 1
    return index >= first ? index : null
  }

  /** `NM1:` ends after one beatmap, `NM` when a line names another bucket. */
  #moveHeading({ label, isCell = false, isSplit = false }: SlotReading): void {
    const { heading } = this
    if (label === null || (label.code === null && heading.isCell)) {
      if (heading.index !== null) this.heading = nowhere
    } else if (isCell && label.code !== null && (label.index === null || isSplit)) {
      this.heading = { code: label.code, index: null, isCell, from: null }
    } else {
      const known = (code: string | null) => code && (this.#codes.find(code) ?? code)
      const isOther = label.code !== null && known(label.code) !== known(heading.code)
      if (isOther || heading.isCell || heading.index !== null) this.heading = nowhere
    }
  }

  /**
   * Adds a beatmap: in the bucket that its label names, ignoring case, or in a new one; at the number that it names,
   * or at the lowest that is free.
   */
  #placeSlot({ code, index }: Label, { beatmapId, rule, note }: SlotReading): Outcome {
    const mod = code === null ? null : (this.#codes.find(code) ?? code)
    const newCode = mod !== null && this.#codes.find(mod) === null ? mod : null
    const reason = whyNot(this.draft, { mod, index, beatmapId }, newCode)
    if (reason !== null) return refuse(reason)
    if (newCode !== null) this.#addBucket(newCode)
    const slot = { mod, index: index ?? this.#freeIndex(mod), beatmapId }
    this.draft = { ...this.draft, slots: [...this.draft.slots, slot] }
    return { outcome: 'slot', ...slot, rule, ...(note !== undefined && { note }) }
  }

  /** A new bucket forces the mods that its code is made of, unless others are known. */
  #addBucket(code: string): void {
    this.#codes.add(code)
    this.draft = addBucket(this.draft, code)
    const mods = this.#mods.get(foldCode(code)) ?? modsOfCode(code)
    if (mods !== null) this.draft = withMods(this.draft, code, mods)
  }
}

/** Whether a reading takes the next number below a heading. */
function needsNumber(reading: Reading): boolean {
  return reading.kind === 'slot' && reading.label === null
}

function withMods(draft: PoolDraft, code: string, mods: BucketMods): PoolDraft {
  const bucket = draft.buckets?.filter(isCustom).find((each) => each.code === code)
  return bucket === undefined ? draft : changeBucket(draft, code, { ...bucket, mods })
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
