import { findTargets, type Target } from '../../pool/beatmap-links.ts'
import { isPlain, type KnownCodes, type Label, readLabel } from './label.ts'
import { type Reading, reasons, refused, skipped, type SlotReading } from './reading.ts'
import { readWhole, readWords, tidy, type Word } from './words.ts'

/** Times and names of who speaks stand in front of a chat line; more words than this do not. */
const LONGEST_PREFIX = 12
const LONGEST_HEADING = 3

/** What a line says that is no row of a table: `NM1 129891`, a link, a heading, a comment. */
export function readPlainLine(text: string, codes: KnownCodes): Reading {
  const line = tidy(text)
  if (line.startsWith('#') || !/[\p{L}\p{N}]/u.test(line)) return skipped
  const item = withoutTags(line).replace(/^[0-9]{1,3}[.)]\s+/, '')
  const targets = findTargets(item)
  if (targets.length > 0) return readLinkedLine(item, targets, codes)
  if (/^!mp\s+(?!map\b)/i.test(item)) return skipped
  const words = readWords(item)
  return readNumbered(words, codes) ?? readHeading(item, words, codes) ?? notUnderstood(item, words)
}

function notUnderstood(line: string, words: readonly Word[]): Reading {
  if (/https?:\/\//i.test(line)) return refused(reasons.otherLink)
  const numbers = words.filter((word) => readWhole(word.text) !== null).length
  if (numbers > 0) return refused(numbers > 1 ? reasons.severalNumbers : reasons.unclearSlot)
  return { ...refused(reasons.noBeatmap), endsHeading: words.length <= LONGEST_HEADING }
}

/** `NM1 129891`, `RC1 2 555`, `129891`, with a name before it or a remark behind it. */
function readNumbered(words: readonly Word[], codes: KnownCodes): Reading | null {
  const whole = readHead(words, codes)
  if (whole !== null) return whole
  for (let start = 1; start < Math.min(words.length, LONGEST_PREFIX); start += 1) {
    const reading = words[start]?.afterColon === true ? readHead(words.slice(start), codes) : null
    if (reading !== null && isPlain(reading.label, codes)) return reading
  }
  return null
}

/** What a line with links in it says: the link is the beatmap, what is around it the slot. */
function readLinkedLine(line: string, targets: readonly Target[], codes: KnownCodes): Reading {
  const [beatmapId, another] = new Set(targets.flatMap((target) => target.beatmapId ?? []))
  if (beatmapId === undefined) return refused(reasons.wholeSet)
  if (another !== undefined) return refused(reasons.severalBeatmaps)
  const before = withoutFieldName(readWords(line.slice(0, targets[0]?.start)), codes)
  const behind = readWords(line.slice(targets.at(-1)?.end))
  if (startsWithSlot(behind, codes)) return refused(reasons.severalBeatmaps)
  if (before.length > 0) {
    const label = labelBefore(before, codes)
    return label === null ? refused(reasons.unclearSlot) : { kind: 'slot', label, beatmapId }
  }
  const label = readLabel(texts(behind), codes)
  return { kind: 'slot', label: isPlain(label, codes) ? label : null, beatmapId }
}

/** A label alone; or with a title behind it; or with a time and a name in front of it. */
function labelBefore(words: readonly Word[], codes: KnownCodes): Label | null {
  const whole = readLabel(texts(words), codes)
  if (whole !== null) return whole
  for (const [at, word] of words.entries()) {
    const label = at === 0 || word.afterColon ? readLabel([word.text], codes) : null
    if (isPlain(label, codes)) return label
  }
  const last = readLabel(texts(words.slice(-1)), codes)
  return last?.code != null && codes.find(last.code) !== null ? last : null
}

function texts(words: readonly Word[]): string[] {
  return words.map(({ text }) => text)
}

/**
 * A line whose beatmap id follows its label at once, or stands alone, or before its label. What is
 * behind has to be set apart (`- Artist - Title`, `(warm-up)`) and to be no slot itself.
 *
 * @returns null when it is not clear which number is the id.
 */
function readHead(line: readonly Word[], codes: KnownCodes): SlotReading | null {
  const words = withoutFieldName(line, codes)
  const head = findHead(words, codes)
  if (head === null) return readIdFirst(words, codes)
  const rest = words.slice(head.length)
  const reading: SlotReading = { kind: 'slot', label: head.label, beatmapId: head.beatmapId }
  if (rest.length === 0) return reading
  const isRemark =
    rest.length > 1 ? !startsWithSlot(rest, codes) : readWhole(rest[0]?.text ?? '') === null
  return rest[0]?.apart === true && isRemark ? reading : readIdFirst(words, codes)
}

/** Whether the words begin with a slot of their own, so that they are more than a remark. */
function startsWithSlot(words: readonly Word[], codes: KnownCodes): boolean {
  return isPlain(findHead(words, codes)?.label ?? null, codes)
}

function findHead(
  words: readonly Word[],
  codes: KnownCodes,
): { label: Label | null; beatmapId: number; length: number } | null {
  for (const size of [2, 1, 0]) {
    const beatmapId = readWhole(words[size]?.text ?? '')
    // Cells of a row are not joined here: which of them is the id is for the table to say.
    const isJoined = words.slice(1, size + 1).some((word) => word.isCell)
    if (beatmapId === null || isJoined) continue
    const before = texts(words.slice(0, size))
    const label = readLabel(before, codes)
    const isNumeric = size === 2 && readWhole(before[0] ?? '') !== null
    if (size === 0 || (label !== null && !isNumeric)) return { label, beatmapId, length: size + 1 }
  }
  return null
}

function readIdFirst([id, ...behind]: readonly Word[], codes: KnownCodes): SlotReading | null {
  const beatmapId = readWhole(id?.text ?? '')
  if (behind[0]?.isCell === true) return null
  const label = readLabel(texts(behind), codes)
  return beatmapId !== null && isPlain(label, codes) ? { kind: 'slot', label, beatmapId } : null
}

/** What sheets write over a bucket instead of its code. Never read as a slot's own code. */
const fullNames = new Map([
  ['nomod', 'NM'],
  ['no-mod', 'NM'],
  ['nomods', 'NM'],
  ['hidden', 'HD'],
  ['hardrock', 'HR'],
  ['doubletime', 'DT'],
  ['freemod', 'FM'],
  ['free-mod', 'FM'],
  ['freemods', 'FM'],
  ['tiebreaker', 'TB'],
])

/**
 * A line that names the place of what comes below it: `NM`, `Hard Rock`, `RC`, `[Mix]`, `NM1:`. A
 * code that is not known yet has to be in capitals or dressed up as a heading, or any word would
 * make a bucket.
 *
 * @returns null when the line is no heading.
 */
function readHeading(line: string, words: readonly Word[], codes: KnownCodes): Reading | null {
  const written = texts(words)
  const label = readLabel(written, codes)
  const isCode = label?.code != null
  if (isCode && codes.find(label.code) !== null) return { kind: 'heading', label }
  const named = words.length > 2 ? undefined : fullNames.get(written.join('').toLowerCase())
  if (named !== undefined) return { kind: 'heading', label: { code: named, index: null } }
  const isDressed = line !== written.join(' ')
  return isCode && (isDressed || label.code === label.code.toUpperCase())
    ? { kind: 'heading', label }
    : null
}

const fieldNames = new Set(['beatmap', 'map', 'id', 'beatmapid', 'mapid', 'link', 'url'])

/** The words of `Beatmap ID: 129891`, or in front of a link, without what only says that one follows. */
function withoutFieldName(words: readonly Word[], codes: KnownCodes): readonly Word[] {
  const says = ({ text }: Word): boolean =>
    !fieldNames.has(text.toLowerCase()) || codes.find(text) !== null
  const first = words.findIndex(says)
  return first < 0 ? [] : words.slice(first, words.findLastIndex(says) + 1)
}

const tag = /\[\/?(?:b|i|u|s|url|list|\*|box|quote|notice|centre)\]/gi

/** A line without the tags of forum posts. Without a closing one, `[B]` may be a heading. */
function withoutTags(line: string): string {
  return line.includes('[/') ? line.replace(tag, ' ').trim() : line
}
