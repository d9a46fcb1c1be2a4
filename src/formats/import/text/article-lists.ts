import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import { bucketNamed, knownBucket } from '../words/bucket-names.ts'
import { withoutStruck } from '../lines/items.ts'
import { type BucketCodes, codeOfWords, isFilled, isKnown } from '../words/labels.ts'
import { withoutPoolName } from '../lines/divisions.ts'
import { isOwnSlot, withOwnSlots } from '../lines/likely-slots.ts'
import { readPlainLine } from '../lines/lines.ts'
import { roundOfHeading } from '../lines/round-names.ts'
import { groupedBy } from '../tables/column-facts.ts'
import { type Finding, type Reading, reasons, refused } from '../readings.ts'

// The lines of an article, and which of its lists are of buckets.

/** A line of Markdown. */
export type Line = {
  readonly line: number
  readonly text: string
  readonly kind: 'blank' | 'heading' | 'item' | 'text'
  /** Of a heading 1 to 6; of an item or a text the columns in front of it. */
  readonly depth: number
  /** Without what marks it. */
  readonly body: string
  readonly ordinal: number | null
}

/** A line that may name a bucket, and the items below it. */
export type Block = {
  readonly head: number
  readonly items: readonly number[]
  /** How many of them have links to beatmaps or sets. */
  readonly linked: number
}

const heading = /^(?:\s{0,3}|[\s>]{0,20}>\s?)(#{1,6})\s+(\S.*)$/
/** A row of a table of one column, whose header row names a bucket. */
const row = /^\s*\|((?:\\.|[^|\\])*)\|?\s*$/
/** Spaces of no width, which chats and editors leave there. */
const unseenEnd = /(?<![\s\u200b-\u200f\u2060\ufeff])[\s\u200b-\u200f\u2060\ufeff]{1,20}$/
const rule = /^\s*\|\s*:?-+:?\s*\|?\s*$/
const item = /^([\s>]*)(?:[-*+•]|(\d{1,3})[.)])\s+(\S.*)$/

function lineOf(text: string, line: number, next: string): Line {
  const plain = text.slice(0, LONGEST_ITEM).replace(unseenEnd, '')
  if (!isFilled(plain) && !/[?？]/.test(plain))
    return { line, text, kind: 'blank', depth: 0, body: '', ordinal: null }
  const [, hashes, title = ''] = heading.exec(plain) ?? []
  if (hashes !== undefined) {
    const body = title.trim().replace(/\s#{1,20}$/, '')
    return { line, text, kind: 'heading', depth: hashes.length, body, ordinal: null }
  }
  const [, gap = '', number, body = ''] = item.exec(plain) ?? []
  if (body !== '') {
    const ordinal = number === undefined ? null : Number(number)
    return {
      line,
      text,
      kind: 'item',
      depth: columnsOf(gap),
      body: withoutBold(withoutStruck(body)),
      ordinal,
    }
  }
  const [, cell = ''] = row.exec(plain) ?? []
  if (isFilled(cell)) {
    const depth = rule.test(next.slice(0, LONGEST_ITEM).replace(unseenEnd, '')) ? 0 : 1
    return { line, text, kind: 'item', depth, body: withoutBold(cell), ordinal: null }
  }
  return { line, text, kind: 'text', depth: 0, body: plain.trim(), ordinal: null }
}

/** Tiebreakers are bold. */
const withoutBold = (body: string): string => body.trim().replace(/^(\*\*|__)(.+)\1$/, '$2')

export const LONGEST_ITEM = 2000
const TAB = 4

function columnsOf(gap: string): number {
  const plain = gap.replaceAll('>', '')
  return plain.length + (plain.split('\t').length - 1) * (TAB - 1)
}

export function linesOf(text: string): Line[] {
  const all = text.split(/\r\n|\r|\n/)
  const lines: Line[] = []
  // Line breaks may be doubled.
  let next = ''
  for (let at = all.length - 1; at >= 0; at -= 1) {
    lines.push(lineOf(all[at]!, at + 1, next))
    if (!blankLine.test(all[at]!.slice(0, LONGEST_BLANK))) next = all[at]!
  }
  return withWholeLinks(lines.toReversed())
}

const blankLine = /^[\s\u200b-\u200f\u2060\ufeff]*$/
const LONGEST_BLANK = 100

/** The text of a link may go on in the next line: that is a part of the item, whatever it begins with. */
function withWholeLinks(lines: readonly Line[]): Line[] {
  const whole = [...lines]
  for (const [at, line] of lines.entries()) {
    if (line.kind !== 'item' || !openLink.test(line.body)) continue
    // Line breaks may be doubled.
    const next = lines[at + 1]?.kind === 'blank' ? at + 2 : at + 1
    const rest = lines[next]?.text.slice(0, LONGEST_ITEM) ?? ''
    if (!closedLink.test(rest)) continue
    whole[at] = { ...line, body: `${line.body} ${rest}` }
    whole[next] = { ...lines[next]!, kind: 'blank', body: '' }
  }
  return whole
}

const openLink = /^[^[\]]{0,40}\[[^[\]]{1,200}$/
const closedLink = /^[^[\]]{0,200}\]\(https?:/

export const isLinked = ({ body }: Line): boolean => findTargets(body).length > 0

/** The blocks of buckets by the place of their first line. */
export function findBlocks(lines: readonly Line[], codes: BucketCodes): Map<number, Block> {
  const found = new Map<number, Block>()
  let section: Block[] = []
  /** How deep the headings of buckets in the section are; those beside them are of buckets, too. */
  let bucketDepth = 0
  const endSection = (): void => {
    for (const block of bucketsOf(section, lines, codes)) found.set(block.head, block)
    section = []
    bucketDepth = 0
  }
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'blank') continue
    if (line.kind === 'heading') {
      if (isBucketHeading(line, codes)) bucketDepth = line.depth
      else if (line.depth !== bucketDepth) endSection()
    }
    const block = blockAt(lines, at)
    if (block !== null) section.push(block)
  }
  endSection()
  return found
}

function isBucketHeading({ body }: Line, codes: BucketCodes): boolean {
  return knownBucket(body, codes) !== null
}

/** What a line has below it, if it is a short name and that is a list: of an item, one further to the right. */
function blockAt(lines: readonly Line[], head: number): Block | null {
  const { kind, depth, body } = lines[head]!
  if (body.length > LONGEST_NAME || body.includes('://') || findTargets(body).length > 0)
    return null
  const least = kind === 'item' ? depth + 1 : 0
  const items: number[] = []
  let first = -1
  let linked = 0
  for (let at = head + 1; at < lines.length; at += 1) {
    const line = lines[at]!
    if (line.kind === 'blank') continue
    if (line.kind !== 'item' || line.depth < least) break
    if (first < 0) first = line.depth
    // Tabs and spaces in one list.
    first = Math.min(first, line.depth)
    // What is further in is a remark on the item above it.
    if (line.depth > first + INDENT_SLIP) continue
    items.push(at)
    if (findTargets(line.body).length > 0) linked += 1
  }
  return items.length === 0 ? null : { head, items, linked }
}

const LONGEST_NAME = 80
/** Lists that are indented by hand may vary by a column. */
const INDENT_SLIP = 1

/** The blocks of a section that are buckets: those of a kind of which one has beatmaps, with what shows that they are. */
function bucketsOf(section: readonly Block[], lines: readonly Line[], codes: BucketCodes): Block[] {
  if (section.every(({ linked }) => linked === 0)) return []
  const kindOf = ({ head }: Block): string => {
    const { kind, depth } = lines[head]!
    return kind === 'heading' ? `heading ${depth}` : kind === 'item' ? `item ${depth}` : 'text'
  }
  const isNamed = ({ head }: Block): boolean => knownBucket(lines[head]!.body, codes) !== null
  const named = new Set(section.filter(isNamed).map(kindOf))
  const heads = new Set(section.map(({ head }) => head))
  return section.filter((block) => {
    // `- HD1 129891` is a slot, whatever is below it.
    if (isSlot(lines[block.head]!, codes)) return false
    // What has buckets below it is a round, whatever its name is.
    if (lines[block.head]!.kind === 'heading' && block.items.some((at) => heads.has(at)))
      return false
    const isBucket = isNamed(block) || named.has(kindOf(block))
    const isItem = lines[block.head]!.kind === 'item'
    // A name of its own needs beatmaps, or others beside it that are buckets.
    if (!isBucket && !(isItem && block.linked * 2 >= block.items.length)) return false
    // `- Artist - Title` above its link.
    const isOne = isItem && block.items.length === 1
    if (!isNamed(block) && isOne && song.test(lines[block.head]!.body)) return false
    if (bucketNamed(lines[block.head]!.body, codes) === null) return false
    return !isLabelled(block, lines, codes)
  })
}

const song = /\p{L}.{0,100}\s[-–—]\s.{0,9}\p{L}/u

function isSlot({ line, body: text }: Line, codes: BucketCodes): boolean {
  if (!/[0-9]{5}/.test(text)) return false
  return isOwnSlot({ line, text, reading: readPlainLine(text, codes) }, undefined, codes)
}

/** Whether most items name their slots themselves: then what is above them is a round, or anything else. */
function isLabelled({ head, items }: Block, lines: readonly Line[], codes: BucketCodes): boolean {
  const own = bucketNamed(lines[head]!.body, codes)
  const labelled = items.filter((at) => {
    const reading = readPlainLine(lines[at]!.body, codes)
    if (reading.kind !== 'slot' || reading.isTitled === true) return false
    return isKnown(reading.label, codes) && reading.label.code !== own?.code
  })
  return labelled.length * 2 > items.length
}

/** Reads lines or a table. */
export type ReadRest = (text: string) => readonly Finding[]

/** Lines in a row, from a place on, and what they say. */
type Beside = { readonly length: number; readonly findings: readonly Finding[] }

const mayHoldSlots = /[0-9]{2}|\/|\bTB[ACD]\b|[?？]/i

/**
 * What the lines beside the lists say, by the place of the first of a row of them, where one has a slot by itself: any other
 * list, table or sentence may be about anything, and is left.
 */
export function readBeside(
  lines: readonly Line[],
  blocks: ReadonlyMap<number, Block>,
  codes: BucketCodes,
  read: ReadRest,
): ReadonlyMap<number, Beside> {
  const listed = new Set([...blocks.values()].flatMap(({ items }) => items))
  const isBeside = (at: number): boolean => {
    if (blocks.has(at) || listed.has(at)) return false
    return lines[at]!.kind !== 'heading' || isBucketHeading(lines[at]!, codes)
  }
  const found = new Map<number, Beside>()
  /** Whether a list of the section is above: what has no slot is not known to be of its bucket. */
  let isBelow = false
  for (let at = 0; at < lines.length; at += 1) {
    const first = at
    const { kind } = lines[at]!
    if (!isBeside(at)) {
      isBelow = kind !== 'heading' || blocks.has(at)
      continue
    }
    while (at + 1 < lines.length && isBeside(at + 1) && lines[at + 1]!.kind !== 'heading') at += 1
    const own = lines.slice(first, at + 1)
    const text = own.map((each) => each.text).join('\n')
    const findings = mayHoldSlots.test(text) ? withOwnSlots(read(text), codes) : []
    if (!findings.some((finding, place) => isOwnSlot(finding, findings[place - 1], codes))) continue
    const isInList = isBelow && kind !== 'heading'
    const placed = findings.map((each): Finding => {
      const isStray = isInList && each.reading.kind === 'slot' && each.reading.label === null
      const reading = isStray ? refused(reasons.unclearSlot) : withBucket(each.reading)
      return { ...each, line: first + each.line, reading }
    })
    found.set(first, { length: own.length, findings: placed })
  }
  return found
}

/** A slot by the code of its bucket, where a line has its full name: `Tiebreaker 129892`. */
function withBucket(reading: Reading): Reading {
  if (reading.kind !== 'slot' || reading.label?.code == null) return reading
  const code = codeOfWords([reading.label.code])
  return code === null ? reading : { ...reading, label: { ...reading.label, code } }
}

/** Divisions have rounds of the same names: these are told apart by the headings above them, from the nearest on. */
export function namesApart(written: ReadonlyMap<number, readonly string[]>): Map<number, string> {
  // `### Mappool` below `## Finals`.
  const paths = new Map([...written].map(([at, path]) => [at, withoutPoolName(path)] as const))
  const lengths = new Map([...paths.keys()].map((at) => [at, 1]))
  const nameAt = (at: number): string => paths.get(at)!.slice(-lengths.get(at)!).join(' ')
  for (let isLonger = true; isLonger;) {
    const alike = groupedBy([...paths.keys()], (at) => foldCode(nameAt(at)))
    const longer = [...alike.values()]
      .filter((places) => places.length > 1)
      .flat()
      .filter((at) => lengths.get(at)! < paths.get(at)!.length)
    for (const at of longer) lengths.set(at, lengths.get(at)! + 1)
    isLonger = longer.length > 0
  }
  return new Map([...paths.keys()].map((at) => [at, nameAt(at)]))
}

export function nameOfRound({ text, body }: Line, codes: BucketCodes): string {
  const plain = body.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return (
    roundOfHeading(text.replace(/^[\s>]+/, ''), codes)?.name ??
    plain.replaceAll(/[*_`]{1,3}|\\(?=[!-/:-@[-`{-~])/g, '').trim()
  )
}
