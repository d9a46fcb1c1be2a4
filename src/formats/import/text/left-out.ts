import { findTargets } from '../../../pool/beatmap-links.ts'
import { type ImportMessage, named, notesOfLeftOut, say } from '../import-message.ts'
import { asked, type Finding, skipped } from '../readings.ts'
import { namesSlot } from '../words/bucket-names.ts'
import { tidy } from '../words/labels.ts'
import { anyOut, asideLine, outSigns, vagueWords } from '../words/pool-words.ts'
import { withoutPaths } from '../words/links.ts'
import { lineBreak, readWithout } from './markup.ts'

// What stands in a text and is not meant: comments, and slots that are struck through or said to be removed.

/** Most texts have nothing of it. */
export const mayBeLeftOut = new RegExp(
  String.raw`<!--|\/\*|\{\{!|<%|^[ \t]*(?:;|--?\p{L}|\/\/|#\p{L}|%%|\{#|\[\/\/\])|~~|\[(?:s|strike|del)\]|<(?:s|del|strike)>|[${outSigns}]|(?<!\p{L})bans?\b|${anyOut}|${asideLine}`,
  'imu',
)
type ReadText = { readonly findings: readonly Finding[]; readonly notes?: readonly ImportMessage[] }

/**
 * Reads a text without what is left out of it, and notes that.
 *
 * @param lineAt the line of the source of one of the text.
 */
export function readLeavingOut<Read extends ReadText>(
  text: string,
  read: (plain: string) => Read,
  lineAt: (line: number) => number,
): Read {
  const { plain, comments, struck } = withoutLeftOut(text)
  const found = readWithout(text, plain, read)
  const notes = notesOfLeftOut(comments)
  if (struck.length > 0) {
    const lines = named(struck.map(lineAt), MOST_NAMED)
    notes.push(say('struckLines', { n: struck.length, lines }))
  }
  return {
    ...found,
    findings: found.findings.length > 0 ? doubtRemoved(found.findings) : allSkipped(text),
    ...(notes.length > 0 && { notes: [...(found.notes ?? []), ...notes] }),
  }
}

/** A text of which nothing is left. */
const allSkipped = (text: string): Finding[] =>
  text.split(lineBreak).map((own, at) => ({ line: at + 1, text: own, reading: skipped }))

const MOST_NAMED = 5

/** Lines of data that are comments, and comments around several. */
const inLines = /(?:^[ \t]*(?:\/\/|#)[^\r\n]*(?:\r\n|\r|\n|$))+/gm
const inBlock = /^[ \t]*\/\*[^]*?\*\//gm
const long = /(?<![\p{L}\p{N}./_-])[1-9][0-9]{4,7}(?!\p{N})/gu

/** Notes the comments of data that name beatmaps which it does not have: slots may have been taken out so. */
export function noteComments<Read extends ReadText>(text: string, read: Read): Read {
  // Behind the last end, the text would be looked through to its own end for each begin.
  const end = text.lastIndexOf('*/') + 2
  const blocks = text.slice(0, end).match(inBlock) ?? []
  const others = text.slice(0, end).replaceAll(inBlock, '') + text.slice(end)
  const all = [...blocks, ...(others.match(inLines) ?? [])]
  if (all.length === 0) return read
  const own = new Set(read.findings.flatMap(idsOf))
  const left = all.filter((comment) => {
    const targets = findTargets(comment).flatMap(({ beatmapId }) => beatmapId ?? [])
    const numbers = withoutPaths(comment).match(long)?.map(Number) ?? []
    return [...targets, ...numbers].some((id) => !own.has(id))
  })
  const notes = notesOfLeftOut(left.map((comment) => tidy(comment).replaceAll(/\s+/g, ' ')))
  return notes.length === 0 ? read : { ...read, notes: [...(read.notes ?? []), ...notes] }
}

/** What a finding says of beatmaps; a line that is refused is not left out without a word. */
function idsOf({ reading, text }: Finding): number[] {
  if (reading.kind === 'slot') return [reading.beatmapId]
  if (reading.kind === 'skipped' || reading.kind === 'heading') return []
  return (text.match(/[0-9]+/g) ?? []).map(Number)
}

const section = /^[ \t]*\[[^[\]\r\n]{1,100}\][ \t]*$/m
const semicolon = /^[ \t]*;[^;\r\n]*$/gm

/** A text in which what is between two signs is changed; what is not closed stays. */
function between(
  text: string,
  [open, close]: readonly [open: RegExp, close: RegExp],
  change: (part: string) => string,
): string {
  const parts: string[] = []
  let from = 0
  for (;;) {
    open.lastIndex = from
    const start = open.exec(text)
    if (start === null) break
    close.lastIndex = start.index + start[0].length
    if (close.exec(text) === null) break
    parts.push(text.slice(from, start.index), change(text.slice(start.index, close.lastIndex)))
    from = close.lastIndex
  }
  return from === 0 ? text : parts.join('') + text.slice(from)
}

const commentSigns: readonly (readonly [RegExp, RegExp])[] = [
  [/<!--/g, /-->/g],
  // Of a program, around whole lines.
  [/^[ \t]*\/\*/gm, /\*\/[ \t]*$/gm],
  // Of notes and templates.
  [/^[ \t]*%%/gm, /%%[ \t]*$/gm],
  [/^[ \t]*\{#/gm, /#\}[ \t]*$/gm],
  [/\{\{!/g, /\}\}/g],
  [/<%(?:#|--)/g, /%>/g],
]
/** Lines of a program or of Markdown, and tags: `// NM2 129891`, `[//]: # (NM2 129891)`, `#NM2 129891`. */
const commentLines =
  /^[ \t]*(?:\/\/[ \t]*(?:[-*+] )?|\[\/\/\]:[ \t]*#?[ \t]*["'(]?|#)(?=(?:\p{L}{1,4}[0-9]{1,2}|TB)(?![\p{L}\p{N}]))[^\r\n]{1,500}$/gmu
const mayBeComment = /^[ \t]*(?:\/\/|\[\/\/\]|#\p{L})/mu
/** In a line: what is struck through, with its link where it is the whole text of one. */
const struckParts = [
  /\[~~(?:(?!~~)[^\r\n]){1,500}~~\]\([^()\s]{1,500}\)/g,
  /\[url=[^[\]\r\n]{1,500}\]\[s\][^[\]\r\n]{1,500}\[\/s\]\[\/url\]/gi,
  /^[ \t]*(-{1,2})(?=\p{L})[^\r\n]{1,500}(?<=[^\s-])\1[ \t]*$/gmu,
  /(?<!~)~~(?=[^\s~])(?:(?!~~)[^\r\n]){1,500}~~(?!~)/g,
] as const
/** Also around several lines. */
const struckTags = [
  String.raw`\[s\]`,
  String.raw`\[strike\]`,
  String.raw`\[del\]`,
  '<s>',
  '<del>',
  '<strike>',
].map((tag) => [new RegExp(tag, 'gi'), new RegExp(tag.replace(/(?=[sd])/, '/'), 'gi')] as const)
const mayBeStruck =
  /~~|\[(?:s|strike|del)\]|<(?:s|del|strike)>|^[ \t]*-{1,2}\p{L}[^\r\n]{0,500}-[ \t]*$/imu
const undecided = /(?<!\p{L})tb[acd](?!\p{L})|[?？]/iu

/** A text with a sign of its own around what is struck through, in each of its lines. */
function withStruck(text: string): string {
  const mark = (whole: string): string =>
    whole.replaceAll(/[^\r\n]+/g, (part) => STRUCK + part.replaceAll(STRUCK, '') + STRUCK)
  const inLines = struckParts.reduce((all, part) => all.replaceAll(part, mark), text)
  const all = struckTags.reduce((each, tag) => between(each, tag, mark), inLines)
  // `~~` around lines, up to a blank one.
  const lines = all.split(lineBreak)
  let open = -1
  for (const [at, line] of lines.entries()) {
    const isOne = line.indexOf('~~') === line.lastIndexOf('~~') && line.includes('~~')
    if (open >= 0 && isOne && line.trimEnd().endsWith('~~')) {
      for (let each = open; each <= at; each += 1) lines[each] = mark(lines[each]!)
      open = -1
    } else if (isOne && line.trimStart().startsWith('~~') && !line.includes('~~~')) open = at
    else if (isOne || line.trim() === '') open = -1
  }
  return lines.join('\n')
}

/**
 * A text without its comments, and without lines whose slot is struck through and nothing in its place. `struck`: which;
 * `comments`: those that may have had a beatmap.
 */
function withoutLeftOut(text: string) {
  const comments: string[] = []
  const blank = (part: string): string => {
    if (hasBeatmap(part)) comments.push(tidy(part).replaceAll(/\s+/g, ' '))
    return part.replaceAll(/[^\r\n]+/g, '')
  }
  const isCommented = ['<!--', '/*', '%%', '{#', '{{!', '<%'].some((sign) => text.includes(sign))
  const known = isCommented
    ? commentSigns.reduce((all, signs) => between(all, signs, blank), text)
    : text
  const isIni = known.includes(';') && section.test(known)
  const own = isIni ? known.replaceAll(semicolon, blank) : known
  // A cell in quotes may go on over lines.
  const plain =
    !own.includes('"') && mayBeComment.test(own)
      ? own.replaceAll(commentLines, (line) => (hasBeatmap(line) ? blank(line) : line))
      : own
  if (!mayBeStruck.test(plain)) return { plain, comments, struck: [] }
  const found: number[] = []
  const lines = withStruck(plain.replaceAll(STRUCK, '')).split(lineBreak)
  const left = lines.map((line, at) => {
    if (!line.includes(STRUCK)) return line
    const parts = line.split(STRUCK)
    const [rest, taken] = [0, 1].map((part) => parts.filter((_, n) => n % 2 === part).join(' '))
    if (!isSlotLike(taken!)) return parts.join('')
    const isReplaced = hasBeatmap(rest!) && (namesSlot.test(rest!) || !namesSlot.test(taken!))
    if (isReplaced || undecided.test(rest!)) return rest!
    found.push(at + 1)
    return ''
  })
  return { plain: left.join('\n'), comments, struck: found }
}

const STRUCK = '\ue000'
const hasBeatmap = (text: string): boolean =>
  /(?<![0-9])[1-9][0-9]{3}/.test(withoutPaths(text)) || findTargets(text).length > 0
const isSlotLike = (text: string): boolean => hasBeatmap(text) || namesSlot.test(text)

/** What says of a slot that it is none any more; the words alone are parts of titles, too. */
const out = String.raw`(?:(?:was |is |been )?${anyOut}(?: (?:on|by|in|from|due|for|since|after|map)(?![\p{L}\p{N}])(?![^()[\]]* but )[^()[\]:]{0,40})?)`
/** The names of difficulties, and parts of titles: they count right behind the beatmap or its label. */
const isVague = new RegExp(
  String.raw`^[\s(*_–—-]*(?:(?:was|is|been) )?(?:${vagueWords})(?!\p{L})|^[\s*_]*\[`,
  'iu',
)
const labelAtEnd = /(?<![\p{L}\p{N}])(?:\p{L}{1,12}\s?[0-9]{1,2}|TB)$/u

/** Whether a text ends with a beatmap or a label, and no title. */
function endsWithSlot(text: string, beatmapId: number): boolean {
  const own = text.replace(/[^\p{L}\p{N}]+$/u, '')
  return own.endsWith(String(beatmapId)) || labelAtEnd.test(own)
}

const removed = new RegExp(
  [
    String.raw`[([]${out}[)\]][\s.!*_~]*$`,
    String.raw`^[\s*_>-]*(?:[0-9]{1,3}[.)]\s+)?(?:${asideLine}|bans?|${vagueWords})[*_]*\s*[:：–—-]`,
  ].join('|'),
  'iu',
)

/** The same in a line that is no row: behind the beatmap, `NM2 129892 - removed`, and by a sign. */
const removedBehind = new RegExp(
  [
    String.raw`(?<=[0-9)\]][*_]{0,3}\s{0,3}(?:[-–—:|,;<>←→/]{1,2}\s{0,3})?)[*_]{0,3}${out}[\s.!*_~]*$`,
    String.raw`^[\s*_>-]*(?:[0-9]{1,3}[.)]\s+)?[${outSigns}]|[${outSigns}]\ufe0f?\s*$`,
  ].join('|'),
  'iu',
)

/** The same in a cell, right behind the beatmap: `NM2,129892 (removed),6.2`. */
const removedInCell = new RegExp(
  String.raw`(?<=[0-9][*_~]{0,3}\s{0,3})[([]${out}[)\]](?=[\s.!*_~"]*(?:[\t,;|]|$))`,
  'giu',
)

/** What a row says behind its beatmap, before other cells. */
const foundInCell = (row: string, beatmapId: number): RegExpExecArray | undefined =>
  [...row.matchAll(removedInCell)].find(({ index }) =>
    row
      .slice(0, index)
      .replace(/[\s*_~]+$/u, '')
      .endsWith(String(beatmapId)),
  )

/** Asks about slots whose line says that they are none any more. */
function doubtRemoved(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const { reading, text } = finding
    if (reading.kind !== 'slot') return finding
    const shown = text.slice(-LONGEST_SHOWN)
    const found =
      removed.exec(shown) ??
      (reading.isCell === true ? foundInCell(shown, reading.beatmapId) : removedBehind.exec(shown))
    if (found == null) return finding
    const { 0: what, index } = found
    const before = shown.slice(0, index)
    if (index > 0 && isVague.test(what) && !endsWithSlot(before, reading.beatmapId)) return finding
    const question = say('isAside', {
      what: `“${what.replaceAll(/^[\s*_>-]+(?:[0-9]+[.)] )?|[\s:：–—-]+$/gu, '')}”`,
    })
    const choices = [
      [say('noLeaveIt'), skipped],
      [say('yesUseIt'), reading],
    ] as const
    return { ...finding, reading: asked(question, choices, `removed ${question}`) }
  })
}

const LONGEST_SHOWN = 300
