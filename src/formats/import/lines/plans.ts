import { LEAST_LONG, readId } from './plausible-ids.ts'
import { unguardPlanned } from '../../tables.ts'
import { MAX_SLOT_INDEX } from '../../../contract/bounds.ts'
import { foldCode, slotLabel } from '../../../pool/slots.ts'
import {
  askTitle,
  isTitleAsked,
  standingOf,
  withCode,
  withoutBullet,
  withoutTags,
  withTitle,
} from './items.ts'
import {
  type BucketCodes,
  isFilled,
  isKnown,
  isShort,
  type Label,
  modsOfCode,
  readLabel,
  readWhole,
  readWords,
  memoized,
  texts,
  tidy,
  type Word,
} from '../words/labels.ts'
import { holdsSets, isAnswer } from '../tables/column-names.ts'
import { event, plainLine } from './lines.ts'
import { addressAlone } from '../words/addresses.ts'
import { asWritten, withGuards } from '../words/as-written.ts'
import { linksIn, withoutPaths } from '../words/links.ts'
import {
  cutDetails,
  cutPlanned,
  detailsNamed,
  ownColumn,
  fileLinkOf,
  hasNoBeatmapLink,
  isSetFile,
  isUndecided,
  linkOfSet,
  type Planned,
  plannedOf,
  plannedOfSet,
  SET_FILE,
  detailsOf,
  wholeText,
} from '../words/planned.ts'
import { LONGEST_LINE, type Plan, type Reading, reasons, refused, skipped } from '../readings.ts'

/** An item of a numbered list that has more words is prose. */
const LONGEST_TITLE = 5
/** More words that say so are about several slots. */
const MOST_UNDECIDED = 3
/** At the end of a line, lower numbers are parts of a title. */
const LEAST_LAST = 100

/** Words after a label that make a sentence of the line: `NM1 is too hard`, `HD2 banned by Blue`. */
const sentence =
  /^(?:is|are|isn't|was|were|will|would|should|could|can|has|have|had|needs?|and|or|vs\.?|versus|to|with|from|for|because|but|if|then|than|bans?|banned|protect(?:ed|s)?|picks?|picked|wins?|won|lost|loses|by|pls|please|lol|maps?|pools?|score|go(?:es)?|looks?|feels?|plays?|seems?)(?![\p{L}\p{N}'-])/iu

/** What has a number after it and is no bucket: `RO16`, `BO7`, `AR9`. */
const noBucket = /^(?:ro|top|bo|ft|rank|day|week|w|q|v|ep|pt|vol|no|cs|ar|od|hp|sr|bpm)$/i

/** As `readPlainLine`, with what a line without a beatmap plans; fields for one beatmap have no use for that. */
export const readPlannedLine = memoized(plannedLine)

function plannedLine(text: string, codes: BucketCodes): Reading {
  const own = withGuards(text)
  const line = tidy(own)
  const written = <P extends Plan | null>(plan: P): P =>
    plan === null ? plan : { ...plan, filling: asWritten(plan.filling, own) }
  if (isSetFile(line)) return refused(SET_FILE)
  const read = readRemarked(text, codes)
  const isDoubtful =
    read.kind === 'slot' && read.rule === 'line' && isOpenBefore(line, read.beatmapId)
  const reading = isDoubtful ? askTitle(skipped, read) : read
  const isTitle = isTitleAsked(reading)
  if (reading.kind === 'slot' || (reading.kind === 'asked' && !isTitle) || line.startsWith('#'))
    return reading
  // A title in brackets of another script is no tag.
  const { item, ordinal, isItem } = withoutBullet(tidy(withoutTags(own)))
  if (isTitle) {
    const plan = written(planOfLine(item, ordinal, codes, true))
    return plan === null
      ? reading
      : withTitle(reading, { ...refused(reasons.noBeatmap), plan: { ...plan, isSure: true } })
  }
  // `TBA` is no bucket, `NM1 ???` more than a heading, and `2. ???` more than nothing.
  const isPlan = reading.kind === 'refused' || isOpen(item)
  const isSet = reading.kind === 'refused' && reading.reason === reasons.wholeSet
  const plan =
    isPlan && !event.test(item)
      ? isSet
        ? written(planOfSet(item, ordinal, codes))
        : written(planOfLine(item, ordinal, codes))
      : null
  if (plan === null) return reading
  // A link to a set and `TBA` are items wherever they are: what follows must not get their number.
  const { placeholder = '' } = plan.filling
  const isOpenItem =
    plan.label === null &&
    isUndecided(placeholder) &&
    placeholder.split(' ').length <= MOST_UNDECIDED
  const isOne = isSet || isOpenItem
  if (reading.kind === 'refused') return { ...reading, plan, ...(isOne && { isItem: true }) }
  const isProse = plan.label === null
  return {
    ...refused(reasons.noBeatmap),
    endsHeading: true,
    isProse,
    isItem: isItem || isOne,
    plan,
  }
}

/** Who or what a chat mentions. */
const mention = /<(?:[#@][!&]?|a?:\w{1,40}:)[0-9]{5,25}>/g
/** What is counted or paid, or measured of a beatmap. */
const counted =
  /(?<![\p{L}\p{N}#/.:,'-])(?:[0-9]{1,10}(?:[.:][0-9]{1,2})? ?(?:plays?|views?|viewers?|points?|pts|people|players?|combo|bpm|stars?|sr|(?:avg |average )?score|usd|eur|idr|jpy|krw|php|rub|dollars?|euros?|ms|[mk]b|bytes?|notes?|circles?|seconds?|sec)|[0-9]{1,4}(?:[.:][0-9]{1,2})?(?:s|m|min|[*★x])|(?:[1-9]|1[0-8])k|(?<=\S\s{1,3})(?:cs|ar|od|hp|sr|bpm)[0-9.]{1,5})(?![\p{L}\p{N}*★-])[*★]?/giu
/** The number of a set, a person, a match, or a sum. */
const others =
  /(?<![\p{L}\p{N}#/=?&.-])(?:(?:beatmap|map)?set|sid|fee|bonus|prize|price|cost|reward|score|points|seed|rank|user|uid|room|lobby|match|topic)(?: ?id)?(?: is| was|:)? ?[0-9]{1,10}(?![\p{L}\p{N}])/giu
/** Words after a label that make a sentence of the line; titles begin with capitals. */
const told =
  /^(?:is|are|was|were|will|would|has|have|had|gets?|got|needs?|wins?|won|lost|loses|costs?|scored)(?![\p{L}\p{N}'-])|(?<![\p{L}\p{N}])(?:wins|won|loses|lost|beats|scored|defeats|defeated)(?![\p{L}\p{N}])/u
/** What somebody does in a tournament, beside their name and number: `HD1: Ada (host) 1234567`. */
const role =
  /[([](?:co-?)?(?:host|organi[sz]er|admin|staff|referee|ref|streamer|commentator|caster|(?:map)?pooler|(?:map|play|replay) ?tester|captain|player|sheeter|designer|spectator)s?[)\]]/i
/** A title in capitals between a label and an id. */
const inCapitals = /^[^\p{L}\p{N}]{0,9}TB(?:[\s:]+\p{Lu}\S{0,30}){1,8}\s[0-9]{5,8}$/u
const mapper = /^(\S{2,6}\s+([0-9]{5,8})) by(?: [^\s0-9][^\s]*){1,4}$/
/** Scores have as many digits as ids. */
const [LEAST_SCORE, LARGEST_SCORE] = [400_000, 1_300_000]

/**
 * Reads a line without what it says in addition to the id: figures of the beatmap and its mapper leave it certain, and what was
 * played, won or paid is no beatmap.
 */
export function readRemarked(text: string, codes: BucketCodes): Reading {
  if (text.length > LONGEST_LINE || !/[0-9]{4}/.test(text) || text.includes('ppy.sh'))
    return plainLine(text, codes)
  const plain = text.replaceAll(mention, ' ').replaceAll(others, ' ').replaceAll(counted, ' ')
  const [, own = plain.trimEnd(), id] = mapper.exec(plain.trim()) ?? []
  const isScore = Number(id) >= LEAST_SCORE && Number(id) <= LARGEST_SCORE
  const reading = plainLine(isScore ? plain : own, codes)
  const [first] = readWords(withoutTags(tidy(plain)))
  const label = first === undefined ? null : readLabel([first.text], codes)
  if (reading.kind === 'slot' && isKnown(label, codes) && label.index !== null) {
    const rest = plain.slice(plain.indexOf(first!.text) + first!.text.length).trimStart()
    const isStaff = role.test(rest) && !/ [-–—] /.test(rest)
    return isStaff || told.test(rest) ? refused(reasons.unclearSlot) : reading
  }
  // There is one tiebreaker, which needs no number.
  const isTiebreaker =
    reading.kind !== 'slot' &&
    first?.text === 'TB' &&
    (/ [-–—] |\bid\b/i.test(own) || inCapitals.test(own))
  return isTiebreaker ? plainLine(own.replace('TB', 'TB1'), codes) : reading
}

/** Whether a line has a remark next to its id, which is read without it. */
export function isRemarkable(text: string): boolean {
  return [mention, others, counted].some((remark) => text.search(remark) >= 0)
}

/** Whether all that is between a label and its id says that nothing is decided yet: `NM2 TBD (129895)`. */
function isOpenBefore(line: string, id: number): boolean {
  const [label, ...words] = readWords(line)
  const own = words.find(({ text }) => readWhole(text) === id)
  if (label === undefined || own === undefined || line.includes('ppy.sh')) return false
  const between = line.slice(label.start + label.text.length, own.start)
  return isUndecided(between.replaceAll(/^[^\p{L}?？]+|[^\p{L}?？]+$/gu, ''))
}

function isOpen(item: string): boolean {
  const text = texts(readWords(item)).join(' ')
  return isUndecided(text) || isUndecided(item) || /[\s:=–-][?？]+\s*$|[?？]{2,}\s*$/u.test(item)
}

/**
 * What a line plans that names no beatmap: a label with a text after it, `TB1 custom map, due Sunday`; or a text alone,
 * which has a place below the heading of a bucket. null for prose, and for lines whose numbers or links may be meant
 * for beatmaps.
 */
function planOfLine(
  written: string,
  ordinal: number | null,
  codes: BucketCodes,
  isTitle = false,
): Plan | null {
  if (written.length > LONGEST_LINE || !hasNoBeatmapLink(written)) return null
  const item = withCode(written)
  const { label, rest } = labelled(item, codes)
  // Most lines without a label are prose.
  if (label === null && ordinal === null && !/ [-–—] |:\/\/|[?？]/.test(item)) {
    if (!isUndecided(item.replace(/^[^\p{L}]+/u, ''))) return null
  }
  const words = readWords(rest.replaceAll(/https?:\/\/\S+/gi, ' '))
  const numbers = words.map(({ text }) => readWhole(text) ?? 0)
  const large = numbers.flatMap((number, at) => (number >= LEAST_LONG ? [at] : []))
  if (large.length > 0 && !isTitle) {
    const own = readWords(withoutPaths(item))
    const place = own.length - words.length + large[0]!
    const isInTitle = label !== null && standingOf(own, place) === 'title'
    if (large.length > 1 || !isInTitle) return null
  }
  if (label === null) {
    const filling = plannedOf(item)
    const { placeholder = '' } = filling
    const isSong = filling.details !== undefined
    if (
      linksIn(item).some(
        ({ kind }) => kind !== 'file' && !(isSong && ordinal !== null && kind !== 'mapPack'),
      )
    )
      return null
    const isSure = isUndecided(placeholder) || isSong || filling.link !== undefined
    // In numbered lists there are rules, too.
    const isTitle = ordinal !== null && placeholder.split(' ').length <= LONGEST_TITLE
    return isSure || isTitle
      ? { label, filling, isSure, ...(ordinal !== null && { ordinal }) }
      : null
  }
  const filling = plannedOf(rest)
  const { placeholder = '', details, link } = filling
  if (placeholder === '' && details === undefined && link === undefined) return null
  // A number of three digits or more may be an old id.
  if (!/[\p{L}?？]/u.test(rest) || (!isTitle && (numbers.at(-1) ?? 0) >= LEAST_LAST)) return null
  const isSong = details !== undefined
  const isText = isSong || isUndecided(placeholder)
  const startsWithNumber = readWhole(words[0]?.text) !== null
  if (!isText && (startsWithNumber || isProse(rest, words, codes))) return null
  const isSure = isUndecided(placeholder) || link !== undefined || details?.difficulty !== undefined
  // `TB: played with free mods` is a rule of a bucket.
  const isSlot = isOfMods(label, codes) && (label.index !== null || isSong)
  return { label, filling, isSure: isSure || isSlot }
}

/** A slot whose link leads to a whole set: a round plans it, a pack has to know the difficulty. */
function planOfSet(written: string, ordinal: number | null, codes: BucketCodes): Plan | null {
  const { label, rest } = labelled(withCode(written), codes)
  const filling = plannedOfSet(rest)
  if (filling === null) return null
  const counted = ordinal === null || label !== null ? {} : { ordinal }
  return { label, filling, isSure: true, refusal: reasons.wholeSet, ...counted }
}

/** The label that an item begins with, and what follows it. */
function labelled(item: string, codes: BucketCodes): { label: Label | null; rest: string } {
  const words = readWords(item.slice(0, LONGEST_LINE))
  const first = readLabel(texts(words.slice(0, 1)), codes)
  const isOne = isKnown(first, codes) && first.index !== null
  for (const size of isOne ? [1] : [2, 1]) {
    const label = words.length < size ? null : readLabel(texts(words.slice(0, size)), codes)
    if (label === null || !mayPlan(label, codes)) continue
    // `RC1 2 TBA` is a slot of RC1 only where the draft has such a bucket.
    if (size === 2 && readWhole(words[1]!.text) === null) continue
    const last = words[size - 1]!.text
    const from = size === 2 ? item.indexOf(words[0]!.text) + words[0]!.text.length : 0
    return {
      label,
      rest: item.slice(item.indexOf(last, from) + last.length).replace(/^[\])】]+/u, ''),
    }
  }
  return { label: null, rest: item }
}

/** Whether a label can be that of a slot without a beatmap: a code in capitals and a number, or a tiebreaker. */
export function mayPlan(label: Label | null, codes: BucketCodes): boolean {
  if (label?.code == null) return false
  const { code, index } = label
  if (index === null) return foldCode(code) === 'TB'
  if (index < 1 || index > MAX_SLOT_INDEX) return false
  if (isOfMods(label, codes)) return true
  return isShort(label, codes) && /\p{L}/u.test(code) && !noBucket.test(code)
}

/** Whether a label names a bucket of the draft, or one of mods: it is no word. */
export function isOfMods(label: Label, codes: BucketCodes): boolean {
  return isKnown(label, codes) || modsOfCode(label.code ?? '') !== null
}

/** Sentences, and lines about several slots. */
function isProse(rest: string, words: readonly Word[], codes: BucketCodes): boolean {
  if (sentence.test(rest.replace(/^[\s:,–—-]+/u, ''))) return true
  return words.some(({ text }) => {
    const other = readLabel([text], codes)
    return isKnown(other, codes) && other.index !== null
  })
}

/** Whether a cell of a row is the label that `writeTable` gives this slot: it is no word and no number, whatever its code. */
export function isOwnLabel(
  { code, index }: Label,
  cells: readonly string[],
  column: number,
  titles: readonly string[],
): boolean {
  if (index === null || index < 1 || index > MAX_SLOT_INDEX) return false
  return (
    column >= 0 &&
    column === ownColumn(titles) &&
    slotLabel({ mod: code, index }) === cells[column]?.trim()
  )
}

/** What a row of our own says of a slot without a beatmap: each cell is what it is named. */
function planOfOwn(cells: readonly string[], slot: number, link: number): Planned {
  const [, id = '', , artist = '', title = '', difficulty = '', mapper = ''] = cells.slice(slot)
  const read = plannedOf(failed.test(tidy(id)) ? '' : unguardPlanned(id))
  // Songs have columns of their own: there, it is the text that somebody has given the slot.
  const isText = read.details !== undefined && read.link === undefined
  const { details, ...planned }: Planned = isText ? { placeholder: tidy(unguardPlanned(id)) } : read
  return cutPlanned({
    ...planned,
    details: { ...details, ...cutDetails({ artist, title, difficulty, mapper }) },
    link: addressAlone(cells[link] ?? '') ?? planned.link ?? '',
  })
}

/** What a sheet shows where a formula failed. */
export const failed = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)$/

/** Whether a cell has something that says what is planned. */
function isWritten(cell: string): boolean {
  const text = tidy(cell)
  if (failed.test(text) || isAnswer(text)) return false
  return /[?？]/.test(text) || (/\p{L}/u.test(text) && readId(text) === null)
}

/**
 * What a row plans, whose cells name no beatmap: by its columns for artist, title, difficulty and mapper, else by the
 * first text in it.
 *
 * @param own the cells in which the map may be named: not the label, nor what the header says is something else.
 */
export function planOfCells(
  cells: readonly string[],
  own: readonly string[],
  titles: readonly string[],
): Planned {
  const slot = ownColumn(titles)
  if (slot >= 0) return planOfOwn(cells, slot, titles.indexOf('Link'))
  const roles = detailsNamed(titles)
  const named = cells.flatMap((cell, column) => {
    const role = roles[column]
    if (role === undefined) return []
    if (holdsSets(titles[column] ?? '') && linkOfSet(cell) !== null) return []
    const isGiven = isFilled(cell) || isUndecided(tidy(cell))
    return !isGiven || failed.test(tidy(cell)) ? [] : [{ role, cell }]
  })
  const song = named.filter(({ role }) => role === 'title' || role === 'artist')
  const undecided = song.find(({ cell }) => isUndecided(tidy(cell)))
  const whole = named.find(({ role }) => role === 'title')?.cell ?? ''
  const isWhole = song.length === 1 && detailsOf(tidy(whole)) !== null
  const written = [...(undecided === undefined ? [] : [undecided.cell]), ...own.filter(isWritten)]
  const parts = isWhole ? [whole, ...written] : written
  const isHeaded = titles.length > 0
  const [first = '', ...others] = parts.filter((cell) => !/^\s*https?:\/\/\S+\s*$/i.test(cell))
  const read = plannedOf(isHeaded ? first : wholeText(first, others))
  const links = cells.flatMap((cell) => fileLinkOf(cell) ?? [])
  const rest = links.length > 0 ? '' : (parts.find((cell) => /^\s*http/i.test(cell)) ?? '')
  const detailed = named.filter(
    ({ role, cell }) => undecided?.cell !== cell && !(isWhole && role === 'title'),
  )
  const details = cutDetails({
    ...read.details,
    ...Object.fromEntries(detailed.map(({ role, cell }) => [role, cell])),
  })
  const { placeholder = plannedOf(rest).placeholder } = read
  const [set] = titles.flatMap((title, column) =>
    holdsSets(title) ? (linkOfSet(cells[column] ?? '') ?? []) : [],
  )
  const link = set ?? read.link ?? links[0]
  return {
    ...(placeholder !== undefined && details?.title === undefined && { placeholder }),
    ...(details !== null && { details }),
    ...(link !== undefined && { link }),
  }
}
