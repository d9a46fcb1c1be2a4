import type { PoolDraft } from '../../../pool/pool.ts'
import { slotFields } from '../../../pool/round-fields.ts'
import { foldCode, plainSlot, wholeTable } from '../../../pool/slots.ts'
import type { Label } from '../words/labels.ts'
import type { Planned } from '../words/planned.ts'
import type { Finding, Outcome, Plan, Reading, RoundPool, SlotReading } from '../readings.ts'

/** What comes before and after a finding. */
type Around = {
  /** The next finding that is not skipped, if that is a slot. */
  readonly next: SlotReading | null
  /** Whether a beatmap without a label follows before any other label or heading: what is above it is about it. */
  readonly isBlock: boolean
  /**
   * Whether those next to it are labelled, too. A label alone in prose is about a slot, and one in a row of labels is
   * the slot.
   */
  readonly isAmongLabels: boolean
  /** Whether the next finding has itself the label that is read here, or is numbered in a bucket of that name. */
  readonly isNamedBelow: boolean
}

/** What comes before and after each finding. */
export function lookAround(findings: readonly Finding[]): Around[] {
  const after = [...findings].toReversed()
  const [next, following] = [neighbours(after), neighbours(findings)]
  let isBlock = false
  const blocks = after.map((finding) => {
    const before = isBlock
    const { reading, round } = finding
    if (reading.kind === 'slot') isBlock = reading.label === null
    else if (round !== undefined || isLabelled(finding) || reading.kind === 'heading')
      isBlock = false
    return before
  })
  return findings.map((_, at) => {
    const end = findings.length - 1 - at
    const [above, below] = [following[at] ?? null, next[end] ?? null]
    return {
      next: below?.reading.kind === 'slot' ? below.reading : null,
      isBlock: blocks[end]!,
      isNamedBelow: isNamedBy(findings[at]!, below),
      isAmongLabels:
        (isTiebreaker(findings[at]!) ||
          [above, below].every((each) => each === null || isPart(each))) &&
        [above, below].some((each) => each !== null && isLabelled(each) && isSure(each)),
    }
  })
}

/** Whether a heading names the bucket of the labels below it: `Tiebreaker` above `TB: TBA`, `RC1` above `RC1 1`. */
function isNamedBy({ reading }: Finding, below: Finding | null): boolean {
  if (reading.kind !== 'heading' || reading.isRow === true || below === null) return false
  const plan = below.reading.kind === 'refused' ? below.reading.plan : undefined
  const own = below.reading.kind === 'slot' ? below.reading.label : plan?.label
  const { code, index } = reading.label
  return own?.code != null && foldCode(own.code) === foldCode(`${code ?? ''}${index ?? ''}`)
}

/** For each finding, the last one before it that is not skipped. */
function neighbours(findings: readonly Finding[]): (Finding | null)[] {
  let last: Finding | null = null
  return findings.map((finding) => {
    const before = last
    if (finding.reading.kind !== 'skipped') last = finding
    return before
  })
}

/** Whether a finding names a slot itself. */
function isLabelled({ reading }: Finding): boolean {
  if (reading.kind === 'slot') return reading.label?.code != null
  if (reading.kind === 'heading') return reading.label.index !== null
  return reading.kind === 'asked' || (reading.kind === 'refused' && reading.plan?.label != null)
}

/** A tiebreaker without a number may be the last slot, above what is prose, or the subject of a rule, among rules. */
function isTiebreaker({ reading }: Finding): boolean {
  const label = reading.kind === 'refused' ? reading.plan?.label : undefined
  return label?.index === null && foldCode(label.code ?? '') === 'TB'
}

/** Labels that may as well be words do not support one another. */
function isSure({ reading }: Finding): boolean {
  return reading.kind !== 'refused' || reading.plan?.isSure === true
}

function isPart(finding: Finding): boolean {
  return finding.reading.kind === 'heading' || isLabelled(finding)
}

/** The codes that slots and headings name, folded: others are taken for buckets only where that is plain. */
export function codesNamed(findings: readonly Finding[]): Set<string> {
  const codes = findings.flatMap(({ reading }) => {
    if (reading.kind === 'heading') return reading.label.code ?? []
    if (reading.kind === 'slot') return reading.label?.code ?? []
    const plan = reading.kind === 'refused' ? reading.plan : undefined
    return plan?.isSure === true ? (plan.label?.code ?? []) : []
  })
  return new Set(codes.map(foldCode))
}

/** A label that waits for the beatmap below it, and what its slot holds if none comes. */
export type Opening = {
  readonly label: Label
  /** null: nothing says that there is a slot. */
  readonly filling: Planned | null
  /** The label has a row of a table for itself. */
  readonly isRow?: boolean
}

/** What waits for a beatmap: `NM1` alone, or `NM1 Artist - Title` above a link; null for anything else. */
export function openingOf(
  reading: Reading,
  { next, isAmongLabels, isNamedBelow }: Around,
): Opening | null {
  if (reading.kind === 'heading') {
    const { label, isSoft, isRow } = reading
    // There is one tiebreaker, which needs no number.
    const isOnly = foldCode(label.code ?? '') === 'TB' && isAmongLabels && next === null
    const isOne = label.index !== null || isOnly
    if (isSoft === true || isNamedBelow || (!isOne && isRow !== true)) return null
    const filling = isRow === true || isAmongLabels ? {} : null
    return { label, filling, isRow: isRow === true }
  }
  const plan = reading.kind === 'refused' ? reading.plan : undefined
  if (plan?.label == null || plan.filling.details === undefined) return null
  const isAlone =
    next?.label === null && next.ordinal === undefined && !next.isCell && !next.isTitled
  return isAlone && plan.filling.link === undefined ? { ...plan, label: plan.label } : null
}

/**
 * Whether a place has a beatmap already. An empty row without a number says nothing of a bucket that has slots: it may be
 * the row of a template.
 */
export function isHeld(
  { slots }: RoundPool,
  { mod, index }: { readonly mod: string | null; readonly index: number | null },
  { filling, isCell = false }: Pick<Plan, 'filling' | 'isCell'>,
): boolean {
  const isEmpty = isEmptyRow({ filling, isCell })
  return slots.some(
    (slot) =>
      slot.mod === mod &&
      (index === null ? isEmpty : slot.index === index && slot.beatmapId !== undefined),
  )
}

/** Whether a row says nothing but its slot. */
export function isEmptyRow({ filling, isCell }: Pick<Plan, 'filling' | 'isCell'>): boolean {
  return isCell === true && Object.keys(filling).length === 0
}

/** A draft as a pack may hold it: without what is planned, and without the buckets that only that has. */
export function withoutPlans(draft: RoundPool, into: PoolDraft): PoolDraft {
  const slots = draft.slots.flatMap((slot) => {
    const { beatmapId, ...others } = slot
    if (beatmapId === undefined) return []
    const isPlanned = Object.keys(slotFields.sent(others)).length > 0
    // Slots of before keep what an editor has in them.
    return [isPlanned ? plainSlot({ ...others, beatmapId }) : { ...others, beatmapId }]
  })
  const before = wholeTable(into)
  const codes = new Set([...before.map(({ code }) => code), ...slots.map(({ mod }) => mod)])
  const buckets = (draft.buckets ?? []).filter(({ code }) => codes.has(code))
  const isNew = buckets.length > before.length
  if (!isNew && slots.length === into.slots.length) return into
  return { ...into, slots, ...(isNew && { buckets }) }
}

/** The outcome of a line in the whole draft: what was planned and has a beatmap in a later line is skipped. */
export function settled(outcome: Outcome, { slots }: RoundPool): Outcome {
  if (outcome.outcome !== 'planned') return outcome
  const { mod, index } = outcome
  const own = slots.find((slot) => slot.mod === mod && slot.index === index)
  return own === undefined || own.beatmapId !== undefined ? { outcome: 'skipped' } : outcome
}
