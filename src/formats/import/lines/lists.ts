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
  LONGEST_LINE,
} from '../readings.ts'
import {
  type BucketCodes,
  codeOfWords,
  isKnown,
  isShort,
  type Label,
  readLabel,
  readWords,
} from '../words/labels.ts'
import { knownBucket } from '../words/bucket-names.ts'
import { anyOut, asideLine, asideMaps, vagueWords } from '../words/pool-words.ts'
import { withoutPaths } from '../words/links.ts'
import {
  isWordAlone,
  type LeadingNumber,
  leadOf,
  numberInFront,
  numberOfLead,
} from './leading-numbers.ts'
import { askAmongPlans } from './items.ts'
import { isSure, LEAST_LONG } from './plausible-ids.ts'

/** The number in front of an item or row whose word names no bucket: `Map 2: …`, `2<TAB>…`. */
const inFront =
  /^[\s*_>|•▪-]{0,12}(?:\[\*\]\s*)?(?:(?:map|slot|pick)s?\s*#?([0-9]{1,2})(?![\p{L}\p{N}.])|\(?#?([0-9]{1,2})(?:[.)](?=\s|\[)|\s*[:\t,;|]|\s[-–—]\s))/iu

type Item = {
  readonly at: number
  readonly reading: SlotReading
  readonly found: LeadingNumber | null
}

/**
 * Lists below the names of buckets: distinct numbers in front of items name their slots in any order, and words are no
 * new buckets. What they may be is asked.
 */
export function settleLists(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  const numbered = settleNumbers(findings, codes)
  return refuseUnread(askWords(askAmongPlans(numbered), codes), codes)
}

/** Lists in which distinct numbers in front of the items name their slots, in any order. */
export function settleNumbers(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  const settled = [...findings]
  let items: Item[] = []
  let isBelow = false
  const close = (): void => {
    for (const [at, reading] of numbered(items)) settled[at] = { ...settled[at]!, reading }
    items = []
  }
  for (const [at, { reading, round, text }] of findings.entries()) {
    const found = isBelow && reading.kind === 'slot' ? numberOf(reading, text, codes) : null
    const isLabelled = reading.kind === 'slot' && reading.label?.code != null && found === null
    if (reading.kind === 'heading' || round !== undefined || isLabelled) {
      close()
      isBelow = reading.kind === 'heading' && reading.label.index === null
    } else if (isBelow && reading.kind === 'slot') items.push({ at, reading, found })
  }
  close()
  return askLeads(settled, codes)
}

const tags = /\[\/?[a-z*]{1,12}(?:=[^\]]*)?\]|\*\*|__/gi
const MOST_LEADS = 20

/** Words in front of the title of a beatmap that nothing has read name its bucket, or are asked: `HR: […](…)`, `Alt […](…)`. */
function askLeads(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  let heading: Label | null = null
  let count = 0
  return findings.map((finding): Finding => {
    const { reading, round, text } = finding
    if (round !== undefined) heading = null
    if (reading.kind === 'heading') heading = reading.label
    if (reading.kind !== 'slot' || reading.label?.code != null || heading === null) return finding
    const { lead: all, isNamed } = leadOf(text, reading.beatmapId)
    const lead = all.replace(/^[0-9]{1,3}[.)]\s+(?=\S)/, '')
    const what = lead.replaceAll(tags, '').replaceAll(/^[\s([{]+|[\s:：)\]}–—-]+$/gu, '')
    // With an artist in front of it, it is a title.
    const isWord =
      (isNamed || isAsideWord(what) || (heading.index === null && isWordAlone(lead, codes))) &&
      !/\s[-–—]\s/.test(what)
    if (!isWord || !/\p{L}/u.test(what) || numberOfLead(lead) !== null) return finding
    // `Special1` is of no bucket above it.
    if (/[0-9]$/.test(what) && readLabel([what], codes) !== null) return finding
    const bucket = knownBucket(what, codes)
    if (bucket !== null)
      return bucket.code === heading.code
        ? finding
        : { ...finding, reading: { ...reading, label: bucket, isTitled: false } }
    count += 1
    if (count > MOST_LEADS) return { ...finding, reading: refused(reasons.unclearSlot) }
    const choices = [
      [say('leaveLine'), skipped],
      [say('itIs', { what: heading.code ?? '' }), reading],
    ] as const
    return { ...finding, reading: asked(say('whichBucket', { what }), choices, `lead ${what}`) }
  })
}

/** The number of an item, also where it reads like the code of a bucket: `II`, `B`, `No. 2`. */
function numberOf(reading: SlotReading, text: string, codes: BucketCodes): LeadingNumber | null {
  const { label, ordinal } = reading
  if (label?.code != null) {
    const code = label.code.normalize('NFKC')
    const isWord = code !== code.toUpperCase() || code === code.toLowerCase()
    const isShortWord = label.index === null && /^(?:\p{L}{1,5}|\p{N})$/u.test(code)
    const isOther = !isWord && !isShortWord
    if (isSure(label, codes) || isOther) return null
  }
  const own = label?.code == null ? (label?.index ?? ordinal) : undefined
  return own === undefined ? numberInFront(text, reading.beatmapId) : { number: own, letter: null }
}

/** The readings of items whose numbers name their slots; none where their order does. */
function numbered(all: readonly Item[]): [number, Finding['reading']][] {
  const areLetters = all.every(({ found }) => found === null || found.letter !== null)
  const items = all.map(({ at, reading, found }) => {
    const number = areLetters ? (found?.letter ?? null) : (found?.number ?? null)
    return { at, reading, number }
  })
  const numbers = items.flatMap(({ number }) => number ?? [])
  const least = numbers.reduce((one, other) => Math.min(one, other), Infinity)
  const most = numbers.reduce((one, other) => Math.max(one, other), 0)
  const isDistinct = new Set(numbers).size === items.length && items.length > 1
  // Others count something else.
  const isDense = most - least < items.length * 2
  if (!isDistinct && numbers.some((number, at) => number < (numbers[at - 1] ?? 0)))
    return items.map(({ at }) => [at, refused(reasons.unclearSlot)])
  if (!isDistinct || !isDense || least < 1) return []
  const isInOrder = numbers.every((number, at) => at === 0 || number > numbers[at - 1]!)
  return items.flatMap(({ at, reading, number }): [number, Finding['reading']][] => {
    const isNamed = reading.label !== null && reading.label.code === null
    if (isNamed || number === null) return []
    const { ordinal, ...own } = { ...reading, label: null }
    if (isInOrder)
      return ordinal === undefined || reading.label !== null
        ? [[at, { ...own, ordinal: number }]]
        : []
    // Others may go on from the bucket above.
    if (most > items.length * 2 || least > 2) return [[at, refused(reasons.unclearSlot)]]
    return [[at, { ...own, label: { code: null, index: number } }]]
  })
}

const others =
  'subs?|alternat(?:e|ive)s?|replace(?:ment)?s?|replays?|(?:map ?)?packs?|showcases?|bans?'
/** What is beside a pool, and no bucket of it. */
const beside = new RegExp(
  `^(?:${others}|(?:download|forum|topic|sheet|vod|discord|user|player|team|host|prize|match|lobby)s?|${asideLine}|${vagueWords})$`,
  'iu',
)
/** The same among other words, where players and hosts have buckets. */
const besideWords = new RegExp(
  String.raw`${anyOut}|${asideLine}|(?<!\p{L})(?:${others})(?!\p{L})`,
  'iu',
)

/** Asks where beatmaps belong whose word is that of no usual bucket: below the name of one, and after other slots. */
function askWords(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  let heading: Label | null = null
  let count = 0
  const sure = findings.flatMap(({ reading }) =>
    reading.kind === 'slot' && reading.label !== null && isSure(reading.label, codes)
      ? reading.label
      : [],
  )
  const isPool = sure.some((label) => !isBeside(label))
  const areNumbered = sure.some(({ index }) => index !== null)
  const once = wordsOnce(findings, codes)
  return findings.map((finding): Finding => {
    const { reading, round, text } = finding
    if (round !== undefined) heading = null
    if (reading.kind === 'heading')
      heading = reading.label.index === null && isSure(reading.label, codes) ? reading.label : null
    if (reading.kind !== 'slot' || reading.label?.code == null) return finding
    const { label } = reading
    const isSpare = isPool && label.index === null && isBeside(label)
    const isAside = once.has(finding) || isSpare
    if (isSure(label, codes) && !isAside) {
      if (foldCode(label.code!) !== foldCode(heading?.code ?? '')) heading = null
      return finding
    }
    const isOfHeading = heading !== null && label.index === null && !isShort(label, codes)
    if (!isAside && !isOfHeading) return finding
    const isOfLine = reading.rule === 'line' || reading.rule === 'row'
    if (!isOfLine && !(isSpare && areNumbered && reading.rule === 'columns')) return finding
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
    const leave = [say('leaveLine'), skipped] as const
    const uses = [[place, own] as const, [say('newBucket', { code }), reading] as const]
    const choices = isAside ? [leave, ...uses] : [...uses, leave]
    return { ...finding, reading: asked(say('whichBucket', { what: code }), choices) }
  })
}

const MOST_ASKED = 20

/** `BWS: 123456` */
const isNumber = ({ text, reading }: Finding): boolean =>
  reading.kind === 'slot' &&
  reading.rule === 'line' &&
  reading.beatmapId >= LEAST_LONG &&
  // `A: …`, `B: …`
  reading.label?.code?.length !== 1 &&
  findTargets(text).length === 0

/** Beside slots of known buckets: those of words that are no usual name of one, each with one beatmap, and without a number. */
function wordsOnce(findings: readonly Finding[], codes: BucketCodes): Set<Finding> {
  const found = new Map<string, Finding | null>()
  let isPool = false
  for (const finding of findings) {
    const { reading } = finding
    const label = reading.kind === 'slot' || reading.kind === 'heading' ? reading.label : null
    if (label?.code == null) continue
    const fold = foldCode(label.code)
    const isWord =
      reading.kind === 'slot' &&
      label.index === null &&
      // Scripts without capitals have no codes.
      (!isShort(label, codes) || label.code.toLowerCase() === label.code || isNumber(finding)) &&
      !isSure(label, codes) &&
      codeOfWords([label.code]) === null
    if (found.has(fold) || !isWord) found.set(fold, null)
    else found.set(fold, finding)
    isPool ||= isKnown(label, codes)
  }
  return new Set(isPool ? [...found.values()].flatMap((finding) => finding ?? []) : [])
}

/** Whether the name of a round can only be that of what is not in the pool: one may be called `Bans`. */
const asideRound = new RegExp(`^${asideMaps}$`, 'iu')
export const isAsideRound = (name: string): boolean => asideRound.test(name)

/** Whether a word says that what it names is beside the pool. */
export const isAsideWord = (word: string): boolean =>
  beside.test(word) || /^alts?$/i.test(word) || besideWords.test(word)

const isBeside = ({ code }: Label): boolean =>
  beside.test(code ?? '') || (/^alts?$/i.test(code ?? '') && code !== 'ALT')

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

const labelled = /[A-Z]{2}[0-9]/
