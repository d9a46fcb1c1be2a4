import type { Target } from '../../../pool/beatmap-links.ts'
import { type ImportMessage, say } from '../import-message.ts'
import {
  asked,
  type Reading,
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
  isPlain,
  isShort,
  type Label,
  readLabel,
  readWhole,
  texts,
  withoutFieldName,
  type Word,
} from '../words/labels.ts'
import { replacementsIn } from './corrections.ts'
import { isWholeLabel, LEAST_OLD } from '../words/bucket-names.ts'
import { isNoId, readNumberAt } from './items.ts'
import { areBeatmaps, isSure, LEAST_LONG } from './plausible-ids.ts'

// Lines in which a beatmap is named by its id, not by a link.

/** The times and names in front of a chat line have fewer words. */
const LONGEST_PREFIX = 12

/** `NM1 129891`, `RC1 2 555`, `129891`, with a name before it or a remark after it. */
export function readNumbered(words: readonly Word[], codes: BucketCodes): Reading | null {
  const whole = readHead(words, codes)
  if (whole !== null) return whole
  for (let start = 1; start < Math.min(words.length, LONGEST_PREFIX); start += 1) {
    const word = words[start]
    // A beatmap is no name in front of a line.
    if ((readWhole(words[start - 1]!.text) ?? 0) >= LEAST_LONG) break
    const isStart = word?.afterColon === true && !word.isMinutes
    const reading = isStart ? readHead(words.slice(start), codes) : null
    if (isPlain(reading?.label, codes)) return reading
  }
  return null
}

/**
 * A line whose beatmap id directly follows its label, is alone, or comes before its label; null when that is
 * not clear. The rest has to be set apart (`- Artist - Title`, `(warm-up)`) and to be no slot itself.
 */
function readHead(line: readonly Word[], codes: BucketCodes): SlotReading | null {
  const words = withoutFieldName(line, codes)
  const head = findHead(words, codes)
  if (head === null) return readIdFirst(words, codes)
  const { length, label, beatmapId } = head
  // `129891 - NM1`
  const own = label === null ? readIdFirst(words, codes) : null
  if (own !== null) return own
  const isWord = label !== null && !isShort(label, codes)
  if (isNoId(line, words[length - 1]!, isWord)) return null
  const [next, ...others] = words.slice(length)
  const isPlayed = label?.code != null && label.index !== null && others.length === 0
  if (next === undefined || (isPlayed && mods.test(next.text))) return slot(label, beatmapId)
  // A low number with something after it is rather a count, a date or a place in a list.
  if (label === null && beatmapId < LEAST_LONG) return readIdFirst(words, codes)
  // `NM 1: TBA` has the number of the slot.
  if (label?.code != null && label.index === null && beatmapId < LEAST_OLD) return null
  // `129891: Artist - Title`, `(129891) Artist - Title`
  const isFirst = label === null && /[:)\]]/.test(next.gap)
  if (!next.apart && !isFirst) return readIdFirst(words, codes)
  // `NM1 129891 (changed to 129892)`
  if (label !== null && replacementsIn(next.line.slice(next.from), beatmapId).size > 0) return null
  // `NM1 1999 - Title 129891`
  const isYear = label !== null && beatmapId < LEAST_LONG
  if (isYear && others.some((word) => (readWhole(word.text) ?? 0) >= LEAST_LONG)) return null
  // `NM1 1402117 - 1388042 Team` has the scores of both.
  const isRemark =
    others.length > 0
      ? !startsWithSlot([next, ...others], codes) &&
        (readWhole(next.text) ?? 0) < LEAST_LONG &&
        // `NM1: 129891, alt: 129892`
        (others.length > 1 || !mayBeId(others[0]!))
      : readWhole(next.text) === null
  return isRemark ? slot(label, beatmapId) : readIdFirst(words, codes)
}

/** Thousands are rather words of a title. */
const mayBeId = ({ text }: Word): boolean =>
  (readWhole(text) ?? 0) >= LEAST_LONG && readWhole(text)! % 1000 > 0

/** Whether the words begin with a slot of their own, so that they are more than a remark. */
export function startsWithSlot(words: readonly Word[], codes: BucketCodes): boolean {
  return isPlain(findHead(words, codes)?.label, codes)
}

function findHead(words: readonly Word[], codes: BucketCodes) {
  for (const size of [2, 1, 0]) {
    const beatmapId = readWhole(words[size]?.text)
    // Cells of a row are not joined here: the table decides which of them is the id.
    // `2:31`
    const isTime = size > 0 && words[size]?.isMinutes === true && words[size - 1]!.text.length <= 2
    const isJoined = isTime || words.slice(1, size + 1).some((word) => word.isCell)
    if (beatmapId === null || isJoined) continue
    const before = texts(words.slice(0, size))
    const label = readLabel(before, codes)
    const isDoubtful = size === 2 && mayBeTwoIds(before[0]!, codes)
    if (size === 0 || (label !== null && !isDoubtful && isBucket(label, size, beatmapId, codes))) {
      return { label, beatmapId, length: size + 1 }
    }
  }
  return null
}

/** `NM1 75 76` is no number 75 of a bucket NM1. */
function mayBeTwoIds(first: string, codes: BucketCodes): boolean {
  const label = readLabel([first], codes)
  return readWhole(first) !== null || (isKnown(label, codes) && label.index !== null)
}

/** Buckets that are named by a word have fewer beatmaps. */
const MOST_OF_WORD = 20

/** `Chapter 2` is no bucket with beatmap 2. */
function isBucket(label: Label, size: number, beatmapId: number, codes: BucketCodes): boolean {
  const isNumbered = size === 1 && label.index !== null
  // `phone 040 5550123`
  if (size === 2 && !isShort(label, codes) && (label.index ?? 0) > MOST_OF_WORD) return false
  // `EZ 1`, `히든 (2)`
  const isBucket = isSure(label, codes) || codeOfWords([label.code ?? '']) !== null
  if (beatmapId < LEAST_OLD && label.index === null && isBucket) return false
  return beatmapId >= LEAST_LONG || isNumbered || isShort(label, codes)
}

/** What is played with the beatmap: `NM1 129891 NF`. */
const mods = /^(?:NF|EZ|HD|HR|SD|PF|DT|NC|HT|FL|FM){1,5}$/

function readIdFirst([id, ...others]: readonly Word[], codes: BucketCodes): SlotReading | null {
  const beatmapId = readWhole(id?.text)
  if (beatmapId === null || others[0]?.isCell === true) return null
  // `129891 3:20` has a length.
  const label = others[1]?.isMinutes === true ? null : readLabel(texts(others), codes)
  if (isPlain(label, codes) || isWholeLabel(label, codes)) return slot(label, beatmapId)
  // `129891 - NM1 - Artist - Title`
  const first = readLabel(texts(others.slice(0, 1)), codes)
  const isApart = others[0]?.apart === true && others[1]?.apart === true
  const isId = isApart && beatmapId >= LEAST_LONG && isNumbered(others[0]!, codes)
  return isId ? slot(first, beatmapId) : null
}

const labels =
  /(?<![A-Za-z0-9])[A-Za-z]{2,6}[0-9]{1,2}(?![A-Za-z0-9])|(?<![\p{L}\p{N}])\p{L}{2,6}[0-9]{1,2}(?![\p{L}\p{N}])/gu
const idAlone = /(?<![\p{L}\p{N}])[0-9]{2,8}(?![\p{L}\p{N}])/gu
/** Whatever stands between labels, or between a label and the beatmap, and is no title. */
const isGap = (text: string): boolean => text.length <= 15 && !/\p{L}\s[-–—]\s|[0-9]/u.test(text)

/** Whether a line may name several slots, or one twice. */
export const namesSeveral = (line: string): boolean => (line.match(labels) ?? []).length > 1

/** Asks about a line that names several slots one after the other, in front of its one beatmap or behind it. */
export function askJoined(line: string, targets: readonly Target[], codes: BucketCodes) {
  if (line.length > LONGEST_LINE || !namesSeveral(line)) return null
  const numbers =
    targets.length > 0
      ? targets.map(({ start, end, beatmapId: id }) => ({ start, end, id }))
      : Array.from(line.matchAll(idAlone), ({ index, 0: text }) => {
          return { start: index, end: index + text.length, id: Number(text) }
        })
  const [first, ...others] = numbers
  if (first?.id == null || others.some(({ id }) => id !== first.id)) return null
  const before = line.slice(0, first.start)
  const title = before.search(/\[(?![^[\]]{1,7}\])/)
  const after = line.slice(numbers.at(-1)!.end)
  // `[url=…]NM2 - NM2[/url]` has a title.
  const parts = [title < 0 ? before : before.slice(0, title), after.startsWith(']') ? '' : after]
  for (const [side, part] of parts.entries()) {
    const named = Array.from(part.matchAll(labels), ([text]) => readLabel([text], codes))
    const gaps = part.split(labels)
    const own = side === 0 ? gaps : gaps.slice(0, -1)
    const isKnownAll = named.every((each) => isKnown(each, codes) && each.index !== null)
    if (named.length > 1 && isKnownAll && !/\p{L}/u.test(own[0]!) && own.every(isGap))
      return askSlots(named as Label[], first.id, targets.length > 0)
  }
  return null
}

/** Which of the slots that a line names has its beatmap. */
function askSlots(named: readonly Label[], id: number, isLinked = false): Reading {
  const slots = new Map(named.map((label) => [`${label.code}${label.index}`, label]))
  if (slots.size > MOST_NAMED) return refused(reasons.unclearSlot)
  const choices = Array.from(slots, ([name, label]) => {
    const text = isLinked ? say('itIs', { what: name }) : say('slotIs', { slot: name, id })
    return [text, slot(label, id)] as const
  })
  return slots.size === 1 ? choices[0]![1] : askedLine(say('twoSlots', { id }), choices)
}

const MOST_NAMED = 2

/** `NM1 Artist - Title 129891`; several slots or several numbers that may be ids are asked. */
export function readLabelled(words: readonly Word[], codes: BucketCodes): Reading | null {
  const [first, ...rest] = words
  const label = first === undefined ? null : readLabel([first.text], codes)
  if (!isKnown(label, codes) || label.index === null || first === undefined) return null
  const after = rest.map((word) => ({ word, number: readWhole(word.text) }))
  const [next] = after
  const last = after.at(-1)?.number ?? null
  const second = next === undefined ? null : readLabel([next.word.text], codes)
  const isOther = second?.code != null && second.index !== null
  if (isOther && last !== null && after.length === 2) return askSlots([label, second], last)
  const isSecond = (number: number, at: number): boolean =>
    at === 1 && next?.number != null && number >= LEAST_OLD
  const ids = [
    ...new Set(
      after.flatMap(({ number }, at) =>
        number !== null && (number >= LEAST_LONG || at === 0 || isSecond(number, at))
          ? [number]
          : [],
      ),
    ),
  ]
  const [id, other, third] = ids.toSorted(
    (a, b) => Number(b >= LEAST_LONG) - Number(a >= LEAST_LONG),
  )
  if (id === undefined || third !== undefined) return null
  if (other === undefined) {
    // Another number at a slot may be a score.
    if (next?.number === id && after.some(({ word }) => isNumbered(word, codes))) return null
    const place = after.findIndex(({ number }) => number === id) + 1
    // `NM1 (foo) 952486` may be somebody's score.
    if (isBehindName(words, place, codes)) return areBeatmaps(slot(label, id))
    return readNumberAt(words, place, slot(label, id))
  }
  const question = say('twoIds', { slot: first.text })
  return askedLine(question, [
    [say('slotIs', { slot: first.text, id }), slot(label, id)],
    [say('slotIs', { slot: first.text, id: other }), slot(label, other)],
  ])
}

/** Whether a word in brackets is all that is between a label and a number, and no mods. */
function isBehindName(words: readonly Word[], place: number, codes: BucketCodes): boolean {
  const between = words.slice(1, place)
  const isBracket = /[([{]/.test(between[0]?.gap ?? '') && /[)\]}]/.test(words[place]!.gap)
  const isSong = between.some(({ gap }) => /\s[-–—]+\s/.test(gap) && !/[([{]/.test(gap))
  if (!isBracket || isSong) return false
  return between.some(({ text }) => {
    const isMods =
      mods.test(text.replaceAll(/[/+&]/g, '')) ||
      codes.find(text) !== null ||
      codeOfWords([text]) !== null
    return /\p{L}/u.test(text) && !isMods
  })
}

function isNumbered({ text }: Word, codes: BucketCodes): boolean {
  const label = readLabel([text], codes)
  return isKnown(label, codes) && label.index !== null
}

export const askedLine = (
  question: ImportMessage,
  choices: readonly (readonly [ImportMessage, SlotReading])[],
) => asked(question, [...choices, [say('leaveLine'), skipped]])

/** Which of two beatmaps is that of the slot in front of them. */
export function askBeatmaps(
  words: readonly Word[],
  label: Label | null,
  ids: readonly [number, number],
): Reading {
  if (label?.code == null) return refused(reasons.severalBeatmaps)
  return askedLine(
    say('twoBeatmaps', { slot: texts(words).join(' ') }),
    ids.map((id) => [say('itIs', { what: id }), slot(label, id)]),
  )
}

export const slot = (label: Label | null, beatmapId: number): SlotReading =>
  slotReading(label, beatmapId, label === null ? 'alone' : 'line')
