import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import { type BucketCodes, isKnown, type Label, modsOfCode } from '../words/labels.ts'
import { readPlainLine } from './lines.ts'
import { LEAST_LONG, LEAST_OLD } from './plausible-ids.ts'
import {
  asked,
  type Finding,
  type HeadingReading,
  reasons,
  refused,
  type Reading,
  skipped,
} from '../readings.ts'
import { isUndecided } from '../words/planned.ts'
import { say } from '../import-message.ts'

/** What the game counts its mods as; of several it is the sum. */
const numberOfMod: ReadonlyMap<string, number> = new Map(
  'NM 0,NF 1,NOFAIL 1,EZ 2,HD 8,HR 16,SD 32,DT 64,HT 256,NC 576,NIGHTCORE 576,FL 1024,PF 16416'
    .split(',')
    .map((each): [string, number] => [each.replace(/ .*/, ''), Number(each.replace(/.* /, ''))]),
)
/** Of NC, which is DT as well. */
const NIGHTCORE = 512

/** Whether a number is that of the mods of a code: `DT - 64`, `HDDT 72`, `DT=576`. */
function isOfMods({ code }: Label, number: number): boolean {
  const fold = foldCode(code ?? '')
  if (!numberOfMod.has(fold) && modsOfCode(fold) === null) return false
  const mods: readonly string[] = fold.match(/../g) ?? []
  const sum =
    numberOfMod.get(fold) ?? mods.reduce((all, mod) => all + (numberOfMod.get(mod) ?? 0), 0)
  return number === sum || (mods.includes('DT') && number === sum + NIGHTCORE)
}

function holdsBits(finding: Finding): boolean {
  const { reading } = finding
  if (reading.kind === 'heading' && reading.label.index !== null)
    return isOfMods(reading.label, reading.label.index)
  if (reading.kind !== 'slot' || reading.label?.index !== null || !isWritten(finding, anyRule))
    return false
  return isOfMods(reading.label, reading.beatmapId)
}

/** Whether a beatmap is a number, and no link or value of a column that has a name. */
const isWritten = ({ reading, text }: Finding, rules = ['line', 'row']): boolean =>
  reading.kind === 'slot' && rules.includes(reading.rule) && findTargets(text).length === 0
const anyRule = ['line', 'row', 'columns']

/** A number that is apart from the name in front of it. */
const numberApart = /[^\p{L}\p{N}][0-9]{1,3}[^\p{L}\p{N}]*$/u

/** The headings whose numbers are no slots': `NoMod - 2` above two items, or beside such a heading of another bucket. */
function countsAmong(findings: readonly Finding[]): Set<number> {
  const items = new Map<number, number>()
  const names: string[] = []
  let last = -1
  for (const [at, { reading, text, round }] of findings.entries()) {
    const isHeading = reading.kind === 'heading'
    if (isHeading || round !== undefined) last = -1
    if (isHeading && reading.label.index !== null && numberApart.test(text)) {
      last = at
      items.set(at, 0)
      names.push(foldCode(reading.label.code ?? ''))
    } else if (reading.kind === 'slot' && reading.label !== null) last = -1
    else if (
      reading.kind === 'slot' ||
      (reading.kind === 'refused' && reading.plan?.label === null)
    )
      items.set(last, (items.get(last) ?? 0) + 1)
  }
  items.delete(-1)
  const isCounted = [...items.values()].some((count) => count > 1)
  return new Set(isCounted && new Set(names).size === names.length ? items.keys() : [])
}

const section = /^\s*\[\s*([^[\]=]{1,60}?)\s*=\s*([0-9]{1,10})\s*\]\s*$/

/**
 * The value of a section is no beatmap, `[DoubleTime=64]`, and neither is the number of a bucket's mods above beatmaps
 * without slots, `DT - 64`: both are headings. A value that may be an id is asked.
 */
export function nameSections(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  // Several list what the game counts its mods as; one alone may be a mistake.
  const isList = findings.filter((each) => holdsBits(each)).length > 1
  const counted = countsAmong(findings)
  const noId = (rule: string) =>
    isList && rule !== 'columns'
      ? { ...refused(reasons.noBeatmap), isProse: true }
      : refused(reasons.noBeatmap)
  return findings.map((finding, at): Finding => {
    const { text, reading } = finding
    if (reading.kind === 'heading' && counted.has(at))
      return { ...finding, reading: { ...reading, label: { ...reading.label, index: null } } }
    if ((reading.kind !== 'slot' && reading.kind !== 'heading') || reading.label === null)
      return finding
    const below = (): Finding[] => {
      const content = findings
        .slice(at + 1, at + 9)
        .filter((each) => each.reading.kind !== 'skipped')
      const end = content.findIndex(({ reading: own }) => own.kind !== 'slot' || own.label !== null)
      return end < 0 ? content : content.slice(0, end)
    }
    const as = (label: Label): HeadingReading => ({ kind: 'heading', label, isSoft: true })
    const [, key, value] = section.exec(text) ?? []
    if (key === undefined) {
      const { label } = reading
      const number = reading.kind === 'slot' ? reading.beatmapId : label.index
      const isOther =
        reading.kind === 'slot' &&
        (label.index !== null || !isWritten(finding, isList ? anyRule : undefined))
      const isBit = isList && number !== null && number > 0 && Number.isInteger(Math.log2(number))
      if (isBit && !isKnown(label, codes) && isWritten(finding))
        return { ...finding, reading: refused(reasons.noBeatmap) }
      if (number === null || isOther || !isOfMods(label, number)) return finding
      // `HD 8` above one beatmap is its slot.
      const least = reading.kind === 'heading' && number < LEAST_OLD ? 2 : 1
      if (below().length >= least) return { ...finding, reading: as({ ...label, index: null }) }
      const isLow = !isList && number < LEAST_OLD
      return reading.kind === 'heading' || isLow
        ? finding
        : { ...finding, reading: noId(reading.rule) }
    }
    const own = readPlainLine(`[${key}]`, codes)
    if (own.kind !== 'heading' || own.label.index !== null) return finding
    const number = Number(value)
    const heading = as(own.label)
    if (number < LEAST_OLD || isOfMods(own.label, number)) return { ...finding, reading: heading }
    if (below().length === 0)
      return number < LEAST_LONG ? { ...finding, reading: refused(reasons.unclearSlot) } : finding
    if (number < LEAST_LONG || reading.kind !== 'slot') return { ...finding, reading: heading }
    const question = say('beatmapOrHeading', { id: number, code: own.label.code! })
    const choices = [
      [say('leaveHeading'), heading],
      [say('isBeatmap', { id: number }), reading],
    ] as const
    return { ...finding, reading: asked(question, choices) }
  })
}

/** A label that waits for its beatmap, or a beatmap or set without a label. */
type Part = {
  readonly at: number
  readonly label: Label | null
  /** What the label says of its map. */
  readonly title?: string
  /** Whether it takes the beatmap below it anyway. */
  readonly isOpening?: boolean
  /** Whether a title or a number stands in front of a beatmap, which needs no label. */
  readonly isNamed?: boolean
  readonly number?: number | undefined
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
  const { label, filling, refusal, ordinal, ...own } = plan
  if (label === null && refusal !== undefined) {
    const of = (given: Label): Reading => ({
      ...reading,
      plan: { ...own, filling, refusal, label: given },
    })
    return { at, label: null, number: ordinal, of }
  }
  if (label?.code == null || filling.link !== undefined || notYet.test(text)) return null
  const { title } = filling.details ?? {}
  const isOpening = filling.details !== undefined
  const isSlot = label.index !== null || foldCode(label.code) === 'TB'
  const isSure = isSlot && (isOpening || isKnown(label, codes))
  if (!isSure || isUndecided(filling.placeholder ?? '')) return null
  return { at, label, isOpening, ...(title !== undefined && { title }) }
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
  if (numbers.some((number, at) => at > 0 && number <= numbers[at - 1]!)) return true
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

/** Whether empty lines part each of these pairs from the next one. */
const arePairsApart = (
  findings: readonly Finding[],
  pairs: readonly (readonly [Part[], Part[]])[],
) => {
  const lineOf = ({ at }: Part): number => findings[at]!.line
  return pairs.every(([[first], [second]], at) => {
    const next = pairs[at + 1]?.[0][0]
    const within = lineOf(second!) - lineOf(first!)
    return next === undefined ? within === 1 : within < lineOf(next) - lineOf(second!)
  })
}

/**
 * Labels in a block and their beatmaps in another one below or above it belong together by their places, and so do labels
 * that have their beatmaps right above them, in groups between empty lines. What is not even is refused, and so is what may
 * as well be read downwards.
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
    const isAbove = isUpward && !isHeaded && first?.isNamed !== true && !isBelow
    const above = isAbove ? inPairs(runs) : []
    const fits = above.every(([slots, labels]) => isEven(labels, slots))
    const isWhole = runs.length % 2 === 0
    const isSingle = above.length > 1 && above.every(([slots]) => slots.length === 1)
    if (above.length > 0 && isWhole && fits && (!isSingle || arePairsApart(findings, above)))
      return above.forEach(([slots, labels]) => pair(labels, slots))
    if (above.length > 0 && (fits || isWhole))
      return runs.forEach((run, at) => at % 2 === 0 && refuse(run))
    for (const [labels, slots] of inPairs(isUpward ? runs.slice(1) : runs)) {
      const areBuckets = labels.every((each) => isBucket(each) && isKnown(each.label, codes))
      const isOne = slots.length === 1 && (labels.length > 1 || labels[0]!.isOpening === true)
      const isList = isBucket(labels.at(-1)!) && !(areBuckets && labels.length === slots.length)
      if (isOne || isList || (labels.length === 1 && slots.length > 1)) continue
      if (isEven(labels, slots) && !labels.some(isBucket)) pair(labels, slots)
      else refuse(slots)
    }
  }
  const close = (): void => {
    readRuns(runsOf(parts))
    isHeaded ||= parts.some(isBucket)
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
    if (part !== null) parts.push(part)
  }
  close()
  return changed
}
