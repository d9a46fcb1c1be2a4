import { withCode, withoutBullet } from './items.ts'
import {
  type BucketCodes,
  codeOfWords,
  isKnown,
  type Label,
  modsOfCode,
  readLabel,
  readWhole,
  readWords,
  texts,
  tidy,
  withoutFieldName,
} from '../words/labels.ts'
import { event } from './lines.ts'
import { LEAST_LONG } from './plausible-ids.ts'
import { isRemarkable, readPlannedLine } from './plans.ts'
import type { Finding, SlotReading } from '../readings.ts'
import { usualCode } from '../words/bucket-names.ts'

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

/** `SP1 129891`: of a bucket of its own. */
const isShortCode = ({ label, beatmapId }: SlotReading): boolean =>
  label?.index != null &&
  beatmapId >= LEAST_LONG &&
  /^[A-Z]{2,4}$/.test(label.code ?? '') &&
  !/^(?:RO|BO|FT|TOP)$/.test(label.code ?? '')

/** Whether a line that is in no list can only be a slot: by its own label, or by that of the line above it. */
export function isOwnSlot(
  { reading, text }: Finding,
  above: Finding | undefined,
  codes: BucketCodes,
): boolean {
  const isUsual = (label: Label | null): boolean => {
    const code = label?.code ?? ''
    return (
      isKnown(label, codes) ||
      modsOfCode(code) !== null ||
      usualCode(code) !== null ||
      codeOfWords([code]) !== null
    )
  }
  if (reading.kind === 'slot') {
    if (reading.label !== null) return isUsual(reading.label) || isShortCode(reading)
    return above?.reading.kind === 'heading' && isUsual(above.reading.label)
  }
  if (reading.kind === 'skipped' || reading.kind === 'heading') return false
  const plan = reading.kind === 'refused' ? reading.plan : undefined
  if (plan?.label != null) return plan.isSure && isUsual(plan.label)
  if (reading.kind === 'refused' && reading.isProse === true) return false
  const words = texts(readWords(withoutBullet(tidy(text)).item)).slice(0, 2)
  const label = readLabel(words.slice(0, 1), codes)
  const isNamed = [1, 2].some((count) => codeOfWords(words.slice(0, count)) !== null)
  return /[0-9]{5}/.test(text) && (isNamed || (label?.index != null && isUsual(label)))
}

const separators = /[|\t,;]/
const cellSigns = /[|\t,;]/g

/**
 * Findings in which no line is passed over that is a slot by itself, as it is among the rows of a table that is left out. A row
 * of such a table is none.
 */
export function withOwnSlots(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  const isRow = (at: number): boolean => separators.test(findings[at]?.text ?? '')
  return findings.map((finding, at) => {
    const { reading, text, round } = finding
    const isTold = reading.kind !== 'skipped' && !(reading.kind === 'refused' && reading.isProse)
    if (isTold || round !== undefined || !/[0-9]{2}/.test(text)) return finding
    if (isRow(at) && (isRow(at - 1) || isRow(at + 1))) return finding
    const own = { ...finding, reading: readPlannedLine(text.replaceAll(cellSigns, ' '), codes) }
    return own.reading.kind === 'slot' && isOwnSlot(own, undefined, codes) ? own : finding
  })
}
