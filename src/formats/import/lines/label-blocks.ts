import { foldCode } from '../../../pool/slots.ts'
import { type BucketCodes, isFilled, isKnown, type Label } from '../words/labels.ts'
import { type Finding, reasons, refused, type Reading, skipped } from '../readings.ts'
import { namesBuckets } from '../words/bucket-names.ts'
import { isUndecided } from '../words/planned.ts'
import { isSure } from './plausible-ids.ts'

/** A label that waits for its beatmap, or a beatmap or set without a label. */
type Part = {
  readonly at: number
  readonly label: Label | null
  /** What the label says of its map. */
  readonly title?: string | undefined
  /** Whether it takes the beatmap below it anyway. */
  readonly isOpening?: boolean
  /** Whether a title or a number stands in front of a beatmap, which needs no label. */
  readonly isNamed?: boolean
  readonly number?: number | undefined
  /** Whether it says only that its map is not decided. */
  readonly isOpen?: boolean
  /** What the beatmap is with a label. */
  readonly of?: (label: Label) => Reading
}

const notYet = /(?<!\p{L})tb[acd](?!\p{L})|[?？]{2}/iu

/** The part that a line is which has no beatmap or no label. */
function partOf({ reading, text }: Finding, at: number, codes: BucketCodes): Part | null {
  if (reading.kind === 'heading') return { at, label: reading.label, isOpening: true }
  if (reading.kind === 'slot') {
    if (reading.label?.code != null || reading.rule === 'columns') return null
    const { ordinal, isTitled, ...own } = reading
    const number = reading.label?.index ?? ordinal
    const of = (label: Label): Reading => ({ ...own, label, rule: 'block' })
    return { at, label: null, isNamed: isTitled === true || reading.label !== null, number, of }
  }
  const plan = reading.kind === 'refused' ? reading.plan : undefined
  if (reading.kind !== 'refused' || plan === undefined) return null
  const { label, ordinal, ...own } = plan
  const { filling, refusal } = own
  if (label === null && (refusal !== undefined || isUndecided(filling.placeholder ?? ''))) {
    const of = (given: Label): Reading => ({ ...reading, plan: { ...own, label: given } })
    return { at, label: null, number: ordinal, isOpen: refusal === undefined, of }
  }
  if (label?.code == null || filling.link !== undefined || notYet.test(text)) return null
  const { title } = filling.details ?? {}
  const isOpening = filling.details !== undefined
  const isSlot = label.index !== null || foldCode(label.code) === 'TB'
  const isSure = isSlot && (isOpening || isKnown(label, codes))
  if (!isSure || isUndecided(filling.placeholder ?? '')) return null
  return { at, label, isOpening, title }
}

const isBucket = ({ label }: Part): boolean =>
  label?.index === null && foldCode(label.code ?? '') !== 'TB'

/** Parts in runs of the same kind, without the names of buckets above the labels of their slots. */
function runsOf(parts: readonly Part[]): Part[][] {
  const runs: Part[][] = []
  for (const [at, part] of parts.entries()) {
    const code = parts[at + 1]?.label?.code
    if (isBucket(part) && code != null && code === part.label?.code) continue
    const last = runs.at(-1)
    if (last !== undefined && (last[0]!.of === undefined) === (part.of === undefined))
      last.push(part)
    else runs.push([part])
  }
  return runs
}

const song = /\p{L}.{0,100}\s[-–—]\s\S/u

/** Whether a sign, a title or a number says that a label and a beatmap at the same place do not belong together. */
function isContradicted(
  findings: readonly Finding[],
  labels: readonly Part[],
  slots: readonly Part[],
): boolean {
  const numbers = slots.flatMap(({ number }) => number ?? [])
  if (numbers.some((number, at) => number <= numbers[at - 1]!)) return true
  const [names, texts] = [labels, slots].map((parts) => parts.map(({ at }) => findings[at]!.text))
  const leads = texts!.map((text) => text.slice(0, text.search(/https?:|[0-9]{4}/)).trim())
  const areApart = new Set(leads).size === leads.length
  return labels.some(({ title }, at) => {
    const [text, lead] = [texts![at]!, leads[at]!]
    const isIn = (name: string): boolean => name.includes(lead)
    if (areApart && lead !== '' && !isIn(names![at]!) && names!.some(isIn)) return true
    return title !== undefined && song.test(text) && !text.includes(title)
  })
}

/** Runs with those that follow them, each once. */
const inPairs = (runs: readonly Part[][]): (readonly [Part[], Part[]])[] =>
  runs.flatMap((run, at) => {
    const next = runs[at + 1]
    return at % 2 === 0 && next !== undefined ? [[run, next] as const] : []
  })

/** Whether empty lines part each of these pairs from the next one, more than what they are of by `least`. */
const arePairsApart = (
  findings: readonly Finding[],
  pairs: readonly (readonly [Part[], Part[]])[],
  least = 1,
) => {
  const lineOf = ({ at }: Part): number => findings[at]!.line
  return pairs.every(([[first], [second]], at) => {
    const next = pairs[at + 1]?.[0][0]
    const within = lineOf(second!) - lineOf(first!)
    return next === undefined ? within === 1 : within + least <= lineOf(next) - lineOf(second!)
  })
}

/**
 * Labels in a block and their beatmaps in another one below or above it belong together by their places, and so do labels
 * that have their beatmaps right above them, in groups between empty lines. What is not even is refused, and so is what may
 * as well be read downwards, as it may where a first slot is not the first.
 */
export function pairBlocks(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  const changed = [...findings]
  let parts: Part[] = []
  let isHeaded = false
  const set = ({ at }: Part, reading: Reading): void => {
    changed[at] = { ...changed[at]!, reading }
  }
  const isEven = (labels: readonly Part[], slots: readonly Part[]): boolean =>
    labels.length === slots.length && !isContradicted(findings, labels, slots)
  const pair = (labels: readonly Part[], slots: readonly Part[]): void => {
    for (const [place, slot] of slots.entries()) {
      set(slot, slot.of!(labels[place]!.label!))
      set(labels[place]!, skipped)
    }
  }
  /** Whether the name of a bucket is no label of what is above it: there is text between them, or it may be a word. */
  const isBucketApart = (slots: readonly Part[], part: Part): boolean => {
    const between = findings.slice(slots.at(-1)!.at + 1, part.at)
    const isParted = between.some(({ text }) => isFilled(text))
    return isBucket(part) && (isParted || !isSure(part.label!, codes))
  }
  const refuse = (slots: readonly Part[]): void => {
    for (const slot of slots) set(slot, refused(reasons.unclearSlot))
  }
  const readRuns = (runs: readonly Part[][]): void => {
    const [first] = runs[0] ?? []
    const isUpward = first?.of !== undefined
    const below = inPairs(runs.slice(1))
    const isBelow =
      below.length > 0 &&
      findings[below[0]![0][0]!.at]!.line - findings[runs[0]!.at(-1)!.at]!.line > 1 &&
      arePairsApart(findings, below)
    // Below a beatmap without a place, names of buckets head what is below them, several in one of them.
    const isHeading =
      runs.length % 2 === 1 &&
      runs.every((run, at) => at % 2 === 0 || run.every(isBucket)) &&
      runs.some((run, at) => at > 0 && at % 2 === 0 && run.length > 1)
    const isApart = runs.length === 2 && runs[1]!.some((each) => isBucketApart(runs[0]!, each))
    const mayBeAbove = isUpward && !isHeaded && first?.isNamed !== true
    const isAbove = mayBeAbove && !isBelow && !isHeading && !isApart
    const above = isAbove ? inPairs(runs) : []
    const fits = above.every(([slots, labels]) => isEven(labels, slots))
    const isWhole = runs.length % 2 === 0
    const isSingle = above.length > 1 && above.every(([slots]) => slots.length === 1)
    // No label is missing above the beatmap of a first slot.
    const least = above[0]?.[1][0]?.label?.index === 1 ? 0 : 1
    if (above.length > 0 && isWhole && fits && (!isSingle || arePairsApart(findings, above, least)))
      return above.forEach(([slots, labels]) => pair(labels, slots))
    if (above.length > 0 && (fits || isWhole))
      return runs.forEach((run, at) => at % 2 === 0 && refuse(run))
    for (const [labels, slots] of inPairs(isUpward ? runs.slice(1) : runs)) {
      const areBuckets = labels.every((each) => isBucket(each) && isKnown(each.label, codes))
      const isOne = slots.length === 1 && (labels.length > 1 || labels[0]!.isOpening === true)
      // Of several buckets, any may be that of what is below the last one.
      const areSeveral = areBuckets && labels.length > 1
      const isList = isOne || isBucket(labels.at(-1)!) || (labels.length === 1 && slots.length > 1)
      if (isList && !areSeveral) continue
      // What is announced at the end is of none of them.
      const rest = slots.slice(labels.length)
      const own = rest.every(({ isOpen }) => isOpen) ? slots.slice(0, labels.length) : slots
      if (isEven(labels, own) && !labels.some(isBucket)) pair(labels, own)
      else refuse(own)
    }
  }
  const close = (): void => {
    readRuns(runsOf(parts))
    parts = []
  }
  for (const [at, finding] of findings.entries()) {
    const { reading, round } = finding
    const part = partOf(finding, at, codes)
    if (round !== undefined) {
      close()
      isHeaded = false
    } else if (part === null && (reading.kind === 'slot' || reading.kind === 'asked')) {
      // Its heading is no label of what is above.
      if (parts.length > 0 && isBucket(parts.at(-1)!)) {
        parts.pop()
        close()
        isHeaded = true
      } else close()
    }
    if (part !== null && (part.isOpen !== true || parts.length > 0)) parts.push(part)
  }
  close()
  return changed
}

/** Refuses the beatmaps below a line that names several buckets: it may be any of them, and the last one has none of its own. */
export function refuseBelowBuckets(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  let isBelow = false
  return findings.map((finding): Finding => {
    const { reading, text, round } = finding
    if (reading.kind === 'refused' && namesBuckets(text, codes)) {
      isBelow = true
      const { label: _, isSplit: __, ...line } = reading
      return { ...finding, reading: { ...line, endsHeading: true } }
    }
    const isPlaced = reading.kind === 'slot' && reading.label !== null
    if (round !== undefined || reading.kind === 'heading' || isPlaced) isBelow = false
    return isBelow && reading.kind === 'slot'
      ? { ...finding, reading: refused(reasons.unclearSlot) }
      : finding
  })
}
