import { findTargets, type Target } from '../../pool/beatmap-links.ts'
import {
  type BucketCodes,
  codeOfWords,
  isKnown,
  isPlain,
  type Label,
  readLabel,
  readWhole,
  readWords,
  texts,
  tidy,
  type Word,
} from './labels.ts'
import {
  type Reading,
  reasons,
  type RefusedReading,
  skipped,
  type SlotReading,
} from './readings.ts'

export function refused(reason: string): RefusedReading {
  return { kind: 'refused', reason }
}

/** The times and names in front of a chat line have fewer words. */
const LONGEST_PREFIX = 12

/** What a line says that is no row of a table: `NM1 129891`, a link, a heading, a comment. */
export function readPlainLine(text: string, codes: BucketCodes): Reading {
  const line = tidy(text)
  if (line.startsWith('#') || !/[\p{L}\p{N}]/u.test(line)) return skipped
  const item = withoutTags(line).replace(
    /^(?:[0-9]{1,3}[.)]|[-*+])\s+(?=\[)|^[0-9]{1,3}[.)]\s+/,
    '',
  )
  if (!/[\p{L}\p{N}]/u.test(item)) return skipped
  const targets = findTargets(item)
  if (targets.length > 0) return readLinkedLine(item, targets, codes)
  if (/^!mp\s+(?!map\b)/i.test(item)) return skipped
  const words = readWords(item)
  return readNumbered(words, codes) ?? readHeading(item, words, codes) ?? notUnderstood(item, words)
}

const blockTags = /\[\/?(?:list|\*|quote|notice|centre|heading|size|color)(?:=[^\]]{0,40})?\]/gi
const pairedTags = /\[\/?(?:b|i|u|s|url|box|spoilerbox)\]/gi

/** A line without the tags of forum posts. Without a closing one, `[B]` may be a heading. */
function withoutTags(line: string): string {
  const inner = line.replaceAll(blockTags, ' ')
  return (inner.includes('[/') ? inner.replaceAll(pairedTags, ' ') : inner).trim()
}

function notUnderstood(line: string, words: readonly Word[]): Reading {
  if (/https?:\/\//i.test(line)) return refused(reasons.otherLink)
  const numbers = words.filter((word) => readWhole(word.text) !== null).length
  if (numbers > 0) return refused(numbers > 1 ? reasons.severalNumbers : reasons.unclearSlot)
  return { ...refused(reasons.noBeatmap), endsHeading: words.length <= 3 }
}

/** What a line with links says: the link is the beatmap, the words around it are the slot. */
function readLinkedLine(line: string, targets: readonly Target[], codes: BucketCodes): Reading {
  const [beatmapId, another] = new Set(targets.flatMap((target) => target.beatmapId ?? []))
  if (beatmapId === undefined) return refused(reasons.wholeSet)
  if (another !== undefined) return refused(reasons.severalBeatmaps)
  const lead = line.slice(0, targets[0]?.start)
  const before = withoutFieldName(readWords(lead), codes)
  const after = readWords(line.slice(targets.at(-1)?.end))
  if (startsWithSlot(after, codes)) return refused(reasons.severalBeatmaps)
  if (isLinkText(lead)) return slot(labelInText(before, codes), beatmapId)
  if (before.length > 0) {
    const label = labelBefore(before, codes)
    return label === null ? refused(reasons.unclearSlot) : slot(label, beatmapId)
  }
  const label = readLabel(texts(after), codes)
  return slot(isPlain(label, codes) ? label : null, beatmapId)
}

function slot(label: Label | null, beatmapId: number): SlotReading {
  return { kind: 'slot', label, beatmapId, rule: label === null ? 'alone' : 'line' }
}

/** Whether what precedes an address is the text of its Markdown link, `[…](`, and nothing else. */
function isLinkText(lead: string): boolean {
  if (!lead.startsWith('[')) return false
  let depth = 0
  for (const { 0: mark, index } of lead.matchAll(/\\.|[[\]]/g)) {
    if (mark === '[') depth += 1
    else if (mark === ']') depth -= 1
    if (depth === 0) return /^\]\(<?$/.test(lead.slice(index, index + 4))
  }
  return false
}

/** The text of a link is a beatmap's name, or a label with or without one. */
function labelInText(words: readonly Word[], codes: BucketCodes): Label | null {
  const whole = readLabel(texts(words), codes)
  if (isPlain(whole, codes)) return whole
  const first = readLabel(texts(words.slice(0, 1)), codes)
  return isKnown(first, codes) && first.index !== null ? first : null
}

/** A label alone; or with a title after it; or with a time and a name in front of it. */
function labelBefore(words: readonly Word[], codes: BucketCodes): Label | null {
  const whole = readLabel(texts(words), codes)
  if (whole !== null) return whole
  for (const [at, word] of words.entries()) {
    const label = at === 0 || word.afterColon ? readLabel([word.text], codes) : null
    if (isPlain(label, codes)) return label
  }
  const last = readLabel(texts(words.slice(-1)), codes)
  return isKnown(last, codes) ? last : null
}

/** `NM1 129891`, `RC1 2 555`, `129891`, with a name before it or a remark after it. */
function readNumbered(words: readonly Word[], codes: BucketCodes): Reading | null {
  const whole = readHead(words, codes)
  if (whole !== null) return whole
  for (let start = 1; start < Math.min(words.length, LONGEST_PREFIX); start += 1) {
    const reading = words[start]?.afterColon === true ? readHead(words.slice(start), codes) : null
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
  const [next, ...others] = words.slice(length)
  if (next === undefined) return slot(label, beatmapId)
  const isRemark =
    others.length > 0 ? !startsWithSlot([next, ...others], codes) : readWhole(next.text) === null
  return next.apart && isRemark ? slot(label, beatmapId) : readIdFirst(words, codes)
}

/** Whether the words begin with a slot of their own, so that they are more than a remark. */
function startsWithSlot(words: readonly Word[], codes: BucketCodes): boolean {
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
    const isNumeric = size === 2 && readWhole(before[0]) !== null
    if (size === 0 || (label !== null && !isNumeric)) return { label, beatmapId, length: size + 1 }
  }
  return null
}

function readIdFirst([id, ...others]: readonly Word[], codes: BucketCodes): SlotReading | null {
  const beatmapId = readWhole(id?.text)
  if (others[0]?.isCell === true) return null
  const label = readLabel(texts(others), codes)
  return beatmapId !== null && isPlain(label, codes) ? slot(label, beatmapId) : null
}

/**
 * A line that names the place of what comes below it: `NM`, `Hard Rock`, `RC`, `[Mix]`, `NM1:`; else null. A
 * new code has to be in capitals or marked as a heading, or any word would make a bucket.
 */
function readHeading(line: string, words: readonly Word[], codes: BucketCodes): Reading | null {
  const written = texts(words)
  const label = readLabel(written, codes)
  if (isKnown(label, codes)) return { kind: 'heading', label }
  const code = codeOfWords(written)
  if (code !== null) return { kind: 'heading', label: { code, index: null } }
  if (label?.code == null) return null
  const isMarked = line !== written.join(' ')
  return isMarked || label.code === label.code.toUpperCase() ? { kind: 'heading', label } : null
}

const fieldNames = new Set(['beatmap', 'map', 'id', 'beatmapid', 'mapid', 'link', 'url'])

/** The words of `Beatmap ID: 129891`, or in front of a link, without those that only announce it. */
function withoutFieldName(words: readonly Word[], codes: BucketCodes): readonly Word[] {
  const matters = ({ text }: Word): boolean =>
    !fieldNames.has(text.toLowerCase()) || codes.find(text) !== null
  const first = words.findIndex(matters)
  return first < 0 ? [] : words.slice(first, words.findLastIndex(matters) + 1)
}
