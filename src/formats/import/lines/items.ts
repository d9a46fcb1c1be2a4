import { findTargets } from '../../../pool/beatmap-links.ts'
import { say } from '../import-message.ts'
import { codeOfWords, type Label, type Word } from '../words/labels.ts'
import { romanOf } from './leading-numbers.ts'
import { areBeatmaps, LEAST_LONG } from './plausible-ids.ts'
import {
  asked,
  type Choice,
  type Finding,
  type Reading,
  skipped,
  type SlotReading,
} from '../readings.ts'

const bullet =
  /^(?:\[\*\]\s*|[-*+•·–—▪◦‣●]\s+(?:\[[ xX✓✔]\]\s+)?)?(?:\(?([0-9]{1,3})[.)](?:\s+|(?=\[)))?/

/** A letter or a Roman number in front of a beatmap: `II. https://…`, `B) 129891`. */
const lettered = /^(?:\(?([IVX]{1,5})|\(?[A-Z])[.)]\s+(?=\S{0,40}ppy\.sh\/|[0-9]{4})/

/** An item of a list without its bullet, and its number. */
export function withoutBullet(line: string): {
  item: string
  ordinal: number | null
  isItem: boolean
} {
  const [letter, roman] = lettered.exec(line) ?? []
  if (letter !== undefined) {
    const ordinal = roman === undefined ? null : romanOf(roman)
    return { item: line.slice(letter.length), ordinal, isItem: true }
  }
  const [mark = '', number] = bullet.exec(line) ?? []
  if (mark === '') return { item: line, ordinal: null, isItem: false }
  // A bullet is left to headings, which may be marked by it; it makes no difference to the others.
  const rest = line.slice(mark.length)
  const isBare =
    number === undefined &&
    !mark.includes('[') &&
    !rest.startsWith('[') &&
    findTargets(rest).length === 0
  const item = isBare ? line : rest
  return { item, ordinal: number === undefined ? null : Number(number), isItem: true }
}

const botCommand =
  /^[!/](?:commands?|cmd|com|(?:add|edit)com|(?:map)?pool)\s+(?:(?:add|edit|update)\s+)?(?:-\S{1,20}\s+){0,3}!?(?=[\p{L}]{1,12}[0-9]{0,2}\s)/iu

/** An id as addresses have it: `b129891`. */
const shortLink = /(?<![\p{L}\p{N}/_.-])b(?=[0-9]{5,10}(?![\p{L}\p{N}]))/giu

/** `NM1/ https://…` */
const slashBehind = /^([^\p{L}\p{N}]{0,4}(?:\p{L}{1,12}[0-9]{1,2}|TB))\/(?=\s)/u
/** One of a qualifier: `Stage 1: https://…` */
const stage = /^([^\p{L}\p{N}]{0,4}stage)\s([0-9]{1,2})(?=\s*[-–—:|])/iu

/** An item with a code for the full name of a bucket, without what makes it a command of a chat's bot: `!commands add !nm1 b129891`. */
export function plainItem(written: string): string {
  const item = written.replace(botCommand, '').replaceAll(shortLink, '').replace(stage, '$1$2')
  return withCode(item.replace(slashBehind, '$1 -'))
}

const struck = /~~[^~]{1,500}~~|\[s\](?:(?!\[\/?s\]).){1,500}\[\/s\]/gi
/** A line without what is struck through in it, if a beatmap is left: that one replaces it. */
export function withoutStruck(line: string): string {
  if (!/~~|\[s\]/i.test(line)) return line
  const rest = line.replaceAll(struck, ' ')
  return findTargets(rest).length > 0 || /[0-9]{4}/.test(rest) ? rest : line
}

/** At most so many words name a bucket in full. */
const LONGEST_NAME = 3
const leadingWord =
  /(?:^[^\p{L}\p{N}]{0,9}|\s*(?:[+&/]\s*)?)(\p{L}[\p{L}+&/-]*)([0-9]{1,2}(?![\p{L}\p{N}]))?/uy
const ownNumber = /^\s*(?:\s|#|№)([0-9]{1,2})(?![\p{L}\p{N}]|\.[0-9])(?!\s*$)/u

/** An item of the full name of a bucket, with its code instead: `Hard Rock 2 - 76`, `Hidden 129891`; Easy is a difficulty. */
export function withCode(item: string): string {
  const words: string[] = []
  leadingWord.lastIndex = 0
  for (let count = 1; count <= LONGEST_NAME; count += 1) {
    const [, word, attached] = leadingWord.exec(item) ?? []
    if (word === undefined) return item
    words.push(word)
    const code = codeOfWords(words)
    const rest = item.slice(leadingWord.lastIndex)
    const [number = '', digits = attached] = attached ? [] : (ownNumber.exec(rest) ?? [])
    const isAlone = /^\s*[:=]/.test(rest) || (code !== 'EZ' && /^\s+#?\d{5,8}\s*$/.test(rest))
    if (code !== null && (digits !== undefined || isAlone)) {
      return `${code}${digits ?? ''}${rest.slice(number.length)}`
    }
    if (attached !== undefined) return item
  }
  return item
}

const blockTags =
  /\[\/?(?:list|quote|notice|centre|heading|size|color|spoiler)(?:=[^\]]{0,40})?\]/gi
const pairedTags = /\[\/?(?:b|i|u|s|url|box|spoiler|spoilerbox)\]/gi
const otherPairs = /\[\/?(?:b|i|u|s|box|spoiler|spoilerbox)\]/gi
const isShort = /^[A-Z]{2,4}$/
const bucketBox = /^\[(?:spoiler)?box=([^[\]]{1,40})\]$/i
const linked = /\[url=[^\]]{0,200}ppy\.sh/i

/** A cover, as posts and Markdown show it. */
const image = /\[img\][^[\]\s]{1,500}\[\/img\]|!\[[^[\]]{0,200}\]\([^()\s]{1,500}\)/gi

/** A line without the pictures beside its beatmap. */
function withoutCover(line: string): string {
  if (!line.includes('[img]') && !line.includes('![')) return line
  const rest = line.replaceAll(image, ' ')
  return findTargets(rest).length > 0 ? rest : line
}

/** A line without the tags of forum posts. Without a closing one, `[B]` may be a heading. */
export function withoutTags(line: string): string {
  const [, box = ''] = bucketBox.exec(line) ?? []
  if (box !== '' && (isShort.test(box) || codeOfWords(box.split(' ')) !== null)) return box
  const inner = withoutChatMarks(withoutStruck(withoutCover(line))).replaceAll(blockTags, ' ')
  // What is behind a link is no part of its text.
  const pairs = linked.test(inner) ? otherPairs : pairedTags
  return (inner.includes('[/') ? inner.replaceAll(pairs, ' ') : inner).trim()
}

const quoted = /^(?:>\s*)+(?=[-*+•]\s|\(?[0-9]{1,3}[.)]\s|__)/
const underlined = /(?<![\p{L}\p{N}_])__(?=[^\s_])([^_]{1,100})__(?![\p{L}\p{N}_])/gu

/** A line without the mark of a quotation in front of an item, and without the signs that underline in a chat. */
function withoutChatMarks(line: string): string {
  const item = line.startsWith('>') ? line.replace(quoted, '') : line
  return item.includes('__') ? item.replaceAll(underlined, ' $1 ').trim() : item
}

/** Whether what precedes an address is the text of its Markdown link, `[…](`, and nothing else. */
export function isLinkText(lead: string): boolean {
  if (!lead.startsWith('[')) return false
  let depth = 0
  for (const { 0: mark, index } of lead.matchAll(/\\.|[[\]]/g)) {
    if (mark === '[') depth += 1
    else if (mark === ']') depth -= 1
    if (depth === 0) return /^\]\(<?$/.test(lead.slice(index, index + 4))
  }
  return false
}

/** What a number of a line is: the id of its slot, a part of its title, or one of both. */
type Standing = 'id' | 'title' | 'doubtful'

/** Titles have them rather than lists of ids: `10000 Maniacs - Title`. */
export const isRound = (number: number): boolean =>
  number % (number < 100_000 ? 1000 : 100_000) === 0

const named = /^(?:beatmap|map)?[-_]?(?:id|link|url)$|^(?:beat)?map$/i
const isDash = (word: Word): boolean => /\s[-–—]+\s/.test(word.gap)
/** Whether nothing of a title can follow a number: figures of the beatmap alone, its mapper, or what is set apart. */
function isEnd(words: readonly Word[], at: number): boolean {
  const next = words[at + 1]
  if (next === undefined || next.apart || /^(?:by|mapped)$/i.test(next.text)) return true
  return words.slice(at + 1).every(({ text }) => !/\p{L}/u.test(text))
}

/**
 * What the number of a labelled line is by its place. Ids follow the label or their name, or end the line behind a
 * bracket or the parts of a song; what has words of a song around it is none.
 *
 * @param words those of the line, of which the first is the label.
 */
export function standingOf(words: readonly Word[], at: number): Standing {
  const [word, next, behind] = [words[at]!, words[at + 1], words.slice(at + 1)]
  if (at <= 1) {
    const isId = Number(word.text) >= LEAST_LONG && behind.some(isDash)
    return !isId ? 'title' : isRound(Number(word.text)) ? 'doubtful' : 'id'
  }
  if (named.test(words[at - 1]!.text) || /[=→>]/.test(word.gap)) return 'id'
  if (word.isCell && (next === undefined || next.isCell)) return 'id'
  const dashes = words.slice(2, at + 1).filter(isDash).length
  const isSong = dashes > 0 || behind.some(isDash)
  const isInBracket = /[([{]\s*$/.test(word.gap)
  const isOpened = next !== undefined && /[([{]/.test(next.gap)
  if (!isEnd(words, at)) return isSong ? 'title' : 'doubtful'
  if (/[)\]]/.test(word.gap) && !isInBracket) return 'id'
  if (next === undefined && /\(\s*b?$/.test(word.gap)) return 'id'
  if (isOpened && !word.apart && isSong) return 'title'
  return isDash(word) && dashes > 1 && !isOpened ? 'id' : 'doubtful'
}

/**
 * Whether a number that begins a line, or follows its first word, counts maps, `TB: 1 map`, or is the title of a song:
 * `Artist - 10000 [Insane]`.
 *
 * @param isWord whether the first word can hardly be a label.
 */
export function isNoId(words: readonly Word[], number: Word, isWord: boolean): boolean {
  const next = words[words.indexOf(number) + 1]
  if (next === undefined) return false
  const isCount =
    Number(number.text) < LEAST_LONG && !next.apart && /^(?:beat)?map$/i.test(next.text)
  return isCount || (isWord && isDash(number))
}

const TOPIC = 'numbers in titles'

/** What a line with a label and one number says; null where its number is a part of its title. */
export function readNumberAt(
  words: readonly Word[],
  at: number,
  slot: SlotReading,
): Reading | null {
  const standing = standingOf(words, at)
  if (standing !== 'doubtful') return standing === 'id' ? slot : null
  return askTitle(skipped, slot)
}

/** Asks whether a number is a part of a title, or the beatmap. */
export function askTitle(title: Choice['reading'], slot: Choice['reading']): Reading {
  const id = slot.kind === 'slot' ? slot.beatmapId : 0
  const choices = [
    [say('noLeaveThem'), title],
    [say('yesSuchAs', { id }), slot],
  ] as const
  return asked(say('areIds'), choices, TOPIC)
}

/** Whether it is asked if a number is the id or a part of the title. */
export const isTitleAsked = (reading: Reading): boolean =>
  reading.kind === 'asked' && reading.topic === TOPIC

/** The same question, with what the line plans if its number is a part of the title. */
export function withTitle(reading: Reading, title: Choice['reading']): Reading {
  const slot = reading.kind === 'asked' ? reading.choices[1]?.reading : undefined
  return slot === undefined ? reading : askTitle(title, slot)
}

/** What is said of the number of another beatmap, which is not that of the slot. */
export const ofOther =
  /(?<!\p{L})(?:old|was|previous(?:ly)?|former(?:ly)?|backup|instead of)(?!\p{L})/iu

/** Fewer lines may have titles that end with numbers. */
const LEAST_LINES = 3

/** Where all lines with a label have such a number, each another one, the list has its ids there. */
export function settleTitles(findings: readonly Finding[]): Finding[] {
  const slots = new Map(
    findings.flatMap(({ reading }): [Reading, SlotReading][] => {
      const slot =
        isTitleAsked(reading) && reading.kind === 'asked' ? reading.choices[1]?.reading : null
      return slot?.kind === 'slot' ? [[reading, slot]] : []
    }),
  )
  const ids = new Set([...slots.values()].map(({ beatmapId }) => beatmapId))
  const isOther = ({ reading, text }: Finding): boolean =>
    (slots.has(reading) && ofOther.test(text)) ||
    reading.kind === 'slot' ||
    (reading.kind === 'asked' && !slots.has(reading)) ||
    (reading.kind === 'refused' && reading.plan?.label != null)
  if (ids.size < LEAST_LINES || ids.size < slots.size || findings.some(isOther))
    return [...findings]
  return findings.map((finding) => {
    return { ...finding, reading: slots.get(finding.reading) ?? finding.reading }
  })
}

/** A song, behind a label and what may be its id. */
const song = /\s[-–—]\s+(?![0-9]+\s*$)[\p{L}\p{N}(]/u

/** Among slots that are planned, a number of one or two others may be of their titles: `NM2 100000 Fahrenheit - Lost`. */
export function askAmongPlans(findings: readonly Finding[]): Finding[] {
  const plans = findings.filter(
    ({ reading }) =>
      reading.kind === 'refused' &&
      reading.plan?.label?.code != null &&
      reading.plan.filling.details !== undefined,
  ).length
  if (plans === 0) return [...findings]
  const isNumber = ({ reading, text }: Finding): boolean =>
    reading.kind === 'slot' &&
    reading.label?.code != null &&
    reading.rule === 'line' &&
    reading.isCell !== true &&
    song.test(text) &&
    findTargets(text).length === 0
  const others = findings.filter(
    ({ reading, text }) => reading.kind === 'slot' && findTargets(text).length === 0,
  )
  const doubtful = others.filter(isNumber)
  if (doubtful.length < others.length || doubtful.length > 2 || doubtful.length > plans)
    return [...findings]
  return findings.map((finding) =>
    finding.reading.kind === 'slot' && isNumber(finding)
      ? { ...finding, reading: areBeatmaps(finding.reading) }
      : finding,
  )
}

/** An item of a list without a bucket, at its number. */
export function inNone(reading: Reading, index: number): Reading {
  const label: Label = { code: null, index }
  if (reading.kind === 'slot') return { ...reading, label }
  if (reading.kind !== 'refused' || reading.plan === undefined) return reading
  return { ...reading, plan: { ...reading.plan, label, isInNone: true } }
}
