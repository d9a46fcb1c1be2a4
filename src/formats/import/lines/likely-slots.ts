import { withCode, withoutBullet } from './items.ts'
import {
  type BucketCodes,
  isKnown,
  readLabel,
  readWhole,
  readWords,
  tidy,
  withoutFieldName,
} from '../words/labels.ts'
import { event } from './lines.ts'
import { isRemarkable } from './plans.ts'

/** What sets a remark apart, is in each link, or marks up a text. */
const marks = /[-–—|,;([#/!~]/
/** The time in front of a line of a chat. */
const time = /^\[[0-9]/
/** Three words at the end, none of which is a number; the last may only announce one. */
const ending = /(?:\s\p{L}[\p{L}\p{N}]*){3}[.?!]?$/u
const fieldEnding = /\s(?:(?:beat)?map(?:id)?|id|link|url)[.?!]?$/i
/** An id as addresses have it, a mapper after one, and the marks of chats that are taken away. */
const marked = /b[0-9]{5}|\sby\s|__|^>/i

/**
 * Whether a line or a cell may be a slot by itself. Most lines of a chat cannot be, which is found faster than by all the
 * rules: a beatmap without a link is named by a number that a label, a remark set apart or the end of the line is next to.
 */
export function mayBeSlot(text: string, codes: BucketCodes): boolean {
  const line = tidy(text)
  const isTimed = time.test(line)
  if (marks.test(line.slice(1)) || marks.test(line.charAt(0)) !== isTimed) return true
  if (marked.test(line) || isRemarkable(text)) return true
  const isChanged = (): boolean =>
    withoutBullet(line).isItem || event.test(line) || withCode(line) !== line
  if (!isTimed && isChanged()) return true
  if (isTimed && ending.test(line) && !fieldEnding.test(line)) return false
  const words = readWords(line)
  const [first] = words
  if (first === undefined) return false
  const label = readLabel([first.text], codes)
  if (first.text === 'TB' || (isKnown(label, codes) && label.index !== null)) return true
  return withoutFieldName(words, codes)
    .slice(-3)
    .some(({ text: word }) => readWhole(word) !== null)
}
