import { isCode } from '../../../pool/slots.ts'
import {
  type BucketCodes,
  codeOfWords,
  isAsciiWord,
  isFilled,
  isKnown,
  isPlain,
  isShort,
  type Label,
  modsOfCode,
  readLabel,
  readWords,
  texts,
  tidy,
  type Word,
} from './labels.ts'
import { type HeadingReading, LONGEST_LINE } from '../readings.ts'

// The usual buckets that no mod is named after, in lower case without spaces and hyphens.
const usualNames: Readonly<Record<string, string>> = {
  RC: 'rc rice ライス 米 라이스',
  LN: 'ln longnote longnotes ロングノート 长条 長條 롱노트',
  HB: 'hb hybrid hybrids ハイブリッド 混合 하이브리드',
  EX: 'ex extreme',
  SV: 'sv slidervelocity scrollvelocity',
  MM: 'mm mixedmod mixedmods mixmod mixmods',
}
const usual: ReadonlyMap<string, string> = new Map(
  Object.entries(usualNames).flatMap(([code, names]) =>
    names.split(' ').map((name): [string, string] => [name, code]),
  ),
)

const usualBeginnings = new Set([...usual.keys()].map((name) => name.charCodeAt(0)))
const longestUsual = Math.max(...[...usual.keys()].map((name) => name.length))

/** The code of a usual bucket that is named after no mod: `Long Note`, `rice`; null for anything else. */
export function usualCode(text: string): string | null {
  const first = text.charCodeAt(0)
  // A letter or digit of ASCII that no such name begins with.
  if (isAsciiWord(first) && !usualBeginnings.has(first | 32)) return null
  if (text.length > longestUsual && countAsciiWords(text) > longestUsual) return null
  return (
    usual.get(
      tidy(text)
        .toLowerCase()
        .replaceAll(/[\s_:-]/g, ''),
    ) ?? null
  )
}

/** How many letters and digits of ASCII a text has. */
function countAsciiWords(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) count += Number(isAsciiWord(text.charCodeAt(at)))
  return count
}

/** The source of what reads like the label of a slot, in one word. */
export const slotWord = String.raw`(?:\p{L}{1,12}[0-9]{1,2}|TB)`
/** One, anywhere in a text. */
export const namesSlot = new RegExp(String.raw`(?<![\p{L}\p{N}])${slotWord}(?![\p{L}\p{N}])`, 'u')

const LONGEST_READ = 200
/** More is a sentence. */
const LONGEST_NAME = 60
const MOST_WORDS = 6
const LONGEST_CODE = 12
/** `(2 maps)`, `(played in order)` */
const remark = /\s*[([][^()[\]]{0,60}[)\]]\s*:?\s*$/

/** The text of a heading or of an item that names a bucket: without marks, remarks and the colon after it. */
function nameIn(text: string): string {
  if (text.length > LONGEST_READ) return ''
  const plain = tidy(text).replaceAll(/[*_`]{1,3}|\\(?=[*_])/g, '')
  return plain.replace(remark, '').replace(/[\s:：-]+$/u, '')
}

/** Seats of groups and matches, as schedules number them. */
const seat = /^(?:[A-H]|QF|SF|GF|LF|WF|RO|WB|LB|UB|M|R|RD|MATCH|GAME|ROOM|LOBBY|GROUP|SEED|TEAM)$/i
export const isSeat = (code: string): boolean => seat.test(code)

/** No beatmap has a lower id. */
export const LEAST_OLD = 50

const measured = ['cs', 'ar', 'od', 'hp', 'sr', 'bpm']
const figure = String.raw`(?:${measured.join('|')})(?:\s?[:=]\s?|\s)?`
const value = String.raw`[0-9]{1,3}(?:[.,][0-9]{1,2})?`
/** What is measured of a beatmap, in front of it: `AR 9.2`, `AR 9`, `CS 4 OD 8`; `AR1` and `CS 2` may be slots. */
const figures = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${figure}${value}(?:[\s,;/|]{1,3}${figure}${value})+|${figure}[0-9]{1,2}[.,][0-9]{1,2}|bpm\s?[:=]?\s?[0-9]{2,3}|(?:ar|od)(?:\s?[:=]\s?|\s)?(?:[6-9]|1[01]))(?![\p{L}\p{N}.,])(?=.*[0-9]{4}|.*ppy\.sh)`,
  'giu',
)

/** A line without them, unless the draft has a bucket that is called so. */
export function withoutFigures(line: string, codes?: BucketCodes): string {
  const isOwn = measured.some((code) => codes?.find(code) != null)
  return line.length > LONGEST_LINE || isOwn ? line : line.replaceAll(figures, ' ')
}

/** A number in front of a name that counts its beatmaps: `5 NoMod`, `3x Hidden`. */
const countInFront = /^[([]?([1-9][0-9]?)\s?[x×*]?\s(?=\p{L})/u

/** A number behind a name, with what is around it and what it counts. */
const countBehind =
  /(?<=[\p{L}\p{M})\]}>:|])([^\p{L}\p{M}\p{N}]{0,8}|\s(?:x|no\.?|nr\.?)\s?|\s?[([]x)([0-9]{1,3})(\s?[x×]|\s?\/\s?[0-9]{1,3})?(\s?\p{L}{1,10})?[^\p{L}\p{N}]{0,8}$/iu
const counters =
  /^\s?(?:maps?|beatmaps?|picks?|songs?|charts?|slots?|total|曲|곡|개|张|張|首|个|個|mapas?|карты?)$/iu

/**
 * The bucket of `Hidden (5)`, `Hard Rock x2` or `Double Time - 64`: a bracket or `x` shows that its beatmaps are counted, else
 * the number may be that of a slot, `NoMod 2`.
 */
export function bucketCounted(text: string, codes: BucketCodes): Label | null {
  if (text.length > LONGEST_NAME || !/[0-9]/.test(text)) return null
  const plain = tidy(text)
    .replaceAll(/[*_`]{1,3}/g, '')
    .trim()
  const [front, few] = countInFront.exec(plain) ?? []
  if (front !== undefined && Number(few) < LEAST_OLD) {
    const words = texts(readWords(plain.slice(front.length)))
    const label = readLabel(words, codes)
    const code =
      codeOfWords(words) ?? (isKnown(label, codes) && label.index === null ? label.code : null)
    if (code !== null) return { code, index: null }
  }
  const found = countBehind.exec(plain)
  if (found === null) return null
  const [, before = '', number, times, unit] = found
  if (unit !== undefined && !counters.test(unit)) return null
  const name = plain.slice(0, found.index)
  // `RC1` is a bucket's own code.
  const usual = before === '' ? null : usualCode(name.replaceAll(/[^\p{L}]/gu, ''))
  const code = codeOfWords(texts(readWords(name))) ?? usual
  if (code === null) return null
  const isCount = /[([{<x×*]/i.test(before) || times !== undefined || unit !== undefined
  return { code, index: isCount ? null : Number(number) }
}

/** A number that is rather the count of a bucket's beatmaps than one of them. */
const isFew = (text: string): boolean => /^[1-9][0-9]?$/.test(text) && Number(text) < LEAST_OLD

/** Whether words say how many beatmaps each of several buckets has, and name none: `NM: 5, HD: 2`, `Pool (5 NM, 2 HD)`. */
export function countsBuckets(words: readonly Word[], codes: BucketCodes): boolean {
  const first = words.findIndex(({ text }) => isFew(text))
  // What precedes the first count is the name of its bucket, or of the whole.
  return first >= 0 && [first - 1, first].some((start) => areCounts(words, start, codes))
}

function areCounts(words: readonly Word[], start: number, codes: BucketCodes): boolean {
  if (start < 0 || (start > 0 && !/[([{:：–—-]/.test(words[start]!.gap))) return false
  const isBefore = isFew(words[start]!.text)
  const counted = words.slice(start).filter(({ text }) => !counters.test(text))
  if (counted.length < 4 || counted.length % 2 > 0) return false
  const names = counted.filter((_, at) => (at % 2 === 0) !== isBefore).map(({ text }) => text)
  const numbers = counted.filter((_, at) => (at % 2 === 0) === isBefore)
  const named = names.map((name) => {
    const code = codeOfWords([name]) ?? usualCode(name)
    return code ?? (codes.find(name) === null ? null : name.toUpperCase())
  })
  const isEach = named.every((code) => code !== null) && new Set(named).size === named.length
  return isEach && numbers.every(({ text }) => isFew(text))
}

/** The bucket, or the one slot, that a text can only be the name of; null for other words. */
export function knownBucket(text: string, codes: BucketCodes): Label | null {
  const name = nameIn(text)
  if (name === '' || name.length > LONGEST_NAME) return null
  const words = texts(readWords(name))
  const label = readLabel(words, codes)
  if (isKnown(label, codes)) return label
  const code = codeOfWords(words) ?? usualCode(name)
  if (code !== null) return { code, index: null }
  const counted = bucketCounted(name, codes)
  if (counted !== null) return counted
  const isMods = label?.code != null && modsOfCode(label.code) !== null
  return isMods ? label : null
}

const fieldInFront = /^[^\p{L}\p{N}]{0,12}\p{L}[\p{L} ]{0,20}[:=]/u
const betweenNames = /[,;|/&+\t、]|\s(?:and|or|y|und|et|и)\s/iu

/** Whether a text names several buckets, with or without a word in front of them, and nothing else: `Mods: NM, HD`. */
export function namesBuckets(text: string, codes: BucketCodes): boolean {
  if (text.length > LONGEST_NAME) return false
  const parts = tidy(text).replace(fieldInFront, '').split(betweenNames).filter(isFilled)
  const named = parts.map((part) => knownBucket(part, codes))
  const isEach = named.every((label) => label?.index === null)
  return isEach && new Set(named.map((label) => label!.code)).size > 1
}

/** As `knownBucket`, where the place of a text shows that it names a bucket: then any short name makes one. */
export function bucketNamed(text: string, codes: BucketCodes): Label | null {
  const known = knownBucket(text, codes)
  const name = nameIn(text)
  if (known !== null || name === '' || name.length > LONGEST_NAME) return known
  const words = texts(readWords(name)).filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length === 0 || words.length > MOST_WORDS) return null
  const letters = words.map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, ''))
  const whole = letters.join('')
  if (isCode(whole)) return { code: whole, index: null }
  const initials = letters.map((word) => Array.from(word)[0] ?? '').join('')
  const short = Array.from(whole).slice(0, LONGEST_CODE).join('')
  const code = words.length > 1 ? initials.toUpperCase() : short
  return isCode(code) ? { code, index: null } : null
}

/** Longer lines would only take time. */
const LONGEST_HEADING = 200
const countOfMaps =
  /\s*[([][^()[\]]{0,20}(?:maps?|beatmaps?|picks?|曲|곡|张|[0-9]\s?(?:[*★☆]|stars?|sr))[)\]]\s*:?$|\s*[-–:~]?\s*(?<!\p{L})[0-9]{1,2}[.,][0-9]{1,2}(?:\s?[-–~]\s?[0-9]{1,2}[.,][0-9]{1,2})?\s?[*★☆]\s*:?$/iu

/**
 * A line that names the place of what comes below it: `NM`, `Hard Rock`, `RC`, `[Mix]`, `NM1:`; else null. A
 * new code has to be in capitals or marked as a heading, or any word would make a bucket.
 */
export function readHeading(
  marked: string,
  all: readonly Word[],
  codes: BucketCodes,
): HeadingReading | null {
  if (marked.length > LONGEST_HEADING) return null
  // `Hidden (2 maps)`
  const line = /[)\]:\s*★☆]/.test(marked.slice(-1)) ? marked.replace(countOfMaps, '') : marked
  const words = line === marked ? all : readWords(line)
  const written = texts(words)
  const label = readLabel(written, codes)
  if (isKnown(label, codes)) return { kind: 'heading', label }
  const code = codeOfWords(written) ?? (written.length > 1 ? usualCode(line) : null)
  if (code !== null) return { kind: 'heading', label: { code, index: null } }
  const counted = bucketCounted(marked, codes)
  if (counted !== null) return { kind: 'heading', label: counted }
  if (label?.code == null) return null
  // `seed = 4`
  const isGiven = label.index !== null && /[=:]/.test(words[1]?.gap ?? '')
  if (isGiven && modsOfCode(label.code) === null) return null
  const isMarked = line !== written.join(' ')
  const { code: own } = label
  // In scripts without capitals any word would pass: rounds are named so, too.
  const hasCase = own.toLowerCase() !== own.toUpperCase()
  return hasCase && (isMarked || own === own.toUpperCase()) ? { kind: 'heading', label } : null
}

/** Whether a label can be all that is said of a beatmap: a bucket there is, a code and a number, or codes of mods. */
export function isWholeLabel(label: Label | null, codes: BucketCodes): label is Label {
  if (isPlain(label, codes)) return isShort(label, codes)
  const code = label?.code ?? ''
  return code === code.toUpperCase() && modsOfCode(code) !== null
}

const headed =
  /^[ \t]*(?:[#*_-]{1,6}[ \t]*|\[b\])?([\p{L}\p{N}]{1,12}[0-9])(?:\[\/b\]|[*_:]{1,3})?[ \t]*(?:\r?\n[ \t]*(?:\[list\][ \t]*)?){1,3}(?:\[\*\]|[-*+•]|[0-9]{1,2}\.)?[ \t]*\1 [0-9]{1,2}:/gimu

/** Codes that end in a digit, and are those of buckets: a heading above labels in which a number follows them, `RC1 2:`. */
export function bucketsHeaded(text: string): string[] {
  return Array.from(text.matchAll(headed), ([, code = '']) => code)
}

const [NF, EZ, HT, NC, FL] = [1, 2, 256, 512, 1024]
export const [HD, HR, DT] = [8, 16, 64]
const bitCodes = [
  [EZ, 'EZ'],
  [HD, 'HD'],
  [HR, 'HR'],
  [DT, 'DT'],
  [HT, 'HT'],
  [FL, 'FL'],
] as const

/** The bucket of mods in the game's own bits; null for what is none. No fail, which all must choose, is left out. */
export function codeOfBits(bits: number): string | null {
  const own = bits & ~NF & ~(bits & DT ? NC : 0)
  const parts = bitCodes.filter(([bit]) => (own & bit) !== 0)
  if (parts.reduce((sum, [bit]) => sum + bit, 0) !== own) return null
  const code = parts.map(([, name]) => name).join('')
  return code === '' ? 'NM' : parts.length === 1 || modsOfCode(code) !== null ? code : null
}

const MAX_CODE = 12

/** The code of a new bucket for mods that are no known one; null where they have no letter or digit. */
export function ownCode(mods: string): string | null {
  const code = mods.replaceAll(/[^\p{L}\p{N}]/gu, '').slice(0, MAX_CODE)
  return isCode(code) ? code : null
}
