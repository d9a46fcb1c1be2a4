import { type ImportMessage, say } from '../import-message.ts'
import { asked, type Reading, skipped, slotReading, type SlotReading } from '../readings.ts'
import {
  type BucketCodes,
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
import { isNoId, readNumberAt } from './items.ts'

// Lines in which a beatmap is named by its id, not by a link.

/** The times and names in front of a chat line have fewer words. */
const LONGEST_PREFIX = 12

/** Lower numbers in prose are years, times and counts. */
export const LEAST_ID = 10_000
/** The first beatmaps have ids of two digits. */
const LEAST_OLD = 50

/** `NM1 129891`, `RC1 2 555`, `129891`, with a name before it or a remark after it. */
export function readNumbered(words: readonly Word[], codes: BucketCodes): Reading | null {
  const whole = readHead(words, codes)
  if (whole !== null) return whole
  for (let start = 1; start < Math.min(words.length, LONGEST_PREFIX); start += 1) {
    const word = words[start]
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
  const isWord = label !== null && !isShort(label, codes)
  if (isNoId(line, words[length - 1]!, isWord)) return null
  const [next, ...others] = words.slice(length)
  if (next === undefined) return slot(label, beatmapId)
  // A low number with something after it is rather a count, a date or a place in a list.
  if (label === null && beatmapId < LEAST_ID) return readIdFirst(words, codes)
  // `NM 1: TBA` has the number of the slot.
  if (label?.code != null && label.index === null && beatmapId < LEAST_OLD) return null
  if (!next.apart) return readIdFirst(words, codes)
  // `NM1 1402117 - 1388042 Team` has the scores of both.
  const isRemark =
    others.length > 0
      ? !startsWithSlot([next, ...others], codes) && (readWhole(next.text) ?? 0) < LEAST_ID
      : readWhole(next.text) === null
  return isRemark ? slot(label, beatmapId) : readIdFirst(words, codes)
}

/** Whether the words begin with a slot of their own, so that they are more than a remark. */
export function startsWithSlot(words: readonly Word[], codes: BucketCodes): boolean {
  return isPlain(findHead(words, codes)?.label, codes)
}

function findHead(words: readonly Word[], codes: BucketCodes) {
  for (const size of [2, 1, 0]) {
    const beatmapId = readWhole(words[size]?.text)
    // Cells of a row are not joined here: the table decides which of them is the id.
    const isJoined = words.slice(1, size + 1).some((word) => word.isCell)
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
  return beatmapId >= LEAST_ID || isNumbered || isShort(label, codes)
}

function readIdFirst([id, ...others]: readonly Word[], codes: BucketCodes): SlotReading | null {
  const beatmapId = readWhole(id?.text)
  if (beatmapId === null || others[0]?.isCell === true) return null
  const label = readLabel(texts(others), codes)
  return isPlain(label, codes) ? slot(label, beatmapId) : null
}

/** `NM1 Artist - Title 129891`; several slots or several numbers that may be ids are asked. */
export function readLabelled(words: readonly Word[], codes: BucketCodes): Reading | null {
  const [first, ...rest] = words
  const label = first === undefined ? null : readLabel([first.text], codes)
  if (!isKnown(label, codes) || label.index === null || first === undefined) return null
  const after = rest.map((word) => ({ word, number: readWhole(word.text) }))
  const [next, last, ...more] = after
  const second = next === undefined ? null : readLabel([next.word.text], codes)
  if (second?.code != null && second.index !== null && last?.number != null && more.length === 0) {
    const id = last.number
    return askedLine(say('twoSlots', { id }), [
      [say('slotIs', { slot: first.text, id }), slot(label, id)],
      [say('slotIs', { slot: next!.word.text, id }), slot(second, id)],
    ])
  }
  const isSecond = (number: number, at: number): boolean =>
    at === 1 && next?.number != null && number >= LEAST_OLD
  const ids = [
    ...new Set(
      after.flatMap(({ number }, at) =>
        number !== null && (number >= LEAST_ID || at === 0 || isSecond(number, at)) ? [number] : [],
      ),
    ),
  ]
  const [id, other, third] = ids.toSorted((a, b) => Number(b >= LEAST_ID) - Number(a >= LEAST_ID))
  if (id === undefined || third !== undefined) return null
  if (other === undefined) {
    // Another number at a slot may be a score.
    if (next?.number === id && after.some(({ word }) => isNumbered(word, codes))) return null
    const place = after.findIndex(({ number }) => number === id) + 1
    return readNumberAt(words, place, slot(label, id))
  }
  const question = say('twoIds', { slot: first.text })
  return askedLine(question, [
    [say('slotIs', { slot: first.text, id }), slot(label, id)],
    [say('slotIs', { slot: first.text, id: other }), slot(label, other)],
  ])
}

function isNumbered({ text }: Word, codes: BucketCodes): boolean {
  const label = readLabel([text], codes)
  return isKnown(label, codes) && label.index !== null
}

export const askedLine = (
  question: ImportMessage,
  choices: readonly (readonly [ImportMessage, SlotReading])[],
) => asked(question, [...choices, [say('leaveLine'), skipped]])

export const slot = (label: Label | null, beatmapId: number): SlotReading =>
  slotReading(label, beatmapId, label === null ? 'alone' : 'line')
