import { areBeatmaps } from './plausible-ids.ts'
import type { Finding } from './readings.ts'

/** A text in which each line says what it means; lines keep their numbers. */
export function cleanLines(text: string): string {
  return joinGroups(withoutEmoji(joinLinks(text)))
}

const brokenLink =
  /(osu\.ppy\.sh\/(?:(?:beatmapsets|beatmaps|b|s)\/)?)[ \t]*\r?\n[ \t]*((?:[a-z]+\/)?[0-9]{1,10}(?:#[a-z]+\/[0-9]{1,10})?)(?=[ \t]*(?:[\r\n]|$))/gi

/** Links that were broken at a slash, as in a PDF, in the line where they begin. */
function joinLinks(text: string): string {
  return text.includes('osu.ppy.sh/') ? text.replaceAll(brokenLink, '$1$2\n') : text
}

const emoji = /<a?:([\w~]{1,32}):[0-9]{15,21}>/g
const mention = /<(?:@[!&]?|#)[0-9]{15,21}>/g
const labelled = /(?<![\p{L}\p{N}])(?:\p{L}{1,12}[0-9]{1,2}|TB)(?![\p{L}\p{N}])/u

/** Emoji of a chat have a name, which is the slot where the line names none, and an id, which is no beatmap. */
function withoutEmoji(text: string): string {
  if (!/<(?:a?:|@|#)/.test(text)) return text
  return text.replaceAll(/[^\r\n]+/g, (line) => {
    const rest = line.replaceAll(emoji, ' ').replaceAll(mention, ' ')
    if (rest === line || labelled.test(rest)) return rest
    return line.replaceAll(mention, ' ').replaceAll(emoji, ' $1 ')
  })
}

const groups = String.raw`[0-9]{1,3}(?:(?:,[0-9]{3})+|(?:\.[0-9]{3}){2}|(?:['’_][0-9]{3}){2}|(?:[ \u00a0\u2009\u202f][0-9]{3}){2})`
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

/** Scores are written with separators rather than ids, and most are lower. */
const LARGEST_SCORE = 1_300_000

/** The findings of a clean text with the lines as they were written. */
export function withWritten(
  findings: readonly Finding[],
  written: string,
  clean: string,
): Finding[] {
  const [before, after] = [written, clean].map((each) => each.split(/\r\n|\r|\n/))
  return findings.map((finding): Finding => {
    const end = finding.line - 1 + finding.text.split(/\r\n|\r|\n/).length
    const isWhole = after!.slice(finding.line - 1, end).join('\n') === finding.text
    if (!isWhole) return finding
    const text = before!.slice(finding.line - 1, end).join('\n')
    const { reading } = finding
    const mayBeScore =
      joinGroups(text) !== text &&
      reading.kind === 'slot' &&
      reading.rule !== 'columns' &&
      reading.beatmapId <= LARGEST_SCORE
    return { ...finding, text, reading: mayBeScore ? areBeatmaps(reading) : reading }
  })
}
