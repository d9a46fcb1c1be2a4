import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import { say } from '../import-message.ts'
import {
  asked,
  type Finding,
  reasons,
  refused,
  skipped,
  slotReading,
  type SlotReading,
} from '../readings.ts'
import {
  type BucketCodes,
  isKnown,
  isShort,
  type Label,
  modsOfCode,
  readLabel,
  readWords,
} from '../words/labels.ts'
import { withoutPaths } from '../words/links.ts'
import { areBeatmaps, isUsualCode } from './plausible-ids.ts'

/** The number in front of an item or row: `2. …`, `Map 2: …`, `2<TAB>…`. */
const inFront =
  /^[\s*_>|•▪-]{0,12}(?:\[\*\]\s*)?(?:(?:map|slot|pick)s?\s*#?([0-9]{1,2})(?![\p{L}\p{N}.])|\(?#?([0-9]{1,2})(?:[.)](?=\s|\[)|\s*[:\t,;|]|\s[-–—]\s))/iu

type Item = { readonly at: number; readonly reading: SlotReading; readonly number: number | null }

/**
 * Lists below the names of buckets: distinct numbers in front of items name their slots in any order, and words are no
 * new buckets. What they may be is asked.
 */
export function settleLists(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  const settled = refuseUnread(askWords(askAmongPlans(findings), codes), codes)
  let items: Item[] = []
  let isBelow = false
  const close = (): void => {
    for (const [at, reading] of numbered(items)) settled[at] = { ...settled[at]!, reading }
    items = []
  }
  for (const [at, { reading, round, text }] of findings.entries()) {
    const isLabelled = reading.kind === 'slot' && reading.label?.code != null
    if (reading.kind === 'heading' || round !== undefined || isLabelled) {
      close()
      isBelow = reading.kind === 'heading' && reading.label.index === null
    } else if (isBelow && reading.kind === 'slot') {
      const [, named, listed] = inFront.exec(text) ?? []
      const own = reading.label?.index ?? reading.ordinal ?? Number(named ?? listed ?? NaN)
      items.push({ at, reading, number: Number.isNaN(own) ? null : own })
    }
  }
  close()
  return settled
}

/** The readings of items whose numbers name their slots; none where their order does. */
function numbered(items: readonly Item[]): [number, Finding['reading']][] {
  const numbers = items.flatMap(({ number }) => number ?? [])
  const least = numbers.reduce((one, other) => Math.min(one, other), Infinity)
  const most = numbers.reduce((one, other) => Math.max(one, other), 0)
  const isDistinct = new Set(numbers).size === items.length && items.length > 1
  // Others count something else.
  const isDense = most - least < items.length * 2
  if (!isDistinct || !isDense || least < 1) return []
  const isInOrder = numbers.every((number, at) => at === 0 || number > numbers[at - 1]!)
  return items.flatMap(({ at, reading, number }): [number, Finding['reading']][] => {
    if (reading.label !== null || number === null) return []
    if (isInOrder)
      return reading.ordinal === undefined ? [[at, { ...reading, ordinal: number }]] : []
    // Others may go on from the bucket above.
    if (most > items.length * 2 || least > 2) return [[at, refused(reasons.unclearSlot)]]
    const { ordinal: _, ...own } = reading
    return [[at, { ...own, label: { code: null, index: number } }]]
  })
}

/** What is beside a pool, and no bucket of it. */
const beside =
  /^(?:sub|subs|substitute|backup|backups|reserve|reserves|spare|spares|alternate|alternative|replacement|replay|replays|mappack|pack|download|showcase|forum|topic|sheet|vod|discord|user|player|team|host|prize|match|lobby)$/i

/** Asks where beatmaps belong whose word is that of no usual bucket: below the name of one, and after other slots. */
function askWords(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  let heading: Label | null = null
  let isAfter = false
  let count = 0
  return findings.map((finding): Finding => {
    const { reading, round, text } = finding
    if (round !== undefined) heading = null
    if (reading.kind === 'heading')
      heading = reading.label.index === null && isSure(reading.label, codes) ? reading.label : null
    if (reading.kind !== 'slot' || reading.label?.code == null) return finding
    const { label } = reading
    const isAside = isAfter && label.index === null && isBeside(label)
    if (isSure(label, codes) && !isAside) {
      isAfter = true
      if (foldCode(label.code!) !== foldCode(heading?.code ?? '')) heading = null
      return finding
    }
    const isOfHeading = heading !== null && label.index === null && !isShort(label, codes)
    if (!isAside && !isOfHeading) return finding
    if (reading.rule !== 'line' && reading.rule !== 'row') return finding
    count += 1
    if (count > MOST_ASKED) return { ...finding, reading: refused(reasons.unclearSlot) }
    const code = label.code!
    const [, named, listed] = inFront.exec(text) ?? []
    const ordinal = named ?? listed
    const { beatmapId } = reading
    const own = {
      ...slotReading(null, beatmapId, 'line'),
      ...(ordinal && { ordinal: Number(ordinal) }),
    }
    const place = heading === null ? say('noBucket') : say('itIs', { what: heading.code! })
    const choices = [
      [place, own],
      [say('newBucket', { code }), reading],
      [say('leaveLine'), skipped],
    ] as const
    return { ...finding, reading: asked(say('whichBucket', { what: code }), choices) }
  })
}

const MOST_ASKED = 20

const isBeside = ({ code }: Label): boolean =>
  beside.test(code ?? '') || (/^alts?$/i.test(code ?? '') && code !== 'ALT')

/** Whether a label is that of a bucket by its code alone. */
function isSure(label: Label, codes: BucketCodes): boolean {
  const { code } = label
  return (
    isKnown(label, codes) || modsOfCode(code ?? '') !== null || isUsualCode(foldCode(code ?? ''))
  )
}

/** A song, behind a label and what may be its id. */
const song = /\s[-–—]\s+(?![0-9]+\s*$)[\p{L}\p{N}(]/u

/** Among slots that are planned, a number of one or two others may be of their titles: `NM2 100000 Fahrenheit - Lost`. */
function askAmongPlans(findings: readonly Finding[]): Finding[] {
  const plans = findings.filter(
    ({ reading }) =>
      reading.kind === 'refused' &&
      reading.plan?.label?.code != null &&
      reading.plan.filling.details !== undefined,
  ).length
  if (plans === 0) return [...findings]
  const isNumber = ({ reading, text }: Finding): boolean =>
    reading.kind === 'slot' &&
    reading.label?.code != null &&
    reading.rule === 'line' &&
    reading.isCell !== true &&
    song.test(text) &&
    findTargets(text).length === 0
  const others = findings.filter(
    ({ reading, text }) => reading.kind === 'slot' && findTargets(text).length === 0,
  )
  const doubtful = others.filter(isNumber)
  if (doubtful.length < others.length || doubtful.length > 2 || doubtful.length > plans)
    return [...findings]
  return findings.map((finding) =>
    finding.reading.kind === 'slot' && isNumber(finding)
      ? { ...finding, reading: areBeatmaps(finding.reading) }
      : finding,
  )
}

/** A beatmap in no bucket beside a label that was not read has a slot in this text, if not a clear one. */
function refuseUnread(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  let isPlaced = false
  return findings.map((finding): Finding => {
    const { reading, round, text } = finding
    if (round !== undefined) isPlaced = false
    if (reading.kind === 'heading') isPlaced = true
    if (reading.kind === 'slot' && reading.label !== null) isPlaced ||= reading.isCell === true
    if (isPlaced || reading.kind !== 'slot' || reading.label !== null) return finding
    if (text.length > LONGEST_LINE || !labelled.test(text)) return finding
    const isRead = readWords(withoutPaths(text)).some((word) => {
      const label = readLabel([word.text], codes)
      return (
        isKnown(label, codes) && label.index !== null && label.code === label.code.toUpperCase()
      )
    })
    return isRead ? { ...finding, reading: refused(reasons.unclearSlot) } : finding
  })
}

/** Longer lines are prose. */
const LONGEST_LINE = 700
const labelled = /[A-Z]{2}[0-9]/
