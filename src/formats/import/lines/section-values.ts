import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
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
import { readPlainLine } from './lines.ts'
import { areBeatmaps, isUsualCode } from './plausible-ids.ts'
import {
  asked,
  type Finding,
  type HeadingReading,
  reasons,
  refused,
  skipped,
  slotReading,
  type SlotReading,
} from '../readings.ts'
import { say } from '../import-message.ts'

/** What the game counts its mods as; of several it is the sum. */
const numberOfMod: Readonly<Record<string, number>> = {
  NM: 0,
  EZ: 2,
  HD: 8,
  HR: 16,
  DT: 64,
  HT: 256,
  FL: 1024,
}
/** Of NC, which is DT as well. */
const NIGHTCORE = 512

/** Whether a number is that of the mods of a code: `DT - 64`, `HDDT 72`, `DT=576`. */
function isOfMods({ code }: Label, number: number): boolean {
  const fold = foldCode(code ?? '')
  if (numberOfMod[fold] === undefined && modsOfCode(fold) === null) return false
  const mods: readonly string[] = fold.match(/../g) ?? []
  const sum = mods.reduce((all, mod) => all + (numberOfMod[mod] ?? 0), 0)
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

/** Lower values are numbers of mods, and counts. */
const LEAST_ID = 10_000
/** No beatmap has a lower one, and no bucket has so many. */
const LEAST_OLD = 50

/** Whether a beatmap is a number, and no link or value of a column that has a name. */
const isWritten = ({ reading, text }: Finding, rules = ['line', 'row']): boolean =>
  reading.kind === 'slot' && rules.includes(reading.rule) && findTargets(text).length === 0
const anyRule = ['line', 'row', 'columns']

const section = /^\s*\[\s*([^[\]=]{1,60}?)\s*=\s*([0-9]{1,10})\s*\]\s*$/

/**
 * The value of a section is no beatmap, `[DoubleTime=64]`, and neither is the number of a bucket's mods above beatmaps
 * without slots, `DT - 64`: both are headings. A value that may be an id is asked.
 */
export function nameSections(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  // Several list what the game counts its mods as; one alone may be a mistake.
  const isList = findings.filter((each) => holdsBits(each)).length > 1
  const noId = (rule: string) =>
    isList && rule !== 'columns'
      ? { ...refused(reasons.noBeatmap), isProse: true }
      : refused(reasons.noBeatmap)
  return findings.map((finding, at): Finding => {
    const { text, reading } = finding
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
      return number < LEAST_ID ? { ...finding, reading: refused(reasons.unclearSlot) } : finding
    if (number < LEAST_ID || reading.kind !== 'slot') return { ...finding, reading: heading }
    const question = say('beatmapOrHeading', { id: number, code: own.label.code! })
    const choices = [
      [say('leaveHeading'), heading],
      [say('isBeatmap', { id: number }), reading],
    ] as const
    return { ...finding, reading: asked(question, choices) }
  })
}

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
