import { findTargets } from '../../../pool/beatmap-links.ts'
import { areBeatmaps } from '../lines/plausible-ids.ts'
import { LEAST_OLD, namesSlot, slotWord } from '../words/bucket-names.ts'
import { modsOfCode } from '../words/labels.ts'
import type { Finding } from '../readings.ts'

// What people write in a line besides its slot and its beatmap: signs, figures, mods, and separators of thousands.

/** A text in which each line says what it means. */
export function cleanLines(text: string): string {
  return joinGroups(withoutEmoji(joinLinks(asCells(withoutHashes(text)))))
    .replaceAll(linkInAngles, '$1')
    .replaceAll(romanNumber, asNumber)
    .replaceAll(added, removed.test(text) ? '$&' : '$1')
    .replaceAll(modsAfter, '')
    .replaceAll(modsBehind, '$1')
    .replaceAll(labelsTogether, '$1 & ')
    .replaceAll(modsTogether, asCode)
    .replaceAll(joinedSlot, '$1$2$4 $3$5')
    .replaceAll(inFront, '$1')
    .replaceAll(measuredLine, withoutFigures)
}

/** Of Markdown, and of chats, which show no preview of such a link. */
const linkInAngles = /<(https?:\/\/[^\s<>]{1,300})>/g

const hashed = /^[ \t>]{0,12}#{1,6}[ \t]/
/** A link, or a label and what may be an id. */
const beatmapHashed = new RegExp(
  String.raw`^[ \t>]{0,12}#{1,6}[ \t](?:[0-9]{5,8}[ \t]*$|.{0,300}ppy\.sh\/|[^\p{L}\p{N}]{0,4}${slotWord}(?![\p{L}\p{N}]).{0,300}(?<![\p{L}\p{N}])[0-9]{5,8}(?![\p{L}\p{N}]))`,
  'mu',
)
const mayBeBeatmap = /ppy\.sh\/|(?<![\p{L}\p{N}/.:-])[1-9][0-9]{4,7}(?![\p{L}\p{N}])/u

/** A text all of whose beatmaps are behind `#` has no comments: it is the sign of its items or headings. */
function withoutHashes(text: string): string {
  if (!beatmapHashed.test(text)) return text
  const lines = text.split(lineBreak)
  if (lines.some((line) => !hashed.test(line) && mayBeBeatmap.test(line))) return text
  return lines
    .map((line) => (beatmapHashed.test(line) ? line.replace(hashed, '- ') : line))
    .join('\n')
}

const lineBreak = /\r\n|\r|\n/

/** Rows whose cells have slashes between them: `NM / 1 / 129891 / 320`, `QF/NM1/129891`. */
function asCells(text: string): string {
  const lines = text.includes('/') ? text.split(lineBreak).filter((line) => line.trim() !== '') : []
  const isOf = (sign: string): boolean => {
    const counts = new Set(lines.map((line) => line.split(sign).length))
    return counts.size === 1 && lines[0]!.split(sign).length > 2
  }
  if (lines.length < 2 || lines.some((line) => /\/\/|\.[a-z]{2,4}\/|[\t|;]/.test(line))) return text
  const isRow = (line: string): boolean => line.split('/').some((cell) => bareId.test(cell.trim()))
  const sign = [' / ', '/'].find(isOf)
  return sign === undefined || !lines.every(isRow) ? text : text.replaceAll(sign, '\t')
}

const romans = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X']
/** A bucket with the number of a slot in Roman digits, and nothing between them and the beatmap: `NM II: 129891`. */
const romanNumber =
  /^([ \t>]{0,12}(?:[-*+•][ \t])?(?:NM|HD|HR|DT|FM|EZ|FL|HT|TB))[ ]?([IVX]{1,4})(?=[ \t:=,;|–-]{1,4}(?:https?:|[1-9][0-9]{4,7}(?![\p{L}\p{N}])))/gmu

function asNumber(whole: string, bucket: string, digits: string): string {
  const number = romans.indexOf(digits) + 1
  return number === 0 ? whole : `${bucket}${number}`
}

const start = String.raw`^([ \t>]{0,12}(?:[-*+•][ \t]{1,3})?)`
/** The rest of a line has a beatmap. */
const beatmapBehind = String.raw`(?=[^\r\n]*?(?:[0-9]{4}|ppy\.sh\/))`
const wholeSlot = String.raw`${slotWord}(?![\p{L}\p{N}])`

const stars = '[*★☆⭐✦]\\ufe0f?'
const value = '[0-9]{1,3}(?:[.,][0-9]{1,2})?'
/** A figure that its sign or its form shows to be none of an id: `6.12★`, `180 BPM`, `2:31`, `AR 9`, `x1.06`. */
const figure = String.raw`(?:${stars} ?${value}|${value} ?(?:${stars}|bpm|stars?|sr)|[x×] ?[0-9][.,][0-9]{1,3}|[0-9][.,][0-9]{1,3} ?[x×]|[0-9]{1,2}:[0-5][0-9]|(?:cs|ar|od|hp|sr|bpm) ?[:=]? ?${value})(?![\p{L}\p{N}])`

/** Figures, emoji of a chat and keys with a number, in front of a label and its beatmap; two spaces may part cells. */
const inFront = new RegExp(
  String.raw`${start}(?:(?:[([]?${figure}[)\]]?|[([][0-9]{1,2}[.,][0-9]{1,2}[)\]]|[0-9]\ufe0f?\u20e3|:[\w+-]{1,32}:)(?: ?[–—:-](?![^ ]))? ?(?! )){1,6}(?=[[(*_]{0,3}${wholeSlot})${beatmapBehind}`,
  'gimu',
)

/** A line of no cells that has a figure. */
const measuredLine = new RegExp(
  String.raw`^(?=[^\r\n]{0,200}$)(?![^\r\n]*(?:[\t|;]|,[^0-9]|[^\s] {2,}[^\s]))[^\r\n]*?[ (]${figure}[^\r\n]*$`,
  'gimu',
)
const figureApart = new RegExp(String.raw`(?<=[ ([])${figure}(?=[ )\]/]|$)`, 'giu')
const labelAndId = new RegExp(
  String.raw`^[^\p{L}\p{N}]{0,12}${slotWord}[^\p{L}\p{N}]{1,12}[1-9][0-9]{4,7}[^\p{L}\p{N}]*$`,
  'u',
)

/** A line of a label, an id and figures, without these. */
function withoutFigures(line: string): string {
  const rest = line.replaceAll(figureApart, ' ')
  return labelAndId.test(rest) ? rest.replace(/[^\p{L}\p{N}]+$/u, '') : line
}

/** A label and an id that one sign joins to a word: `NM1-129891`, `129891_NM1`. */
const joinedSlot = new RegExp(
  String.raw`${start}(?:(${slotWord})[-_/]([1-9][0-9]{4,7})|([1-9][0-9]{4,7})[-_/](${slotWord}))(?![\p{L}\p{N}/-])`,
  'gmu',
)

const mod = '(?:EZ|HD|HR|DT|NC|HT|FL)'
/** Mods that are played together, in brackets or with signs between them, in front of a beatmap or alone: `[HD,HR] 129891`, `HD + DT:`. */
const modsTogether = new RegExp(
  String.raw`${start}(?:[([{](${mod}(?: ?[,+&] ?${mod}){1,3})[)\]}]|(${mod}(?: ?[+&/] ?${mod}){1,3}))(?=[ \t]*:?[ \t]*$|[ \t:=–-]{1,4}(?!${mod}(?![\p{L}\p{N}]))${beatmapBehind})`,
  'gmu',
)

function asCode(whole: string, lead: string, inBrackets?: string, bare?: string): string {
  const code = (inBrackets ?? bare ?? '').replaceAll(/[^A-Z]/g, '')
  return modsOfCode(code) === null ? whole : lead + code
}

/** The mods of a slot, behind its beatmap: `TB 129891 FM`, `FM1 129891 HD,HR`. */
const modsBehind = new RegExp(
  String.raw`(${start}${wholeSlot}[ :=–-]{1,4}[1-9][0-9]{4,7}) (?:NM|NF|FM|${mod})(?:[ ,/+&]{1,3}(?:NF|FM|${mod})){0,4}[ \t]*$`,
  'gmu',
)

/** A sign of a chat in front of a slot, unless others are taken away: `+HD1 129891`. */
const added = new RegExp(
  String.raw`^([ \t>]{0,12})\+(?=[*_]{0,3}${wholeSlot})${beatmapBehind}`,
  'gmu',
)
const removed = new RegExp(String.raw`^[ \t>]{0,12}-(?=[*_]{0,3}${wholeSlot})`, 'mu')

/** Two slots of one line, whose comma parts no cells: `NM1, NM2: 129891`. */
const labelsTogether =
  /^([ \t]{0,20}(?:[-*+•][ \t]+)?[\p{L}]{1,12}[0-9]{1,2})[ \t]*,[ \t]*(?=[\p{L}]{1,12}[0-9]{1,2}[ \t]*[:=])/gmu

/** What is played with the beatmap, at the end of its line: `FM2 129891 +HDHR`. */
export const modsAfter =
  /(?<=[0-9]{4})[ \t]{0,9}\+((?:NM|NF|EZ|HD|HR|SD|PF|DT|NC|HT|FL|FM){1,5})(?=[ \t]*$)/gim

const brokenLink =
  /(osu\.ppy\.sh\/(?:(?:beatmapsets|beatmaps|b|s)\/)?)[ \t]*\r?\n[ \t]*((?:[a-z]+\/)?[0-9]{1,10}(?:#[a-z]+\/[0-9]{1,10})?)(?=[ \t]*(?:[\r\n]|$))/gi

/** A number alone in its line, below no link that ends in a slash. */
const bareId = /(?<=^|[^/\s][ \t\r]*\n|\n[ \t\r]*\n)[ \t]*[1-9][0-9]{4,9}[ \t]*(?=[\r\n]|$)/

/**
 * Links that were broken at a slash, as in a PDF, in the line where they begin. Among ids in lines of their own, the next
 * line is one of them, and the link has no end.
 */
function joinLinks(text: string): string {
  const isBroken = text.includes('osu.ppy.sh/') && !bareId.test(text)
  return isBroken ? text.replaceAll(brokenLink, '$1$2\n') : text
}

const emoji = /<a?:([\w~]{1,32}):[0-9]{15,21}>/g
/** Of a person, a role, a channel or a time. */
const mention = /<(?:(?:@[!&]?|#)[0-9]{15,21}|t:-?[0-9]{1,12}(?::[a-z])?)>/gi

/** Emoji of a chat have a name, which is the slot where the line names none, and an id, which is no beatmap. */
function withoutEmoji(text: string): string {
  if (!/<(?:a?:|@|#|t:)/.test(text)) return text
  return text.replaceAll(/[^\r\n]+/g, (line) => {
    const rest = line.replaceAll(emoji, ' ').replaceAll(mention, ' ')
    if (rest === line || namesSlot.test(rest)) return rest
    return line.replaceAll(mention, ' ').replaceAll(emoji, ' $1 ')
  })
}

const groups = String.raw`[0-9]{1,3}(?:(?:,[0-9]{3})+|(?:\.[0-9]{3}){2}|(?:['’][0-9]{3}){1,2}|(?:_[0-9]{3}){2}|(?:[ \u00a0\u2009\u202f][0-9]{3}){2})`
/** A number with separators between its thousands, after a word and in no list: `NM1 4,392,947`. */
const grouped = new RegExp(
  String.raw`(?<=[^\s,;|][ \t:=]{1,3})${groups}(?![\p{L}\p{N}'’_]|[,.\u00a0 ][0-9])`,
  'gu',
)

/** The text with whole numbers in place of those with separators, in lines whose commas part no cells. */
function joinGroups(text: string): string {
  if (!/[0-9][,.'’_ \u00a0\u2009\u202f][0-9]{3}(?![0-9])/.test(text)) return text
  return text.replaceAll(/[^\r\n]+/g, (line) => {
    const joined = line.replaceAll(grouped, (number) => number.replaceAll(/[^0-9]/g, ''))
    return /,(?!\s|$)/.test(joined) ? line : joined
  })
}

/** Scores are written with separators rather than ids, and most are lower: such a slot is asked about. */
export function doubtScores(findings: readonly Finding[]): Finding[] {
  return findings.map((finding): Finding => {
    const { reading, text } = finding
    const mayBeScore =
      reading.kind === 'slot' &&
      reading.rule !== 'columns' &&
      reading.beatmapId <= LARGEST_SCORE &&
      joinGroups(text) !== text
    return mayBeScore ? { ...finding, reading: areBeatmaps(reading) } : finding
  })
}

const LARGEST_SCORE = 1_300_000

const hash = /(?<![\p{L}\p{N}])[0-9a-f]{32}(?![\p{L}\p{N}])/iu

/** A row without a header that has its beatmap's checksum names it by that: its number may be the best score. */
export function doubtHashed(findings: readonly Finding[]): Finding[] {
  return findings.map((finding): Finding => {
    const { reading, text } = finding
    const mayBeScore =
      reading.kind === 'slot' &&
      reading.rule === 'row' &&
      hash.test(text) &&
      findTargets(text).length === 0
    return mayBeScore ? { ...finding, reading: areBeatmaps(reading) } : finding
  })
}

/** No beatmap has an id as low as a count: where all numbers at the labels of data are, it is asked what they are. */
export function doubtCounts(findings: Finding[]): Finding[] {
  const isCount = ({ reading, text }: Finding): boolean =>
    reading.kind === 'slot' &&
    reading.beatmapId < LEAST_OLD &&
    reading.rule === 'pair' &&
    findTargets(text).length === 0
  const given = findings.filter(({ reading: { kind } }) => kind === 'slot' || kind === 'asked')
  const slots = given.filter(({ reading }) => reading.kind === 'slot')
  if (given.length < 2 || slots.length === 0 || !slots.every(isCount)) return findings
  return findings.map((finding) =>
    finding.reading.kind === 'slot'
      ? { ...finding, reading: areBeatmaps(finding.reading) }
      : finding,
  )
}
