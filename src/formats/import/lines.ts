import { findTargets, type Target } from '../../pool/beatmap-links.ts'
import { foldCode } from '../../pool/buckets.ts'
import { withCode, withoutBullet, withoutTags } from './items.ts'
import {
  type BucketCodes,
  codeOfWords,
  isKnown,
  isPlain,
  type Label,
  modsOfCode,
  readLabel,
  readWhole,
  readWords,
  texts,
  tidy,
  type Word,
} from './labels.ts'
import {
  type HeadingReading,
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
  if (!/[\p{L}\p{N}]/u.test(line)) return skipped
  if (line.startsWith('#')) return readHashed(line, codes)
  const { item, ordinal, isItem } = withoutBullet(withoutTags(line))
  if (!/[\p{L}\p{N}]/u.test(item)) return skipped
  const reading = readEvent(item, codes) ?? readItem(item, codes)
  if (reading.kind === 'slot' && ordinal !== null && reading.label === null) {
    return { ...reading, ordinal }
  }
  return reading.kind === 'refused' && isItem ? { ...reading, isItem } : reading
}

/** A comment, or a heading of Markdown that names a bucket or a slot and nothing else: `### NoMod`, `# NM1`. */
function readHashed(line: string, codes: BucketCodes): Reading {
  const [hashes = ''] = /^#{1,6}(?=\s)/.exec(line) ?? []
  const inner = line.slice(hashes.length).replace(/\s#+$/, '').trim()
  if (
    hashes === '' ||
    inner === '' ||
    inner.length > LONGEST_HASHED ||
    findTargets(inner).length > 0
  )
    return skipped
  const heading = readHeading(inner, readWords(inner), codes)
  const isSure =
    heading?.kind === 'heading' &&
    (isKnown(heading.label, codes) || modsOfCode(heading.label.code ?? '') !== null)
  return heading?.kind === 'heading' && isSure ? { ...heading, isSoft: true } : skipped
}

const LONGEST_HASHED = 60

function readItem(written: string, codes: BucketCodes): Reading {
  const item = withCode(written)
  const targets = findTargets(item)
  if (targets.length > 0) return readLinkedLine(item, targets, codes)
  if (/^!mp\s+(?!map\b)/i.test(item)) return skipped
  const words = readWords(item)
  return (
    readNumbered(words, codes) ??
    readHeading(item, words, codes) ??
    readLabelled(words, codes) ??
    notUnderstood(item, words, codes)
  )
}

/** What happens in a match or its schedule has numbers of its own, which name no beatmaps: `Ban 1`, `Seed 2 - NM1`. */
const event =
  /^(?:ban|pick|protect|seed|game|match|lobby|slot|day|division|div|bo|best of|first to|ft|set|warm-?up)s?\s*#?[0-9]{1,4}(?![\p{L}\p{N}.])\s*[-–—:.)]*\s*/iu

function readEvent(item: string, codes: BucketCodes): Reading | null {
  const [prefix] = event.exec(item) ?? []
  if (prefix === undefined) return null
  const rest = item.slice(prefix.length)
  const reading = /[\p{L}\p{N}]/u.test(rest) ? readItem(rest, codes) : skipped
  if (reading.kind === 'heading') return { ...reading, isSoft: true }
  const mayBeId = /[0-9]{5}|\/\//.test(rest)
  return reading.kind === 'refused' && !mayBeId ? { ...reading, isProse: true } : reading
}

/** Lower numbers in prose are years, times and counts. */
const LEAST_ID = 10_000

/** A link that may be meant for a beatmap. */
const likeBeatmap = /ppy|\/(?:b|s|d|beatmaps?|beatmapsets?)\/|\/map/i

/** Ids of four digits are as old as the game, and as rare; those in prose are years. */
function notUnderstood(line: string, words: readonly Word[], codes: BucketCodes): Reading {
  const numbers = words.flatMap((word) => readWhole(word.text) ?? [])
  const first = readLabel(texts(words.slice(0, 1)), codes)
  const isNumbered = isKnown(first, codes) && first.index !== null
  const isLabelled = isNumbered || (numbers.length > 0 && startsWithBucket(words, codes))
  const isProse = !isLabelled && numbers.every((number) => number < LEAST_ID)
  if (/https?:\/\//i.test(line)) {
    return { ...refused(reasons.otherLink), isProse: isProse && !likeBeatmap.test(line) }
  }
  if (numbers.length > 0) {
    return {
      ...refused(numbers.length > 1 ? reasons.severalNumbers : reasons.unclearSlot),
      isProse,
    }
  }
  return { ...refused(reasons.noBeatmap), endsHeading: words.length <= 3, isProse }
}

/** Whether the first words are the code or the full name of a bucket. */
function startsWithBucket(words: readonly Word[], codes: BucketCodes): boolean {
  const [first = ''] = texts(words)
  return (
    codes.find(first) !== null ||
    [1, 2].some((count) => codeOfWords(texts(words.slice(0, count))) !== null)
  )
}

/** `NM1 Artist - Title 129891`; several slots or several numbers that may be ids are asked. */
function readLabelled(words: readonly Word[], codes: BucketCodes): Reading | null {
  const [first, ...rest] = words
  const label = first === undefined ? null : readLabel([first.text], codes)
  if (!isKnown(label, codes) || label.index === null || first === undefined) return null
  const after = rest.map((word) => ({ word, number: readWhole(word.text) }))
  const [next, last, ...more] = after
  const second = next === undefined ? null : readLabel([next.word.text], codes)
  if (second?.code != null && second.index !== null && last?.number != null && more.length === 0) {
    const id = last.number
    return asked(`This line has two slots. Which one is ${id}?`, [
      [`${first.text} is ${id}`, slot(label, id)],
      [`${next!.word.text} is ${id}`, slot(second, id)],
    ])
  }
  const ids = [
    ...new Set(
      after.flatMap(({ number }, at) =>
        number !== null && (number >= LEAST_ID || at === 0) ? [number] : [],
      ),
    ),
  ]
  const [id, other, third] = ids.toSorted((a, b) => Number(b >= LEAST_ID) - Number(a >= LEAST_ID))
  if (id === undefined || third !== undefined) return null
  if (other === undefined) return next?.number === id ? null : slot(label, id)
  const question = `This line has two beatmap ids. Which one is ${first.text}?`
  return asked(question, [
    [`${first.text} is ${id}`, slot(label, id)],
    [`${first.text} is ${other}`, slot(label, other)],
  ])
}

function asked(question: string, readings: readonly (readonly [string, SlotReading])[]): Reading {
  const choices = readings.map(([text, reading]) => ({ text, reading }))
  return {
    kind: 'asked',
    question,
    choices: [...choices, { text: 'Leave this line out', reading: skipped }],
  }
}

/** What a line with links says: the link is the beatmap, the words around it are the slot. */
function readLinkedLine(line: string, targets: readonly Target[], codes: BucketCodes): Reading {
  const [beatmapId, another] = new Set(targets.flatMap((target) => target.beatmapId ?? []))
  if (beatmapId === undefined) return refused(reasons.wholeSet)
  const lead = line.slice(0, targets[0]?.start)
  if (another !== undefined) return readSeveral(targets, readWords(lead), codes)
  const before = withoutFieldName(readWords(lead), codes)
  const after = readWords(line.slice(targets.at(-1)?.end))
  if (startsWithSlot(after, codes)) return refused(reasons.severalBeatmaps)
  if (isLinkText(lead)) return slot(labelInText(before, codes), beatmapId)
  if (before.length > 0) {
    const label = labelBefore(before, codes)
    const number = before
      .map(({ text }) => readWhole(text))
      .find((each) => each !== null && each >= LEAST_ID)
    if (number != null && number !== beatmapId && before.length <= 2) {
      return asked('The id and the link of this line are different beatmaps. Which one is it?', [
        [`The link, ${beatmapId}`, slot(label, beatmapId)],
        [`The id ${number}`, slot(label, number)],
      ])
    }
    const [one, two, ...others] = (before[0]?.text ?? '').split('/')
    const [left, right] = [one, two].map((text = '') => readLabel([text], codes))
    if (isKnown(left, codes) && isKnown(right, codes) && others.length === 0) {
      return asked(`This line has two slots. Which one is ${beatmapId}?`, [
        [`It is ${one}`, slot(left, beatmapId)],
        [`It is ${two}`, slot(right, beatmapId)],
      ])
    }
    // Its words are a title if a heading above names the bucket.
    return label === null ? { ...slot(null, beatmapId), isTitled: true } : slot(label, beatmapId)
  }
  const label = readLabel(texts(after), codes)
  return slot(isPlain(label, codes) ? label : null, beatmapId)
}

function slot(label: Label | null, beatmapId: number): SlotReading {
  return { kind: 'slot', label, beatmapId, rule: label === null ? 'alone' : 'line' }
}

/** A label with two links, of which one is the beatmap. */
function readSeveral(
  targets: readonly Target[],
  lead: readonly Word[],
  codes: BucketCodes,
): Reading {
  const ids = [...new Set(targets.flatMap((target) => target.beatmapId ?? []))]
  const label = labelBefore(lead, codes)
  const [first = 0, second = 0, third] = ids
  if (label?.code == null || third !== undefined) return refused(reasons.severalBeatmaps)
  return asked(`This line has two beatmaps. Which one is ${texts(lead).join(' ')}?`, [
    [`It is ${first}`, slot(label, first)],
    [`It is ${second}`, slot(label, second)],
  ])
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
  if (whole !== null && (isPlain(whole, codes) || words.length === 1))
    return isShort(whole, codes) ? whole : null
  for (const [at, word] of words.entries()) {
    const label = at === 0 || word.afterColon ? readLabel([word.text], codes) : null
    const isAlone = words[at + 1]?.apart === true || words[at + 1]?.afterColon === true
    // A title may begin with the code of a bucket, or with a word that ends in a number.
    if (
      isPlain(label, codes) &&
      (label.index !== null ? isShort(label, codes) : isAlone && at > 0)
    ) {
      return label
    }
    const isPlainly = words[1]?.afterColon === true || foldCode(word.text) === 'TB'
    if (at === 0 && isKnown(label, codes) && isPlainly) return label
  }
  const last = readLabel(texts(words.slice(-1)), codes)
  return isKnown(last, codes) && last.index !== null ? last : null
}

/** Whether a label can hardly be a word of a title. */
function isShort(label: Label, codes: BucketCodes): boolean {
  const { code } = label
  return (
    code === null ||
    isKnown(label, codes) ||
    modsOfCode(code) !== null ||
    (code.length <= 4 && code === code.toUpperCase())
  )
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
  // A low number with something after it is rather a count, a date or a place in a list.
  if (label === null && beatmapId < LEAST_ID) return readIdFirst(words, codes)
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
function readHeading(
  marked: string,
  all: readonly Word[],
  codes: BucketCodes,
): HeadingReading | null {
  // `Hidden (2 maps)`
  const line = marked.replace(
    /\s*[([][^()[\]]{0,20}(?:maps?|beatmaps?|picks?|曲|곡|张)[)\]]\s*:?$/i,
    '',
  )
  const words = line === marked ? all : readWords(line)
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
