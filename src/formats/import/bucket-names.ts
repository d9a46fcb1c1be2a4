import { forcedMods } from '../../contract/mods.ts'
import { checkForcedSet, foldCode, isCode } from '../../pool/slots.ts'
import {
  type BucketCodes,
  isKnown,
  type Label,
  modsOfCode,
  narrow,
  readLabel,
  readWords,
  texts,
  tidy,
  type Word,
} from './labels.ts'
import type { HeadingReading } from './readings.ts'

// What people write for a bucket in place of its code, in lower case and without spaces and hyphens.
const modWords: Readonly<Record<string, string>> = {
  NM: 'nomod nomods ノーモッド ノーモド 노모드 노모드맵 無mod 无mod 無模組 无模组 semmod semmods sinmod sinmods sansmod sansmods безмода безмодов номод',
  HD: 'hidden ヒドゥン ヒドュン 히든 隐藏 隱藏 oculto escondido скрытый хидден',
  HR: 'hardrock ハードロック 하드락 硬核 хардрок',
  DT: 'doubletime ダブルタイム 더블타임 双倍 雙倍 double даблтайм',
  FM: 'freemod freemods フリーモッド フリーモド 프리모드 자유모드 自由mod 自由模组 自由模組 modlibre modslibres modlivre modslivres фримод',
  TB: 'tiebreaker tiebreakers tiebreak タイブレーカー タイブレーク タイブレイカー 타이브레이커 加时 加時 加时赛 決勝局 决胜局 desempate тайбрейкер тайбрейк',
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
const poolWords = new Set('mod mods map maps pool mappool bucket pick picks'.split(' '))
const MOST_OF_NAME = 6

/**
 * The code of the bucket that words name in full, in any case: `No Mod`, `hard-rock maps`, `タイブレーカー`; several mods
 * make one code, `Hidden + Hard Rock` and `HD HR` are `HDHR`. null for other words, and for codes alone.
 */
export function codeOfWords(words: readonly string[]): string | null {
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
  const isSet = set.length === codes.length && checkForcedSet(set) === null
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

/** The code of a usual bucket that is named after no mod: `Long Note`, `rice`; null for anything else. */
export function usualCode(text: string): string | null {
  return (
    usual.get(
      tidy(text)
        .toLowerCase()
        .replaceAll(/[\s_:-]/g, ''),
    ) ?? null
  )
}

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

/** The bucket, or the one slot, that a text can only be the name of; null for other words. */
export function knownBucket(text: string, codes: BucketCodes): Label | null {
  const name = nameIn(text)
  if (name === '' || name.length > LONGEST_NAME) return null
  const words = texts(readWords(name))
  const label = readLabel(words, codes)
  if (isKnown(label, codes)) return label
  const code = codeOfWords(words) ?? usualCode(name)
  if (code !== null) return { code, index: null }
  const isMods = label?.code != null && modsOfCode(label.code) !== null
  return isMods ? label : null
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
const countOfMaps = /\s*[([][^()[\]]{0,20}(?:maps?|beatmaps?|picks?|曲|곡|张)[)\]]\s*:?$/i

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
  const line = marked.replace(countOfMaps, '')
  const words = line === marked ? all : readWords(line)
  const written = texts(words)
  const label = readLabel(written, codes)
  if (isKnown(label, codes)) return { kind: 'heading', label }
  const code = codeOfWords(written) ?? (written.length > 1 ? usualCode(line) : null)
  if (code !== null) return { kind: 'heading', label: { code, index: null } }
  if (label?.code == null) return null
  const isMarked = line !== written.join(' ')
  const { code: own } = label
  // In scripts without capitals any word would pass: rounds are named so, too.
  const hasCase = own.toLowerCase() !== own.toUpperCase()
  return hasCase && (isMarked || own === own.toUpperCase()) ? { kind: 'heading', label } : null
}
