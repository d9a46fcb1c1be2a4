import { type ImportMessage, notesOfLeftOut } from '../import-message.ts'
import { findTargets, noTarget } from '../../../pool/beatmap-links.ts'
import { readPlannedLine } from '../lines/plans.ts'
import { isRoundName, roundOfHeading } from '../lines/round-names.ts'
import { withoutTargets } from '../words/as-written.ts'
import { slotWord } from '../words/bucket-names.ts'
import { type Finding, LONGEST_LINE, type Reading, reasons, refused } from '../readings.ts'
import { type BucketCodes, isFilled, namesBucket } from '../words/labels.ts'

// What Markdown, posts, chats and version control write around the lines of a pool. Each line keeps its number.

/** Reads `plain` for `written`, of which it has the same lines; what was read has the lines as they were written. */
export function readWithout<Read extends { readonly findings: readonly Finding[] }>(
  written: string,
  plain: string,
  read: (plain: string) => Read,
): Read {
  const found = read(plain)
  if (plain === written) return found
  const [before, after] = [written, plain].map((each) => each.split(lineBreak))
  const findings = found.findings.map((finding) => {
    const lines = [
      finding.line - 1,
      finding.line - 1 + finding.text.split(lineBreak).length,
    ] as const
    const isWhole = after!.slice(...lines).join('\n') === finding.text
    const own = before!.slice(...lines).join('\n')
    return isWhole || !own.includes(finding.text) ? { ...finding, text: own } : finding
  })
  return { ...found, findings }
}

export const lineBreak = /\r\n|\r|\n/

// Characters of pages, sheets and files that look like others, or are invisible.
const unusual = /\r(?!\n)|[\p{M}\u00a0\u00ad\u2000-\u200b\u202a-\u202f\u205f-\u2069\ufeff]/u
const invisible = String.raw`[\u00ad\u200b\u202a-\u202e\u2060-\u2069\ufeff]`
/**
 * Invisible characters, but for those with which `writeBbcode` breaks tags, addresses and keys, and for one in a last line
 * that has nothing else, which would not be a line.
 */
const removable = new RegExp(
  String.raw`((?<=\[|@)\u200b|(?<=:)\u200b(?=\/\/)|\u200b(?=\.)|(?<=[\s\]])\u200b(?=[\p{P}\p{S}]))|${invisible}(?!$(?<=(?:^|[\r\n])${invisible}+))`,
  'gu',
)

/** A text with plain spaces and line breaks, in NFC, and without invisible characters. Valid JSON stays as it is. */
export function normalizeText(text: string): string {
  const known = text.includes(noTarget) ? withoutTargets(text) : text
  if (!unusual.test(known) || isJson(known)) return known
  return known
    .replaceAll(removable, '$1')
    .replaceAll(/\r(?!\n)/g, '\n')
    .replaceAll(/[\u00a0\u2000-\u200a\u202f\u205f]/g, ' ')
    .normalize('NFC')
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Most texts have none of them. */
const mayBeFenced = /```|~~~|<\/?(?:pre|code)\b|\[\/?code\b|^[ \t>]*`+[ \t]*[[{]/im
/** A line that begins or ends a block, with the language of its text. */
const fence = /^([ \t>]{0,20})(?:`{3,20}|~{3,20})[ \t]*([a-z][\w+#.-]{0,30})?[ \t]*$/gim
/** The same in the line of the data that it is around. */
const opening =
  /^([ \t>]{0,20})(?:`{1,20}|~{3,20})(?:[\w+#.-]{1,20}[ \t]{0,9}|[ \t]{0,9})(?=[[{])/gm
const closing = /(?<=[\]};])[ \t]{0,9}(?:`{1,20}|~{3,20})[ \t]{0,9}$/gm
const tags = /<\/?(?:pre|code)(?:\s[^<>]{0,200})?>|\[\/?code(?:=[^[\]\r\n]{0,40})?\]/gi

/**
 * A text without what marks blocks of code in Markdown, pages and posts. The language of a block is nothing, unless it can
 * only be what is in it: `NM`, `Finals`.
 */
export function withoutFences(text: string, codes: BucketCodes): string {
  if (!mayBeFenced.test(text)) return text
  const isHeading = (word: string): boolean =>
    isRoundName(word) || (/^[^a-z]|[0-9]$/.test(word) && namesBucket(word, codes))
  return asChanged(text)
    .replaceAll(tags, '')
    .replaceAll(fence, (_, start: string, word = '') => start + (isHeading(word) ? word : ''))
    .replaceAll(opening, '$1')
    .replaceAll(closing, '')
}

/** The beginning of a block of code that is a change in version control. */
const changesBlock = /^[ \t]*(?:```|~~~)[ \t]*(?:diff|patch)[ \t]*$/im
const anyBlock = /^[ \t]*(?:```|~~~)/

/** A text in which blocks of changes are as they are after them. */
function asChanged(text: string): string {
  if (!changesBlock.test(text)) return text
  let isInside = false
  return text
    .split(lineBreak)
    .map((line) => {
      if (anyBlock.test(line)) isInside = !isInside && changesBlock.test(line)
      else if (isInside)
        return changesHead.test(line) || line.startsWith('-') ? '' : line.replace(/^\+/, '')
      return line
    })
    .join('\n')
}
const definition =
  /^[ \t>]{0,12}\[([^[\]\r\n]{1,200})\]:[ \t]*<?([^\s<>]{1,300})>?(?:[ \t]+(?:"[^"\r\n]{0,300}"|'[^'\r\n]{0,300}'|\([^()\r\n]{0,300}\)))?[ \t]*$/gm
/** `[Artist - Title][1]`, `[Artist - Title][]`; a difficulty is in brackets of its own, with or without `\\`. */
const reference =
  /\[((?:[^[\]\\\r\n]|\\.|\[[^[\]\r\n]{0,100}\]){1,300})\][ ]?\[([^[\]\r\n]{0,200})\](?![(:])/g

/** A text of Markdown with its links where they are used, and no longer at its end, where their addresses are: `[1]: https://…`. */
export function withReferences(text: string): string {
  if (!text.includes(']:')) return text
  const found = [...text.matchAll(definition)].filter(([, , link = '']) =>
    /ppy\.sh\/|^\/?b\//.test(link),
  )
  if (found.length === 0) return text
  const links = new Map(found.map(([, name = '', link = '']) => [keyOf(name), link]))
  const used = new Set<string>()
  const linked = text.replaceAll(reference, (whole, shown: string, name: string) => {
    const key = keyOf(name === '' ? shown : name)
    const link = links.get(key)
    if (link === undefined) return whole
    used.add(key)
    return `[${shown}](${link})`
  })
  return linked.replaceAll(definition, (line, name: string) => (used.has(keyOf(name)) ? '' : line))
}

const keyOf = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase()

const quote = /^[ \t]{0,3}>[ ]?/
const INDENT = 4
/** Answers to answers quote what is quoted. */
const DEEPEST = 4

/** A text without the marks of a quotation or of code that are in front of all its lines. */
export function withoutQuotes(text: string): string {
  if (!/^\s*(?:>| {4})/.test(text)) return text
  const lines = text.split(lineBreak)
  let inner: readonly string[] = lines
  for (let depth = 0; depth < DEEPEST; depth += 1) inner = unquoted(inner) ?? inner
  return inner === lines ? text : inner.join('\n')
}

function unquoted(lines: readonly string[]): string[] | null {
  const filled = lines.filter(isFilled)
  if (filled.length === 0) return null
  if (filled.every((line) => quote.test(line))) return lines.map((line) => line.replace(quote, ''))
  if (filled.length < 2) return null
  const indents = filled.map((line) => /^ */.exec(line)![0].length)
  const least = indents.reduce((all, each) => Math.min(all, each), Infinity)
  // Brackets alone in a line, which may be further to the left, stay.
  const indent = new RegExp(`^ {0,${least}}`)
  return least < INDENT ? null : lines.map((line) => line.replace(indent, ''))
}

/** Words to the end of a sentence, in no cells; emoji may follow. */
const sentence =
  /^ {0,3}[\p{L}"'“‘¡¿@(](?=.{4})(?:[\p{L}\p{M}"'“”‘’()&@/–—.!?…、。！？ -]|[,;] |，){0,300}[.!?…:。！？：)][ \p{Extended_Pictographic}\ufe0f]*$/u
/** So many lines around a pool may be about it. */
const MOST_SENTENCES = 12

/** A text without the sentences in front of a pool and behind it, whose commas and colons would be taken for its own. */
export function withoutSentences(text: string, codes: BucketCodes): string {
  const lines = text.split(lineBreak)
  const isAside = (at: number): boolean => {
    const line = lines[at]!
    if (line.trim() === '') return true
    // `Maps of the upper bracket:` may be a key.
    const isApart = !/[:：]\s*$/.test(line) || (lines[at + 1] ?? '').trim() === ''
    return isApart && sentence.test(line) && isProse(line, codes)
  }
  let [from, to] = [0, lines.length]
  while (from < to && from < MOST_SENTENCES && isAside(from)) from += 1
  while (to > from && lines.length - to < MOST_SENTENCES && isAside(to - 1)) to -= 1
  const isAround = (at: number): boolean => at < from || at >= to
  if (!lines.some((line, at) => isAround(at) && line.trim() !== '')) return text
  return lines.map((line, at) => (isAround(at) ? '' : line)).join('\n')
}

function isProse(line: string, codes: BucketCodes): boolean {
  const reading = readPlannedLine(line, codes)
  const isUnread =
    reading.kind === 'refused' && reading.plan === undefined && reading.links === undefined
  return isUnread && roundOfHeading(line, codes) === null
}

const changed = /^[+-](?=[^\s+-])/
const changesHead = /^(?:diff |index |@@|---|\+\+\+)/

/** The lines of a file as they are after a change, which version control writes with a sign in front of each. */
export function withoutChanges(text: string): string {
  if (!/^-[^-\r\n]/m.test(text) || !/^\+[^+\r\n]/m.test(text)) return text
  const own = text.split(lineBreak)
  const lines = withoutReplaced(own)
  const isPart = (line: string): boolean =>
    line === '' || line.startsWith(' ') || changed.test(line) || changesHead.test(line)
  // Bullets may be of both signs.
  const isChange =
    lines.join('\n') !== own.join('\n') ||
    lines.some((line) => changesHead.test(line) || (line.startsWith(' ') && isFilled(line)))
  if (!isChange || !own.every(isPart)) return lines.join('\n')
  const isKept = (line: string): boolean => !line.startsWith('-') && !changesHead.test(line)
  return own.map((line) => (isKept(line) ? line.slice(1) : '')).join('\n')
}

/** What a change takes out, in sentences. */
export function notesOfChanges(written: string, plain: string): ImportMessage[] {
  if (written === plain || !/^-/m.test(written)) return []
  const after = plain.split(lineBreak)
  const isTaken = (line: string, at: number): boolean =>
    line.startsWith('-') && !changesHead.test(line) && after[at] === '' && /[0-9]{4}/.test(line)
  return notesOfLeftOut(written.split(lineBreak).filter(isTaken))
}

const [put, taken] = ['\\+', '-'].map(
  (sign) => new RegExp(String.raw`^${sign}[ \t]?(${slotWord})(?![\p{L}\p{N}])`, 'iu'),
) as [RegExp, RegExp]

/** Lines without those that are taken out for others that begin with the same slot: `- NM1 129891`, `+ NM1 129892`. */
function withoutReplaced(lines: readonly string[]): string[] {
  const words = new Set(lines.flatMap((line) => put.exec(line)?.[1] ?? []))
  const isReplaced = (line: string): boolean => words.has(taken.exec(line)?.[1] ?? '')
  const replaced = new Set(lines.filter(isReplaced).flatMap((line) => taken.exec(line)?.[1] ?? []))
  return lines.map((line) => {
    if (isReplaced(line)) return ''
    return replaced.has(put.exec(line)?.[1] ?? '') ? line.replace(/^\+[ \t]?/, '') : line
  })
}

/** A line of a word or a small number and one as long as an id; or what begins like a numbered label, and has one. */
const wordAndNumber =
  /^[^\p{L}\p{N}]{0,12}(?:[0-9]{1,2}[^\p{L}\p{N}]{1,4})?(?:\p{L}{1,12}[ -]?)?[0-9]{0,2}[^\p{L}\p{N}]{1,8}([1-9][0-9]{4,7})(?![0-9])[^\p{L}\p{N}]*$/u
const labelFirst = new RegExp(String.raw`^[^\p{L}\p{N}]{0,12}${slotWord}(?![\p{L}\p{N}])`, 'u')
const idInLine = /(?<![\p{L}\p{N}/.,:=-])([1-9][0-9]{4,7})(?![\p{L}\p{N}]|[.,:][0-9])/gu
/** Remarks, what is struck through, code, and what the game's referee says of scores. */
const isAside =
  /^\s*(?:# |\/\/|;|[{}]|["'][^"']{0,60}["']\s*:)|~~|\[(?:s|strike)\]|<(?:s|del|strike)>|finished playing/i

type ReadText = { readonly findings: readonly Finding[]; readonly notes?: readonly ImportMessage[] }

/**
 * Refuses each line with a beatmap that no reader took, beside slots: neither a slot nor a question or a refusal has its
 * beatmap. It is the last guard against losing one without a word, whatever the line looks like.
 */
export function refuseLost<Read extends ReadText>(read: Read): Read {
  const { findings, notes = [] } = read
  const isOfPool = findings.some(({ reading: { kind } }) => kind === 'slot' || kind === 'heading')
  // A note has told what is left out.
  if (notes.length > 0 || !isOfPool) return read
  const used = new Set(
    findings.flatMap(({ reading, text }) =>
      reading.kind === 'refused' ? idsIn(text) : idsOf(reading),
    ),
  )
  const isLost = ({ reading, text }: Finding): boolean =>
    (reading.kind === 'skipped' || reading.kind === 'heading') &&
    text.length <= LONGEST_LINE &&
    !isAside.test(text) &&
    idsIn(text).some((id) => !used.has(id))
  const prose = findings.filter((each) => isLost(each) && isSentence(each.text))
  return {
    ...read,
    findings: findings.flatMap((finding) => {
      if (!isLost(finding) || isSentence(finding.text)) return finding
      const lost = { ...finding, reading: refused(reasons.unclearSlot) }
      const { round: _, ...line } = lost
      return finding.reading.kind === 'heading' ? [line, finding] : lost
    }),
    ...(prose.length > 0 && { notes: notesOfLeftOut(prose.map(({ text }) => text)) }),
  }
}

const linkOf = /\[[^[\]]{0,500}\]\([^()\s]{0,500}\)|\S{0,20}:\/\/\S+/g
/** Fewer words around a link may be names. */
const LEAST_WORDS = 5

/** `Warm-ups, such as [this one](…), take 5 minutes.` */
const isSentence = (line: string): boolean =>
  (line.replaceAll(linkOf, ' ').match(/\p{L}{2,}/gu) ?? []).length >= LEAST_WORDS

function idsIn(line: string): number[] {
  const linked = findTargets(line).flatMap(({ beatmapId }) => beatmapId ?? [])
  if (linked.length > 0) return linked
  const [, alone] = wordAndNumber.exec(line) ?? []
  if (alone !== undefined) return [Number(alone)]
  return labelFirst.test(line) ? [...line.matchAll(idInLine)].map(([, id]) => Number(id)) : []
}

function idsOf(reading: Reading): number[] {
  if (reading.kind === 'asked') return reading.choices.flatMap((each) => idsOf(each.reading))
  return reading.kind === 'slot' ? [reading.beatmapId] : []
}
