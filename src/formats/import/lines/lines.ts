import { findTargets, type Target } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import { say } from '../import-message.ts'
import { reasons, type Reading, refused, skipped, type SlotReading } from '../readings.ts'
import {
  bucketCounted,
  countsBuckets,
  isWholeLabel,
  readHeading,
  withoutFigures,
} from '../words/bucket-names.ts'
import {
  type BucketCodes,
  codeOfWords,
  isFilled,
  isKnown,
  isPlain,
  isShort,
  type Label,
  modsOfCode,
  readLabel,
  readWhole,
  readWords,
  memoized,
  texts,
  tidy,
  withoutFieldName,
  type Word,
} from '../words/labels.ts'
import { replacementsIn } from './corrections.ts'
import { isBesideSlots, linksIn, withoutIssues, withoutPaths } from '../words/links.ts'
import { isLinkText, plainItem, withoutBullet, withoutTags } from './items.ts'
import {
  askBeatmaps,
  askedLine,
  askJoined,
  readLabelled,
  readNumbered,
  slot,
  startsWithSlot,
} from './numbered-lines.ts'
import { holdsJoined, LEAST_LONG } from './plausible-ids.ts'

/** What a line says that is no row of a table: `NM1 129891`, a link, a heading, a comment. */
export const readPlainLine = memoized(plainLine)

/** The same, for those who keep the answer. */
export function plainLine(text: string, codes: BucketCodes): Reading {
  const line = tidy(text)
  if (!isFilled(line)) return skipped
  if (line.startsWith('#') && !isNumbered(line)) return readHashed(line, codes)
  const { item, ordinal, isItem } = withoutBullet(withoutTags(line.replace(/^#\s?/, '')))
  if (!isFilled(item)) return skipped
  const reading = readEvent(item, codes) ?? readItem(item, codes)
  if (reading.kind === 'slot' && ordinal !== null) {
    return reading.label === null || reading.isTitled === true ? { ...reading, ordinal } : reading
  }
  // `- [Map pack](…)` takes no number in the list of a bucket.
  const isBeside = reading.kind === 'refused' && reading.links?.some(isBesideSlots) === true
  return reading.kind === 'refused' && isItem && !isBeside ? { ...reading, isItem } : reading
}

/** `#2 https://…`: no remark, but an item and its number. */
export const isNumbered = (line: string): boolean =>
  /^\s*#\s?[0-9]{1,2}(?:[.:)]|\s)(?:.{0,200}ppy\.sh\/|\s{0,3}(?:[-–—]\s)?[0-9]{5,9}(?![\p{L}\p{N}])|.{0,200}(?<![\p{L}\p{N}])[0-9]{5,8}[)\]]?\s*$)/u.test(
    line,
  )

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
  const item = plainItem(withoutFigures(written, codes).trim())
  const targets = findTargets(item)
  const joined = askJoined(item, targets, codes)
  if (joined !== null) return joined
  if (targets.length > 0) return readLinkedLine(item, targets, codes)
  const counted = bucketCounted(written, codes)
  if (counted?.index === null) return { kind: 'heading', label: counted }
  if (/^!mp\s+(?!map\b)/i.test(item)) return skipped
  // Bits as programs write them: `DT = 1<<6`.
  if (/[0-9]\s?<<\s?[0-9]/.test(item)) return refused(reasons.noBeatmap)
  const words = readWords(item)
  if (countsBuckets(words, codes)) return { ...refused(reasons.noBeatmap), isProse: true }
  const own = readWords(withoutPaths(withoutIssues(item)))
  return (
    readNumbered(own, codes) ??
    readHeading(item, words, codes) ??
    readLabelled(own, codes) ??
    notUnderstood(item, words, codes)
  )
}

/** What happens in a match or its schedule has numbers of its own, which name no beatmaps: `Ban 1`, `Seed 2 - NM1`. */
export const event =
  /^(?:ban|pick|protect|seed|game|match|lobby|slot|map|day|division|div|bo|best of|first to|ft|set|warm-?up)s?\s*#?[0-9]{1,4}(?![\p{L}\p{N}.])\s*[-–—:.)]*\s*/iu

function readEvent(item: string, codes: BucketCodes): Reading | null {
  const [prefix] = event.exec(item) ?? []
  if (prefix === undefined) return null
  const rest = item.slice(prefix.length)
  const reading = isFilled(rest) ? readItem(rest, codes) : skipped
  if (reading.kind === 'heading') return { ...reading, isSoft: true }
  const mayBeId = /[0-9]{5}|\/\//.test(rest)
  return reading.kind === 'refused' && !mayBeId ? { ...reading, isProse: true } : reading
}

/** What follows is the number of a phone: `040 5550123`. */
const areaCode = /^0[0-9]{2,4}$/

/** Ids of four digits are as old as the game, and as rare; those in prose are years. */
function notUnderstood(line: string, words: readonly Word[], codes: BucketCodes): Reading {
  const isLinked = line.includes('://') && /https?:\/\//i.test(line)
  // Addresses have numbers of their own.
  const own = isLinked ? readWords(line.replaceAll(/https?:\/\/\S+/gi, ' ')) : words
  const numbers = own.flatMap(({ text }, at) =>
    areaCode.test(own[at - 1]?.text ?? '') ? [] : (readWhole(text) ?? []),
  )
  const first = readLabel(texts(words.slice(0, 1)), codes)
  const isNumbered = isKnown(first, codes) && first.index !== null
  const isLabelled = isNumbered || (numbers.length > 0 && startsWithBucket(words, codes))
  const isProse =
    !isLabelled && numbers.every((number) => number < LEAST_LONG) && !holdsJoined(line)
  if (isLinked) {
    const links = linksIn(line)
    return { ...refused(reasons.otherLink), isProse: isProse && links.length > 0, links }
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

/** What a line with links says: the link is the beatmap, the words around it are the slot. */
function readLinkedLine(line: string, targets: readonly Target[], codes: BucketCodes): Reading {
  const [beatmapId, another] = new Set(targets.flatMap((target) => target.beatmapId ?? []))
  if (beatmapId === undefined) return refused(reasons.wholeSet)
  const lead = line.slice(0, targets[0]?.start)
  if (another !== undefined) return readSeveral(line, targets, codes)
  const before = withoutFieldName(readWords(lead), codes)
  const tail = line.slice(targets.at(-1)?.end)
  const after = readWords(tail)
  if (startsWithSlot(after, codes)) return refused(reasons.severalBeatmaps)
  const [other, third] = replacementsIn(tail, beatmapId)
  if (third !== undefined) return refused(reasons.severalBeatmaps)
  if (other !== undefined)
    return askBeatmaps(before, labelBefore(before, codes), [beatmapId, other])
  if (isLinkText(lead)) {
    return readLinkText(lead, beatmapId, codes) ?? readBehind(tail.slice(1), beatmapId, codes)
  }
  if (before.length > 0) return readLead(before, beatmapId, codes)
  // `[url=…]Artist - Title[/url]`
  if (tail.startsWith(']')) {
    const end = tail.search(/\[\/url\]/i)
    const [inner, behind] = end < 0 ? [tail, ''] : [tail.slice(0, end), tail.slice(end + 6)]
    return readLinkText(inner, beatmapId, codes) ?? readBehind(behind, beatmapId, codes)
  }
  const label = readLabel(texts(after), codes)
  const isSure = isWholeLabel(label, codes)
  // `… NM1 Artist - Title`
  const first = readLabel(texts(after.slice(0, 1)), codes)
  if (!isSure && isPlain(first, codes) && first.index !== null && isShort(first, codes)) {
    return slot(first, beatmapId)
  }
  return slot(isSure ? label : nameIn(after), beatmapId)
}

/** What stands behind a link whose text names no slot: `[Artist - Title](…) NM1`. */
function readBehind(text: string, beatmapId: number, codes: BucketCodes): Reading {
  const words = readWords(text)
  const label = readLabel(texts(words.slice(0, 1)), codes)
  const first = isKnown(label, codes) && label.index !== null ? label : null
  const isApart = words.length === 1 || words[1]?.apart === true || words[1]?.afterColon === true
  return slot(isApart ? first : null, beatmapId)
}

/** What the words in front of a link say. */
function readLead(words: readonly Word[], beatmapId: number, codes: BucketCodes): Reading {
  const label = labelBefore(words, codes)
  const number = words
    .map(({ text }) => readWhole(text))
    .find((each) => each !== null && each >= LEAST_IN_FRONT)
  if (number != null && number !== beatmapId && words.length <= 2) {
    return askedLine(say('idOrLink'), [
      [say('theLink', { id: beatmapId }), slot(label, beatmapId)],
      [say('theId', { id: number }), slot(label, number)],
    ])
  }
  const [one, two, ...others] = (words[0]?.text ?? '').split('/')
  const [left, right] = [one, two].map((text = '') => readLabel([text], codes))
  if (isKnown(left, codes) && isKnown(right, codes) && others.length === 0) {
    return askedLine(say('twoSlots', { id: beatmapId }), [
      [say('itIs', { what: one! }), slot(left, beatmapId)],
      [say('itIs', { what: two! }), slot(right, beatmapId)],
    ])
  }
  // Its words are a title if a heading above names the bucket.
  return label === null
    ? { ...slot(nameIn(words), beatmapId), isTitled: true }
    : slot(label, beatmapId)
}

/** A number in front of a link may be another id; ids of three digits are too rare among places in lists. */
const LEAST_IN_FRONT = 1000

/** The bucket that words name in full. */
function nameIn(words: readonly Word[]): Label | null {
  const code = codeOfWords(texts(words))
  return code === null ? null : { code, index: null }
}

/** The text of a link is a beatmap's name, which is null, or a label with or without one. */
function readLinkText(text: string, beatmapId: number, codes: BucketCodes): SlotReading | null {
  const words = withoutFieldName(readWords(text), codes)
  const whole = readLabel(texts(words), codes)
  if (isPlain(whole, codes) && isShort(whole, codes)) {
    return { ...slot(whole, beatmapId), isTitled: !isKnown(whole, codes) }
  }
  const first = readLabel(texts(words.slice(0, 1)), codes)
  const label = isKnown(first, codes) && first.index !== null ? first : nameIn(words)
  if (label === null) return null
  // `NM2 - Title` may be by an artist of that name.
  const [artist = '', ...others] = text.split(/\s[-–—]\s/)
  const isTitled = label !== first || (others.length === 1 && readWords(artist).length === 1)
  return { ...slot(label, beatmapId), isTitled }
}

/** A label with two links, of which one is the beatmap. */
function readSeveral(line: string, targets: readonly Target[], codes: BucketCodes): Reading {
  const ids = [...new Set(targets.flatMap((target) => target.beatmapId ?? []))]
  const lead = readWords(line.slice(0, targets[0]?.start))
  const [first = 0, second = 0, third] = ids
  const isNext = targets.some(({ end }, at) => {
    const words = readWords(line.slice(end, targets[at + 1]?.start))
    const next = readLabel(texts(words.slice(-1)), codes)
    return at < targets.length - 1 && isKnown(next, codes) && next.index !== null
  })
  if (third !== undefined || isNext) return refused(reasons.severalBeatmaps)
  return askBeatmaps(lead, labelBefore(lead, codes), [first, second])
}

/** A label alone; or with a title after it; or with a time and a name in front of it. */
function labelBefore(words: readonly Word[], codes: BucketCodes): Label | null {
  const whole = readLabel(texts(words), codes)
  if (whole !== null && (isPlain(whole, codes) || words.length === 1)) {
    const isId = readWhole(words[0]?.text) !== null && whole.code !== null
    return isShort(whole, codes) && (!isId || isKnown(whole, codes)) ? whole : null
  }
  for (const [at, word] of words.entries()) {
    const label = at === 0 || word.afterColon ? readLabel([word.text], codes) : null
    const isTiebreaker = foldCode(label?.code ?? '') === 'TB'
    const after = words[at + 1]
    const isAlone = after === undefined ? isTiebreaker : after.apart || after.afterColon
    // A title may begin with the code of a bucket, or with a word that ends in a number.
    if (
      isPlain(label, codes) &&
      (label.index !== null ? isShort(label, codes) : isAlone && at > 0)
    ) {
      return label
    }
    const isPlainly = words[1]?.afterColon === true || isTiebreaker
    if (at === 0 && isKnown(label, codes) && isPlainly) return label
  }
  const last = readLabel(texts(words.slice(-1)), codes)
  return isKnown(last, codes) && last.index !== null ? last : null
}

/** Of the rest of an article only the links matter: some lead to map packs and showcases. */
export function proseOf(body: string): Reading {
  const links = linksIn(body).filter(({ kind }) => kind === 'mapPack' || kind === 'showcase')
  return links.length === 0 ? skipped : { ...refused(reasons.otherLink), isProse: true, links }
}
