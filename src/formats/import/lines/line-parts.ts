import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import { knownBucket, slotWord } from '../words/bucket-names.ts'
import {
  type BucketCodes,
  isFilled,
  isKnown,
  modsOfCode,
  readLabel,
  readWords,
  texts,
  tidy,
} from '../words/labels.ts'
import { usualStart } from '../words/rounds.ts'
import { LONGEST_LINE, type Reading, type RoundStart } from '../readings.ts'
import type { CellRow } from '../tables/transposed.ts'
import { withoutBullet, withoutTags } from './items.ts'
import { partsOfLine, splitRow } from './likely-slots.ts'
import { readPlannedLine } from './plans.ts'
import { countRoundWords, isRoundName, roundOfCell } from './round-names.ts'

// Lines that say more than where one beatmap belongs: in which round it is, or several slots.

/** A line, or a part of one, that may begin with the name of its round. */
export type LineRow = CellRow & { readonly round?: RoundStart }

/**
 * The parts of a line, each with what it says of one slot or bucket.
 *
 * @param above the line above it: below the label of one slot, several links are no list.
 */
export function partsOfRow(row: CellRow, above: string, codes: BucketCodes): LineRow[] {
  const { line, text } = row
  if (text.includes('[*]')) return splitRow(row)
  const linked = linkedTitles(text)
  const label = linked.length > 1 ? readLabel(texts(readWords(above)), codes) : null
  if (linked.length > 1 && label?.index == null)
    return linked.map((each) => ({ line, text: each, cells: [each] }))
  const pairs = pairsOf(text)
  const own = pairs?.map((each) => ({ line, text: each, cells: [each] })) ?? splitRow(row)
  if (own.length > 1 && roundInFront(text, codes) === null) return own
  const several = slotsBeside(text, codes) ?? [text]
  return several.flatMap((part): LineRow[] => {
    const named = roundInFront(part, codes)
    if (named === null && several.length === 1) return own
    const { round, rest } = named ?? { rest: part }
    return partsOf(rest, codes).map((each, at) => ({
      line,
      text: each,
      cells: [each],
      ...(at === 0 && round !== undefined && { round }),
    }))
  })
}

function partsOf(text: string, codes: BucketCodes): string[] {
  const pairs = pairsOf(text)
  if (pairs !== null) return pairs
  const parts = partsOfLine(text)
  return parts.length > 1 ? parts : (slotsBeside(text, codes) ?? parts)
}

/** What belongs to the name of a round or to the label behind it, in one word: `QF-NM1`, `RO16NM1`. */
const joined =
  /^([^\p{L}\p{N}]{0,4}(?:ro ?[0-9]{1,3}|[qsg]f)|[^\r\n]{2,40}?(?=[-_./]))[-_./]?(?=(?:\p{L}{2,6}[0-9]{1,2}|TB)(?![\p{L}\p{N}]))/iu
const opener = /[[({<"“„'`*_~]+$/
const closer = /[\])}>"”“'`*_~]/

/** The name of the round in front of a slot or of the name of a bucket, and what is behind it; null where there is none. */
function roundInFront(text: string, codes: BucketCodes) {
  if (text.length > LONGEST_LINE || !usualStart.test(text) || /^\s*#/.test(text)) return null
  const line = withoutTags(tidy(text)).replace(joined, (whole, name: string) =>
    isRoundName(name) ? `${name} ` : whole,
  )
  const { item } = withoutBullet(line)
  return named(line, codes) ?? (item === line ? null : named(item, codes))
}

function named(line: string, codes: BucketCodes) {
  const words = readWords(line)
  const count = countRoundWords(words)
  const [first, last, next] = [words[0], words[count - 1], words[count]]
  if (first === undefined || last === undefined || next === undefined) return null
  const lead = line.slice(0, first.start)
  const rest = line.slice(next.start)
  const round = roundOfCell(line.slice(first.start, last.start + last.text.length))
  if (round === null || !isOfSlots(rest, codes)) return null
  // `[QF] NM1` has the bracket of the name, `[QF NM1]` that of both.
  return { round, rest: (closer.test(next.gap) ? lead.replace(opener, '') : lead) + rest }
}

/** Whether a text is the name of a bucket, or begins with a label and says what its beatmap is. */
function isOfSlots(text: string, codes: BucketCodes): boolean {
  if (knownBucket(text, codes) !== null) return true
  const [first = '', second] = partsOf(text, codes)
  if (second !== undefined && knownBucket(first, codes) !== null) return true
  return isLabelled(first, codes)
}

function isLabelled(part: string, codes: BucketCodes): boolean {
  const [word] = readWords(part)
  const label = word === undefined ? null : readLabel([word.text], codes)
  const isOwn = isKnown(label, codes) || modsOfCode(label?.code ?? '') !== null
  const isOne = label?.index != null || foldCode(label?.code ?? '') === 'TB'
  return isOwn && isOne && givesSlot(readPlannedLine(part, codes))
}

const givesSlot = (reading: Reading): boolean =>
  reading.kind === 'asked' ||
  (reading.kind === 'slot' && reading.label?.code != null) ||
  (reading.kind === 'refused' && reading.plan?.label != null)

const beatmap = String.raw`(?:[0-9]{5,8}|(?:https?:\/\/)?[\w.]{0,30}ppy\.sh\/[^\s,;|&+]{1,100})`
const labelsAndBeatmaps = new RegExp(
  String.raw`^\s*((?:\p{L}{1,6}[0-9]{1,2}\s*[,/&+]\s*){1,11}\p{L}{1,6}[0-9]{1,2}|\p{L}{1,6}[0-9]{1,2}\s*[-–~]\s*(?:\p{L}{1,6})?[0-9]{1,2})\s*[:=]\s*(${beatmap}(?:[\s,;|/&+]+${beatmap}){1,11})\s*$`,
  'iu',
)

/** As many beatmaps as labels in front of them: `NM1, NM2: 129891, 129892`, `NM1-2: 129891, 129892`; null for other lines. */
function pairsOf(text: string): string[] | null {
  const [, named = '', given = ''] = labelsAndBeatmaps.exec(tidy(text)) ?? []
  if (named === '') return null
  const [, code = '', from, other, to] = range.exec(named) ?? []
  const isRange = code !== '' && (other === '' || other === code)
  const count = isRange ? Number(to) - Number(from) + 1 : 0
  const labels = isRange
    ? Array.from(
        { length: Math.min(Math.max(count, 0), MOST_PAIRS) },
        (_, at) => `${code}${Number(from) + at}`,
      )
    : named.split(/\s*[,/&+]\s*/)
  const beatmaps = given.match(new RegExp(beatmap, 'giu')) ?? []
  if (labels.length !== beatmaps.length || new Set(labels).size < labels.length) return null
  return labels.map((label, at) => `${label} ${beatmaps[at]}`)
}

const range = /^(\p{L}{1,6})([0-9]{1,2})\s*[-–~]\s*(\p{L}{0,6})([0-9]{1,2})$/u
const MOST_PAIRS = 12

/** Longer lines are no lists of slots. */
const LONGEST_LIST = 3000
const betweenLinks = /(?<=\]\([^()\s]{1,300}\)|\[\/url\])[ ,;·•]+(?=\[)/i
const linkedTitle =
  /^\[(?:url=([^[\]\s]+)\])?[^\t]{1,200} [-–—] [^\t]{1,200}(?:\]\(([^()\s]+)\)|\[\/url\])$/i

/** The titles of a line of nothing but links to beatmaps; none where it has anything else. */
function linkedTitles(text: string): string[] {
  if (text.length > LONGEST_LIST || !text.includes('ppy.sh')) return []
  const parts = tidy(text).split(betweenLinks)
  const isEach = parts.every((part) => {
    const [, tagged, address = tagged] = linkedTitle.exec(part) ?? []
    const [target, another] = address === undefined ? [] : findTargets(part)
    return target?.beatmapId != null && another === undefined
  })
  return isEach ? parts : []
}
const twoSlots = new RegExp(
  String.raw`${slotWord}(?![\p{L}\p{N}]).*?(?<![\p{L}\p{N}])${slotWord}`,
  'u',
)
const separators = ['|', '\t', ';', ',', '•', '·', ' / '] as const
const startsSlot = new RegExp(String.raw`\s*[[(*_]{0,3}${slotWord}(?![\p{L}\p{N}])`, 'uy')

/** The slots of a line that has each with its label in front and a beatmap, whatever is between them: `NM1 Title 129891 | NM2 …`. */
function slotsBeside(text: string, codes: BucketCodes): string[] | null {
  if (text.length > LONGEST_LIST || !twoSlots.test(text)) return null
  for (const separator of separators) {
    if (!text.includes(separator)) continue
    const all = text
      .split(separator)
      .map((part) => part.trim())
      .filter(isFilled)
    for (const parts of [all, joinTitles(all, separator)]) {
      const isEach = parts.length > 1 && parts.every((part) => isOneSlot(part, codes))
      if (isEach) return parts
    }
  }
  return null
}

/** Parts that do not begin with a label are put to those before them: `NM1 Title, the Sequel 129891`. */
function joinTitles(parts: readonly string[], separator: string): string[] {
  return parts.reduce<string[]>((all, part) => {
    startsSlot.lastIndex = 0
    const isNext = all.length === 0 || startsSlot.test(part)
    return isNext ? [...all, part] : [...all.slice(0, -1), `${all.at(-1)}${separator}${part}`]
  }, [])
}

function isOneSlot(part: string, codes: BucketCodes): boolean {
  const { rest } = roundInFront(part, codes) ?? { rest: part }
  startsSlot.lastIndex = 0
  const links = findTargets(rest).length
  const given = links > 0 ? links : (rest.match(longIdOrNone) ?? []).length
  const isOne = given === 1 && countLabels(rest, codes) === 1
  return startsSlot.test(rest) && isOne && isLabelled(rest, codes)
}

const longIdOrNone =
  /(?<![\p{L}\p{N}])[0-9]{5,9}(?![\p{L}\p{N}])|(?<=[\s:–—-])(?:tb[acd]|\?{2,5})$/giu

const countLabels = (text: string, codes: BucketCodes): number =>
  readWords(text).filter((word) => {
    const label = readLabel([word.text], codes)
    return isKnown(label, codes) && (label.index !== null || word.text === 'TB')
  }).length
