import { foldCode, isBuiltinCode } from '../../../pool/slots.ts'
import { fitName } from '../../draft-builder.ts'
import {
  type BucketCodes,
  modsOfCode,
  readWhole,
  readWords,
  memoized,
  tidy,
  type Word,
} from '../words/labels.ts'
import { knownBucket, usualCode } from '../words/bucket-names.ts'
import { LARGEST_ROUND, poolWord, roundWords, usualName, usualStart } from '../words/rounds.ts'
import { isSkill } from '../words/skills.ts'
import { readPlainLine } from './lines.ts'
import { LEAST_LONG } from './plausible-ids.ts'
import { type Finding, type PoolFacts, type RoundStart, skipped } from '../readings.ts'

const unseenEnds =
  /^[\s\u200b-\u200f\u2060\ufeff]{1,20}|(?<![\u200b-\u200f\u2060\ufeff])[\u200b-\u200f\u2060\ufeff]{1,20}\s*$/g

/** The name of a round as it is shown, without what cannot be seen around it. */
const fitRound = (name: string): string => fitName(name.replaceAll(unseenEnds, ''), '')

/** The round that a cell of a column for rounds names; null when it is empty, as below a merged one. */
export function roundOfCell(cell: string): RoundStart | null {
  const name = fitRound(cell)
  return name === '' ? null : { name, by: 'cell' }
}

/** Whether a text is a usual name of rounds. */
export function isRoundName(text: string): boolean {
  const words = readWords(tidy(text.replaceAll(/[_-]/g, ' ')))
  const length = countRoundWords(words)
  return length > 0 && (length === words.length || isRemark(words.slice(length)))
}

/** A round that a file has as a part of its own. */
export function roundOfFile(name: string, facts: PoolFacts = {}): RoundStart {
  return { name: fitRound(name), by: 'file', facts }
}

/** Longer lines are no headings. */
const LONGEST_HEADING = 200
/** What follows the name of a round in a heading, such as its date, has fewer words. */
const LONGEST_REMARK = 8

/**
 * The round that a line is the heading of: `Quarterfinals`, `RO16 (best of 9)`, `## Grand Finals`,
 * `[heading]The Last Stand[/heading]`; null when it is none. Its name is what is written, without markup.
 */
export const roundOfHeading = memoized(roundIn)

function roundIn(text: string, codes: BucketCodes): RoundStart | null {
  if (text.length > LONGEST_HEADING) return null
  const { inner: marked, level } = withoutMarkup(tidy(text))
  const { inner, isNamed } = withoutField(marked)
  if (level === 0 && !isNamed && !usualStart.test(inner)) return null
  const words = readWords(inner)
  const length = countRoundWords(words)
  const remark = words.slice(length)
  if (length > 0 && remark.length === 0) return { name: fitRound(withoutPool(inner)), by: 'usual' }
  if (length > 0 && level !== COMMENT && isRemark(remark)) {
    return { name: fitRound(inner.replace(poolStart, '')), by: 'usual' }
  }
  // A heading that can be of a bucket, too, is none of a round.
  if ((level !== HEADING && !isNamed) || isSkill(inner)) return null
  const { kind } = readPlainLine(inner, codes)
  // No slot is behind `##`: `### 2026`, `### OWC 2026`.
  const isYear = kind === 'slot' && /^\s*##/.test(text) && knownBucket(inner, codes) === null
  if (kind !== 'refused' && !isYear) return null
  const name = fitRound(inner)
  return name === '' ? null : { name, by: 'marked' }
}

const field = /^(\p{L}[\p{L} ]{1,20}?)\s?[:=–-]\s?(?=\p{L}|[0-9]{1,3}\p{L}|1\/)/u
const fields = new Set(roundWords.split(' '))
/** What they announce may be anything else. */
const vagueField = /^(?:(?:map ?)?pool|pack|week|phase)/i

/** The name of a round without the word that announces it: `Round: Semifinals`, `Ronda: Octavos`. */
function withoutField(text: string) {
  const [whole = '', word = ''] = field.exec(text) ?? []
  if (!fields.has(word.toLowerCase().replaceAll(' ', ''))) return { inner: text, isNamed: false }
  const inner = text.slice(whole.length)
  const isUsual = usualStart.test(inner) && countRoundWords(readWords(inner)) > 0
  const isName = !vagueField.test(word) && !/[0-9]{4}|:\/\//.test(inner)
  const isNamed = isName && inner.length <= LONGEST_TITLE && readWords(inner).length <= MOST_WORDS
  return { inner: isUsual || isNamed ? inner : text, isNamed: isNamed && !isUsual }
}

function isRemark([first, ...others]: readonly Word[]): boolean {
  // A beatmap is none: `Finals: NM1 129891`.
  if (others.some(({ text }) => (readWhole(text) ?? 0) >= LEAST_LONG)) return false
  return (first?.apart === true || first?.afterColon === true) && others.length < LONGEST_REMARK
}

const poolEnd = new RegExp(`${poolWord}$`, 'iu')
const poolStart = /^(?:map[ -]?)?pool[^\p{L}\p{N}]+/iu

const withoutPool = (name: string): string => name.replace(poolStart, '').replace(poolEnd, '')

/** How far a line is marked as a heading: one `#` may be a comment; 0 is not at all. */
const [COMMENT, HEADING] = [1, 2]

const heading = /^\[(?:(?:spoiler)?box=([^\]]+)\]|heading\](.*)\[\/heading\])$/i
const tags = /\[\/?(?:b|i|u|s|size|colou?r|centre|center|notice)(?:=[^\]]*)?\]/gi
const looks = /\[\/?(?:size|colou?r|centre|center)(?:=[^\]]*)?\]/gi
/** `**Finals** :trophy:` */
const emojis =
  /<a?:\w{1,40}:[0-9]{5,25}>|(?<![^\s*_]):[a-z][\w+-]{1,30}:(?![^\s*_])|\p{Extended_Pictographic}\ufe0f?/gu
const bold = /(?<!\\)(\*\*|__)(?=\S)([^*_\\]{1,100}?)(?<=\S)\1/g
const escaped = /\\([!-/:-@[-`{-~])/g

function withoutMarkup(line: string): { inner: string; level: number } {
  const plain = line.replaceAll(tags, ' ').trim()
  const [, box, name = box] = heading.exec(line) ?? heading.exec(plain) ?? []
  if (name !== undefined) return { inner: name.replaceAll(looks, ' ').trim(), level: HEADING }
  const [hashes = ''] = /^#{1,6}(?=\s)/.exec(plain) ?? []
  const level = Math.min(hashes.length, HEADING)
  const text = plain
    .slice(hashes.length)
    .replace(/\s#+$/, '')
    .replaceAll(emojis, ' ')
    .replaceAll(bold, '$2')
    .trim()
  const inner =
    level === HEADING
      ? text.replace(/^(\*\*|__|[*_])(.+)(?<!\\)\1$/, '$2')
      : text.replace(/^[\s*_=~>•■◆◇●▶★☆-]+/u, '').replace(/[\s*_=~:-]+$/, '')
  return { inner: inner.replaceAll(escaped, '$1').trim(), level }
}

const headingTag = /^\s*\[heading\](.{1,200})\[\/heading\]\s*$/i
const boldName = /^\s*\[b\](.{1,80})\[\/b\]\s*$/i

/**
 * The rounds of a post, by the lines of their headings: what has the tag of one is a name, whatever it is. That of a bucket
 * is a round's if the name of a bucket comes next, before any slot.
 */
export function roundsOfPost(
  rows: readonly { readonly line: number; readonly text: string }[],
  codes: BucketCodes,
): ReadonlyMap<number, RoundStart> {
  const found = new Map<number, RoundStart>()
  for (const [at, { line, text }] of rows.entries()) {
    const [, written] = headingTag.exec(text) ?? []
    if (written === undefined) continue
    const { inner } = withoutMarkup(tidy(text))
    const name = fitRound(inner)
    if (name === '' || written.includes('://') || /\[(?:url|\/)/i.test(inner)) continue
    if (knownBucket(inner, codes) !== null) {
      const next = rows
        .slice(at + 1, at + MOST_BETWEEN)
        .find((row) => tidy(row.text) !== '' && !/^\s*\[(?:url=|list\]\s*$)/i.test(row.text))
      const [, bucket = ''] = boldName.exec(next?.text ?? '') ?? []
      // Slots without a bucket: `[*]1: …`
      const isInNone = /^\s*\[\*\]\s*[0-9]{1,2}: /.test(next?.text ?? '')
      if (!isInNone && knownBucket(bucket, codes) === null) continue
    }
    found.set(line, { name, by: 'marked' })
  }
  return found
}

/** Blank lines, and the links of a round above its buckets. */
const MOST_BETWEEN = 8

/** Longer names are none, with what a pool is called. */
const MOST_WORDS = 8

/** How many of the words, from the first, are a usual name of rounds, or two of them; 0 for none. */
export function countRoundWords(words: readonly Word[], isSecond = false): number {
  // An id is the first word of many lines.
  if ((readWhole(words[0]?.text) ?? 0) > LARGEST_ROUND) return 0
  const texts = words.slice(0, MOST_WORDS).map(({ text }) => plainly(text))
  const isUsual = (_: string, at: number): boolean =>
    usualName.test(texts.slice(0, at + 1).join(' '))
  const count = texts.findLastIndex(isUsual) + 1
  // `Division 1 Finals`
  return isSecond || count === 0 ? count : count + countRoundWords(words.slice(count), true)
}

/** In small letters, each in one character: the dot of a Turkish İ is none of its own. */
const plainly = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/[\u0307’]/g, '')

/** A longer line is no title. */
const LONGEST_TITLE = 64
/** Fewer slots below a line do not make a pool of them. */
const LEAST_SLOTS = 2

/**
 * Rounds that no usual name and no markup shows: lines of text after which the same labels begin anew, with other
 * beatmaps, are the titles of pools. A text with rounds of its own is left as it is.
 */
export function findTitles(findings: readonly Finding[]): Finding[] {
  if (findings.some(({ round }) => round !== undefined)) return [...findings]
  const titles = new Set<number>()
  const known = new Set<string>()
  let own = new Set<string>()
  let title: number | null = null
  let isOver = false
  const close = (): void => {
    const again = [...own].filter((label) => known.has(label)).length
    const isPool = own.size >= LEAST_SLOTS && (known.size === 0 || again * 2 >= own.size)
    if (isPool && title !== null) titles.add(title)
    isOver ||= !isPool && own.size > 0
    for (const label of own) known.add(label)
    own = new Set()
  }
  for (const [at, finding] of findings.entries()) {
    if (isTitle(findings, at)) {
      close()
      title = at
    }
    const label = labelOf(finding)
    isOver ||= label !== null && own.has(label)
    if (label !== null) own.add(label)
  }
  close()
  const isSplit = !isOver && titles.size > 0 && (titles.size > 1 || isBelowSlots(findings, titles))
  return isSplit
    ? findings.map((finding, at) => {
        const name = fitRound(tidy(finding.text))
        return titles.has(at)
          ? { ...finding, reading: skipped, round: { name, by: 'marked' as const } }
          : finding
      })
    : [...findings]
}

const isBelowSlots = (findings: readonly Finding[], titles: ReadonlySet<number>): boolean =>
  findings.some((each, at) => labelOf(each) !== null && [...titles].every((title) => at < title))

/** Whether a line of words alone is directly above a slot with a label. */
function isTitle(findings: readonly Finding[], at: number): boolean {
  const { reading, text } = findings[at]!
  // `* Rookie *`
  const own = reading.kind === 'heading' && reading.label.index === null ? reading.label.code : null
  const isMarked = own !== null && isWord(own)
  if (!isMarked && (reading.kind !== 'refused' || reading.plan !== undefined)) return false
  const isProse = isMarked || (reading.kind === 'refused' && reading.isProse === true)
  const isPlain = isProse && text.length <= LONGEST_TITLE && !/\d{4}/.test(text)
  const next = findings.slice(at + 1, at + 3).find(({ text: below }) => tidy(below) !== '')
  const label = next === undefined ? null : labelOf(next)
  return isPlain && label !== null && (own === null || !label.startsWith(foldCode(own)))
}

/** Whether a code is no usual one of a bucket, and written as words are. */
function isWord(code: string): boolean {
  const isUsual = isBuiltinCode(foldCode(code)) || modsOfCode(code) !== null
  return !isUsual && usualCode(code) === null && code !== code.toUpperCase()
}

function labelOf({ reading }: Finding): string | null {
  if (reading.kind !== 'slot' || reading.label?.code == null) return null
  return `${foldCode(reading.label.code)}${reading.label.index ?? ''}`
}

const keyAlone =
  /^([^\s:#"'-][^:\r\n]{0,60}?)[ \t]*:[ \t]*\r?\n(?:[ \t]*\r?\n){0,3}(?=([^\s:#"'-][^:\r\n]{0,40}?)[ \t]*:)/gm

/** Whether a text has the name of a round alone in a line, above slots or buckets no further to the right: `Finals:`. */
export const namesRoundAlone = (text: string, codes: BucketCodes): boolean =>
  [...text.matchAll(keyAlone)].some(
    ([, key = '', next = '']) => isRoundName(key) && knownBucket(next, codes) !== null,
  )
