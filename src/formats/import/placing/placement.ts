import { MAX_SLOTS } from '../../../contract/bounds.ts'
import type { BucketMods, Slot } from '../../../contract/pools.ts'
import { foldCode, isCustom } from '../../../pool/slots.ts'
import { addBucket, changeBucket, freeIndex } from '../../../pool/edits.ts'
import type { Place, PoolDraft } from '../../../pool/pool.ts'
import { BucketCodes, type Label, modsOfCode } from '../words/labels.ts'
import {
  codesNamed,
  isEmptyRow,
  isHeld,
  lookAround,
  type Opening,
  openingOf,
  settled,
  withoutPlans,
} from './plan-places.ts'
import { isFilledSlot, whyNoRoom, whyNot, whyTaken } from './places.ts'
import type { ResolvedFinding } from '../questions.ts'
import {
  type AskedReading,
  type Plan,
  type Reading,
  reasons,
  type RefusedReading,
  type RoundPool,
  type RuleId,
  type SlotReading,
  type Outcome,
  type Placed,
} from '../readings.ts'
import { unreadPlaces } from './unread.ts'
import type { ImportMessage } from '../import-message.ts'

/** Where lines belong that name no place. */
type Heading = Label & {
  /** It is a cell over empty ones, and no line of its own. */
  readonly isCell: boolean
  /** The number that the list gives its first item; null until there is one. */
  readonly from: number | null
}

const nothingAround = { next: null, isBlock: false, isAmongLabels: false, isNamedBelow: false }

const nowhere: Heading = { code: null, index: null, isCell: false, from: null }

/** Adds what was read to the draft, line by line; a heading applies to the lines below it. */
export function placeFindings(findings: readonly ResolvedFinding[], into: PoolDraft): Placed {
  const mayPlan = findings.some(({ reading: { kind } }) => kind === 'refused' || kind === 'heading')
  const around = mayPlan ? lookAround(findings) : []
  const placement = new Placement(into, { named: mayPlan ? codesNamed(findings) : new Set() })
  const outcomes: Outcome[] = []
  const headings: Label[] = []
  /** The heading of a single slot that has no beatmap yet, and what is planned for it. */
  let open: OpenHeading | null = null
  const closeHeading = (): void => {
    if (open !== null) outcomes[open.at] = placement.placeOpen(open)
    open = null
  }
  /** Whether the lines of the bucket have titles in front of their links. */
  let isTitled = false
  for (const [at, { text, reading, round, question }] of findings.entries()) {
    const { next: following, isBlock, isAmongLabels } = around[at] ?? nothingAround
    if (round !== undefined) {
      closeHeading()
      placement.heading = nowhere
    }
    headings.push(placement.heading)
    const plan = reading.kind === 'refused' ? reading.plan : undefined
    const opening = mayPlan ? openingOf(reading, around[at]!) : null
    if (reading.kind === 'heading' || opening !== null) {
      closeHeading()
      isTitled = false
      const label = reading.kind === 'heading' ? reading.label : opening!.label
      placement.heading = { ...label, isCell: false, from: null }
      open = opening && { ...opening, at: outcomes.length }
    } else if (reading.kind === 'slot' && reading.label === null) open = null
    else if (reading.kind === 'slot' || plan?.label != null) closeHeading()
    if (reading.kind === 'slot') isTitled = reading.isTitled === true
    if (open !== null && plan?.label === null && plan.isSure && !isBlock) {
      open = { ...open, filling: plan.filling }
      closeHeading()
      placement.heading = nowhere
      outcomes.push({ outcome: 'skipped' })
      continue
    }
    const isEnd = reading.kind === 'refused' && reading.endsHeading === true
    // A title without a link among titles with one.
    const isItem =
      reading.kind === 'refused' &&
      / [-–—] /.test(text) &&
      (isTitled || following?.isTitled === true)
    const isListed = isItem || (reading.kind === 'refused' && reading.isItem === true)
    const planned =
      opening !== null
        ? skipped
        : plan === undefined
          ? null
          : // The title between a label and its beatmap.
            isBlock && plan.label === null && placement.heading.index !== null
            ? skipped
            : placement.placePlan(plan, isListed, isAmongLabels)
    const outcome =
      planned ??
      (isEnd && !isItem && following?.label === null
        ? placement.endBucket(reading)
        : placement.place(isItem ? { ...reading, isItem } : reading, question))
    const isAnswered = question !== undefined && outcome.outcome !== 'asked'
    outcomes.push(isAnswered ? { ...outcome, question } : outcome)
  }
  closeHeading()
  const lines = findings.map(({ line, text }, at) => ({
    line,
    text,
    ...(mayPlan ? settled(outcomes[at]!, placement.draft) : outcomes[at]!),
  }))
  const isLost = ({ outcome }: Outcome): boolean => outcome === 'refused' || outcome === 'asked'
  const unread =
    mayPlan || lines.some(isLost)
      ? findings.flatMap((finding, at) => unreadPlaces(finding, lines[at]!, headings[at]!))
      : []
  const { draft: round } = placement
  return { lines, draft: placement.packDraft(into), round, packKey: null, unread }
}

const skipped = { outcome: 'skipped' } as const satisfies Outcome

type OpenHeading = Opening & { readonly at: number }

export function refuse(reason: ImportMessage): Outcome {
  return { outcome: 'refused', reason }
}

/** A draft that grows slot by slot, below headings. */
export class Placement {
  draft: RoundPool
  heading: Heading = nowhere
  readonly #codes: BucketCodes
  readonly #mods: ReadonlyMap<string, BucketMods>
  readonly #named: Set<string>
  /** Numbers of items that were refused or are asked: those that follow do not move up. */
  readonly #reserved: Place[] = []

  /**
   * @param mods of the buckets that are new in it, by their code in any case.
   * @param named the codes, folded, that slots without a beatmap may have besides those of the draft.
   */
  constructor(
    into: PoolDraft,
    {
      mods = new Map(),
      named = new Set(),
    }: { mods?: ReadonlyMap<string, BucketMods>; named?: ReadonlySet<string> } = {},
  ) {
    this.draft = into
    this.#codes = new BucketCodes(into)
    this.#mods = new Map([...mods].map(([code, each]) => [foldCode(code), each]))
    this.#named = new Set(named)
  }

  place(reading: Reading, question = ''): Outcome {
    switch (reading.kind) {
      case 'skipped':
        return reading.note === undefined ? skipped : { ...skipped, note: reading.note }
      case 'heading':
        return skipped
      case 'refused':
        return this.#placeRefused(reading)
      case 'asked':
        if (reading.choices.some(({ reading: each }) => needsNumber(each))) this.#reserve()
        this.#moveHeadingToCell(reading)
        return { outcome: 'asked', question }
      default:
        return this.#placeUnderHeading(reading)
    }
  }

  /** A slot without a beatmap, below the heading of its bucket or by its own label; null if that does not place it. */
  placePlan(plan: Plan, isItem: boolean, isAmongLabels: boolean): Outcome | null {
    const { label, isSure, ordinal, isInNone } = plan
    const { code, index } = this.heading
    if (label?.code == null) {
      if (isInNone === true && label !== null) return this.#placePlanned(label, plan)
      if (code === null || (index !== null && label === null)) return null
      if (label !== null) return this.#placePlanned({ ...label, code }, plan)
      if (!isItem || !(isSure || ordinal !== undefined)) return null
      return this.#placePlanned({ code, index: this.#countedIndex(ordinal) }, plan)
    }
    if (!isSure && !isAmongLabels && !this.#named.has(foldCode(label.code))) return null
    this.#named.add(foldCode(label.code))
    if (isHeld(this.draft, this.#placeOf(label), plan)) return isEmptyRow(plan) ? skipped : null
    const outcome = this.#placePlanned(label, plan)
    this.#moveHeading(plan)
    return outcome
  }

  /** The place of a label, with its bucket as the draft spells it. */
  #placeOf({ code, index }: Label): Omit<Place, 'index'> & Pick<Label, 'index'> {
    return { mod: code === null ? null : (this.#codes.find(code) ?? code), index }
  }

  /** The slot of a label below which no beatmap followed. */
  placeOpen({ label, filling, isRow = false }: Opening): Outcome {
    if (filling === null) return refuse(reasons.noBeatmap)
    if (!isHeld(this.draft, this.#placeOf(label), { filling, isCell: true })) {
      return this.#placePlanned(label, { filling })
    }
    return isEmptyRow({ filling, isCell: isRow }) ? skipped : refuse(reasons.noBeatmap)
  }

  /** The draft as a pack may hold it. */
  packDraft(into: PoolDraft): PoolDraft {
    return isPackDraft(this.draft) ? this.draft : withoutPlans(this.draft, into)
  }

  /** There is a message about what may be the heading of a bucket, and was not understood, unless it is the title in a block. */
  endBucket({ reason }: RefusedReading): Outcome {
    if (this.heading.index !== null) return { outcome: 'skipped' }
    this.heading = nowhere
    return refuse(reason)
  }

  /** Prose loses nothing, except as an item of a bucket's list, or where it ends the list. */
  #placeRefused({ reason, isItem, isProse, endsHeading, label, isSplit }: RefusedReading): Outcome {
    // Its cell may be merged over the rows below.
    if (label?.code != null) this.#moveHeading({ label, isCell: true, isSplit: isSplit === true })
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
  #moveHeading({ label, isCell = false, isSplit = false }: HeadingMove): void {
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

  /** The cell of a row may be merged over the rows below, however its question is answered. */
  #moveHeadingToCell({ choices }: AskedReading): void {
    const row = choices.find(({ reading }) => reading.kind === 'slot' && reading.isCell === true)
    if (row?.reading.kind === 'slot' && row.reading.label?.code != null) {
      this.#moveHeading(row.reading)
    }
  }

  /**
   * Adds a beatmap: in the bucket that its label names, ignoring case, or in a new one; at the number that it names,
   * or at the lowest that is free. It takes the place of what is only planned.
   */
  #placeSlot(label: Label, { beatmapId, rule, note, filling }: SlotReading): Outcome {
    const { mod, index } = this.#placeOf(label)
    const newCode = mod !== null && this.#codes.find(mod) === null ? mod : null
    const reason = whyNot(this.draft, { mod, index, beatmapId }, newCode)
    // The same again says nothing else.
    if (reason !== null && index !== null && this.#has({ mod, index, beatmapId }))
      return { ...skipped, note: reason }
    if (reason !== null) return refuse(reason)
    if (newCode !== null) this.#addBucket(newCode)
    const slot = { mod, index: index ?? this.#freeIndex(mod), beatmapId }
    const others = this.draft.slots.filter((each) => !isAt(each, slot))
    const last = others.findLastIndex((each) => !isFilledSlot(each))
    const slots = others.length < MAX_SLOTS ? others : others.toSpliced(last, 1)
    this.draft = { ...this.draft, slots: [...slots, { ...slot, ...filling }] }
    return { outcome: 'slot', ...slot, rule, ...(note !== undefined && { note }) }
  }

  #has(own: Slot): boolean {
    return this.draft.slots.some((each) => isAt(each, own) && each.beatmapId === own.beatmapId)
  }

  /** Adds a slot without a beatmap, if its place is free. */
  #placePlanned(label: Label, { filling, refusal }: Pick<Plan, 'filling' | 'refusal'>): Outcome {
    const { mod, index } = this.#placeOf(label)
    const newCode = mod !== null && this.#codes.find(mod) === null ? mod : null
    const place = { mod, index: index ?? this.#freeIndex(mod) }
    const holder = this.draft.slots.find((slot) => isAt(slot, place))
    if (holder !== undefined) return refuse(whyTaken(holder))
    const reason = whyNoRoom(this.draft, place.index, newCode, this.draft.slots.length)
    if (reason !== null) return refuse(reason)
    if (newCode !== null) this.#addBucket(newCode)
    this.draft = { ...this.draft, slots: [...this.draft.slots, { ...place, ...filling }] }
    return { outcome: 'planned', ...place, filling, ...(refusal !== undefined && { refusal }) }
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
const needsNumber = (reading: Reading): boolean => reading.kind === 'slot' && reading.label === null

const isAt = (slot: Place, { mod, index }: Place): boolean =>
  slot.mod === mod && slot.index === index

const isPackDraft = (draft: RoundPool): draft is PoolDraft =>
  draft.slots.every(
    ({ beatmapId, details, link }) => beatmapId !== undefined && (details ?? link) === undefined,
  )

type HeadingMove = Pick<SlotReading, 'label' | 'isCell' | 'isSplit'>

function withMods(draft: RoundPool, code: string, mods: BucketMods): RoundPool {
  const bucket = draft.buckets?.filter(isCustom).find((each) => each.code === code)
  return bucket === undefined ? draft : changeBucket(draft, code, { ...bucket, mods })
}
