import { forcedMods } from '../../../contract/mods.ts'
import type { BucketMods } from '../../../contract/pools.ts'
import {
  findInForcedSet,
  foldCode,
  isBuiltinCode,
  isCode,
  wholeTable,
} from '../../../pool/slots.ts'
import type { PoolDraft } from '../../../pool/pool.ts'
import { plainDigits } from '../../../pool/text.ts'
import { alike } from './look-alikes.ts'

/** A word of a line, without the punctuation around it. */
export class Word {
  readonly text: string
  readonly line: string
  /** Where what separates it from the word before it begins and ends. */
  readonly from: number
  readonly start: number

  constructor(text: string, line: string, from: number, start: number) {
    this.text = stops.has(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text
    this.line = line
    this.from = from
    this.start = start
  }

  /** Most words are never asked for it. */
  get gap(): string {
    return this.line.slice(this.from, this.start)
  }

  /** Whether a dash, a bracket, a comma or such separates it from the word before it. */
  get apart(): boolean {
    return /[-–—|,;([#]|\/\//.test(this.gap)
  }

  /** Whether a separator of table cells precedes it. */
  get isCell(): boolean {
    return /[\t,;|]/.test(this.gap)
  }

  /** Whether a colon or `>` precedes it, as after the name of a chat's speaker. */
  get afterColon(): boolean {
    const length = this.start - this.from
    // Nothing but a space separates most words.
    if (length === 0 || (length === 1 && this.line.charCodeAt(this.from) === 32)) return false
    return /[:>]/.test(this.gap)
  }

  /** Whether it may be the minutes of a time, `04:30`. */
  get isMinutes(): boolean {
    return this.gap === ':' && /^[0-5][0-9]$/.test(this.text)
  }
}

const stops: ReadonlySet<number> = new Set(Array.from('.?!', (sign) => sign.charCodeAt(0)))
const wordPattern = /[^\s:=>|()[\]{}<"“”„'`*~#–—→•·,;、]+/gu
const content = /[\p{L}\p{N}]/u

/** Whether a text has a letter or digit. */
export function isFilled(text: string): boolean {
  const first = text.charCodeAt(0)
  // Most begin with one.
  return isAsciiWord(first) || content.test(text)
}

/** Whether it is a letter or digit of ASCII. */
export function isAsciiWord(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90)
}

/** The words of a line of text, in time that grows with its length alone. */
export function readWords(line: string): readonly Word[] {
  const known = lastRead.find((each) => each.line === line)
  if (known !== undefined) return known.words
  const words: Word[] = []
  let end = 0
  wordPattern.lastIndex = 0
  for (let found = wordPattern.exec(line); found !== null; found = wordPattern.exec(line)) {
    const [text] = found
    if (!isFilled(text)) continue
    words.push(new Word(text, line, end, found.index))
    end = found.index + text.length
  }
  lastRead[next] = { line, words }
  next = (next + 1) % 4
  return words
}

/** Several rules read a line and its cells one after the other. */
const lastRead: { readonly line: string; readonly words: readonly Word[] }[] = []
let next = 0

// What chats and sheets put between letters without showing it, and what makes a key of a digit.
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|(?<=[0-9])\ufe0f?\u20e3/g
// Forms of signs and brackets that East Asian keyboards write.
const wideSigns = /[\u3000\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+/g
const openers = /[〈《「『【〔〖〘〚]/g
const closers = /[〉》」』】〕〗〙〛]/g
/** Most texts have nothing to tidy but white space. */
const unusual = /[\u00ad\u200b-\uffff]/
const wide = /[\u3000\u3008-\u3011\u3014-\u301b\uff01-\uff65]/

/** A text without invisible characters and white space around it, with the signs that ASCII has for wide ones. */
export function tidy(text: string): string {
  if (!unusual.test(text)) return text.trim()
  const plain = wide.test(text)
    ? text
        .replace(wideSigns, (signs) => signs.normalize('NFKC'))
        .replace(openers, '[')
        .replace(closers, ']')
    : text
  return plain.replace(invisible, '').trim()
}

/** A word with the letters and digits that ASCII has for wide ones. */
export function narrow(word: string): string {
  return wide.test(word) ? word.normalize('NFKC') : word
}

/** A whole number of any length in ASCII digits, or in those of another script if it has four or more; null for anything else. */
export function readWhole(text = ''): number | null {
  const first = text.charCodeAt(0)
  // Most words begin with a letter.
  if (first < 48 || (first > 57 && first < 128)) return null
  if (/^[0-9]+$/.test(text)) return Number(text)
  return text.length >= 4 && /^\p{Nd}+$/u.test(text) ? Number(plainDigits(text)) : null
}

/** Where a beatmap belongs, as it was written: no code for no bucket; an index in range or not, or none. */
export type Label = { readonly code: string | null; readonly index: number | null }

const number = /^[0-9]{1,3}$/

/**
 * Reads what `slotLabel` writes, and what people write instead: `NM1`, `hd 2`, `NM`, `RC1 2`, `3`.
 * A number directly after a code is the slot's, so a code that ends in a digit has its number
 * after a space, unless the draft has a bucket of exactly that code and none of the shorter one.
 *
 * @returns null when the words are no label.
 */
export function readLabel(words: readonly string[], codes: BucketCodes): Label | null {
  const [first, second] = words
  if (first === undefined || words.length > 2) return null
  if (second === undefined) return readWord(first, codes)
  return number.test(second) && isCode(first) ? { code: first, index: Number(second) } : null
}

function readWord(written: string, codes: BucketCodes): Label | null {
  const own = readNarrowWord(written, codes)
  if (!beyondAscii.test(written) || isKnown(own, codes)) return own
  const meant = alike(plainDigits(written))
    .map((word) => readNarrowWord(word, codes))
    .filter((label) => isKnown(label, codes) || (label?.code && modsOfCode(label.code) !== null))
  return meant.length === 1 ? meant[0]! : own
}

function readNarrowWord(word: string, codes: BucketCodes): Label | null {
  if (number.test(word)) return { code: null, index: Number(word) }
  const [, left, right] = /^(\p{L}{1,12})[-._]([0-9]{1,2})$/u.exec(word) ?? []
  if (left !== undefined) {
    const isBucket = codes.find(left) !== null || modsOfCode(left) !== null
    return isBucket ? { code: left, index: Number(right) } : null
  }
  const code = withoutNumber(word)
  const isSplit = code !== word && isCode(code) && !/\p{N}$/u.test(code)
  const isBucket = codes.find(word) !== null && codes.find(code) === null
  // `Hidden1`, `HD/HR1`
  const isNamed = code !== word && !isBucket && codes.find(code) === null
  const named = isNamed && word.length - code.length <= 2 ? codeOfWords([code]) : null
  if (named !== null) return { code: named, index: Number(word.slice(code.length)) }
  if (isSplit && !isBucket) return { code, index: Number(word.slice(code.length)) }
  return isCode(word) ? { code: word, index: null } : null
}

function withoutNumber(word: string): string {
  let end = word.length
  while (end > 0 && '0123456789'.includes(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
}

// What people write for a bucket in place of its code, in lower case and without spaces and hyphens.
const modWords: Readonly<Record<string, string>> = {
  NM: 'nomod nomods ノーモッド ノーモド 노모드 노모드맵 노모 無mod 无mod 無模組 无模组 semmod semmods ohnemod ohnemods sinmod sinmods sansmod sansmods безмод безмода безмодов номод ноумод',
  HD: 'hidden ヒドゥン ヒドュン 히든 隐藏 隱藏 oculto escondido скрытый скрытие хидден',
  HR: 'hardrock ハードロック 하드락 하락 硬核 хардрок',
  DT: 'doubletime ダブルタイム 더블타임 더탐 双倍 雙倍 双倍速 雙倍速 double даблтайм',
  FM: 'freemod freemods フリーモッド フリーモド 프리모드 프모 자유모드 自由mod 自由模组 自由模組 modlibre modslibres modlivre modslivres фримод',
  TB: 'tiebreaker tiebreakers tiebreak タイブレーカー タイブレーク タイブレイカー 타이브레이커 加时 加時 加时赛 決勝局 决胜局 desempate тайбрейкер тайбрейк 加赛 加賽 dogrywka spareggio eşitlikbozucu ไทเบรกเกอร์',
  EZ: 'easy イージー 이지',
  HT: 'halftime ハーフタイム 하프타임',
  FL: 'flashlight フラッシュライト 플래시라이트',
}
/** The code that each word is written for, in lower case and without spaces and hyphens. */
export const codesByWord: ReadonlyMap<string, string> = new Map(
  Object.entries(modWords).flatMap(([code, words]) =>
    words.split(' ').map((word): [string, string] => [word, code]),
  ),
)
const wordParts = /[+&/\-_]/
/** How names and codes of mods can begin: most words are neither, which is quickly found. */
const beginnings = new Set(
  [...codesByWord.keys(), ...Object.keys(modWords).map((code) => code.toLowerCase())].flatMap(
    (word) => Array.from(word, (_, at) => word.slice(0, at + 1)),
  ),
)
/** What follows the name of a bucket without changing it. */
export const poolWords = new Set('mod mods map maps pool mappool bucket pick picks'.split(' '))
export const MOST_OF_NAME = 6

/**
 * The code of the bucket that words name in full, in any case: `No Mod`, `hard-rock maps`, `タイブレーカー`; several mods
 * make one code, `Hidden + Hard Rock` and `HD HR` are `HDHR`. null for other words, and for codes alone.
 */
export function codeOfWords(words: readonly string[]): string | null {
  const only = words.length === 1 ? words[0]! : ''
  if (only === '' || only.length > LONGEST_PART || !mayBegin(only)) return codeIn(words)
  const kept = codesKept.get(only)
  if (kept !== undefined) return kept
  return keep(codesKept, only, codeIn(words))
}

/** The same few words begin most lines. Longer ones are parts of the whole text, and would keep it in memory. */
const codesKept = new Map<string, string | null>()
const LONGEST_PART = 12

function codeIn(words: readonly string[]): string | null {
  if (words.length === 0 || words.length > MOST_OF_NAME || !mayBegin(words[0]!)) return null
  const [first = ''] = narrow(tidy(words[0]!)).toLowerCase().split(wordParts, 1)
  if (!beginnings.has(first)) return null
  const parts = words
    .flatMap((word) => narrow(tidy(word)).toLowerCase().split(wordParts))
    .filter(Boolean)
  const own = poolWords.has(parts.at(-1) ?? '') && parts.length > 1 ? parts.slice(0, -1) : parts
  const codes = modsIn(own) ?? modsIn(parts)
  if (codes === null) return null
  if (new Set(codes).size === 1)
    return isCode(words.join('')) && foldCode(words.join('')) === codes[0] ? null : codes[0]!
  const set = forcedMods.filter((mod) => codes.includes(mod))
  const isSet = set.length === codes.length && findInForcedSet(set) === null
  return isSet ? set.join('') : null
}

/** Whether the first letters, where they are of ASCII, can begin a name or a code. */
function mayBegin(word: string): boolean {
  const [first, second] = [word.charCodeAt(0) | 32, word.charCodeAt(1) | 32]
  const isPlain = first >= 97 && first <= 122 && second >= 97 && second <= 122
  return !isPlain || beginnings.has(word.slice(0, 2).toLowerCase())
}

/** The codes of mods that are written one after the other, in full or as codes; null if there is anything else. */
function modsIn(parts: readonly string[]): string[] | null {
  const codes: string[] = []
  for (let at = 0; at < parts.length;) {
    const pair = codesByWord.get(`${parts[at]}${parts[at + 1] ?? ''}`)
    const code = pair ?? codesByWord.get(parts[at]!) ?? codeAlone(parts[at]!)
    if (code === null) return null
    codes.push(code)
    at += pair !== undefined && parts[at + 1] !== undefined ? 2 : 1
  }
  return codes.length > 0 ? codes : null
}

function codeAlone(word: string): string | null {
  const fold = foldCode(word)
  return Object.hasOwn(modWords, fold) ? fold : null
}

type CodeLabel = Label & { readonly code: string }

export function texts(words: readonly Word[]): string[] {
  return words.map(({ text }) => text)
}

/** Whether the label names a bucket of the draft. */
export function isKnown(label: Label | null | undefined, codes: BucketCodes): label is CodeLabel {
  return label?.code != null && codes.find(label.code) !== null
}

/** Whether a text is a label of a bucket of the draft. */
export function namesBucket(text: string, codes: BucketCodes): boolean {
  return isKnown(readLabel(texts(readWords(text)), codes), codes)
}

/** Whether the label can be nothing else: the code of a bucket there is, or a code and a number. */
export function isPlain(label: Label | null | undefined, codes: BucketCodes): label is CodeLabel {
  return label?.code != null && (label.index !== null || isKnown(label, codes))
}

/** Whether a label can hardly be a word of a title. */
export function isShort(label: Label, codes: BucketCodes): boolean {
  const { code } = label
  return (
    code === null ||
    isKnown(label, codes) ||
    modsOfCode(code) !== null ||
    (code.length <= 4 ? code === code.toUpperCase() : code.toLowerCase() === 'stage')
  )
}

const fieldName =
  /^(?:(?:beat)?map(?:id)?|id|link|url|[譜谱]面id|(?:비트)?맵id|ビートマップid|リンク|링크|链接)$/iu

/** The words of `Beatmap ID: 129891`, or in front of a link, without those that only announce it. */
export function withoutFieldName(words: readonly Word[], codes: BucketCodes): readonly Word[] {
  const matters = ({ text }: Word): boolean => !fieldName.test(text) || codes.find(text) !== null
  const first = words.findIndex(matters)
  return first < 0 ? [] : words.slice(first, words.findLastIndex(matters) + 1)
}

/**
 * The mods that a bucket's code is made of, such as `EZ`, `HDHR` or `FLHD`, in any order and case; null for other
 * codes, for built-in ones, and for mods that exclude each other (D-23).
 */
export function modsOfCode(code: string): BucketMods | null {
  const fold = foldCode(code)
  return isBuiltinCode(fold) ? null : forcedModsOf(fold)
}

/** The mods whose codes are written one after the other, `HDHR`; null for anything else, and for what no bucket can force. */
export function forcedModsOf(text: string): BucketMods | null {
  const parts: readonly string[] = text.match(/..?/g) ?? []
  const set = forcedMods.filter((mod) => parts.includes(mod))
  const isSet = set.length === parts.length && findInForcedSet(set) === null
  return isSet ? { kind: 'forced', set } : null
}

const beyondAscii = /[^\0-\x7f]/
/** Letters may take several places in one case, and one in the other. */
const LONGEST_CODE = 36

/** The codes of a draft's buckets, built-ins included, to be found ignoring case (D-21). */
export class BucketCodes {
  readonly #byFold = new Map<string, string>()
  readonly #lengths = new Set<number>()
  /** What was asked for; the same few words begin most lines. */
  readonly #found = new Map<string, string | null>()

  constructor(draft: PoolDraft) {
    for (const { code } of wholeTable(draft)) this.add(code)
  }

  add(code: string): void {
    const fold = foldCode(code)
    this.#byFold.set(fold, code)
    this.#lengths.add(fold.length)
    this.#found.clear()
  }

  /** The code as the draft spells it; null when it has no such bucket. */
  find(code: string): string | null {
    if (code.length > LONGEST_CODE) return null
    // Letters of ASCII are as many in either case.
    if (!this.#lengths.has(code.length) && !beyondAscii.test(code)) return null
    const known = this.#found.get(code)
    if (known !== undefined) return known
    const found = this.#byFold.get(foldCode(code)) ?? null
    return code.length > LONGEST_PART ? found : keep(this.#found, code, found)
  }
}

/** So many answers are kept at a time. Longer texts are rarely read again. */
const [MOST_KEPT, LONGEST_KEPT] = [10_000, 200]

/** A reader that keeps its last answers to texts that are not longer: lines and cells repeat, and several rules read each. */
export function memoized<Answer extends object | boolean | null>(
  read: (text: string, codes: BucketCodes) => Answer,
  longest = LONGEST_KEPT,
): typeof read {
  const answers = new WeakMap<BucketCodes, Map<string, Answer>>()
  return (text, codes) => {
    if (text.length > longest) return read(text, codes)
    const own = answers.get(codes) ?? new Map<string, Answer>()
    if (own.size === 0) answers.set(codes, own)
    const kept = own.get(text)
    if (kept !== undefined) return kept
    return keep(own, text, read(text, codes))
  }
}

function keep<Answer>(kept: Map<string, Answer>, text: string, answer: Answer): Answer {
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(text, answer)
  return answer
}
